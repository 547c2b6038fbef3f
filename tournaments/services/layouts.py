"""A movement as rows: contestants, tables, plays and seatings; and the rows as a movement again."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count, Manager, Max, QuerySet
from django.utils.translation import gettext as _

from engines import registry, sealing

from .. import vault
from ..models import (
    Board,
    BoardSet,
    Club,
    Contestant,
    Member,
    Play,
    Seating,
    Section,
    Session,
    Table,
    Tally,
    Tournament,
)
from ..movements import Movement, Sitting, line_groups
from . import bulk, comparisons, entries

Place = tuple[str, int, int]
"""Section, table and board: where a play is."""


def lay_out(
    *,
    tournament: Tournament,
    name: str,
    game: str,
    options: dict[str, Any],
    conditions: dict[str, Any] | None = None,
    method: str,
    method_options: dict[str, Any] | None = None,
    movements: dict[str, Movement],
    partners_fixed: bool = False,
    contestants: Sequence[entries.Given],
    robots: int = 0,
    names_may_be_published: bool = False,
    substitutes_credited: str = Session.Credited.BOTH,
    groups: Mapping[int, int],
    club: Club,
    seed: bytes | None = None,
    manifest: dict[str, Any] | None = None,
    custody: BoardSet.Keeping = BoardSet.Keeping.OFFICER,
    starts_at: datetime | None = None,
    is_trial: bool = False,
    live: str = Session.Live.BOARDS_OVER,
) -> tuple[Session, dict[Place, int]]:
    """The rows of a session: one movement for each section, over one numbering of the contestants. With the
    ids of its plays. The time grows with the seats of all sittings. `names_may_be_published`: those of
    players who are new to the club's register. `groups`: as `groups_of` makes them, before
    anything is locked. `robots`: so many sit there in place of contestants with players."""
    compared_by = comparisons.options_of(method, method_options or {}, game)
    entrants = entries.entrants_of(contestants)
    commitment = sealing.commitment(manifest) if manifest else ""
    sittings = [sitting for layout in movements.values() for sitting in layout.sittings]
    plays = Counter(sitting.board for sitting in sittings)
    sides = registry.game(game).sides_of(conditions or {})
    locked = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    session = Session.objects.create(
        tournament=tournament,
        number=_next_number(locked.sessions),
        name=name,
        game=game,
        options=options,
        conditions=conditions or {},
        method=method,
        method_options=compared_by,
        movement=" + ".join(layout.name for layout in movements.values()),
        partners_fixed=partners_fixed,
        plays_per_board=max(plays.values()),
        substitutes_credited=substitutes_credited,
        starts_at=starts_at,
        is_trial=is_trial,
        live=live,
        state=Session.State.DRAFT if _waits(manifest) else Session.State.READY,
    )
    numbers = (
        enter_robots(session, robots, groups)
        if robots
        else enter(session, club, entrants, groups, commitment=commitment, consent=names_may_be_published)
    )
    Tally.objects.create(session=session)
    board_set = BoardSet.objects.create(
        session=session,
        sealed_seed=None if seed is None else vault.seal(seed),
        manifest=manifest,
        commitment=commitment,
        custody=custody,
    )
    numbers_of_boards = sorted({*plays, *range(max(plays) + 1, max(map(_boards, movements.values())) + 1)})
    boards = dict(zip(numbers_of_boards, bulk.new_ids(Board, len(numbers_of_boards)), strict=True))
    bulk.insert(
        Board, {"id": list(boards.values()), "number": list(boards)}, same={"board_set": board_set.pk}
    )
    ids: dict[Place, int] = {}
    for section_name, layout in movements.items():
        section = Section.objects.create(session=session, club=club, name=section_name)
        rows = lay_out_section(section, layout.sittings, boards, numbers, sides)
        ids |= {(section_name, table, board): play for (table, board), play in rows.items()}
    return session, ids


def _boards(movement: Movement) -> int:
    return movement.boards


def _waits(manifest: dict[str, Any] | None) -> bool:
    """Whether there are no boards before a public value is known."""
    value = None if manifest is None else manifest["public_value"]
    return value is not None and value["value"] is None


def groups_of(game: str, conditions: dict[str, Any], movements: Iterable[Movement]) -> dict[int, int]:
    """The line group of each contestant over all sections of a session."""
    sides = registry.game(game).sides_of(conditions)
    return line_groups([sitting for layout in movements for sitting in layout.sittings], sides)


def _next_number(rows: Manager[Any]) -> int:
    """The number after the highest. Whoever asks holds the lock of what the rows are numbered in."""
    highest = rows.aggregate(highest=Max("number"))["highest"]
    return (highest or 0) + 1


def enter(
    session: Session,
    club: Club,
    entrants: Sequence[entries.Entrant],
    groups: Mapping[int, int] | None = None,
    *,
    commitment: str,
    consent: bool = False,
) -> dict[int, int]:
    """New contestants with the next numbers, in their line groups; the ids by number. `commitment`: of the
    boards that they will play; `consent`: of players who are new to the club's register. Conflict: a player
    is entered already."""
    first = _next_number(session.contestants)
    entered = entries.resolve(club, entrants, consent=consent)
    entries.check_free(session, [player for entry in entered for player in entry.players], commitment)
    numbers = list(range(first, first + len(entered)))
    ids = bulk.new_ids(Contestant, len(entered))
    bulk.insert(
        Contestant,
        {
            "id": ids,
            "number": numbers,
            "name": [entry.name for entry in entered],
            "named_by_players": [entry.named_by_players for entry in entered],
            "line_group": [(groups or {}).get(number, 1) for number in numbers],
        },
        same={"session": session.pk, "left_after": None, "team": None},
    )
    members = [(pk, player) for pk, entry in zip(ids, entered, strict=True) for player in entry.players]
    bulk.insert(
        Member,
        {"contestant": [pk for pk, _player in members], "player": [player for _pk, player in members]},
        same={"session": session.pk, "entered_as": None},
    )
    return dict(zip(numbers, ids, strict=True))


def enter_robots(session: Session, count: int, groups: Mapping[int, int]) -> dict[int, int]:
    """Contestants without players, who are in no register; the ids by number."""
    ids = bulk.new_ids(Contestant, count)
    numbers = list(range(1, count + 1))
    bulk.insert(
        Contestant,
        {
            "id": ids,
            "number": numbers,
            "name": [_("Robot %(number)d") % {"number": number} for number in numbers],
            "line_group": [groups.get(number, 1) for number in numbers],
        },
        same={"session": session.pk, "left_after": None, "named_by_players": False, "team": None},
    )
    return dict(zip(numbers, ids, strict=True))


def follow_plays(session: Session) -> bool:
    """Store how often a board is played at most, as it is planned now; whether that is other than before."""
    plays = Play.objects.filter(board__board_set__session=session)
    counts = plays.order_by().values("board").annotate(count=Count("pk"))
    before, session.plays_per_board = session.plays_per_board, counts.aggregate(most=Max("count"))["most"]
    session.save(update_fields=["plays_per_board"])
    return session.plays_per_board != before


def group(
    contestants: dict[int, Contestant], sittings: Sequence[Sitting], sides: Sequence[Sequence[int]]
) -> bool:
    """Store which contestants can be compared; whether that has changed for any. Those who never play stay
    where they are."""
    groups = line_groups(sittings, sides)
    changed = [one for n, one in contestants.items() if one.line_group != groups.get(n, one.line_group)]
    ids, new = [one.pk for one in changed], [groups[one.number] for one in changed]
    bulk.update(Contestant, {"id": ids, "line_group": new})
    return bool(changed)


def lay_out_section(
    section: Section,
    sittings: Sequence[Sitting],
    boards: dict[int, int],
    contestants: dict[int, int],
    sides: Sequence[Sequence[int]],
) -> dict[tuple[int, int], int]:
    """The rows of the sittings of one movement; `boards` and `contestants`: ids by number. Where it seats
    sides, its contestants sit in all seats of theirs. The ids of the plays, by table and board."""
    tables = dict(section.tables.values_list("number", "pk"))
    new = sorted({sitting.table for sitting in sittings} - tables.keys())
    ids = bulk.new_ids(Table, len(new))
    bulk.insert(Table, {"id": ids, "number": new}, same={"section": section.pk})
    tables |= zip(new, ids, strict=True)
    plays = bulk.new_ids(Play, len(sittings))
    bulk.insert(
        Play,
        {
            "id": plays,
            "table": [tables[s.table] for s in sittings],
            "board": [boards[s.board] for s in sittings],
            "round": [s.round for s in sittings],
        },
    )
    seatings = [
        (play, seat, contestants[number])
        for play, s in zip(plays, sittings, strict=True)
        for seats, number in zip(_seats(s, sides), s.contestants, strict=True)
        for seat in seats
    ]
    bulk.insert(Seating, dict(zip(("play", "seat", "contestant"), zip(*seatings, strict=True), strict=True)))
    return {(s.table, s.board): play for play, s in zip(plays, sittings, strict=True)}


def _seats(sitting: Sitting, sides: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
    """The seats of each of a sitting's contestants: one, or all of a side."""
    if len(sitting.contestants) == len(sides):
        return sides
    return [(seat,) for seat in range(1, len(sitting.contestants) + 1)]


