"""The datum, a line's reference, and the methods that measure a score in points: total points, the
distance from the line's mean, and that distance in standard deviations."""

from collections.abc import Mapping
from fractions import Fraction
from math import isqrt

from .lines import Histogram, Number, Valuation
from .rounding import AWAY, nearest

MEAN, MEDIAN = "mean", "median"
AVERAGES = (MEAN, MEDIAN)

USUAL = "usual"
TRIMS = (USUAL, "none", "one", "two", "tenth")

STEP = Fraction(1, 4)
"""Standard deviations that average plus is worth: six contestants of ten are below it in a bell curve."""

ROOT_DIGITS = 30
"""Decimals to which a square root is taken: the only numbers here that cannot be exact."""


def datum(
    line: Histogram,
    *,
    average: str = MEAN,
    trim: str = USUAL,
    round_to: Number | None = None,
    halves: str = AWAY,
) -> Fraction:
    """The mean (or the median) of a line without its extremes; a weighted score counts as its mean.

    `trim`: how many plays are left out at each end: "none", "one", "two", a "tenth" rounded down; or
    "usual": none of fewer than 5 plays, one from 5, two from 10, a tenth from 20. One or two always remain.
    Source: the datum of the Butler method; how much is left out is a convention of organisers.

    `round_to`: the nearest multiple of so many units of the score, a half going as `halves` says (see
    `scoring.rounding`); exact by default.
    """
    marks = without_extremes(line.marks, min(trim_count(line.plays, trim), (line.plays - 1) // 2))
    count = sum(marks.values())
    if average == MEAN:
        exact = Fraction(sum((mark * times for mark, times in marks.items()), Fraction(0))) / count
    else:
        exact = Fraction(nth(marks, (count - 1) // 2) + nth(marks, count // 2)) / 2
    return exact if round_to is None else nearest(exact, round_to, halves=halves)


def trim_count(plays: int, trim: str) -> int:
    """How many plays the rule leaves out at each end.

    >>> [trim_count(plays, "usual") for plays in (4, 5, 9, 10, 19, 20, 30)]
    [0, 1, 1, 2, 2, 2, 3]
    """
    if trim == USUAL:
        return plays // 10 if plays >= 20 else (plays >= 5) + (plays >= 10)
    return {"none": 0, "one": 1, "two": 2, "tenth": plays // 10}[trim]


def without_extremes(marks: Mapping[Number, int], count: int) -> dict[Number, int]:
    """The marks in ascending order without the `count` lowest and the `count` highest."""
    left = dict(marks)
    for ordered in (list(marks), list(reversed(marks))):
        rest = count
        for mark in ordered:
            gone = min(rest, left[mark])
            left[mark] -= gone
            rest -= gone
    return {mark: times for mark, times in left.items() if times}


def nth(marks: Mapping[Number, int], place: int) -> Number:
    """The mark at a place of the ascending list, counted from 0."""
    for mark, times in marks.items():
        if place < times:
            return mark
        place -= times
    raise IndexError(place)


def deviation(line: Histogram) -> Fraction:
    """The population standard deviation of a line, to ROOT_DIGITS decimals."""
    return root(variance(line))


def variance(line: Histogram) -> Fraction:
    """The mean square of the distances from the line's mean."""
    mean = datum(line, trim="none")
    squares = sum((times * (mark - mean) ** 2 for mark, times in line.marks.items()), Fraction(0))
    return squares / line.plays


def root(square: Fraction) -> Fraction:
    """A square root, rounded down at ROOT_DIGITS decimals; exact where that is enough.

    >>> root(Fraction(9, 4)), round(float(root(Fraction(2))), 12)
    (Fraction(3, 2), 1.414213562373)
    """
    scale = 10**ROOT_DIGITS
    if (
        isqrt(square.numerator) ** 2 == square.numerator
        and isqrt(square.denominator) ** 2 == square.denominator
    ):
        return Fraction(isqrt(square.numerator), isqrt(square.denominator))
    return Fraction(isqrt(square.numerator * scale**2 // square.denominator), scale)


def total_points(line: Histogram, plays: int, *, unit: Number = 1) -> Valuation:
    """The score itself, `unit` points for each. An average is the mean of the line."""
    if not line.plays:
        return Valuation({}, 0, 0)
    average, step = datum(line, trim="none") * unit, STEP * deviation(line) * unit
    return Valuation({score: score * unit for score in line}, average, step)


def zero_sum(line: Histogram, plays: int, *, unit: Number = 1) -> Valuation:
    """The score less the mean of its line, `unit` points for each: a line adds up to zero."""
    if not line.plays:
        return Valuation({}, 0, 0)
    mean = datum(line, trim="none")
    return Valuation({score: (score - mean) * unit for score in line}, 0, STEP * deviation(line) * unit)


def standard_scores(line: Histogram, plays: int, *, clip: Number | None = None) -> Valuation:
    """The distance from the line's mean in (population) standard deviations, so that every board weighs the
    same; 0 where all scores are equal. `clip`: no further than that from 0 either way. Source: the standard
    score (z-score) of statistics.
    """
    squares = variance(line) if line.plays else Fraction(0)
    if not squares:
        return Valuation(dict.fromkeys(line, 0), 0, STEP)
    mean, share = datum(line, trim="none"), root(1 / squares)
    worth = {score: (score - mean) * share for score in line}
    if clip is not None:
        worth = {score: max(-Fraction(clip), min(Fraction(clip), value)) for score, value in worth.items()}
    return Valuation(worth, 0, STEP)
