"""Methods that count which scores a score beats: matchpoints, and board-a-match."""

from fractions import Fraction

from engines.phrases import Phrase

from .errors import BadScoring
from .lines import THIRD, Histogram, Number, Valuation

NEUBERG, PERCENTAGE = "neuberg", "percentage"
UNEQUAL = (NEUBERG, PERCENTAGE)


def top(plays: int) -> int:
    """The most that a board can give which is played `plays` times."""
    return 2 * (plays - 1)


def matchpoints(
    line: Histogram, plays: int, *, unequal: str = NEUBERG, small_groups: str = THIRD
) -> Valuation:
    """Two for each contestant of the line with a lower score, one for each with an equal one.

    Where a board was played less often than it was to be, `unequal` says how its matchpoints are brought to
    the same top: by Neuberg's formula, or as the plain percentage of what these few could win. A single play
    gets half.
    """
    actual = line.plays
    return Valuation(
        {score: on_scale(points, actual, plays, unequal) for score, points in raw_matchpoints(line).items()},
        Fraction(top(plays), 2),
        Fraction(top(plays), 10),
        top(plays),
        small_groups,
    )


def raw_matchpoints(line: Histogram) -> dict[int, Number]:
    """By score: two for each play below it and one for each other beside it."""
    points: dict[int, Number] = {}
    lower: Number = 0
    for score, mass in line.items():
        points[score] = 2 * lower + mass - 1
        lower += mass
    return points


def on_scale(points: Number, actual: int, plays: int, unequal: str) -> Fraction:
    """Matchpoints among `actual` plays, as they count on the scale of `plays`."""
    if unequal == NEUBERG:
        return neuberg(points, actual, plays)
    return Fraction(points * (plays - 1), actual - 1) if actual > 1 else Fraction(plays - 1)


def neuberg(points: Number, actual: int, expected: int) -> Fraction:
    """Matchpoints won among `actual` scores, as they would be among `expected`: (M·E + (E − A)) / A.

    Source: G. Neuberg's formula, as the World Bridge Federation's and the ACBL's regulations give it.
    BadScoring for fewer than one actual score, or more than expected.

    >>> round(float(neuberg(12, 7, 10)), 3), round(float(neuberg(0, 7, 10)), 3)
    (17.571, 0.429)
    """
    if not 1 <= actual <= expected:
        constraint = Phrase("must be from 1 to {expected}, not {actual}", expected=expected, actual=actual)
        raise BadScoring("actual", constraint)
    return Fraction(points * expected + expected - actual, actual)


def board_a_match(line: Histogram, plays: int, *, small_groups: str = THIRD) -> Valuation:
    """The board is one match against each other of the line: 1 for a win, ½ for a tie, 0 for a loss, on
    average. Every board is worth 1, however often it is played; a single play halves it.

    Source: board-a-match (point-a-board) of the World Bridge Federation's regulations, which is the case of
    two plays.
    """
    others = line.plays - 1
    worth = {
        score: Fraction(points, 2 * others) if others else Fraction(1, 2)
        for score, points in raw_matchpoints(line).items()
    }
    return Valuation(worth, Fraction(1, 2), Fraction(1, 10), 1, small_groups)
