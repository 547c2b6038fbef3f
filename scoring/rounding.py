"""Rounding: exact numbers become shorter ones here, and nowhere else in the library but where a scale has a
rule of its own (victory points, master points).

Only a half leaves a choice: 54.125 lies in the middle between 54.12 and 54.13. The choices have names:

* `AWAY`: away from the middle, which is zero unless something else is said. This is what Étui shows.
* `TOWARDS`: towards the middle. With the middle at average (50 %) it is the rule of the English Bridge Union,
  by which the percentages of two opponents still add up to 100.
* `UP`: to the larger number. Source: American Contract Bridge League, ACBLscore manual: .005 is rounded up.
"""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from .lines import Number

AWAY, TOWARDS, UP = "away", "towards", "up"
HALVES = (AWAY, TOWARDS, UP)
VULGAR = {Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}


def nearest(value: Number, step: Number = 1, *, halves: str = AWAY, middle: Number = 0) -> Fraction:
    """The multiple of `step` that is nearest to a value.

    >>> [int(nearest(Fraction(5, 2), halves=rule)) for rule in HALVES]
    [3, 2, 3]
    >>> [int(nearest(Fraction(-5, 2), halves=rule)) for rule in HALVES]
    [-3, -2, -2]
    """
    numerator, denominator = (Fraction(value) / step).as_integer_ratio()
    return _whole(numerator, denominator, lambda: _is_half_up(value, halves, middle)) * Fraction(step)


def _is_half_up(value: Number, halves: str, middle: Number) -> bool:
    return halves == UP or (value > middle) == (halves == AWAY)


def _whole(numerator: int, denominator: int, is_half_up: Callable[[], bool]) -> int:
    """The whole number that is nearest to a fraction; of a half, which is rare, the one above if
    `is_half_up`."""
    below, rest = divmod(numerator, denominator)
    return below + (is_half_up() if 2 * rest == denominator else 2 * rest > denominator)


def decimals(value: Number, places: int = 2, *, halves: str = AWAY, middle: Number = 0) -> str:
    """A number as it is shown, with so many decimals.

    >>> decimals(Fraction(101, 168) * 100), decimals(Fraction(1, 8)), decimals(Fraction(-1, 8))
    ('60.12', '0.13', '-0.13')

    The percentages of two opponents, as the English Bridge Union rounds them:

    >>> [decimals(Fraction(percent), halves=TOWARDS, middle=50) for percent in ("54.125", "45.875")]
    ['54.12', '45.88']
    """
    numerator, denominator = value.as_integer_ratio()
    units = _whole(  # in whole numbers: it is quick
        numerator * 10**places, denominator, lambda: _is_half_up(value, halves, middle)
    )
    return str(Decimal(units).scaleb(-places))


def in_units(score: int, divisor: int) -> str:
    """A score as players say it, with its sign.

    >>> in_units(1, 2), in_units(-3, 2), in_units(-2, 2), in_units(0, 2), in_units(5, 20)
    ('+½', '−1½', '−1', '0', '+¼')
    """
    if score == 0:
        return "0"
    whole, rest = divmod(abs(score), divisor)
    part = Fraction(rest, divisor)
    text = str(whole) if whole or not rest else ""
    if rest:
        text = text + VULGAR[part] if part in VULGAR else decimals(whole + part)
    return ("+" if score > 0 else "−") + text
