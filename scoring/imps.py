"""International match points: differences on a scale that flattens large ones.

`unit`: how many points of the scale one unit of a score is worth. None among the scores is a play that
cannot be compared: it gets 0, and the others are compared without it. All costs grow with the number of
different scores.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import floor

SCALE = (
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600,
    750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000,
)  # fmt: skip
"""The least difference that is worth 1, 2, … 24 IMPs. Source: the Laws of Duplicate Bridge, law 78B."""

COMPARISONS, PLAYS, NONE = "comparisons", "plays", "none"
DIVISORS = (COMPARISONS, PLAYS, NONE)


def imps(difference: Fraction | int) -> int:
    """The IMPs of a difference in points of the scale.

    >>> imps(19), imps(20), imps(-450), imps(9999)
    (0, 1, -10, 24)
    """
    size = bisect_right(SCALE, floor(abs(Fraction(difference))))
    return size if difference >= 0 else -size


def cross_imps(
    scores: Sequence[int | None], *, unit: Fraction | int = 1, divisor: str = COMPARISONS
) -> tuple[Fraction, ...]:
    """Each score against every other of its line, in IMPs, added up and divided by the comparisons made
    (A − 1), by the plays (A), or not at all. They add up to zero. ValueError for another divisor.

    >>> [str(award) for award in cross_imps([620, 620, 170])]
    ['5', '5', '-10']
    """
    if divisor not in DIVISORS:
        raise ValueError(f"divisor: must be one of {', '.join(DIVISORS)}, not {divisor}")
    counts = Counter(score for score in scores if score is not None)
    plays = counts.total()
    share = {COMPARISONS: max(plays - 1, 1), PLAYS: max(plays, 1), NONE: 1}[divisor]
    awards: dict[int | None, Fraction] = {None: Fraction(0)}
    for score in counts:
        total = sum(count * imps((score - other) * unit) for other, count in counts.items())
        awards[score] = Fraction(total, share)
    return tuple(awards[score] for score in scores)
