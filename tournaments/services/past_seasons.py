"""Seasons of the years before, which come in as standings alone: a table that a club has, read as
spreadsheets save it and matched with the register before anything is stored, shown with names as consent
says, and written out again."""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from engines.phrases import brief

from ..models import Club, PastSeason, Player, access
from ..models.accounts import RoleKind
from ..models.people import fold
from . import history, names, register, roles, spreadsheets
from .errors import Conflict, Forbidden, Invalid, Missing, Stale
from .exports import ExportTable
from .history import Actor
from .names import Reader
from .register_files import Column, Mistake, RegisterAtHand, player_of

ROWS_AT_MOST, BYTES_AT_MOST = 2_000, 1_000_000
TITLE_LETTERS, CELL_LETTERS, EVENINGS_AT_MOST = 80, 200, 1_000
YEARS = range(1800, 2201)
COLUMNS: Mapping[str, Column] = {
    "rank": Column(pgettext_lazy("column", "rank"), ("rank", "place", "rang", "classement")),
    "number": Column(pgettext_lazy("column", "number"), ("number", "numéro", "licence", "no")),
    "name": Column(
        pgettext_lazy("column", "name"), ("name", "player", "nom", "nom complet", "joueur", "joueuse")
    ),
    "total": Column(
        pgettext_lazy("column", "total"), ("total", "points", "score", "total des points", "résultat")
    ),
    "evenings": Column(
        pgettext_lazy("column", "evenings"), ("evenings", "played", "soirées", "soirées jouées", "jouées")
    ),
}
BY_NAME = {fold(name): column for column, (_title, words) in COLUMNS.items() for name in words}
SPACES = str.maketrans("", "", " \u00a0\u202f")
EXACT = re.compile(r"[-−]?\d{1,9}([.,]\d{1,6}|/[1-9]\d{0,8})?")
WHOLE = re.compile(r"(\d{1,4})([.,]0+|=|\.)?")

Cells = Mapping[str, str]


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────


def text_of(content: bytes) -> str:
    """A file as text: CSV, the first sheet of a workbook, or JSON."""
    return spreadsheets.text_of(content, bytes_at_most=BYTES_AT_MOST, rows_at_most=ROWS_AT_MOST + 1)


def rows_of(text: str) -> list[tuple[int, Cells]]:
    """The rows of a table whose columns are named, each with its line; of JSON, with its number among them.
    Invalid carries what is wrong with the file itself, or with the names of its columns."""
    if text.lstrip("\ufeff \t\n").startswith(("[", "{")):
        return _rows_of_json(text)
    rows = spreadsheets.checked_rows(text, rows_at_most=ROWS_AT_MOST + 1)
    line, header = next(rows, (1, []))
    columns = _columns_of(line, header)
    return [
        (number, dict(zip(columns, cells, strict=False)) | ({"": "+"} if len(cells) > len(columns) else {}))
        for number, cells in rows
    ]


def _columns_of(line: int, header: Sequence[str]) -> list[str]:
    columns = [BY_NAME.get(fold(spreadsheets.plain(cell)), "") for cell in header]
    known = ", ".join(str(column.title) for column in COLUMNS.values())
    wrong = []
    for at, (cell, column) in enumerate(zip(header, columns, strict=True)):
        if not column:
            message = _("“%(column)s” is not a column of a season’s standings; the columns are: %(known)s.")
            wrong.append(
                Mistake(line, brief(cell.strip()), message % {"column": brief(cell.strip()), "known": known})
            )
        elif column in columns[:at]:
            wrong.append(Mistake(line, brief(cell.strip()), _("This column appears twice.")))
    if not {"rank", "total"} <= set(columns) or not {"number", "name"} & set(columns):
        message = _(
            "The first line names the columns: rank, total, and number or name; known are: %(known)s."
        )
        wrong.insert(0, Mistake(line, "", message % {"known": known}))
    if wrong:
        raise Invalid("bad-columns", wrong[0].reason, [mistake.to_json() for mistake in wrong])
    return columns


def _rows_of_json(text: str) -> list[tuple[int, Cells]]:
    """A list of objects, or what holds it as `places`, as the API gives it."""
    try:
        said = json.loads(text.lstrip("\ufeff"), parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, ValueError) else "…"
        raise Invalid("bad-file", _("The file cannot be read: %(reason)s.") % {"reason": reason}) from None
    rows = said.get("places") if isinstance(said, dict) else said
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        message = _("JSON is a list of objects here: each with a rank, a number or a name, and a total.")
        raise Invalid("bad-file", message)
    if len(rows) > ROWS_AT_MOST:
        raise Invalid("too-long", _("A file may have at most %(most)d rows.") % {"most": ROWS_AT_MOST})
    found: list[tuple[int, Cells]] = []
    for number, row in enumerate(rows, 1):
        columns = _columns_of(number, list(row))
        cells = ["" if cell is None else cell if isinstance(cell, str) else "…" for cell in row.values()]
        found.append((number, dict(zip(columns, cells, strict=True))))
    return found


