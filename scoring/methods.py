"""The methods of comparison by name. A method is one function and one line here."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from engines.phrases import Phrase

from .datum import AVERAGES, TRIMS, standard_scores, total_points, zero_sum
from .errors import BadScoring, one_of
from .imps import DIVISORS, butler, cross_imps
from .lines import SMALL_GROUPS, Comparison, Histogram, Number, Valuation
from .matchpoints import UNEQUAL, board_a_match, matchpoints
from .rounding import HALVES

WRITTEN = re.compile(r"[0-9]{1,9}([./][0-9]{1,9})?")

Check = Callable[[str, object], Any]  # an option's name and value to the value, or BadScoring


def choice(*known: str) -> Check:
    return lambda name, value: one_of(name, value, known)


def positive(name: str, value: object) -> Fraction:
    """An exact number above 0: whole, a Fraction, or written ("5/2", "0.4"), of nine digits at most on
    either side."""
    try:
        if isinstance(value, bool) or not isinstance(value, (int, str, Fraction)):
            raise ValueError
        if isinstance(value, str) and not WRITTEN.fullmatch(value):
            raise ValueError
        number = Fraction(value)
        if number <= 0:
            raise ValueError
    except (ValueError, ZeroDivisionError):
        constraint = Phrase(
            'must be an exact number above 0, as 3, "5/2" or "0.4", not {value}', value=repr(value)
        )
        raise BadScoring(name, constraint) from None
    return number


@dataclass(frozen=True, slots=True)
class Method:
    """`name`: as players say it. `comparison`: the function; `options`: its options, and how each is checked.
    `unit`: what its awards count ("matchpoints", "imps", "points"), as penalties name it."""

    name: Phrase
    comparison: Callable[..., Valuation]
    unit: str
    options: Mapping[str, Check]


METHODS: dict[str, Method] = {
    "matchpoints": Method(
        Phrase("matchpoints"),
        matchpoints,
        "matchpoints",
        {"unequal": choice(*UNEQUAL), "small_groups": choice(*SMALL_GROUPS)},
    ),
    "board-a-match": Method(
        Phrase("board-a-match"), board_a_match, "points", {"small_groups": choice(*SMALL_GROUPS)}
    ),
    "cross-imps": Method(
        Phrase("cross-IMPs"), cross_imps, "imps", {"unit": positive, "divisor": choice(*DIVISORS)}
    ),
    "butler": Method(
        Phrase("Butler"),
        butler,
        "imps",
        {
            "unit": positive,
            "average": choice(*AVERAGES),
            "trim": choice(*TRIMS),
            "round_to": positive,
            "halves": choice(*HALVES),
        },
    ),
    "total-points": Method(Phrase("total points"), total_points, "points", {"unit": positive}),
    "zero-sum": Method(Phrase("points from the mean"), zero_sum, "points", {"unit": positive}),
    "standardised": Method(Phrase("standardised scores"), standard_scores, "points", {"clip": positive}),
}


def method(name: str, /, **options: Number | str) -> Comparison:
    """The comparison of that name with these options; BadScoring for another name, option or value.

    >>> method("cross-imps", divisor="pairs")
    Traceback (most recent call last):
        ...
    scoring.errors.BadScoring: divisor: must be one of: comparisons, plays, none, not pairs
    """
    chosen = METHODS[one_of("method", name, tuple(METHODS))]
    for option in options:
        one_of("option", option, tuple(chosen.options))
    values = {option: chosen.options[option](option, value) for option, value in options.items()}
    comparison = partial(chosen.comparison, **values)
    comparison(Histogram({}), 1)  # refuses options that do not go together, before the first board
    return comparison


def top_of(comparison: Comparison, plays: int) -> int | None:
    """The most that one board played so often can give; None for a method without such a thing."""
    return comparison(Histogram({}), plays).top
