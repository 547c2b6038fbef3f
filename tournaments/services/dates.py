"""Days that somebody says."""

from datetime import date

FIRST_YEAR, LAST_YEAR = 2000, 2100
"""Whatever the time zone, every clock and calendar can show these, and a slip of the pen is none of them."""


def is_near(day: date) -> bool:
    """Whether a day, or a moment, is one that the service takes."""
    return FIRST_YEAR <= day.year <= LAST_YEAR