def movement_of(section: Section, sides: Sequence[Sequence[int]]) -> Movement:
    """The movement that the rows of a section are."""
    sittings = sittings_of(Play.objects.filter(table__section=section), sides)
    return Movement(section.session.movement, tuple(sittings))


def sittings_of(plays: QuerySet[Play], sides: Sequence[Sequence[int]]) -> Iterator[Sitting]:
    """What the rows of some plays say, in two queries; one contestant for all seats of a side."""
    seated: dict[int, dict[int, int]] = defaultdict(dict)
    rows = Seating.objects.filter(play__in=plays.values("pk"))
    for play, seat, number in rows.values_list("play_id", "seat", "contestant__number"):
        seated[play][seat] = number
    ordered = plays.order_by("round", "table__number", "board__number")
    for pk, number, table, board in ordered.values_list("pk", "round", "table__number", "board__number"):
        if pk in seated:
            yield Sitting(number, table, board, contestants_of(seated[pk], sides))


def contestants_of(by_seat: dict[int, int], sides: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """One for each side where all seats of a side hold the same, else by seat."""
    if all(len({by_seat[seat] for seat in side}) == 1 for side in sides):
        return tuple(by_seat[side[0]] for side in sides)
    return tuple(by_seat[seat] for seat in sorted(by_seat))
