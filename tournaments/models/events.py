"""Events over several clubs: simultaneous sessions, in which every club plays the same boards."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from .. import vault
from . import access
from .access import Caller
from .accounts import Account
from .clubs import TIME_ZONE, Club
from .people import Token
from .tournaments import Session


class EventQuerySet(models.QuerySet["Event"]):
    def managed_by(self, caller: Caller) -> EventQuerySet:
        """Those that the caller runs: administrators of the federation all of its own, its organisers what
        they have made, and those who run a club the club's."""
        if not isinstance(caller, Token | Account):
            return self.none()
        own = Q(owner=_account_of(caller)) if access.organises_federation(caller) else Q(pk__in=[])
        if access.administers_federation(caller):
            own = Q()
        return self.filter(Q(club=None) & own | access.managed(caller, club="club"))

    def visible_to(self, caller: Caller) -> EventQuerySet:
        """Those that have been announced, and the caller's own."""
        announced = Q(state=Event.State.ANNOUNCED)
        return self.filter(announced | Q(pk__in=self.model.objects.managed_by(caller).values("pk")))


def _account_of(caller: Token | Account) -> int | None:
    if isinstance(caller, Account):
        return caller.pk
    return None if caller.role is None else caller.role.account_id


class Event(models.Model):
    """One competition of many clubs. `club`: whose it is, None for the federation's; `owner`: who made it.

    `joining`: who may enter. `embargo`: until when boards and travellers stay closed to everybody. The rest
    are its terms: `least_tables` and `least_boards` that a club plays, `movements` that it may choose from
    (none: all), `correction_hours` in which results are mended after a club has sent them, and its `fee` in
    words. `licences`: what becomes of players whose licence has run out, or who are suspended. `time_zone`:
    by whose clock its window is told."""

    class State(models.TextChoices):
        DRAFT = "draft", pgettext_lazy("event", "draft")
        ANNOUNCED = "announced", pgettext_lazy("event", "announced")

    class Joining(models.TextChoices):
        INVITATION = "invitation", pgettext_lazy("event", "by invitation")
        OPEN = "open", pgettext_lazy("event", "open to every club")

    class Embargo(models.TextChoices):
        LAST_CLUB = "last-club", pgettext_lazy("event", "until the last club has sent its results")
        WINDOW = "window", pgettext_lazy("event", "until the window ends")

    class Licences(models.TextChoices):
        UNASKED = "unasked", pgettext_lazy("licences", "they are not asked for")
        FLAGGED = (
            "flagged",
            pgettext_lazy("licences", "whoever may not play is told to those who run the event"),
        )
        REFUSED = "refused", pgettext_lazy("licences", "whoever may not play is not entered")

    name = models.CharField(max_length=200)
    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="events")
    owner = models.ForeignKey(Account, models.PROTECT, related_name="events")
    state = models.CharField(max_length=20, choices=State, default=State.DRAFT)
    joining = models.CharField(max_length=20, choices=Joining, default=Joining.INVITATION)
    embargo = models.CharField(max_length=20, choices=Embargo, default=Embargo.LAST_CLUB)
    least_tables = models.PositiveIntegerField(default=1)
    least_boards = models.PositiveIntegerField(default=1)
    movements = models.JSONField(default=list)
    correction_hours = models.PositiveIntegerField(default=24)
    fee = models.CharField(max_length=200, blank=True, default="")
    licences = models.CharField(max_length=20, choices=Licences, default=Licences.UNASKED)
    time_zone = models.CharField(max_length=64, default=TIME_ZONE)
    created_at = models.DateTimeField(default=timezone.now)
    changes = models.PositiveIntegerField(default=0)

    objects = EventQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(state__in=["draft", "announced"]), name="event_state_known"),
            models.CheckConstraint(
                condition=Q(joining__in=["invitation", "open"]), name="event_joining_known"
            ),
            models.CheckConstraint(
                condition=Q(embargo__in=["last-club", "window"]), name="event_embargo_known"
            ),
            models.CheckConstraint(
                condition=Q(licences__in=["unasked", "flagged", "refused"]), name="event_licences_known"
            ),
            models.CheckConstraint(
                condition=Q(least_tables__gte=1, least_boards__gte=1), name="event_least_from_1"
            ),
        ]

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)


