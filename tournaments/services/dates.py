"""Days that somebody says, and moments as somebody reads them."""

from datetime import date, datetime, time, tzinfo

from django.utils import formats

FIRST_YEAR, LAST_YEAR = 2000, 2100
"""Whatever the time zone, every clock and calendar can show these, and a slip of the pen is none of them."""


def is_near(day: date) -> bool:
    """Whether a day, or a moment, is one that the service takes."""
    return FIRST_YEAR <= day.year <= LAST_YEAR


def by_clock(moment: datetime, zone: tzinfo) -> str:
    """A moment by a clock, as its reader writes it: “8 March 2027, 18:00”, « 8 mars 2027, 18 h »."""
    there = moment.astimezone(zone)
    return f"{formats.date_format(there, 'j F Y')}, {hour(there)}"


def hour(moment: datetime | time) -> str:
    """The hour as the reader's language writes it: “20:52”, “20:00”; in French « 20 h 52 », « 20 h »."""
    return formats.time_format(moment, "TIME_FORMAT").removesuffix("\xa000")