# ── Comparing ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class PastPlace:
    """A line of the standings. `player`: of the register; without one, the number and name that the file
    had."""

    line: int
    rank: int
    player: Player | None
    number: str
    name: str
    total: Fraction
    evenings: int | None

    def to_json(self) -> dict[str, Any]:
        who: dict[str, Any] = {"number": self.number, "name": self.name}
        if self.player is not None:
            who = {"player": self.player.pk}
        return {"rank": self.rank, **who, "total": str(self.total), "evenings": self.evenings}


@dataclass(frozen=True, slots=True)
class Brought:
    """What a table would become. `digest`: of what it says, however it was saved; `seen`: also of whom the
    register matches with it; `there`: the season that has the same table already."""

    places: Sequence[PastPlace]
    mistakes: Sequence[Mistake]
    digest: str
    there: PastSeason | None
    seen: str = field(init=False)

    def __post_init__(self) -> None:
        said = json.dumps([self.digest, [place.to_json() for place in self.places]])
        object.__setattr__(self, "seen", sha256(said.encode()).hexdigest())

    @property
    def is_ready(self) -> bool:
        return bool(self.places) and not self.mistakes and self.there is None

    @property
    def known(self) -> int:
        """How many of them the register has."""
        return sum(place.player is not None for place in self.places)


def preview(*, club: Club, rows: Sequence[tuple[int, Cells]]) -> Brought:
    """What a table would become, with everything that is wrong in it; nothing is stored. The time grows with
    the register and the rows."""
    there, wrong = RegisterAtHand(club), list[Mistake]()
    plain = [(line, {name: spreadsheets.plain(cell) for name, cell in cells.items()}) for line, cells in rows]
    found = [_place(line, cells, len(plain), there, wrong) for line, cells in plain]
    places = sorted((one for one in found if one is not None), key=lambda one: one.rank)
    lines: dict[int, int] = {}
    for place in sorted(places, key=lambda one: one.line):
        if place.player is not None and lines.setdefault(place.player.pk, place.line) != place.line:
            reason = _("This player, or this number, is already on line %(line)d.")
            wrong.append(Mistake(place.line, "", reason % {"line": lines[place.player.pk]}))
    if not plain:
        wrong.append(Mistake(1, "", _("There are no standings in it.")))
    said = json.dumps([_said(cells) for _line, cells in plain])
    digest = sha256(said.encode()).hexdigest()
    same = of(club).filter(digest=digest).first()
    return Brought(places, sorted(wrong, key=lambda one: one.line), digest, same)


def _said(cells: Cells) -> list[str]:
    """What a row says, however its numbers are written."""
    total, name = exact(cells.get("total", "")), " ".join(cells.get("name", "").split())
    whole = [str(_whole(cells.get(column, ""))) for column in ("rank", "evenings")]
    return [*whole, cells.get("number", ""), name, str(total)]


def _place(
    line: int, cells: Cells, count: int, there: RegisterAtHand, wrong: list[Mistake]
) -> PastPlace | None:
    before = len(wrong)

    def mistake(column: str, reason: str) -> None:
        title = str(COLUMNS[column].title) if column in COLUMNS else column
        wrong.append(Mistake(line, title, reason))

    if "" in cells:
        mistake("", _("This line has more cells than there are columns."))
    for column in COLUMNS:
        if len(cells.get(column, "")) > CELL_LETTERS or not cells.get(column, "").isprintable():
            mistake(column, _("This is too long, or has characters that cannot be stored."))
            return None
    rank = _whole(cells.get("rank", ""))
    if rank is None or not 1 <= rank <= count:
        mistake(
            "rank", _asked(_("Write a rank from 1 to %(most)d.") % {"most": count}, cells.get("rank", ""))
        )
    total = exact(cells.get("total", ""))
    if total is None:
        reason = _("Write a number, such as 1240, 57.25 or 1/3.")
        mistake("total", _asked(reason, cells.get("total", "")))
    evenings = _whole(cells.get("evenings", ""))
    if cells.get("evenings") and (evenings is None or evenings > EVENINGS_AT_MOST):
        reason = _("Write how many evenings, from 0 to %(most)d, or nothing.") % {"most": EVENINGS_AT_MOST}
        mistake("evenings", _asked(reason, cells["evenings"]))
    number, name = cells.get("number", ""), " ".join(cells.get("name", "").split())
    player = None
    if not number and not name:
        mistake("name", _("Who is it? Write a number of the register, or a name."))
    else:
        told = len(wrong)
        player = player_of({"number": number, "name": name}, there, mistake)
        if player is None and not name and len(wrong) == told:
            mistake("number", _("No player of the register has this number: write the name as well."))
    if len(wrong) > before or rank is None or total is None:
        return None
    if player is not None:
        number = name = ""
    return PastPlace(line, rank, player, number, name, total, evenings)