class Leg(models.Model):
    """One session number of an event: a game whose boards every club plays once, from `opens_at` until
    `closes_at`. The boards are dealt from one sealed seed, as those of a session are (`BoardSet`), and known
    everywhere by one commitment. `material_at`: since when deal officers may take them; `late_until`: how
    long a club that still plays, or has still to send its results, is waited for. `lifted_at`: since when
    there is no embargo; until then nobody but deal officers sees any of its boards."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="legs", db_index=False)
    number = models.PositiveIntegerField()
    game = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    conditions = models.JSONField(default=dict)
    method = models.CharField(max_length=40)
    method_options = models.JSONField(default=dict)
    board_count = models.PositiveIntegerField()
    opens_at = models.DateTimeField()
    closes_at = models.DateTimeField()
    material_at = models.DateTimeField()
    late_until = models.DateTimeField(null=True)
    sealed_seed = models.BinaryField()
    manifest = models.JSONField()
    commitment = models.CharField(max_length=64)
    sealed_at = models.DateTimeField(default=timezone.now)
    lifted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("event", "number", name="leg_number_unique"),
            models.CheckConstraint(condition=Q(board_count__gte=1), name="leg_boards_from_1"),
            models.CheckConstraint(
                condition=Q(closes_at__gt=F("opens_at"), material_at__lte=F("opens_at")),
                name="leg_times_in_order",
            ),
            models.CheckConstraint(
                condition=Q(late_until=None) | Q(late_until__gte=F("closes_at")), name="leg_late_after_window"
            ),
        ]
        indexes = [
            models.Index("closes_at", name="leg_under_embargo", condition=Q(lifted_at=None)),  # the sweep
        ]

    def __str__(self) -> str:
        return f"{self.event.name}, {self.number}"

    @property
    def seed(self) -> bytes:
        """The secret itself. vault.CannotOpen: the key that it was sealed with is missing."""
        return vault.open_sealed(bytes(self.sealed_seed))

    @property
    def waits_until(self) -> datetime:
        """The latest moment at which its embargo ends."""
        return self.late_until or self.closes_at


class ClubEntryQuerySet(models.QuerySet["ClubEntry"]):
    def visible_to(self, caller: Caller) -> ClubEntryQuerySet:
        """Those of events that the caller runs, and those of the clubs that they run."""
        run = Event.objects.managed_by(caller).values("pk")
        return self.filter(Q(leg__event__in=run) | access.managed(caller, club="club"))


class ClubEntry(models.Model):
    """A club in a leg of an event. `tables`: how many it expects; `session`: its part, once it has been set
    up; `material_taken_at`: when somebody there first had the dealing lists; `checked_at`: when the event's
    organisers had looked through its results; `reminded_at`: when they last asked by mail for what is waited
    for; `reason`: why it is in the state that it is in, where somebody has said."""

    class State(models.TextChoices):
        """What has been decided. How far an entered club has come, `stage` says."""

        INVITED = "invited", pgettext_lazy("club entry", "invited")
        ENTERED = "entered", pgettext_lazy("club entry", "entered")
        DECLINED = "declined", pgettext_lazy("club entry", "declined")
        WITHDRAWN = "withdrawn", pgettext_lazy("club entry", "withdrawn")
        LEFT_OUT = "left-out", pgettext_lazy("club entry", "left out")

    class Stage(models.TextChoices):
        """How far an entered club has come, as its session tells."""

        MATERIAL = "material-taken", pgettext_lazy("club entry", "material taken")
        PLAYING = "playing", pgettext_lazy("club entry", "playing")
        PLAYED = "played", pgettext_lazy("club entry", "played")
        SENT = "sent", pgettext_lazy("club entry", "results sent")
        CHECKED = "checked", pgettext_lazy("club entry", "results checked")

    leg = models.ForeignKey(Leg, models.PROTECT, related_name="entries", db_index=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="event_entries")
    state = models.CharField(max_length=20, choices=State)
    tables = models.PositiveIntegerField(null=True)
    session = models.OneToOneField(Session, models.SET_NULL, null=True, related_name="club_entry")
    material_taken_at = models.DateTimeField(null=True)
    checked_at = models.DateTimeField(null=True)
    reminded_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=2000, blank=True, default="")

    objects = ClubEntryQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint("leg", "club", name="club_once_in_leg"),
            models.CheckConstraint(
                condition=Q(state__in=["invited", "entered", "declined", "withdrawn", "left-out"]),
                name="club_entry_state_known",
            ),
            models.CheckConstraint(
                condition=Q(session=None) | ~Q(state__in=["invited", "declined"]),
                name="club_entry_plays_once_entered",
            ),
        ]

    @property
    def stage(self) -> str:
        """Its state; of a club that has entered, how far it has come."""
        session = self.session
        if self.state != self.State.ENTERED:
            return self.state
        if session is not None and session.state in Session.RANKED:
            return self.Stage.CHECKED if self.checked_at else self.Stage.SENT
        if session is not None and session.state == Session.State.PLAYED:
            return self.Stage.PLAYED
        if session is not None and session.state == Session.State.RUNNING:
            return self.Stage.PLAYING
        return self.Stage.MATERIAL if self.material_taken_at else self.state

    def to_json(self) -> dict[str, Any]:
        """As the history has it."""
        return {"club": self.club_id, "leg": self.leg_id, "state": self.state, "tables": self.tables}


class CheckAnswer(models.Model):
    """What those who run an event have said to something that a check has found at a club
    (`services.event_checks`). `key`: of the finding, which is another once it is about something else."""

    class Answer(models.TextChoices):
        RIGHT = "right", pgettext_lazy("check", "it is right as it stands")
        ASKED = "asked", pgettext_lazy("check", "the club has been asked")
        APART = "apart", pgettext_lazy("check", "compared by itself")

    entry = models.ForeignKey(ClubEntry, models.PROTECT, related_name="check_answers", db_index=False)
    key = models.CharField(max_length=64)
    kind = models.CharField(max_length=20)
    answer = models.CharField(max_length=20, choices=Answer)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint("entry", "key", name="check_answer_once"),
            models.CheckConstraint(
                condition=Q(answer__in=["right", "asked", "apart"]), name="check_answer_known"
            ),
        ]
