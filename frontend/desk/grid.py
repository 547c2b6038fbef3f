"""The running grid of an evening: tables by rounds, a mark for each board, and what waits for somebody."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engines import registry
from scoring.rounding import in_units
from tournaments.models import Account, Session, Submission
from tournaments.services import flags, grid, names, ruling_words
from tournaments.services.grid import GridPlay
from tournaments.services.play_states import PlayState

from ..labels import labelled
from ..places import table_name
from ..players import mine
from ..sheet_words import SheetWords
from . import seating, waits
from .seating import TABLES_A_PAGE, Place, TableOfRound
from .waits import WaitingAct
from .wizard import language

WAITS_SHOWN = 12
LATE_MINUTES = 99  # beyond which nobody counts them
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
    "waiting": _("what waits for you"),
    "entered": _("not confirmed yet"),
    "expected": _("without a result"),
    "ruled": _("rulings"),
}


@dataclass(frozen=True, slots=True)
class GridRow:
    """A table of the grid: who sits there in the round that is being played, and a cell for each round."""

    name: str
    seated: Sequence[str]
    cells: Sequence[SafeString]


@dataclass(frozen=True, slots=True)
class GridHead:
    """A round of the grid: whether it is the one being played, and whether nothing in it waits for the
    director: the full screen, which is read from afar, leaves such a one out."""

    number: int
    is_wide: bool
    is_calm: bool


@dataclass(frozen=True, slots=True)
class EveningGrid:
    """`counts`: how many boards are how far; `filters`: each with its address and words, and whether it is
    chosen; `pages`: of tables; `tables`: who sits at those of this page, or at the first ones where a filter
    leaves some out; `has_scores`: of the round that is being played."""

    heads: Sequence[GridHead]
    rows: Sequence[GridRow]
    counts: Sequence[tuple[str, str, int]]
    filters: Sequence[tuple[str, str, bool]]
    page: int
    pages: int
    tables: Sequence[TableOfRound]
    has_scores: bool
    before: int | None
    after: int | None
    show: str
    waits: Sequence[WaitingAct]
    waiting: int
    more: int


def of(
    request: HttpRequest, session: Session, account: Account, number: int, reader: names.Reader
) -> EveningGrid:
    """The grid of a session with its round `number` wide, as an account may see it, a page of tables at a
    time; `reader`: that account. The queries do not grow with the tables; the time does, mostly with those of
    the page."""
    rows = flags.watched(session)
    held = [player.pk for player in mine.myself(request).players]
    sight = flags.sight_of(session, account, rows, held)
    plays = grid.plays_of(session, rows, sight)
    flagged = flags.of(session, account, rows=rows, sight=sight)
    show = request.GET.get("show", "")
    show = show if show in FILTERS else ""
    tables: dict[Place, dict[int, list[GridPlay]]] = defaultdict(lambda: defaultdict(list))
    for one in plays:
        tables[one.section, one.table][one.round].append(one)
    wanted = {(one.section, one.table) for one in flagged} if show == "waiting" else set()
    shown = sorted(place for place, own in tables.items() if place in wanted or _is_wanted(show, own))
    pages = max(-(-len(shown) // TABLES_A_PAGE), 1)
    page = seating.page_asked_for(request, pages)
    places = seating.on_page(shown, page)
    listed = places if show == "" else seating.on_page(sorted(tables), 1)
    seated = {one.place: one for one in seating.of_round(session, reader, number, {*places, *listed})}
    counts = Counter(one.state for one in plays)
    several = len({section for section, _table in tables}) > 1
    rounds = sorted({one.round for one in plays})
    heads, rows_shown = _table(_Signs(session), tables, places, seated, rounds, number, several=several)
    waiting = waits.of(session, account, flagged, plays, enters=bool(sight.sections), several=several)
    return EveningGrid(
        heads=heads,
        rows=rows_shown,
        counts=[(str(one), str(WORDS[one]), counts[one]) for one in PlayState if counts[one]],
        filters=[(name, str(words), name == show) for name, words in FILTERS.items()],
        page=page,
        pages=pages,
        tables=[seated[place] for place in listed if place in seated],
        has_scores=any(one.scores is not None and one.round == number for one in plays),
        before=page - 1 if page > 1 else None,
        after=page + 1 if page < pages else None,
        show=show,
        waits=waiting[:WAITS_SHOWN],
        waiting=len(waiting),
        more=max(len(waiting) - WAITS_SHOWN, 0),
    )


def unsettled(request: HttpRequest, session: Session, account: Account) -> list[WaitingAct]:
    """What waits and would change the list: what whoever makes it final should know."""
    return [one for one in waiting(request, session, account) if one.kind in waits.UNSETTLED]


def waiting(request: HttpRequest, session: Session, account: Account) -> list[WaitingAct]:
    """All that waits. The queries do not grow with the tables."""
    rows = flags.watched(session)
    sight = flags.sight_of(session, account, rows, [player.pk for player in mine.myself(request).players])
    plays = grid.plays_of(session, rows, sight)
    flagged = flags.of(session, account, rows=rows, sight=sight)
    several = len({one.section for one in plays}) > 1
    return waits.of(session, account, flagged, plays, enters=bool(sight.sections), several=several)


@dataclass(frozen=True, slots=True)
class GridAround:
    """The part of the grid in which a play is: the page of its table, with its round wide."""

    heads: Sequence[GridHead]
    rows: Sequence[GridRow]


def around(
    session: Session,
    account: Account,
    rows: Sequence[flags.WatchedPlay],
    sight: flags.OfficialSight,
    one: flags.WatchedPlay,
) -> GridAround:
    """The grid around a play, which is marked in it; `rows`, `sight`: the plays, and what the account may
    know of them. Two queries for who sits there."""
    tables: dict[Place, dict[int, list[GridPlay]]] = defaultdict(lambda: defaultdict(list))
    for play in grid.plays_of(session, rows, sight):
        tables[play.section, play.table][play.round].append(play)
    every = sorted(tables)
    places = seating.on_page(every, every.index((one.section, one.table)) // TABLES_A_PAGE + 1)
    reader = names.reader_for(account)
    seated = {own.place: own for own in seating.of_round(session, reader, one.round, set(places))}
    several = len({section for section, _table in every}) > 1
    rounds = sorted({row.round for row in rows})
    signs = _Signs(session, chosen=one.play)
    return GridAround(*_table(signs, tables, places, seated, rounds, one.round, several=several))


def _table(
    signs: "_Signs",
    tables: Mapping[Place, Mapping[int, Sequence[GridPlay]]],
    places: Sequence[Place],
    seated: Mapping[Place, TableOfRound],
    rounds: Sequence[int],
    wide: int,
    *,
    several: bool,
) -> tuple[list[GridHead], list[GridRow]]:
    """The rounds, and the tables at these places with a cell for each. Two queries at most."""
    shown = [one for place in places for own in tables[place].values() for one in own]
    signs.learn(shown, wide)
    waiting = {one.round for one in shown if one.state in grid.WAITING}
    heads = [GridHead(one, one == wide, one != wide and one not in waiting) for one in rounds]
    rows = []
    for section, table in places:
        own, at = tables[section, table], seated.get((section, table))
        rows.append(
            GridRow(
                table_name(section, table, several=several),
                [name for _seats, name in at.seats] if at is not None else [],
                [signs.cell(own.get(head.number, ()), at, head) for head in heads],
            )
        )
    return heads, rows


def _is_wanted(show: str, own: Mapping[int, Sequence[GridPlay]]) -> bool:
    there = {one.state for some in own.values() for one in some}
    wanted = {
        "waiting": set(grid.WAITING),
        "entered": {PlayState.ENTERED},
        "expected": {PlayState.EXPECTED, PlayState.AT_PLAY, PlayState.LATE},
        "ruled": {PlayState.RULED, PlayState.NOT_PLAYED},
    }
    return show == "" or bool(there & wanted[show])


def _minutes_since(closed: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, int]]:
    """Of each round that was closed, how many minutes ago, as far as they are worth counting."""
    now = timezone.now()
    for number, closed_at in closed:
        minutes = int((now - closed_at).total_seconds() // 60)
        if 0 < minutes <= LATE_MINUTES:
            yield number, minutes


class _Signs:
    """Cells, as HTML: what is put together here is whole numbers, and words that are escaped."""

    def __init__(self, session: Session, chosen: int | None = None) -> None:
        self.chosen = chosen
        base = reverse("session-desk", args=[session.pk])
        self.base = base
        self.game = registry.game(session.game)
        self.sides = self.game.sides_of(session.conditions)
        self.unit = self.game.unit.divisor
        self.words = {one: format_html("{}", WORDS[one]) for one in PlayState}
        self.board = format_html("{}", gettext("board"))
        self.session = session
        self.told: dict[int, SafeString] = {}
        self.late: dict[int, SafeString] = {}

    def learn(self, plays: Sequence[GridPlay], wide: int) -> None:
        """What was played in the round that is wide, in short, and for how long results of closed rounds have
        been late. A query each at most."""
        if self.session.is_paced and any(one.state == PlayState.LATE for one in plays):
            closed = self.session.rounds.exclude(closed_at=None)
            for number, minutes in _minutes_since(closed.values_list("number", "closed_at")):
                words = gettext("late, %(minutes)d min") % {"minutes": minutes}
                self.late[number] = format_html("{}", words)
        known = {
            one.submission: one.play
            for one in plays
            if one.round == wide and one.submission is not None and not any(one.ruled or ())
        }
        sheets = SheetWords(self.game, language())
        for pk, content in Submission.objects.filter(pk__in=[*known]).values_list("pk", "content"):
            short = sheets.in_short(content.get("sheet") or {})
            self.told[known[pk]] = format_html("<small>{}</small>", short) if short else SafeString()

    def cell(self, plays: Sequence[GridPlay], at: TableOfRound | None, head: GridHead) -> SafeString:
        """`at`: who sits there, in whose order scores stand where the cell is wide."""
        parts = [self._wide(one, at) if head.is_wide else self._narrow(one) for one in plays]
        return SafeString(f'<td class="mark{" calm" if head.is_calm else ""}">{"".join(parts)}</td>')

    def _word(self, one: GridPlay) -> str:
        is_late = one.state == PlayState.LATE
        return self.late.get(one.round, self.words[one.state]) if is_late else self.words[one.state]

    def _narrow(self, one: GridPlay) -> str:
        label = labelled(f"{self.board} {one.board}", self._word(one))
        return (
            f'<a href="{self.base}plays/{one.play}/" data-state="{one.state}" aria-label="{label}">'
            f"<small>{one.board}</small></a>"
        )

    def _current(self, one: GridPlay) -> str:
        return ' aria-current="page"' if one.play == self.chosen else ""

    def _wide(self, one: GridPlay, at: TableOfRound | None) -> str:
        shown = self._scores(one, at)
        scores = f"<i>{' '.join(shown)}</i>" if shown else ""
        return (
            f'<a href="{self.base}plays/{one.play}/" data-state="{one.state}" class="state"'
            f"{self._current(one)}><span><b>{one.board}</b> {self._word(one)} {scores}"
            f"{self.told.get(one.play, '')}</span></a>"
        )

    def _scores(self, one: GridPlay, at: TableOfRound | None) -> list[str]:
        """What counts for each who sits there, once for both partners: the score, or what has been ruled
        instead."""
        if one.scores is None and not any(one.ruled or ()):
            return []
        found = []
        order = at.order.get(one.board) if at is not None else None
        for seat in order or [side[0] for side in self.sides]:
            token = one.ruled[seat - 1] if one.ruled else None
            if token is not None:
                found.append(str(format_html("{}", ruling_words.in_short(self.game, token))))
            else:
                found.append("–" if one.scores is None else self._score(one.scores[seat - 1]))
        return found

    def _score(self, score: int) -> str:
        return in_units(score, self.unit)
