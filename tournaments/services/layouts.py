"""A movement as rows: contestants, tables, plays and seatings; and the rows as a movement again."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import Manager, Max
from django.utils.translation import gettext as _

from engines import registry, sealing

from ..models import (
    Board,
    BoardSet,
    Club,
    Contestant,
    Play,
    Player,
    Seating,
    Section,
    Session,
    Table,
    Tally,
    Tournament,
)
from ..movements import Movement, Sitting, line_groups
from . import comparisons
from .errors import Invalid


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
    contestants: Sequence[str],
    club: Club,
    seed: bytes | None = None,
    manifest: dict[str, Any] | None = None,
) -> Session:
    """The rows of a session: one movement for each section, over one numbering of the contestants."""
    compared_by = comparisons.options_of(method, method_options or {}, game)
    names = [name.strip() for name in contestants]
    if "" in names or len(set(names)) < len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise Invalid("contestants", _("Every contestant needs a name of its own."), {"names": twice})
    plays = Counter(sitting.board for layout in movements.values() for sitting in layout.sittings)
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
    )
    rows = enter(session, club, names)
    Tally.objects.create(session=session)
    board_set = BoardSet.objects.create(
        session=session,
        seed=seed,
        manifest=manifest,
        commitment=sealing.commitment(manifest) if manifest else "",
    )
    Board.objects.bulk_create(Board(board_set=board_set, number=n) for n in sorted(plays))
    boards = {board.number: board for board in board_set.boards.all()}
    sides = registry.game(game).sides_of(session.conditions)
    for section_name, layout in movements.items():
        lay_out_section(
            Section.objects.create(session=session, club=club, name=section_name),
            layout.sittings,
            boards,
            rows,
            sides,
        )
    group(rows, [sitting for layout in movements.values() for sitting in layout.sittings], sides)
    return session


def _next_number(rows: Manager[Any]) -> int:
    """The number after the highest. Whoever asks holds the lock of what the rows are numbered in."""
    highest = rows.aggregate(highest=Max("number"))["highest"]
    return (highest or 0) + 1


def enter(session: Session, club: Club, names: Sequence[str]) -> dict[int, Contestant]:
    """New contestants with the next numbers; all of the session by number."""
    first = _next_number(session.contestants)
    players = players_named(club, names)
    made = Contestant.objects.bulk_create(
        Contestant(session=session, number=n, name=name) for n, name in enumerate(names, first)
    )
    Contestant.players.through.objects.bulk_create(
        Contestant.players.through(contestant=one, player=players[one.name]) for one in made
    )
    return {c.number: c for c in session.contestants.all()}


def group(
    contestants: dict[int, Contestant], sittings: Sequence[Sitting], sides: Sequence[Sequence[int]]
) -> bool:
    """Store which contestants can be compared; whether that has changed for any. Those who never play stay
    where they are."""
    groups = line_groups(sittings, sides)
    changed = [one for n, one in contestants.items() if one.line_group != groups.get(n, one.line_group)]
    for one in changed:
        one.line_group = groups[one.number]
    Contestant.objects.bulk_update(changed, ["line_group"], batch_size=500)
    return bool(changed)


def players_named(club: Club, names: Sequence[str]) -> dict[str, Player]:
    """The club's players of these names, made where they are new."""
    Player.objects.bulk_create((Player(club=club, name=name) for name in names), ignore_conflicts=True)
    return {player.name: player for player in Player.objects.filter(club=club, name__in=names)}


def lay_out_section(
    section: Section,
    sittings: Sequence[Sitting],
    boards: dict[int, Board],
    contestants: dict[int, Contestant],
    sides: Sequence[Sequence[int]],
) -> None:
    """The rows of the sittings of one movement. Where it seats sides, its contestants sit in all seats of
    theirs."""
    numbers = sorted({sitting.table for sitting in sittings})
    Table.objects.bulk_create((Table(section=section, number=n) for n in numbers), ignore_conflicts=True)
    tables = {table.number: table for table in section.tables.all()}
    Play.objects.bulk_create(
        Play(table=tables[s.table], board=boards[s.board], round=s.round) for s in sittings
    )
    plays = {(p.table.number, p.board.number): p for p in Play.objects.filter(table__section=section)
             .select_related("table", "board")}  # fmt: skip
    Seating.objects.bulk_create(
        Seating(play=plays[s.table, s.board], seat=seat, contestant=contestants[number])
        for s in sittings
        for seats, number in zip(_seats(s, sides), s.contestants, strict=True)
        for seat in seats
    )


def _seats(sitting: Sitting, sides: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
    """The seats of each of a sitting's contestants: one, or all of a side."""
    if len(sitting.contestants) == len(sides):
        return sides
    return [(seat,) for seat in range(1, len(sitting.contestants) + 1)]


def movement_of(section: Section, sides: Sequence[Sequence[int]]) -> Movement:
    """The movement that the rows of a section are."""
    seated: dict[int, dict[int, int]] = defaultdict(dict)
    rows = Seating.objects.filter(play__table__section=section)
    for play, seat, number in rows.values_list("play", "seat", "contestant__number"):
        seated[play][seat] = number
    plays = Play.objects.filter(pk__in=seated).order_by("round", "table__number", "board__number")
    return Movement(
        section.session.movement,
        tuple(
            Sitting(number, table, board, _contestants(seated[pk], sides))
            for pk, number, table, board in plays.values_list("pk", "round", "table__number", "board__number")
        ),
    )


def _contestants(by_seat: dict[int, int], sides: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """One for each side where all seats of a side hold the same, else by seat."""
    if all(len({by_seat[seat] for seat in side}) == 1 for side in sides):
        return tuple(by_seat[side[0]] for side in sides)
    return tuple(by_seat[seat] for seat in sorted(by_seat))
