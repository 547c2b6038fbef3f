"""Calendars as programs read them (RFC 5545): events that begin at a moment, and end at one where it
is known."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language

from tournaments.models import Session
from tournaments.services import drafts

from . import presentation
from .accounts.views import absolute

TYPE = "text/calendar; charset=utf-8"
OCTETS = 74  # of a line, before it is folded


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    uid: str
    begins: datetime
    ends: datetime | None
    changed: datetime
    title: str
    text: str
    address: str
    place: str
    is_cancelled: bool


def events_of(request: HttpRequest, sessions: Iterable[Session], page: str) -> list[CalendarEvent]:
    """Those of sessions that have a time, each with the address of its `page` (the name of a route), and the
    end for which it was planned. One query."""
    sessions = list(sessions)
    ends = drafts.planned_ends(sessions)
    return [
        CalendarEvent(
            uid=f"session-{one.pk}@{request.get_host()}",
            begins=one.starts_at,
            ends=ends.get(one.pk),
            changed=one.created_at,
            title=f"{one.tournament.name}, {one.name}",
            text=presentation.game_name(one, _language()),
            address=absolute(request, reverse(page, args=[one.pk])),
            place=one.tournament.club.name,
            is_cancelled=one.state == Session.State.CANCELLED,
        )
        for one in sessions
        if one.starts_at is not None
    ]


def calendar(name: str, events: Iterable[CalendarEvent]) -> str:
    lines = [
        *("BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:-//Étui//Étui//{_language().upper()}", "METHOD:PUBLISH"),
        f"X-WR-CALNAME:{_escaped(name)}",
    ]
    for event in events:
        lines += _lines(event)
    return "".join(f"{line}\r\n" for line in _folded([*lines, "END:VCALENDAR"]))


def _lines(event: CalendarEvent) -> list[str]:
    return [
        "BEGIN:VEVENT",
        f"UID:{event.uid}",
        f"DTSTAMP:{_moment(event.changed)}",
        f"DTSTART:{_moment(event.begins)}",
        *([f"DTEND:{_moment(event.ends)}"] if event.ends is not None else ()),
        f"SUMMARY:{_escaped(event.title)}",
        f"DESCRIPTION:{_escaped(event.text)}",
        f"LOCATION:{_escaped(event.place)}",
        f"URL:{event.address}",
        f"STATUS:{'CANCELLED' if event.is_cancelled else 'CONFIRMED'}",
        "END:VEVENT",
    ]


def _language() -> str:
    return (get_language() or "en")[:2]


def _moment(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    r"""A text as a value (section 3.3.11).

    >>> _escaped("Finale, à deux; suite\net fin")
    'Finale\\, à deux\\; suite\\net fin'
    """
    for plain, written in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\r", ""), ("\n", "\\n")):
        text = text.replace(plain, written)
    return text


def _folded(lines: Iterable[str]) -> Iterator[str]:
    """Lines of 75 octets at most; what follows begins with a blank, and no letter is cut in two (3.1)."""
    for line in lines:
        part, octets = "", 0
        for letter in line:
            size = len(letter.encode())
            if octets + size > OCTETS:
                yield part
                part, octets = " ", 1
            part, octets = part + letter, octets + size
        yield part
