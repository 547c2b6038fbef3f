"""Line groups: who can be compared with whom, directly or through others, over a whole movement.

In a Mitchell movement those who stay never hold the cards of those who move: two groups, with a ranking of
each. Two contestants are compared directly where they play the same board in the same line.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from .layout import Sitting


def line_groups(sittings: Iterable[Sitting], sides: Sequence[Sequence[int]] = ()) -> dict[int, int]:
    """The line group of each contestant, counted from 1 in the order of their lowest numbers. Where no board
    has two tables nobody is compared, and all are one group.

    `sides`: the seats that score together; by default each seat is a line of its own. The time grows with the
    seats of all sittings.
    """
    leaders: dict[int, int] = {}
    compared = False
    for tables in _lines(sittings, sides):
        compared = compared or len(tables) > 1
        for table in tables:
            for one in table:  # partners have the same results
                leaders[_leader(leaders, one)] = _leader(leaders, tables[0][0])
    numbers: dict[int, int] = {}
    return {
        one: numbers.setdefault(_leader(leaders, one), len(numbers) + 1) if compared else 1
        for one in sorted(leaders)
    }


def _leader(leaders: dict[int, int], one: int) -> int:
    """Whoever stands for a contestant's group; the way there gets shorter. (A library that knows this, and
    much else, would cost each process 11 MB.)"""
    while leaders.setdefault(one, one) != one:
        leaders[one] = leaders[leaders[one]]
        one = leaders[one]
    return one


def _lines(sittings: Iterable[Sitting], sides: Sequence[Sequence[int]]) -> Iterable[list[list[int]]]:
    """For each line of each board, those who sit in it at each table."""
    side_of = {seat: side for side, seats in enumerate(sides) for seat in seats}
    lines: dict[tuple[int, int], list[list[int]]] = defaultdict(list)
    for sitting in sittings:
        here: dict[int, list[int]] = defaultdict(list)
        seat_by_seat = len(sitting.contestants) != len(sides)
        for seat, contestant in enumerate(sitting.contestants, 1):
            here[side_of.get(seat, seat) if seat_by_seat else seat - 1].append(contestant)
        for side, held in here.items():
            lines[sitting.board, side].append(held)
    return lines.values()
