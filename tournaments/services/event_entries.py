"""What is to be seen of the clubs of an event: how far each has come and what is waited for; and of a club,
what it plays and may enter."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from ..models import Account, Club, ClubEntry, Event, Leg, Role, access
from . import history, letters
from .errors import Conflict, Forbidden
from .events import ARROWS, NOT_BEGUN, OF_CLUB, OF_EVENT, has_sent
from .exports import ExportTable

State, Stage = ClubEntry.State, ClubEntry.Stage
SOON = timedelta(days=2)
ANSWER, SESSION, MATERIAL, RESULTS, CHECK = "answer", "session", "material", "results", "check"
WAITS = (RESULTS, CHECK, SESSION, MATERIAL, ANSWER)
"""What may be waited for of a club, the most urgent first."""


@dataclass(frozen=True, slots=True)
class SeenEntry:
    """A club in a leg. `waits`: what is waited for, "" for nothing; `steps`: the states into which whoever
    looks at it may bring it."""

    entry: ClubEntry
    stage: str
    waits: str
    steps: tuple[str, ...]


def is_open(leg: Leg, now: datetime) -> bool:
    """Whether clubs can still enter."""
    return leg.lifted_at is None and now < leg.closes_at


def of_leg(leg: Leg, *, now: datetime) -> list[SeenEntry]:
    """All clubs of a leg, as those who run the event see them: those that are waited for first, then by
    name. One query."""
    rows = leg.entries.select_related("club", "session")
    found = [_seen(one, leg, OF_EVENT, now) for one in rows]
    order = {kind: at for at, kind in enumerate(WAITS)}
    return sorted(
        found, key=lambda one: (order.get(one.waits, len(WAITS)), one.entry.club.name, one.entry.pk)
    )


def stages(entries: Sequence[SeenEntry]) -> Mapping[str, int]:
    """How many clubs there are of each stage, in the order in which a club has them."""
    counted = Counter(one.stage for one in entries)
    return {stage: counted[stage] for stage in (*State.values, *Stage.values) if counted[stage]}


def tables(entries: Sequence[SeenEntry]) -> int:
    """How many tables the clubs expect that have entered."""
    return sum(one.entry.tables or 0 for one in entries if one.entry.state == State.ENTERED)


@dataclass(frozen=True, slots=True)
class OfferedLeg:
    """A leg as a club sees it: with its entry, or None where the event is open and it has not entered."""

    leg: Leg
    seen: SeenEntry | None
    may_enter: bool


def of_club(club: Club, *, now: datetime) -> list[OfferedLeg]:
    """The legs of announced events that a club plays or may enter: those to come first, the next on top. Two
    queries."""
    announced = Leg.objects.filter(event__state=Event.State.ANNOUNCED).select_related("event__club")
    rows = ClubEntry.objects.filter(club=club).select_related("club", "session")
    own = {one.leg_id: one for one in rows}
    still_open = Q(lifted_at=None, closes_at__gt=now, event__joining=Event.Joining.OPEN)
    found = announced.filter(Q(pk__in=own) | still_open)
    return [
        OfferedLeg(
            leg=leg,
            seen=None if (entry := own.get(leg.pk)) is None else _seen(entry, leg, OF_CLUB, now),
            may_enter=is_open(leg, now)
            and (entry is None or entry.state == State.ENTERED or (entry.state, State.ENTERED) in OF_CLUBS),
        )
        for leg in sorted(found, key=lambda one: (not is_open(one, now), one.opens_at, one.pk))
    ]


def playing(event: Event) -> dict[int, list[ClubEntry]]:
    """The clubs that have entered the legs of an event, by leg, each list by name: no secret. One query."""
    found: dict[int, list[ClubEntry]] = {}
    rows = ClubEntry.objects.filter(leg__event=event, state=State.ENTERED).select_related("club", "session")
    for one in rows.order_by("club__name", "pk"):
        found.setdefault(one.leg_id, []).append(one)
    return found


def waiting_for(clubs: Collection[Club], *, now: datetime) -> dict[int, int]:
    """How many legs wait for the answer of each of these clubs, or for its session, by club. One query."""
    announced = ClubEntry.objects.filter(club__in=clubs, leg__event__state=Event.State.ANNOUNCED)
    still_open = announced.filter(leg__lifted_at=None, leg__closes_at__gt=now)
    waiting = still_open.filter(Q(state=State.INVITED) | Q(state=State.ENTERED, session=None))
    return dict(waiting.order_by().values_list("club").annotate(count=Count("pk")))


def with_officer(offered: Sequence[OfferedLeg]) -> set[int]:
    """The sessions of a club's parts that have a deal officer. One query."""
    sessions = [one.seen.entry.session_id for one in offered if one.seen and one.seen.entry.session_id]
    held = Role.objects.in_force().filter(session__in=sessions, kind=Role.Kind.DEAL_OFFICER)
    return set(held.values_list("session", flat=True))