def _asked(reason: str, cell: str) -> str:
    """What to write instead, with the number that stands in the cell where there is one."""
    found = EXACT.search(cell.translate(SPACES))
    if found is None or not cell:
        return reason
    return f"{reason} " + _("Is it %(number)s?") % {"number": brief(found[0])}


def _whole(cell: str) -> int | None:
    found = WHOLE.fullmatch(cell.translate(SPACES))
    return int(found[1]) if found else None


def exact(cell: str) -> Fraction | None:
    """A number as people write it, such as 40, 57,25, 60 % or 1/3; None for anything else. Its digits are
    bounded: `Fraction` itself would work out 1e999999999."""
    text = cell.translate(SPACES).removesuffix("%")
    return Fraction(text.replace(",", ".").replace("−", "-")) if EXACT.fullmatch(text) else None


# ── Storing ───────────────────────────────────────────────────────────────────────────────────────


def may_bring(actor: Actor, club: Club) -> bool:
    return actor is None or Club.objects.filter(access.managed(actor, club="pk"), pk=club.pk).exists()


def may_delete(actor: Actor, club: Club) -> bool:
    """Administrators of the club."""
    held = access.held(actor, "club", (RoleKind.ADMINISTRATOR,))
    return actor is None or Club.objects.filter(pk__in=held).filter(pk=club.pk).exists()


def check_may_delete(actor: Actor, club: Club) -> None:
    if not may_delete(actor, club):
        raise Forbidden("may-not-delete", _("Only administrators of the club delete its seasons."))


@transaction.atomic
def store(
    *,
    club: Club,
    actor: Actor,
    rows: Sequence[tuple[int, Cells]],
    title: str,
    year: int,
    counted: str = "",
    seen: str | None = None,
) -> PastSeason:
    """A season of the club, as its table says. Invalid carries what is wrong; Conflict: the same table is
    there, or a season of that year and title, or (`seen`) the register has changed since it was shown."""
    if not may_bring(actor, club):
        raise Forbidden("may-not-bring", _("Only organisers and administrators of the club bring seasons."))
    roles.lock(club)
    brought = preview(club=club, rows=rows)
    check(club=club, brought=brought, title=title, year=year)
    if seen is not None and seen != brought.seen:
        message = _("The register has changed meanwhile: look at what the list would do now.")
        raise Conflict("changed-meanwhile", message)
    made = PastSeason.objects.create(
        **{"club": club, "title": title, "year": year, "counted": counted, "digest": brought.digest},
        places=[place.to_json() for place in brought.places],
    )
    history.note(actor, "brought past season", made, club=club)
    return made


def check(*, club: Club, brought: Brought, title: str, year: int) -> None:
    """Invalid, Conflict: why a table cannot be stored."""
    if year not in YEARS:
        message = _("The year is from %(first)d to %(last)d.")
        raise Invalid("bad-season", message % {"first": YEARS[0], "last": YEARS[-1]}, {"field": "year"})
    if brought.mistakes:
        raise register.slips(
            len({one.line for one in brought.mistakes}), [one.to_json() for one in brought.mistakes]
        )
    if brought.there is not None:
        message = _("This table is here already: “%(title)s”, %(year)d.")
        facts = {"title": brought.there.title, "year": brought.there.year}
        raise Conflict("same-table", message % facts, {"past_season": brought.there.pk})
    if (other := of(club).filter(year=year, title=title).first()) is not None:
        message = _("There is a season “%(title)s” of %(year)d: give this one another title.")
        facts = {"title": title, "year": year}
        raise Conflict("season-is-there", message % facts, {"field": "title", "past_season": other.pk})


