"""International match points: differences on a scale that flattens large ones.

`unit`: how many points of the scale one unit of a score is worth (see `scoring.units`).
"""

from bisect import bisect_right
from fractions import Fraction
from math import ceil, floor

from engines.phrases import Phrase

from .datum import MEAN, USUAL, datum
from .errors import BadScoring
from .lines import Histogram, Number, Valuation
from .rounding import AWAY

SCALE = (
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600,
    750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000,
)  # fmt: skip
"""The least difference that is worth 1, 2, … 24 IMPs. Source: the Laws of Duplicate Bridge, law 78B."""

COMPARISONS, PLAYS, NONE = "comparisons", "plays", "none"
DIVISORS = (COMPARISONS, PLAYS, NONE)

STEP = 3
"""What average plus is worth for each comparison. Source: the same Laws, law 86A."""


def imps(difference: Number) -> int:
    """The IMPs of a difference in points of the scale.

    >>> imps(19), imps(20), imps(-450), imps(9999)
    (0, 1, -10, 24)
    """
    size = bisect_right(SCALE, floor(abs(Fraction(difference))))
    return size if difference >= 0 else -size


def cross_imps(line: Histogram, plays: int, *, unit: Number = 1, divisor: str = COMPARISONS) -> Valuation:
    """Each score against every other of its line, in IMPs, added up and divided by the comparisons made
    (A − 1), by the plays (A), or not at all. A line adds up to zero. Source: cross-IMPs as pairs tournaments
    are scored with; the three divisors are those in use."""
    others = max(line.plays - 1, 0)
    share = {COMPARISONS: others, PLAYS: line.plays, NONE: 1}[divisor] or 1
    return Valuation(
        {score: total / share for score, total in against_all(line, unit).items()},
        0,
        Fraction(STEP * max(others, 1), share),
    )


def against_all(line: Histogram, unit: Number) -> dict[int, Fraction]:
    """By score: its IMPs against each play of the line, added up.

    Few scores are compared pair by pair. Of many, each step of the scale is looked up among the scores in
    order, so that the cost grows as 48 · n · log n and not as n².
    """
    scores = list(line)
    if len(scores) <= 4 * len(SCALE):
        table = {gap: imps(gap * unit) for gap in {s - t for s in scores for t in scores}}
        return {
            score: Fraction(sum(mass * table[score - other] for other, mass in line.items()))
            for score in scores
        }
    below: list[Number] = [0]  # below[i]: the plays with one of the i lowest scores
    for score in scores:
        below.append(below[-1] + line[score])
    gaps = [ceil(Fraction(step) / Fraction(unit)) for step in SCALE]
    return {
        score: Fraction(
            sum(below[bisect_right(scores, score - gap)] for gap in gaps)
            - sum(line.plays - below[bisect_right(scores, score + gap - 1)] for gap in gaps)
        )
        for score in scores
    }


def butler(
    line: Histogram,
    plays: int,
    *,
    unit: Number = 1,
    average: str = MEAN,
    trim: str = USUAL,
    round_to: Number | None = None,
    halves: str | None = None,
) -> Valuation:
    """The IMPs of each score against the datum of its line (`scoring.datum`). Source: the Butler method of
    pairs tournaments. BadScoring for `halves` where nothing is rounded."""
    if halves is not None and round_to is None:
        raise BadScoring("halves", Phrase("belongs to round_to, and only there"))
    if not line.plays:
        return Valuation({}, 0, STEP)
    reference = datum(line, average=average, trim=trim, round_to=round_to, halves=halves or AWAY)
    return Valuation({score: imps((score - reference) * unit) for score in line}, 0, STEP)
