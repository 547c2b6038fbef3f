"""Times as people at a club read them: by the club's clock. They are stored in UTC."""

from contextlib import AbstractContextManager
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import formats, timezone

from tournaments.models import Club, Leg, Session
from tournaments.services import dates
from tournaments.services.roles import RolePlace


def begins(session: Session) -> str:
    """The day and the hour at which a session begins: “Tuesday 24 November 2026, 19:30”; nothing where nobody
    has said. Its tournament and club are there already."""
    day = by_clock(session, "l j F Y")
    return day and f"{day}, {by_clock(session, 'TIME_FORMAT')}"


def by_clock(session: Session, form: str) -> str:
    """When a session begins, by its club's clock, in some form; "" where nobody has said."""
    if session.starts_at is None:
        return ""
    there = session.starts_at.astimezone(session.tournament.club.zone)
    return hour(there) if form == "TIME_FORMAT" else formats.date_format(there, form)


def window(leg: Leg) -> str:
    """When a leg of an event is played, by the event’s clock: “14 Nov 2026, 14:00 – 17 Nov 2026, 22:00”."""
    first, last = leg.opens_at.astimezone(leg.event.zone), leg.closes_at.astimezone(leg.event.zone)
    begins_at = f"{formats.date_format(first, 'j N Y')}, {hour(first)}"
    day = "" if first.date() == last.date() else f"{formats.date_format(last, 'j N Y')}, "
    return f"{begins_at} – {day}{hour(last)}"


hour = dates.hour  # as mails and refusals have it, too


def at(place: RolePlace) -> AbstractContextManager[None]:
    """In its course, times are those of the club of a place; of the service, for the federation."""
    club = place.club if place.session is None else place.session.tournament.club
    return timezone.override(None if club is None else club.zone)


def render_at(
    club: Club, request: HttpRequest, template: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """A page on which all times are those of a club."""
    with timezone.override(club.zone):
        return render(request, template, context, status=status)
