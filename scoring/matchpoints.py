"""Matchpoints: two for each contestant of the line with a lower score, one for each with an equal one."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction


def top(plays: int) -> int:
    """The most that a board can give which is played `plays` times."""
    return 2 * (plays - 1)


def matchpoints(scores: Sequence[int | None], *, plays: int | None = None) -> tuple[Fraction, ...]:
    """The matchpoints of each score of a line, out of `top(plays)`.

    `scores`: higher is better; None is a play that cannot be compared: it gets half of the top, and
    the others are compared without it. `plays`: how often the line's board is to be played in the
    session, by default as often as here; fewer scores than that are brought to scale by Neuberg's
    formula. ValueError when there are more scores than plays.

    The cost grows with the number of different scores, not with the pairs of plays.

    >>> [str(points) for points in matchpoints([620, 620, None, 170])]
    ['13/3', '13/3', '3', '1/3']
    """
    expected = len(scores) if plays is None else plays
    if len(scores) > expected:
        raise ValueError(f"{len(scores)} scores in a line of {expected} plays")
    counts = Counter(score for score in scores if score is not None)
    compared = counts.total()
    points: dict[int | None, Fraction] = {None: Fraction(expected - 1)}
    lower = 0
    for score in sorted(counts):
        points[score] = neuberg(2 * lower + counts[score] - 1, compared, expected)
        lower += counts[score]
    return tuple(points[score] for score in scores)


def neuberg(points: Fraction | int, actual: int, expected: int) -> Fraction:
    """Matchpoints won among `actual` scores, as they would be among `expected`: (M·E + (E − A)) / A.

    Source: G. Neuberg's formula, as the World Bridge Federation's and the ACBL's regulations give it.

    >>> round(float(neuberg(12, 7, 10)), 3), round(float(neuberg(0, 7, 10)), 3)
    (17.571, 0.429)
    """
    return Fraction(points * expected + (expected - actual), actual)
