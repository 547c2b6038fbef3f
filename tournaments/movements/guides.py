"""What a movement says to each contestant and to each table."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from .layout import Movement


@dataclass(frozen=True, slots=True)
class Stop:
    """A contestant's round: at which table and in which seats (seats count from 1; one for each board if they
    change), with whom, for which boards; no table for a sit-out."""

    round: int
    table: int | None
    seats: tuple[int, ...] = ()
    others: tuple[int, ...] = ()
    boards: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TableRound:
    """A table's round: who sits there by seat, board by board."""

    round: int
    boards: tuple[int, ...]
    contestants: tuple[tuple[int, ...], ...]


def by_contestant(
    movement: Movement, contestants: Iterable[int] | None = None, rounds: int | None = None
) -> dict[int, tuple[Stop, ...]]:
    """The rounds of each contestant. `contestants`: those that are asked for; by default all who play.
    `rounds`: how many there are, if the movement is a part of one."""
    held: dict[tuple[int, int], list[tuple[int, int, tuple[int, ...]]]] = defaultdict(list)
    for s in movement.sittings:
        for contestant in s.contestants:
            held[contestant, s.round].append((s.table, s.board, s.contestants))
    last = movement.rounds if rounds is None else rounds
    return {
        contestant: tuple(
            _stop(contestant, number, sorted(held[contestant, number], key=lambda one: one[1]))
            for number in range(1, last + 1)
        )
        for contestant in (range(1, movement.contestants + 1) if contestants is None else contestants)
    }


def by_table(movement: Movement) -> dict[int, tuple[TableRound, ...]]:
    """The rounds of each table; a round in which it is not played is left out."""
    held: dict[tuple[int, int], list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
    for s in movement.sittings:
        held[s.table, s.round].append((s.board, s.contestants))
    found: dict[int, list[TableRound]] = defaultdict(list)
    for (table, number), played in sorted(held.items()):
        boards, contestants = zip(*sorted(played), strict=True)
        found[table].append(TableRound(number, boards, contestants))
    return {table: tuple(rounds) for table, rounds in found.items()}


def _stop(contestant: int, number: int, held: list[tuple[int, int, tuple[int, ...]]]) -> Stop:
    if not held:
        return Stop(number, None)
    seats = tuple(seated.index(contestant) + 1 for _, _, seated in held)
    return Stop(
        number,
        held[0][0],
        seats if len(set(seats)) > 1 else seats[:1],
        tuple(sorted(c for c in held[0][2] if c != contestant)),
        tuple(board for _, board, _ in held),
    )
