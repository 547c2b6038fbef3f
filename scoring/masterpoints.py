"""Master points: what a place in an event is worth in a player's career."""

from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import isqrt
from typing import TypeVar

from engines.phrases import Phrase

from .errors import BadScoring
from .lines import Number

K = TypeVar("K", bound=Hashable)


def master_points(places: Sequence[tuple[str, K]], *, tables: int, factor: Number = 1) -> dict[K, Fraction]:
    """The master points of each contestant of a ranking ((rank, contestant), the best first), in hundredths.

    The first gets `factor` · √tables; the top third of the field (rounded up) gets points, falling in equal
    steps; those who share a place get the mean of the places shared. Points are rounded down to hundredths,
    those of the first and then those of each. Source: this project, after the usual shape of such scales.
    BadScoring for fewer than one table, or a factor that is not above 0.

    >>> places = [("1", "Ana"), ("2=", "Bo"), ("2=", "Cy"), ("4", "Di"), ("5", "Ed"), ("6", "Fa")]
    >>> master_points(places, tables=4)
    {'Ana': Fraction(2, 1), 'Bo': Fraction(1, 2), 'Cy': Fraction(1, 2)}
    """
    if type(tables) is not int or tables < 1:
        raise BadScoring("tables", Phrase("must be a whole number above 0, not {value}", value=repr(tables)))
    if not isinstance(factor, (int, Fraction)) or factor <= 0:
        raise BadScoring("factor", Phrase("must be an exact number above 0, not {value}", value=repr(factor)))
    ranked = [(rank, k) for rank, k in places if rank]
    paid = -(-len(ranked) // 3)
    square = (Fraction(factor) * 100) ** 2 * tables
    top = isqrt(square.numerator // square.denominator)  # in hundredths, rounded down
    by_place = [Fraction(top * (paid - at), paid) if at < paid else Fraction(0) for at in range(len(ranked))]
    by_rank: dict[str, list[Fraction]] = {}
    for (rank, _), points in zip(ranked, by_place, strict=True):
        by_rank.setdefault(rank, []).append(points)
    shared = {rank: sum(points) / len(points) // 1 for rank, points in by_rank.items()}
    return {k: Fraction(int(shared[rank]), 100) for rank, k in ranked if shared[rank]}
