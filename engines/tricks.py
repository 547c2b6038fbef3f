"""What trick-taking games share, each a function that a game calls."""

from functools import cache

NEXT = {seats: tuple((seat + 1) % seats for seat in range(seats)) for seats in range(2, 8)}
"""By number of seats, who sits at the left of each (indices from 0)."""


@cache
def clockwise_from(seat: int, seats: int) -> tuple[int, ...]:
    """All seats (from 1), beginning with the one at the left of `seat`, who comes last.

    >>> clockwise_from(2, 3)
    (3, 1, 2)
    """
    return tuple((seat + step) % seats + 1 for step in range(seats))
