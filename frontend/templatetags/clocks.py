"""Times by the clock of a session's club, for templates."""

from datetime import datetime, time

from django import template

from tournaments.models import Club

from .. import clocks
from ..clocks import begins, by_clock, window

register = template.Library()
register.filter("begins", begins)
register.filter("by_clock", by_clock)
register.filter("window", window)


@register.filter(expects_localtime=True)
def hour(moment: datetime | time | None) -> str:
    """The hour of a moment by the page's clock: “20:52”, « 20 h 52 »; "" of none."""
    return clocks.hour(moment) if moment else ""


@register.filter
def hour_at(moment: datetime, club: Club) -> str:
    """The hour of a moment by a club's clock."""
    return clocks.hour(moment.astimezone(club.zone))
