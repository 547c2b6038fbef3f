"""What anybody may know of clubs and their evenings: what is on, what comes, what has been, who plays there.

A club is public as soon as something of it is: a session that is listed, or a registration list that is open
to all. Of players, those alone are shown who agreed that their names be published.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import quote

from django.db.models import Case, Exists, F, Max, Min, OuterRef, Q, QuerySet, Subquery, When

from ..models import Club, Contestant, Play, Player, RegistrationList, Round, Session
from ..models.plays import Result
from ..models.tournaments import not_under_embargo

SOON = timedelta(hours=12)  # what begins within is on

State = Session.State
WITHOUT_RESULT = Q(result=None) & (Q(ruled=None) | Q(ruled__is_whole=False))
"""A play that nobody has closed: neither by a result nor by a ruling for each seat."""


def clubs() -> QuerySet[Club]:
    """Those that have something public, by name."""
    listed = Session.objects.filter(listed=True, tournament__club=OuterRef("pk"))
    return Club.objects.filter(
        Exists(listed) | Exists(_open_lists().filter(tournament__club=OuterRef("pk")))
    ).order_by("name", "pk")


def clubs_with_next(now: datetime) -> QuerySet[Club]:
    """The same, each with whether it plays (`is_live`) and when its next evening begins (`next_at`)."""
    running = sessions().filter(state=State.RUNNING, tournament__club=OuterRef("pk"))
    later = sessions().filter(state__in=(State.DRAFT, State.READY), starts_at__gt=now)
    own = later.filter(tournament__club=OuterRef("pk")).order_by("starts_at").values("starts_at")
    return clubs().annotate(is_live=Exists(running), next_at=Subquery(own[:1]))


def _open_lists() -> QuerySet[RegistrationList]:
    return RegistrationList.objects.filter(is_public=True, closed_at=None)


def registration_lists(club: Club) -> QuerySet[RegistrationList]:
    """Where players enter now."""
    return _open_lists().filter(tournament__club=club).select_related("tournament__club").order_by("pk")


def sessions(club: Club | None = None) -> QuerySet[Session]:
    """Those that are listed; of one club or of all."""
    found = Session.objects.filter(listed=True).select_related("tournament__club")
    return found if club is None else found.filter(tournament__club=club)


def on(now: datetime, club: Club | None = None) -> QuerySet[Session]:
    """What is being played, then what begins soon, or when nobody has said."""
    soon = Q(starts_at=None) | Q(starts_at__range=(now - SOON, now + SOON))
    running = sessions(club).filter(Q(state=State.RUNNING) | Q(state__in=Session.COMING) & soon)
    is_running = Case(When(state=State.RUNNING, then=0), default=1)
    return running.order_by(is_running, F("starts_at").asc(nulls_last=True), "-pk")


def coming(now: datetime, club: Club | None = None, places: Nearby | None = None) -> QuerySet[Session]:
    """What has not begun yet, and does not begin soon; the next first. `places`: there alone."""
    later = sessions(club).filter(state__in=(State.DRAFT, State.READY), starts_at__gt=now + SOON)
    if places is not None:
        later = later.filter(tournament__club__in=places.clubs)
    return later.order_by("starts_at", "pk")


@dataclass(frozen=True, slots=True)
class Nearby:
    """What somebody calls near: a town with its clubs (their ids), or one club. `key`: as a browser remembers
    it."""

    key: str
    name: str
    clubs: tuple[int, ...]


PLACES_AT_MOST = 200


def places() -> list[Nearby]:
    """The towns that have a public club, then the public clubs, each by name. One query."""
    rows = list(clubs().values_list("pk", "slug", "name", "town")[:PLACES_AT_MOST])
    towns: dict[str, list[int]] = {}
    for pk, _slug, _name, town in rows:
        if town:
            towns.setdefault(town, []).append(pk)
    found = [Nearby(f"town-{quote(town)}", town, tuple(own)) for town, own in sorted(towns.items())]
    return found + [Nearby(f"club-{pk}", name, (pk,)) for pk, _slug, name, _town in rows]


def near(key: str) -> Nearby | None:
    """What a browser remembers; None where there is no such place, or none any more."""
    return next((one for one in places() if one.key == key), None) if key else None


def over(club: Club | None = None) -> QuerySet[Session]:
    """What has been played, the newest first."""
    played = sessions(club).filter(state__in=Session.OVER)
    return played.order_by(F("starts_at").desc(nulls_last=True), "-pk")


def dated(club: Club, since: datetime) -> QuerySet[Session]:
    """For a calendar: what has a time, cancelled evenings among them."""
    return sessions(club).filter(starts_at__gte=since).order_by("starts_at", "pk")


# ── How far an evening is ─────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Progress:
    """`rounds`: "done", "now" or "" for each; `now`: the number of the round that is being played, 0 where
    none is."""

    rounds: tuple[str, ...]
    now: int


def progress(sessions: Collection[Session]) -> dict[int, Progress]:
    """How far each session that is being played has come, by its id: the clock's rounds; without a clock, the
    first round of which a result is missing. Two queries; the time grows with the plays of the sessions."""
    running = [one for one in sessions if one.state == State.RUNNING]
    found: dict[int, Progress] = {}
    paced: dict[int, list[Round]] = {}
    for one in Round.objects.filter(session__in=[s.pk for s in running if s.is_paced]).order_by("number"):
        paced.setdefault(one.session_id, []).append(one)
    for pk, own in paced.items():
        words = {Round.State.OPEN: "now", Round.State.CLOSED: "done"}
        now = max((one.number for one in own if one.state == Round.State.OPEN), default=0)
        found[pk] = Progress(tuple(words.get(Round.State(one.state), "") for one in own), now)
    there = "table__section__session"
    rows = Play.objects.filter(**{f"{there}__in": [s.pk for s in running if not s.is_paced]})
    for pk, last, first in rows.values_list(there).annotate(
        last=Max("round"), first=Min("round", filter=WITHOUT_RESULT)
    ):
        now = first or last + 1
        words_of = ("done" if n < now else "now" if n == now else "" for n in range(1, last + 1))
        found[pk] = Progress(tuple(words_of), first or 0)
    return found


@dataclass(frozen=True, slots=True)
class RoundUnderWay:
    """How far a session is: of the round that is being played, how many plays have a result, and how many
    there are, which says nothing of what they are; and when the clock will close it."""

    progress: Progress
    handed_in: int
    plays: int
    ends_at: datetime | None


def under_way(session: Session) -> RoundUnderWay | None:
    """None for one that is not being played. A few queries; the time grows with the plays of the session."""
    found = progress([session]).get(session.pk)
    if found is None:
        return None
    plays = Play.objects.filter(table__section__session=session, round=found.now)
    clock = Round.objects.filter(session=session, number=found.now, paused_at=None)
    ends_at = clock.values_list("ends_at", flat=True).first()
    return RoundUnderWay(found, Result.objects.filter(play__in=plays).count(), plays.count(), ends_at)


# ── Who plays there ───────────────────────────────────────────────────────────────────────────────


def players(club: Club) -> QuerySet[Player]:
    """Those in a club's register who agreed, by the names under which they are shown: what a public name
    hides has no part in their order."""
    return who_agreed().filter(club=club)


def who_agreed() -> QuerySet[Player]:
    hidden = Case(When(public_name="", then=F("given_name")), default=F("public_name"))
    by = Case(When(public_name="", then=F("family_name")), default=F("public_name"))
    found = Player.objects.in_register().filter(consent=True).select_related("club")
    return found.order_by(by, hidden, "pk")


def results_of(player: Player) -> QuerySet[Contestant]:
    """Where a player has been ranked, the newest first: in sessions whose list is public, and at least
    provisional."""
    public = Q(session__listed=True, session__state__in=Session.RANKED) & not_under_embargo("session")
    own = Contestant.objects.filter(public, players=player).select_related("session__tournament__club")
    return own.order_by(F("session__starts_at").desc(nulls_last=True), "-session__pk")
