"""The running grid of an evening: tables by rounds, a mark for each board, and what waits for somebody."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engines import registry
from tournaments.models import Account, Seating, Session
from tournaments.services import flags, grid
from tournaments.services.flags import Flag
from tournaments.services.grid import GridPlay
from tournaments.services.play_states import PlayState

from ..players import mine
from ..presentation import in_units
from .seating import called

TABLES_A_PAGE = 100
FLAGS_SHOWN = 12
WORDS = {
    PlayState.EXPECTED: _("expected"),
    PlayState.AT_PLAY: _("at play"),
    PlayState.ENTERED: _("entered"),
    PlayState.CONFIRMED: _("confirmed"),
    PlayState.DISPUTED: _("disputed"),
    PlayState.RULED: _("ruled"),
    PlayState.NOT_PLAYED: _("not played"),
    PlayState.LATE: _("late"),
}
FILTERS = {
    "": _("all tables"),
    "waiting": _("what waits"),
    "expected": _("results expected"),
    "ruled": _("rulings"),
}
Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class GridRow:
    """A table of the grid: who sits there in the round that is being played, and a cell for each round."""

    name: str
    seated: Sequence[str]
    cells: Sequence[SafeString]


@dataclass(frozen=True, slots=True)
class WaitingFlag:
    """What somebody should look at, with the way to it."""

    state: str
    place: str
    reason: str
    href: str


@dataclass(frozen=True, slots=True)
class EveningGrid:
    """`heads`: by round, its number and whether it is the one being played; `counts`: how many boards are how
    far; `filters`: each with its address and words, and whether it is chosen; `pages`: of tables."""

    heads: Sequence[tuple[int, bool]]
    rows: Sequence[GridRow]
    counts: Sequence[tuple[str, str, int]]
    filters: Sequence[tuple[str, str, bool]]
    page: int
    pages: int
    before: int | None
    after: int | None
    show: str
    waits: Sequence[WaitingFlag]
    more: int


def of(request: HttpRequest, session: Session, account: Account, number: int) -> EveningGrid:
    """The grid of a session with its round `number` wide, as an account may see it, a page of tables at a
    time. The queries do not grow with the tables; the time does, mostly with those of the page."""
    rows = flags.watched(session)
    held = [player.pk for player in mine.myself(request).players]
    plays = grid.plays_of(session, rows, grid.sight_of(session, account, rows, held))
    flagged = flags.of(session, account, rows=rows, held=held)
    show = request.GET.get("show", "")
    show = show if show in FILTERS else ""
    tables: dict[Place, dict[int, list[GridPlay]]] = defaultdict(lambda: defaultdict(list))
    for one in plays:
        tables[one.section, one.table][one.round].append(one)
    wanted = {(one.section, one.table) for one in flagged} if show == "waiting" else set()
    shown = sorted(place for place, own in tables.items() if place in wanted or _is_wanted(show, own))
    pages = max(-(-len(shown) // TABLES_A_PAGE), 1)
    text = request.GET.get("tables", "")
    page = min(max(int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 1, 1), pages)
    places = shown[(page - 1) * TABLES_A_PAGE : page * TABLES_A_PAGE]
    seated = _seated(session, account, number, places)
    heads = [(one, one == number) for one in sorted({one.round for one in plays})]
    counts = Counter(one.state for one in plays)
    several = len({section for section, _table in tables}) > 1
    signs = _Signs(session)
    waiting = [_waiting(session, one) for one in flagged[:FLAGS_SHOWN]]
    return EveningGrid(
        heads=heads,
        rows=[
            GridRow(
                f"{section}{table}" if several else str(table),
                seated.get((section, table), []),
                [signs.cell(tables[section, table].get(one, []), is_wide) for one, is_wide in heads],
            )
            for section, table in places
        ],
        counts=[(str(one), str(WORDS[one]), counts[one]) for one in PlayState if counts[one]],
        filters=[(name, str(words), name == show) for name, words in FILTERS.items()],
        page=page,
        pages=pages,
        before=page - 1 if page > 1 else None,
        after=page + 1 if page < pages else None,
        show=show,
        waits=waiting,
        more=max(len(flagged) - FLAGS_SHOWN, 0),
    )


def _is_wanted(show: str, own: Mapping[int, Sequence[GridPlay]]) -> bool:
    there = {one.state for some in own.values() for one in some}
    wanted = {
        "waiting": set(grid.WAITING),
        "expected": {PlayState.EXPECTED, PlayState.AT_PLAY, PlayState.LATE},
        "ruled": {PlayState.RULED, PlayState.NOT_PLAYED},
    }
    return show == "" or bool(there & wanted[show])


def _seated(
    session: Session, account: Account, number: int, places: Sequence[Place]
) -> dict[Place, list[str]]:
    """Who sits at these tables in a round, by their seats at its first board."""
    at = Seating.objects.filter(play__table__section__session=session, play__round=number)
    if len(places) <= TABLES_A_PAGE and places:
        at = at.filter(play__table__number__in={table for _section, table in places})
    rows = at.order_by("play__board__number", "seat").values_list(
        "play__table__section__name", "play__table__number", "contestant"
    )
    found: dict[Place, dict[int, None]] = defaultdict(dict)
    for section, table, contestant in rows:
        found[section, table].setdefault(contestant)
    everybody = {one for some in found.values() for one in some}
    named = called(session, account, everybody, number)
    return {place: [named[one] for one in some] for place, some in found.items()}


class _Signs:
    """Cells, as HTML: what is put together here is whole numbers, and words that are escaped."""

    def __init__(self, session: Session) -> None:
        base = reverse("session-desk", args=[session.pk])
        self.base = base
        self.unit = registry.game(session.game).unit.divisor
        self.words = {one: format_html("{}", WORDS[one]) for one in PlayState}
        self.board = format_html("{}", gettext("board"))

    def cell(self, plays: Sequence[GridPlay], is_wide: bool) -> SafeString:
        parts = [self._wide(one) if is_wide else self._narrow(one) for one in plays]
        return SafeString("".join(parts))

    def _narrow(self, one: GridPlay) -> str:
        label = f"{self.board} {one.board}: {self.words[one.state]}"
        return f'<a href="{self.base}plays/{one.play}/" data-state="{one.state}" aria-label="{label}"></a>'

    def _wide(self, one: GridPlay) -> str:
        scores = (
            "" if one.scores is None else f"<i>{' '.join(self._score(score) for score in one.scores)}</i>"
        )
        return (
            f'<a href="{self.base}plays/{one.play}/" data-state="{one.state}" class="state"><span>'
            f"<b>{one.board}</b> {self.words[one.state]} {scores}</span></a>"
        )

    def _score(self, score: int) -> str:
        return in_units(score, self.unit)


def _waiting(session: Session, flag: Flag) -> WaitingFlag:
    table = f"{flag.section}{flag.table}"
    href = reverse("session-desk", args=[session.pk]) + "?show=waiting#grid"
    if flag.play is not None:
        href = reverse("desk-play", args=[session.pk, flag.play])
    place = gettext("Table %(table)s") % {"table": table}
    if flag.board is not None:
        place = gettext("Table %(table)s, board %(board)d") % {"table": table, "board": flag.board}
    state = {"missing": "late", "behind": "late"}.get(flag.kind, "disputed")
    return WaitingFlag(state, place, flag.reason, href)
