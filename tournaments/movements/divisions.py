"""Where contestants do not fill tables of the usual size: tables of another, or of two sizes.

Deals for tables of different sizes differ, so those at tables of one size are compared among themselves, and
there are two tables of each size or more.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

MOST = 3  # divisions to choose from


def divisions(contestants: int, seats: Sequence[int]) -> list[list[tuple[int, int]]]:
    """Ways to seat everybody, as (contestants, seats at their tables); one size before two, then those whose
    sizes are nearest to the usual, which is the first of `seats`. None where tables of that size are filled.

    >>> divisions(14, [3, 4, 5])
    [[(6, 3), (8, 4)]]
    >>> divisions(20, [3, 4, 5])
    [[(20, 4)], [(20, 5)], [(12, 3), (8, 4)]]
    >>> divisions(15, [3, 4, 5]), divisions(7, [3, 4, 5]), divisions(14, [3])
    ([], [], [])
    """
    usual = seats[0]
    if contestants % usual == 0:
        return []
    found = [*_of_one(contestants, seats[1:]), *_of_two(contestants, seats)]
    return sorted(found, key=lambda one: (len(one), sum(abs(size - usual) for _, size in one), -one[0][0]))[
        :MOST
    ]


def _of_one(contestants: int, seats: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    for size in seats:
        if contestants % size == 0 and contestants >= 2 * size:
            yield [(contestants, size)]


def _of_two(contestants: int, seats: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    for one, other in combinations(seats, 2):
        for held in range(2 * one, contestants - 2 * other + 1, one):
            if (contestants - held) % other == 0:
                yield [(held, one), (contestants - held, other)]
