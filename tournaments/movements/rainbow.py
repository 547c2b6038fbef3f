"""Rainbows: single copies of the boards, which travel from table to table.

The contestants are as many lines as there are seats, each line as long as there are tables. From round to
round each line moves on by a step of its own, and the boards by another. Steps are numbers of a finite
field (or of a circle, if they and their differences can be divided by): then every two contestants of
different lines meet once, those of one line never, and everyone plays every set of boards once.
"""

from engines.phrases import Phrase

from .fields import FiniteField, field_of, prime_power
from .layout import BadMovement, Movement, Table, laid_out


def rainbow(
    contestants: int, seats: int, boards_per_round: int, rounds: int | None = None, *, rotated: bool = False
) -> Movement:
    """`rotated`: the lines change seats from round to round, so that one ranking can be made.

    BadMovement where the tables are not a prime power above the number of seats, nor a number whose smallest
    divisor is above it; it says what would be possible.
    """
    tables = contestants // seats
    if contestants % seats or not is_possible(tables, seats):
        sizes = ", ".join(str(n * seats) for n in range(2, tables + 12) if is_possible(n, seats))
        raise BadMovement(
            Phrase(
                "there is no rainbow for {count} contestants, only for {sizes}",
                count=contestants,
                sizes=sizes,
            )
        )
    field = field_of(tables) or FiniteField.circle(tables)
    laid: list[list[Table]] = []
    for step in range(rounds or tables):
        seated: list[Table] = []
        for table in range(tables):
            lines = [line * tables + field.minus(table, field.times(line, step)) for line in range(seats)]
            turn = step % seats if rotated else 0
            by_seat = lines[turn:] + lines[:turn]
            seated.append((by_seat, field.minus(table, field.times(seats, step))))
        laid.append(seated)
    name = "rotated-rainbow" if rotated else "rainbow"
    return laid_out(f"{name}-{contestants}x{len(laid)}", laid, boards_per_round)


def is_possible(tables: int, seats: int) -> bool:
    """Whether the lines and the boards have steps of their own.

    >>> [tables for tables in range(2, 20) if is_possible(tables, 3)]
    [4, 5, 7, 8, 9, 11, 13, 16, 17, 19]
    """
    if tables <= seats:
        return False
    smallest = next(d for d in range(2, tables + 1) if tables % d == 0)
    return prime_power(tables) is not None or smallest > seats
