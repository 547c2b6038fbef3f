"""Victory points: the margin of a match, in IMPs, on a scale of 20 for both sides together."""

from bisect import bisect_right
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import ceil

from engines.phrases import Phrase

from .errors import BadScoring
from .lines import Number
from .rounding import nearest

WHOLE = 20
"""What the two sides of a match share."""

DIGITS = 50
"""Significant digits of the exponential, of which two decimals are kept."""


def victory_points(margin: Number, boards: int) -> tuple[Fraction, Fraction]:
    """Each side's victory points, in hundredths, for a margin in IMPs (negative: the second side won). The
    winner's are those of the `scale`; the loser gets the rest of 20. A margin between two whole IMPs is worth
    what lies between them, in proportion. BadScoring for fewer than one board.

    >>> [str(float(vp)) for vp in victory_points(10, 16)], [str(float(vp)) for vp in victory_points(-20, 16)]
    (['12.8', '7.2'], ['5.0', '15.0'])
    """
    if type(boards) is not int or boards < 1:
        raise BadScoring("boards", Phrase("must be a whole number above 0, not {value}", value=repr(boards)))
    points = scale(boards)
    size = min(abs(Fraction(margin)), Fraction(len(points) - 1))
    whole = int(size)
    hundredths = Fraction(points[whole])
    if size > whole:
        hundredths += (size - whole) * (points[whole + 1] - points[whole])
    winner = nearest(hundredths) / 100
    return (winner, WHOLE - winner) if margin >= 0 else (WHOLE - winner, winner)


@cache
def scale(boards: int) -> tuple[int, ...]:
    """The winner's victory points, in hundredths, for each whole margin from 0 up to the first that is worth
    all 20.

    They are 10 + 10 · (1 − R^(margin / X)) / (1 − R), with R = ((√5 − 1) / 2)³ and X = 15 · √boards, at most
    20, rounded to hundredths. Rounding alone would make some IMPs worth more than the one before, which the
    scale promises not to do: a margin after which that happens is raised by a hundredth, until it happens
    nowhere. Whatever the order, this ends at the lowest such scale that lies nowhere below the rounded one.

    Source: World Bridge Federation, “The New WBF IMP to VP Scales, Technical Report of WBF Scoring Panel”,
    2013. Its time grows with the root of the number of boards.
    """
    with localcontext() as context:
        context.prec = DIGITS
        ratio = ((Decimal(5).sqrt() - 1) / 2) ** 3
        full = 15 * Decimal(boards).sqrt()
        shares = [min(margin / full, Decimal(1)) for margin in range(ceil(full) + 1)]
        won = [1000 + 1000 * (1 - ratio**share) / (1 - ratio) for share in shares]
        points = [int(one.to_integral_value(ROUND_HALF_UP)) for one in won]
    while lower := [i for i in range(1, len(points) - 1) if 2 * points[i] < points[i - 1] + points[i + 1]]:
        for i in lower:
            points[i] += 1
    return tuple(points)


def table(
    steps: Sequence[tuple[Number, Number]], margin: Number, *, whole: Number = WHOLE
) -> tuple[Fraction, Fraction]:
    """Each side's victory points by a table of its own: (least margin, what the winner gets), the margins
    rising from 0 and the victory points never falling. The loser gets the rest of `whole`.

    >>> halves = [(0, 10), (3, 11), (7, 12), (11, 13)]
    >>> table(halves, 8)
    (Fraction(12, 1), Fraction(8, 1))

    BadScoring for a table that is not like that.
    """
    margins, points = [Fraction(least) for least, _ in steps], [Fraction(won) for _, won in steps]
    if not steps or margins[0] != 0 or any(a >= b for a, b in pairwise(margins)):
        raise BadScoring("steps", Phrase("the margins must start at 0 and rise"))
    if 2 * points[0] < whole or any(a > b for a, b in pairwise(points)):
        constraint = Phrase(
            "the winner's points must start at half of {whole} or more and not fall", whole=whole
        )
        raise BadScoring("steps", constraint)
    if points[-1] > whole:
        raise BadScoring("steps", Phrase("the winner's points must not pass {whole}", whole=whole))
    won = points[bisect_right(margins, abs(Fraction(margin))) - 1]
    return (won, whole - won) if margin >= 0 else (whole - won, won)
