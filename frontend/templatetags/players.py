"""Places and percentages as a player reads them on their own page."""

from fractions import Fraction

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from scoring.rounding import decimals
from tournaments.services.percentages import in_percent

register = template.Library()

ENGLISH = {1: "st", 2: "nd", 3: "rd"}


@register.filter
def ordinal(rank: str) -> SafeString:
    """A place as it is said, with the sign of a tie: 4th, 4e, 4e =; a dash for none yet.

    >>> ordinal("21"), ordinal("11"), ordinal("3="), ordinal("")
    ('21<sup>st</sup>', '11<sup>th</sup>', '3<sup>rd</sup> =', '–')
    """
    figures = rank.removesuffix("=")
    if not figures:
        return SafeString("–")
    return format_html("{}<sup>{}</sup>{}", figures, _ending(int(figures)), " =" * rank.endswith("="))


def _ending(number: int) -> str:
    if (get_language() or "en").startswith("fr"):
        return "er" if number == 1 else "e"
    return "th" if number % 100 in (11, 12, 13) else ENGLISH.get(number % 10, "th")


@register.filter
def whole_percent(value: Fraction) -> str:
    """A percentage without decimals: “67%”."""
    return in_percent(decimals(value, 0))


@register.filter
def share(value: Fraction) -> str:
    """A part of the field as a percentage without decimals."""
    return whole_percent(100 * value)
