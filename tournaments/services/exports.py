"""What leaves the service as a table: rankings, lists and results of sessions that have been played, and the
standings of tournaments.

docs/formats.md says what each column means. The columns are called the same in every language; a new
release may add columns at the end, and takes none away.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from engines import registry, sheets
from scoring.rounding import decimals

from ..models import (
    Account,
    Objection,
    ObjectionStep,
    Play,
    Ruling,
    RulingPart,
    Section,
    Session,
    Token,
    Tournament,
)
from ..models.open_boards import over_in
from . import calls, combined, list_contents, lists, live_lists, movement_files, names, rankings, reasons
from .awards import AwardBook
from .errors import Missing
from .layouts import sittings_of
from .names import ANYONE, Reader

Cell = str | int | float | None
RANKING, RESULTS, RULINGS, LIST = "ranking", "results", "rulings", "list-"
MOVEMENT, STANDINGS = "movement", "standings"
CONTESTANTS, BOARDS, TEAMS, CALLS = "contestants", "boards", "teams", "calls"
OBJECTIONS, TRAVELLER = "objections", "traveller-"
FORMS = ("xlsx", "csv", "json")  # in which pages offer a table


@dataclass(frozen=True, slots=True)
class ExportTable:
    """A table as it leaves: its `name` for a file, the names of its columns, and its rows."""

    name: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def to_json(self) -> list[dict[str, Cell]]:
        return [dict(zip(self.header, row, strict=True)) for row in self.rows]


def may(session: Session, viewer: Account | Token | None) -> bool:
    """Whether somebody takes tables away: everybody of what is published, officials of what has been
    played."""
    if session.is_open_to_all:
        return True
    if viewer is None or not session.is_over or not live_lists.sees_all(session, viewer):
        return False
    return Section.objects.scored_by(viewer).filter(session=session).exists()


def offered(session: Session, viewer: Account | Token | None) -> list[str]:
    """What there is to take away for somebody: nothing before the session has been played."""
    if not may(session, viewer):
        return []
    return [RANKING, *(f"{LIST}{one.number}" for one in lists.of(session)), RESULTS, RULINGS, MOVEMENT]


def of_the_evening(session: Session, viewer: Account | Token | None) -> list[str]:
    """What there is to take away of how an evening was set up and run: for those who score it at any time,
    for others once the session is published, but for calls."""
    if not may_see_movement(session, viewer):
        return []
    scores = viewer is not None and Section.objects.scored_by(viewer).filter(session=session).exists()
    is_of_teams = session.teams.exists()
    runs = viewer is not None and Session.objects.directed_by(viewer).filter(pk=session.pk).exists()
    found = [MOVEMENT, CONTESTANTS, BOARDS, *([TEAMS] if is_of_teams else []), *([CALLS] if scores else [])]
    return [*found, *([OBJECTIONS] if runs else [])]


def may_see_movement(session: Session, viewer: Account | Token | None) -> bool:
    """Whether somebody takes away who sits where: its officials before it is played, too."""
    if may(session, viewer):
        return True
    return viewer is not None and Section.objects.scored_by(viewer).filter(session=session).exists()


def table(
    *, session: Session, viewer: Account | Token | None, what: str, held: Collection[int] = ()
) -> ExportTable:
    """A table with the names that the viewer may read. `held`: players whose links have been used in the
    browser that asks. Missing: there is no such table, or not for them, or not yet. The time grows with its
    rows; the queries do not."""
    reader = reader_of(viewer)
    if what == OBJECTIONS and what in of_the_evening(session, viewer):
        return _objections(session, viewer, reader, held)
    if what in OF_THE_EVENING and what in of_the_evening(session, viewer):
        return OF_THE_EVENING[what](session, viewer, reader)
    if not may(session, viewer):
        raise Missing("no-export", _("There is no such table of this session, or not yet."))
    if what == RANKING:
        return _ranking(session, reader)
    if what == RESULTS:
        return _results(session, viewer, reader)
    if what == RULINGS:
        return _rulings(session, viewer)
    if (number := _number_after(LIST, what)) is not None:
        return _list(session, number, reader)
    if (number := _number_after(TRAVELLER, what)) is not None:
        return _results(session, viewer, reader, number)
    raise Missing("no-export", _("There is no such table of this session, or not yet."))


def _number_after(words: str, what: str) -> int | None:
    number = what.removeprefix(words)
    is_one = what.startswith(words) and number.isascii() and number.isdecimal() and len(number) < 9
    return int(number) if is_one else None


def public_tables(session: Session) -> list[ExportTable]:
    """The ranking and the lists of a session as everybody may read them, whoever asks."""
    numbers = [one.number for one in lists.of(session)]
    return [_ranking(session, ANYONE), *(_list(session, number, ANYONE) for number in numbers)]


def standings(
    *, tournament: Tournament, viewer: Account | Token | None, wish: combined.StandingsWish
) -> ExportTable:
    """Several sessions combined, as `combined.of` has them, with what each has brought and which count."""
    found = combined.of(tournament, viewer, wish)
    concerned = {player for place in found.places for player in place.contestant}
    named = names.of_players(concerned, reader_of(viewer))
    header = ["rank", "players", "value", "score", "score_exact", "counted"]
    rows: list[list[Cell]] = []
    for place in found.places:
        worth = {number: value for number, value, _weight in place.parts} | dict(place.rest)
        counted = " ".join(sorted((number for number, _value, _weight in place.parts), key=int))
        row: list[Cell] = [place.rank, " – ".join(named[one] for one in place.contestant), wish.value]
        row += [*_numbers(place.value), counted]
        rows.append([*row, *(str(worth[number]) if number in worth else None for number in found.sessions)])
    return ExportTable(STANDINGS, [*header, *(f"session{number}" for number in found.sessions)], rows)


def reader_of(viewer: Account | Token | None) -> Reader:
    return names.reader_for(viewer) if isinstance(viewer, Account) else names.reader_of(viewer)


def _ranking(session: Session, reader: Reader) -> ExportTable:
    newest = rankings.newest(session)
    rows: list[list[Cell]] = []
    for one in rankings.standings(newest, reader=reader) if newest is not None else ():
        total = one.total
        place: list[Cell] = [one.line_group, one.rank, one.contestant.number, one.contestant.name]
        rows.append([*place, total.boards, *_numbers(total.points), *_numbers(total.value)])
    header = ["line_group", "rank", "number", "contestant", "boards"]
    return ExportTable(RANKING, [*header, "points", "points_exact", "score", "score_exact"], rows)


def _list(session: Session, number: int, reader: Reader) -> ExportTable:
    one = lists.with_number(session, number)
    content = list_contents.content(one, list_contents.members_of(one))
    places = list(content.places(range(content.count)))
    named = list_contents.named(one, {found.place.contestant for found in places}, reader)
    rows: list[list[Cell]] = []
    for found in places:
        place, who = found.place, named[found.place.contestant]
        row: list[Cell] = [found.line_group, place.rank, who.number, who.name, place.total.boards]
        row += [*_numbers(place.total.points), *_numbers(place.total.value)]
        award = found.award
        rows.append([*row, list_contents.tie_words(one, place), *_numbers(award)])
    header = ["line_group", "rank", "number", "contestant", "boards", "points", "points_exact", "score"]
    header += ["score_exact", "tie", "master_points", "master_points_exact"]
    return ExportTable(f"{LIST}{number}", header, rows)


def _results(
    session: Session, viewer: Account | Token | None, reader: Reader, board: int | None = None
) -> ExportTable:
    """Each play, or each of a board, with who sat there, its sheet as a club’s file has it, and what each
    seat has marked and won. Missing: there is no such board."""
    game = registry.game(session.game)
    seats = game.seat_count(session.conditions)
    plays = Play.objects.filter(plays_told(session, viewer), result__isnull=False)
    if board is not None:
        if not session.board_set.boards.filter(number=board).exists():
            raise Missing("no-export", _("There is no such table of this session, or not yet."))
        plays = plays.filter(board__number=board)
    own = list(
        plays.select_related("table__section", "board", "result").order_by(
            "board__number", "table__section__name", "table__number"
        )
    )
    seated: dict[int, list[int]] = defaultdict(list)
    at_seats = plays.order_by("pk", "seatings__seat").values_list("pk", "seatings__contestant_id")
    for play_id, contestant in at_seats:
        seated[play_id].append(contestant)
    named = names.of_contestants(list(session.contestants.values_list("pk", flat=True)), reader)
    book = AwardBook(session, list(over_in(session).values_list("pk", flat=True)))
    own_columns = sheets.columns(game.fields, seats=seats)
    around = range(1, seats + 1)
    header = ["section", "round", "table", "board", *(f"seat{seat}" for seat in around), *own_columns]
    header += [f"score{seat}" for seat in around] + [f"award{seat}" for seat in around] + ["submission"]
    header += [*(f"number{seat}" for seat in around), "averaged"]
    rows: list[list[Cell]] = []
    for play in own:
        result = play.result
        result.play = play
        row: list[Cell] = [play.table.section.name, play.round, play.table.number, play.board.number]
        row += [named[one].name for one in seated[play.pk]]
        cells = sheets.write_row(game.fields, result.sheet or {}, seats=seats)
        row += [cells.get(column, "") for column in own_columns]
        row += list(result.scores)
        row += [one or None for one in book.of(result) or [""] * seats]
        numbers = [named[one].number for one in seated[play.pk]]
        averaged = " ".join(map(str, result.averaged))
        rows.append([*row, result.submission_id, *numbers, averaged])
    return ExportTable(RESULTS if board is None else f"{TRAVELLER}{board}", header, rows)


def _rulings(session: Session, viewer: Account | Token | None) -> ExportTable:
    """What directors have decided and not reversed, the oldest first: a row for each play that a ruling is
    about, and one for each contestant or match. With the results, it is all that the lists follow from."""
    seats = range(1, registry.game(session.game).seat_count(session.conditions) + 1)
    header = ["ruling", "kind", "section", "round", "table", "board", *(f"number{seat}" for seat in seats)]
    header += [*(f"entry{seat}" for seat in seats), "cards"]
    header += ["contestant", "unit", "amount", "won", "fraction", "clamp", "match", "lost"]
    in_force = Ruling.objects.in_force().filter(session=session).order_by("pk")
    plays = Play.objects.filter(plays_told(session, viewer), ruling_parts__ruling__in=in_force).distinct()
    told = {play.pk: play for play in plays.select_related("table__section", "board")}
    seated: dict[int, list[int]] = defaultdict(list)
    numbers = plays.order_by("pk", "seatings__seat").values_list("pk", "seatings__contestant__number")
    for play_id, number in numbers:
        seated[play_id].append(number)
    parts: dict[int, list[RulingPart]] = defaultdict(list)
    for part in RulingPart.objects.filter(ruling__in=in_force, play__in=told).order_by("play"):
        parts[part.ruling_id].append(part)
    nowhere: list[Cell] = [None] * (4 + 2 * len(seats) + 1)
    rows: list[list[Cell]] = []
    for ruling in in_force.select_related("contestant", "match"):
        content = ruling.content
        for part in parts[ruling.pk]:
            play = told[part.play_id]
            row: list[Cell] = [ruling.pk, ruling.kind, play.table.section.name, play.round]
            row += [play.table.number, play.board.number, *seated[play.pk], *part.entries]
            rows.append([*row, part.deal or None, *[None] * 8])
        if ruling.contestant is not None:
            row = [ruling.pk, ruling.kind, *nowhere, ruling.contestant.number, content.get("unit")]
            row += [content.get(name) for name in ("amount", "won", "fraction", "clamp")]
            rows.append([*row, None, None])
        elif ruling.match is not None:
            row = [ruling.pk, ruling.kind, *nowhere, *[None] * 6, ruling.match.number]
            row[3] = ruling.match.round
            rows.append([*row, " ".join(map(str, content["lost"]))])
    return ExportTable(RULINGS, header, rows)


def _movement(session: Session, viewer: Account | Token | None, _reader: Reader) -> ExportTable:
    """Who sits where with which boards, by the numbers of the contestants: as a session is planned by it."""
    game = registry.game(session.game)
    sides = game.sides_of(session.conditions)
    rows: list[list[Cell]] = []
    plays = Play.objects.filter(plays_told(session, viewer))
    for section in Section.objects.filter(session=session).order_by("name"):
        sittings = sittings_of(plays.filter(table__section=section), sides)
        rows += [[*row, section.name] for row in movement_files.rows_of(sittings)]
    return ExportTable(MOVEMENT, [*movement_files.COLUMNS, movement_files.SECTION], rows)


def _contestants(session: Session, _viewer: Account | Token | None, reader: Reader) -> ExportTable:
    """Who plays, and from when until when."""
    own = list(session.contestants.select_related("team").order_by("number"))
    named = names.of_contestants([one.pk for one in own], reader)
    rows: list[list[Cell]] = []
    for one in own:
        team = one.team.number if one.team is not None else None
        rows.append([one.number, named[one.pk].name, team, one.came_after, one.left_after])
    return ExportTable(CONTESTANTS, ["number", "contestant", "team", "came_after", "left_after"], rows)


def _boards(session: Session, _viewer: Account | Token | None, _reader: Reader) -> ExportTable:
    """How far each board has come; nothing of its cards."""
    own = session.board_set.boards.annotate(
        play_count=Count("plays"), result_count=Count("plays", filter=Q(plays__result__isnull=False))
    )
    over = set(over_in(session).values_list("pk", flat=True))
    rows: list[list[Cell]] = [
        [one.number, one.play_count, one.result_count, "yes" if one.pk in over else "no"]
        for one in own.order_by("number")
    ]
    return ExportTable(BOARDS, ["board", "plays", "results", "over"], rows)


def _teams(session: Session, _viewer: Account | Token | None, reader: Reader) -> ExportTable:
    own = list(session.teams.prefetch_related("contestants").order_by("number"))
    named = names.of_teams([one.pk for one in own], reader)
    rows: list[list[Cell]] = [
        [
            *(one.number, named[one.pk].name),
            " ".join(map(str, sorted(member.number for member in one.contestants.all()))),
        ]
        for one in own
    ]
    return ExportTable(TEAMS, ["team", "name", "contestants"], rows)


def _calls(session: Session, viewer: Account | Token | None, _reader: Reader) -> ExportTable:
    """How tables called the director, and when somebody came."""
    assert viewer is not None
    rows: list[list[Cell]] = []
    for one in calls.of(session, viewer):
        moments = [at.isoformat() if at else None for at in (one.made_at, one.answered_at, one.ended_at)]
        row: list[Cell] = [one.table.section.name, one.table.number, one.board.number if one.board else None]
        row += [one.reason, one.remark.text if one.remark else "", one.state]
        rows.append([*row, one.role.account.name if one.role and one.role.account else "", *moments])
    header = [
        "section",
        "table",
        "board",
        "reason",
        "text",
        "state",
        "by",
        "made_at",
        "answered_at",
        "ended_at",
    ]
    return ExportTable(CALLS, header, rows)


def _objections(
    session: Session, viewer: Account | Token | None, reader: Reader, held: Collection[int]
) -> ExportTable:
    """What contestants have objected, and what followed: a row for each step. Whoever runs the session and
    plays in it reads what is said of a board once it is over."""
    own = session.objections.select_related("play__table__section", "play__board", "remark", "role__account")
    found = list(own.prefetch_related("steps__remark", "steps__role__account").order_by("pk"))
    named = names.of_contestants([one.contestant_id for one in found], reader)
    hidden = reasons.hidden_from(session, viewer, held)
    rows: list[list[Cell]] = []
    for one in found:
        play, who = one.play, named[one.contestant_id]
        where: list[Cell] = [one.pk, play.table.section.name, play.round, play.table.number]
        where += [play.board.number, who.number, who.name]
        said: list[Objection | ObjectionStep] = [one, *sorted(one.steps.all(), key=lambda step: step.pk)]
        for step in said:
            account = step.role.account if step.role else None
            row = [*where, step.kind if isinstance(step, ObjectionStep) else "objection"]
            row += [step.outcome or None if isinstance(step, ObjectionStep) else None]
            row += [account.name if account else None]
            text = None if step.remark_id in hidden else step.remark.text
            rows.append([*row, text, step.made_at.isoformat()])
    header = ["objection", "section", "round", "table", "board", "number", "contestant"]
    return ExportTable(OBJECTIONS, [*header, "step", "outcome", "by", "text", "made_at"], rows)


OF_THE_EVENING: Mapping[str, Callable[[Session, Account | Token | None, Reader], ExportTable]] = {
    **{MOVEMENT: _movement, CONTESTANTS: _contestants, BOARDS: _boards, TEAMS: _teams, CALLS: _calls},
}


def plays_told(session: Session, viewer: Account | Token | None) -> Q:
    """Of which plays somebody is told: of all, once everybody is; before, of those of their own sections."""
    if session.is_open_to_all:
        return Q(table__section__session=session)
    assert viewer is not None
    return Q(table__section__session=session, table__section__in=Section.objects.scored_by(viewer))


def _numbers(value: Fraction | None) -> tuple[Cell, Cell]:
    """A number with two decimals, and as an exact fraction."""
    return (None, None) if value is None else (float(decimals(value)), str(value))