@transaction.atomic
def delete(*, season: PastSeason, actor: Actor, seen: str | None) -> None:
    """A season that was brought is gone, for administrators of the club. Stale: it is not what they saw."""
    check_may_delete(actor, season.club)
    found = PastSeason.objects.select_for_update().filter(pk=season.pk).first()
    if found is None or seen not in {None, stamp(found)}:
        raise Stale("changed-meanwhile", _("This season is not what you saw any more: look at it again."))
    history.note(actor, "deleted past season", found, club=season.club)
    found.delete()


def stamp(season: PastSeason) -> str:
    """What changes with the season: of whom a name has been erased, too."""
    said = json.dumps([season.pk, season.title, season.year, season.counted, season.places], sort_keys=True)
    return sha256(said.encode()).hexdigest()[:32]


def forget(player: Player) -> None:
    """No season of the club has the name or number of somebody whose entry is erased."""
    for season in PastSeason.objects.select_for_update().filter(club=player.club_id):
        places = [_forgotten(place, player) for place in season.places]
        if places != season.places:
            season.places = places
            season.save(update_fields=["places"])


def _forgotten(place: dict[str, Any], player: Player) -> dict[str, Any]:
    is_theirs = (place.get("name") and fold(place["name"]) == player.folded) or (
        player.number and place.get("number") == player.number
    )
    return place | {"name": "", "number": ""} if is_theirs and "player" not in place else place


# ── Showing ───────────────────────────────────────────────────────────────────────────────────────


def of(club: Club) -> QuerySet[PastSeason]:
    """A club's, the newest first."""
    return PastSeason.objects.filter(club=club).select_related("club").order_by("-year", "title", "pk")


def with_id(club: Club, pk: int) -> PastSeason:
    found = of(club).filter(pk=pk).first()
    if found is None:
        raise Missing("no-such-season", _("The club has no such season."))
    return found


@dataclass(frozen=True, slots=True)
class ShownPlace:
    """A place as a reader sees it. `number`: in the register, for those who know it; else empty."""

    rank: int
    number: str
    name: str
    total: Fraction
    evenings: int | None


def shown(season: PastSeason, reader: Reader) -> list[ShownPlace]:
    """The standings, with names as consent says: whoever is not in the register has not agreed. Two queries,
    and one more for players of whom one was merged into another."""
    ids = {place["player"] for place in season.places if "player" in place}
    kept = _kept(ids)
    players = names.of_players(set(kept.values()), reader)
    in_full = reader.is_operator or season.club_id in reader.clubs
    numbers = _numbers(kept.values()) if in_full else {}
    found = []
    for at, place in enumerate(season.places, 1):
        if "player" in place:
            player = kept[place["player"]]
            name, number = players[player], numbers.get(player, "")
        else:
            stranger = names.Person(0, season.club_id, place["name"], "", "", False, not place["name"])
            name = names.shown(stranger, str(at), in_full=in_full)
            number = place["number"] if in_full else ""
        total = Fraction(place["total"])
        found.append(ShownPlace(place["rank"], number, name, total, place["evenings"]))
    return found


def _kept(ids: Collection[int]) -> dict[int, int]:
    """The players that these are by now."""
    merged = Player.objects.filter(pk__in=ids, merged_into__isnull=False)
    into = register.kept_of(dict(merged.values_list("pk", "merged_into_id")))
    return {pk: into.get(pk, pk) for pk in ids}


def _numbers(ids: Iterable[int]) -> dict[int, str]:
    return dict(Player.objects.filter(pk__in=set(ids)).values_list("pk", "number"))


def table(season: PastSeason, reader: Reader) -> ExportTable:
    """The standings as a table to take away; docs/formats.md says what each column means."""
    rows = [[one.rank, one.number, one.name, cell(one.total), one.evenings] for one in shown(season, reader)]
    return ExportTable("season", ["rank", "number", "name", "total", "evenings"], rows)


def cell(total: Fraction) -> int | float | str:
    """A number that a spreadsheet adds up, where it is exact; else a fraction."""
    if total.denominator == 1:
        return int(total)
    return float(total) if Fraction(repr(float(total))) == total else str(total)


def about(players: Collection[Player]) -> list[dict[str, Any]]:
    """What seasons of the years before say of these players, who were matched with them."""
    ids = {player.pk for player in players}
    clubs = {player.club_id for player in players}
    return [
        {"club__name": season.club.name, "title": season.title, "year": season.year}
        | {name: place[name] for name in ("rank", "total", "evenings")}
        for season in PastSeason.objects.filter(club__in=clubs).select_related("club").order_by("pk")
        for place in season.places
        if place.get("player") in ids
    ]
