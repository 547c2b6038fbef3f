"""Search over everything that somebody may see: one service for the page, the suggestions and the shortcuts.
Of texts that are in no database (rules, help), `stands_in` says whether they have what is looked for.

A word is looked for in names as they are shown: whoever goes by a public name is not found by another.
Letters with accents are found without them, and the other way round.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet

from ..models import Account, Club, Event, Player, Role, Season, Session, Tournament
from ..models.accounts import RoleKind
from . import public_calendar

AT_MOST = 8  # of each kind
LETTERS = 100  # of a text that is looked for
WORDS = 6
ALIKE = (
    *("aàâäáãåā", "cçćč", "eéèêëēė", "iîïíìī", "nñń", "oôöóòõøōő", "uùûüúūű", "yÿý", "sšś", "zžź", "'’"),
    *("lł", "dđ"),
)


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found, a few of each kind. `own_…`: of those who look, by their roles; among `events` and
    `seasons` are the drafts that they run; each event with when its first leg begins."""

    clubs: list[Club] = field(default_factory=list)
    tournaments: list[Tournament] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)
    players: list[Player] = field(default_factory=list)
    events: list[tuple[Event, datetime | None]] = field(default_factory=list)
    seasons: list[Season] = field(default_factory=list)
    own_sessions: list[Session] = field(default_factory=list)
    own_players: list[Player] = field(default_factory=list)

    @property
    def count(self) -> int:
        public = len(self.clubs) + len(self.tournaments) + len(self.sessions) + len(self.players)
        public += len(self.events) + len(self.seasons)
        return public + len(self.own_sessions) + len(self.own_players)


def find(text: str, account: Account | None = None) -> Findings:
    """What has all words of a text in its name. Eight queries at most; each looks through the names
    there are."""
    patterns = _patterns(text)
    if not patterns:
        return Findings()
    clubs = public_calendar.clubs()
    listed = public_calendar.sessions().filter(_named(patterns, *EVENING))
    own_sessions: Iterable[Session] = ()
    own_players: Iterable[Player] = ()
    if account is not None:
        staffed = Session.objects.staffed_by(account).select_related("tournament__club")
        own_sessions = staffed.filter(_named(patterns, *EVENING)).order_by("-pk")[:AT_MOST]
        own_players = _register(account).filter(_named(patterns, *PERSON)).order_by(*PERSON, "pk")[:AT_MOST]
    own = list(own_sessions)
    shown = listed.exclude(pk__in=[one.pk for one in own]).exclude(state=Session.State.CANCELLED)
    tournaments = Tournament.objects.select_related("club").filter(
        _named(patterns, "name"), Exists(Session.objects.filter(listed=True, tournament=OuterRef("pk")))
    )
    of_a_club = _named(patterns, "name", "club__name")
    events = Event.objects.visible_to(account).filter(of_a_club).select_related("club").order_by("-pk")
    seasons = Season.objects.visible_to(account).filter(of_a_club).select_related("club").order_by("-pk")
    when = Min("legs__opens_at")
    return Findings(
        list(clubs.filter(_named(patterns, "name"))[:AT_MOST]),
        list(tournaments.order_by("-pk")[:AT_MOST]),
        list(shown.order_by(F("starts_at").desc(nulls_last=True), "-pk")[:AT_MOST]),
        list(_who_agreed(patterns, clubs)[:AT_MOST]),
        [(one, one.when) for one in events.annotate(when=when)[:AT_MOST]],  # type: ignore[attr-defined]
        list(seasons[:AT_MOST]),
        own,
        list(own_players),
    )


EVENING = ("name", "tournament__name", "tournament__club__name")
PERSON = ("family_name", "given_name")


def stands_in(text: str, *where: str, begins: bool = False) -> bool:
    """Whether all words of a text stand in one of these or another; with `begins`, where a word begins.

    >>> stands_in("p demon", "Démons punisseurs"), stands_in("mon", "Démons", begins=True)
    (True, False)
    """
    patterns = [rf"\b{one}" if begins else one for one in _patterns(text)]
    return bool(patterns) and all(
        any(re.search(one, place, re.IGNORECASE) for place in where) for one in patterns
    )


def _patterns(text: str) -> list[str]:
    return [pattern(word) for word in text[:LETTERS].split()[:WORDS]]


def pattern(word: str) -> str:
    """A regular expression for a word, with or without its accents, in small or capital letters.

    >>> pattern("été.")
    '[eéèêëēė]t[eéèêëēė]\\\\.'
    """
    return "".join(
        next((f"[{alike}]" for alike in ALIKE if letter in alike), re.escape(letter))
        for letter in re.sub(r"(?<=\w)[\u0300-\u036f]", "", word.casefold())
    )


def _named(patterns: Iterable[str], *columns: str) -> Q:
    """All words stand in one of the columns or another."""
    found = Q()
    for one in patterns:
        anywhere = Q()
        for column in columns:
            anywhere |= Q(**{f"{column}__iregex": one})
        found &= anywhere
    return found


def _who_agreed(patterns: list[str], clubs: QuerySet[Club]) -> QuerySet[Player]:
    by_register = Q(public_name="") & _named(patterns, *PERSON)
    by_public_name = ~Q(public_name="") & _named(patterns, "public_name")
    return public_calendar.who_agreed().filter(by_register | by_public_name, club__in=clubs)


def _register(account: Account) -> QuerySet[Player]:
    """The registers that somebody keeps."""
    keeps = (RoleKind.ADMINISTRATOR, RoleKind.ORGANISER, RoleKind.SCORER)
    clubs = Role.objects.in_force().filter(account=account, kind__in=keeps, club__isnull=False)
    return Player.objects.in_register().filter(club__in=clubs.values("club")).select_related("club")