OF_CLUBS = frozenset(arrow for arrow, by in ARROWS.items() if OF_CLUB in by)


def _seen(entry: ClubEntry, leg: Leg, by: str, now: datetime) -> SeenEntry:
    return SeenEntry(entry, entry.stage, _waits(entry, leg, now), _steps(entry, leg, by, now))


def _steps(entry: ClubEntry, leg: Leg, by: str, now: datetime) -> tuple[str, ...]:
    """The states into which those of one side may bring a club now, as `events.decide` has it."""
    possible = [to for (before, to), whose in ARROWS.items() if before == entry.state and by in whose]
    if not is_open(leg, now) and not has_sent(entry):
        possible = [to for to in possible if to not in (State.ENTERED, State.INVITED)]
    has_begun = entry.session is not None and entry.session.state not in NOT_BEGUN
    return tuple(
        str(to)
        for to in possible
        if not (to == State.WITHDRAWN and has_begun) and not (to == State.ENTERED and entry.tables is None)
    )


def _waits(entry: ClubEntry, leg: Leg, now: datetime) -> str:
    """What is waited for of a club."""
    stage = entry.stage
    if stage == Stage.SENT:
        return CHECK
    if entry.state == State.INVITED:
        return ANSWER if is_open(leg, now) else ""
    if entry.state != State.ENTERED or stage == Stage.CHECKED:
        return ""
    if leg.lifted_at is not None and (entry.session is None or entry.session.state in NOT_BEGUN):
        return ""  # what has not begun by then does not begin any more
    if stage == Stage.PLAYED or now >= leg.closes_at:
        return RESULTS
    if entry.session is None:
        return SESSION if now >= leg.opens_at - SOON else ""
    return MATERIAL if stage == State.ENTERED and now >= leg.material_at else ""


COLUMNS = (
    *("leg", "club", "name", "state", "tables", "session"),
    *("material_taken_at", "reminded_at", "checked_at", "waits"),
)


def table(event: Event, *, now: datetime) -> ExportTable:
    """The clubs of all legs of an event, to be taken away: by leg, then by name. Moments are in UTC."""
    rows = [(leg, one) for leg in event.legs.order_by("number") for one in of_leg(leg, now=now)]
    rows.sort(key=lambda row: (row[0].number, row[1].entry.club.name, row[1].entry.pk))
    return ExportTable(
        "clubs",
        COLUMNS,
        [
            [
                *(leg.number, one.entry.club.slug, one.entry.club.name, str(one.stage)),
                *(one.entry.tables, one.entry.session_id),
                *map(_in_utc, (one.entry.material_taken_at, one.entry.reminded_at, one.entry.checked_at)),
                one.waits,
            ]
            for leg, one in rows
        ],
    )


def _in_utc(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat(timespec="seconds")


REMINDED_FOR = timedelta(hours=20)
ASKED_FOR = (ANSWER, SESSION, MATERIAL, RESULTS)


def is_to_be_reminded(one: SeenEntry, now: datetime) -> bool:
    """Whether a club is waited for, and has not been asked by mail within a day."""
    last = one.entry.reminded_at
    return one.waits in ASKED_FOR and (last is None or now - last > REMINDED_FOR)


@transaction.atomic
def remind(*, leg: Leg, actor: history.Actor, now: datetime) -> list[ClubEntry]:
    """Ask all clubs of a leg by mail for what is waited for, each once a day; those that were asked now.
    Forbidden but for those who run the event. Conflict: it has not been announced. The queries do not grow
    with the clubs."""
    leg = Leg.objects.select_for_update(no_key=True, of=("self",)).select_related("event").get(pk=leg.pk)
    if not Event.objects.managed_by(actor).filter(pk=leg.event_id).exists():
        raise Forbidden("not-your-event", _("Those who run the event decide this."))
    if leg.event.state != Event.State.ANNOUNCED:
        raise Conflict("not-announced", _("The event has not been announced yet."))
    asked = [one for one in of_leg(leg, now=now) if is_to_be_reminded(one, now)]
    for one in asked:
        one.entry.leg = leg
    letters.reminded_of_event([(one.entry, one.waits) for one in asked])
    history.note_in_clubs(
        actor, "reminded club", [(one.entry, one.entry.club) for one in asked], leg=leg.number
    )
    ClubEntry.objects.filter(pk__in=[one.entry.pk for one in asked]).update(reminded_at=now)
    return [one.entry for one in asked]


def for_desk(account: Account) -> QuerySet[Event]:
    """The events that somebody runs, the newest first."""
    return Event.objects.managed_by(account).select_related("club").order_by("-pk")


def owners(account: Account) -> tuple[bool, QuerySet[Club]]:
    """Whose events somebody makes: whether the federation's, and those of which clubs."""
    federal = access.administers_federation(account) or access.organises_federation(account)
    return federal, Club.objects.filter(access.managed(account, club="pk")).order_by("name", "pk")
