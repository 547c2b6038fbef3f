"""Master points: what a place in an event is worth in a player's career."""

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import isqrt
from typing import TypeVar

from engines.phrases import Phrase

from .errors import BadScoring
from .formulas import Formula
from .lines import Number

K = TypeVar("K", bound=Hashable)
MOST_POINTS = 1_000_000  # that a place is worth


def master_points(
    places: Sequence[tuple[str, K]],
    *,
    tables: int,
    factor: Number = 1,
    by: Formula | None = None,
    boards: Mapping[K, int] | None = None,
) -> dict[K, Fraction]:
    """The master points of each contestant of a ranking ((rank, contestant), the best first), in hundredths.

    The first gets `factor` · √tables; the top third of the field (rounded up) gets points, falling in equal
    steps; those who share a place get the mean of the places shared. Points are rounded down to hundredths,
    those of the first and then those of each. Source: this project, after the usual shape of such scales.

    `by`: a formula that says instead what each place is worth, between 0 and MOST_POINTS; places are shared
    and rounded in the same way. `boards`: how many each contestant has played, 0 for who is left out.
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
    if by is not None:
        return _by_formula(ranked, by, tables, Fraction(factor), boards or {})
    paid = -(-len(ranked) // 3)
    square = (Fraction(factor) * 100) ** 2 * tables
    top = min(isqrt(square.numerator // square.denominator), 100 * MOST_POINTS)  # in hundredths, rounded down
    by_place = [Fraction(top * (paid - at), paid) if at < paid else Fraction(0) for at in range(len(ranked))]
    by_rank: dict[str, list[Fraction]] = {}
    for (rank, _), points in zip(ranked, by_place, strict=True):
        by_rank.setdefault(rank, []).append(points)
    shared = {rank: sum(points) / len(points) // 1 for rank, points in by_rank.items()}
    return {k: Fraction(int(shared[rank]), 100) for rank, k in ranked if shared[rank]}


def _by_formula(
    ranked: Sequence[tuple[str, K]], by: Formula, tables: int, factor: Fraction, boards: Mapping[K, int]
) -> dict[K, Fraction]:
    """The time grows with the places, times the different numbers of boards of those who share one."""
    places: dict[str, list[int]] = {}
    for place, (rank, _k) in enumerate(ranked, 1):
        places.setdefault(rank, []).append(place)

    @cache
    def shared(rank: str, played: int) -> Fraction:
        known: dict[str, Fraction | int] = {
            "contestants": len(ranked),
            "tables": tables,
            "boards": played,
            "factor": factor,
        }
        own = [
            by.value({name: Fraction(value) for name, value in one.items()})
            for one in (known | {"place": at, "beaten": len(ranked) - at} for at in places[rank])
        ]
        kept = [min(max(value, Fraction(0)), Fraction(MOST_POINTS)) for value in own]
        return Fraction(100 * sum(kept) // len(kept), 100)

    given = {k: shared(rank, boards.get(k, 0)) for rank, k in ranked}
    return {k: points for k, points in given.items() if points}
