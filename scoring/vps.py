"""Victory points: the margin of a match, in IMPs, on a scale of 20 for both sides together."""

from bisect import bisect_right
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

from engines.phrases import Phrase

from .errors import BadScoring
from .lines import Number

WHOLE = 20
"""What the two sides of a match share."""

DIGITS = 50
"""Significant digits of the exponential, of which two decimals are kept."""


def victory_points(margin: Number, boards: int) -> tuple[Fraction, Fraction]:
    """Each side's victory points, in hundredths, for a margin in IMPs (negative: the second side won).

    The winner gets 10 + 10 · (1 − R^(margin / X)) / (1 − R), with R = ((√5 − 1) / 2)³ and X = 15 · √boards,
    at most 20; this is rounded to hundredths, and the loser gets the rest of 20. Source: the World Bridge
    Federation's continuous scale of 2013. BadScoring for fewer than one board.

    >>> [str(float(vp)) for vp in victory_points(10, 16)], [str(float(vp)) for vp in victory_points(-20, 16)]
    (['12.8', '7.2'], ['5.0', '15.0'])
    """
    if type(boards) is not int or boards < 1:
        raise BadScoring("boards", Phrase("must be a whole number above 0, not {value}", value=repr(boards)))
    size = abs(Fraction(margin))
    with localcontext() as context:
        context.prec = DIGITS
        ratio = ((Decimal(5).sqrt() - 1) / 2) ** 3
        full = 15 * Decimal(boards).sqrt()
        share = min(Decimal(size.numerator) / Decimal(size.denominator) / full, Decimal(1))
        won = 10 + 10 * (1 - ratio**share) / (1 - ratio)
        winner = Fraction(won.quantize(Decimal("0.01"), ROUND_HALF_UP))
    return (winner, WHOLE - winner) if margin >= 0 else (WHOLE - winner, winner)


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
        wanted = Phrase("the winner's points must start at half of {whole} or more and not fall", whole=whole)
        raise BadScoring("steps", wanted)
    if points[-1] > whole:
        raise BadScoring("steps", Phrase("the winner's points must not pass {whole}", whole=whole))
    won = points[bisect_right(margins, abs(Fraction(margin))) - 1]
    return (won, whole - won) if margin >= 0 else (whole - won, won)
