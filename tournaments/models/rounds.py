"""The rounds of a session that is paced: which of them is open, and until when."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils import timezone

from .tournaments import Session, Table


class RoundQuerySet(models.QuerySet["Round"]):
    def due(self, now: datetime) -> RoundQuerySet:
        """Those with which the clock has something to do."""
        running = Q(session__is_paced=True, session__state__in=(Session.State.READY, Session.State.RUNNING))
        return self.filter(
            running,
            Q(state=Round.State.WAITING, opens_at__lte=now)
            | Q(state=Round.State.OPEN, paused_at=None, ends_at__lte=now)
            | Q(state=Round.State.CLOSED, settled_at=None, settles_at__lte=now),
        )


class Round(models.Model):
    """A round of a paced session. Where a session is not paced, all of its rounds are open while it runs.

    `duration`, `warning`, `grace`, `pause_before`: in seconds; a round without a duration ends when the
    director closes it, and one without a `pause_before` begins when the director opens it. `is_barometer`: it
    opens once all earlier rounds are closed, so that all tables play the same boards. `opens_at`, `ends_at`:
    when the clock will open and close it; `takes_until`: how long tables may still hand in what they have
    played, once it is closed; `settles_at`: when that will be over, also for tables with an extension;
    `settled_at`: when it was. `opened_after`: the newest submission of all
    when it was opened first; what came before came early.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        OPEN = "open"
        CLOSED = "closed"

    session = models.ForeignKey(Session, models.PROTECT, related_name="rounds", db_index=False)
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    duration = models.PositiveIntegerField(null=True)
    warning = models.PositiveIntegerField(null=True)
    grace = models.PositiveIntegerField(default=0)
    pause_before = models.PositiveIntegerField(null=True)
    is_barometer = models.BooleanField(default=False)
    opens_at = models.DateTimeField(null=True)
    opened_at = models.DateTimeField(null=True)
    opened_after = models.PositiveBigIntegerField(null=True)
    ends_at = models.DateTimeField(null=True)
    paused_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    takes_until = models.DateTimeField(null=True)
    settles_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)

    objects = RoundQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint("session", "number", name="round_number_unique"),
            models.CheckConstraint(condition=Q(number__gte=1), name="round_number_from_1"),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "open", "closed"]), name="round_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state="waiting") | Q(opened_at__isnull=False), name="round_opened_at_some_time"
            ),
            models.CheckConstraint(
                condition=Q(settled_at=None) | Q(state="closed"), name="round_settled_once_closed"
            ),
        ]
        indexes = [
            # What the sweep asks for every other second: rounds that are over for good are not in it.
            models.Index("session", name="round_unsettled", condition=Q(settled_at=None)),
        ]


class TableAtPlay(models.Model):
    """A table has said that it sits, and plays a round, whether or not the session is paced."""

    session = models.ForeignKey(Session, models.CASCADE, related_name="tables_at_play")
    table = models.ForeignKey(Table, models.CASCADE, related_name="+", db_index=False)
    round = models.PositiveIntegerField()
    seated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint("table", "round", name="table_at_play_once_a_round")]


class RoundExtension(models.Model):
    """More time for one table in one round: it may hand in its results until then."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="extensions", db_index=False)
    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    until = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint("round", "table", name="round_extension_once_a_table")]
