"""Long work that somebody has asked for: how far it is, and what came of it."""

from __future__ import annotations

from datetime import datetime
from uuid import uuid4

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q

from . import access
from .access import Caller
from .accounts import Account
from .people import Token
from .tournaments import Session, Tournament


class JobQuerySet(models.QuerySet["Job"]):
    def visible_to(self, viewer: Caller) -> JobQuerySet:
        """Those of tournaments that the viewer sets up, and of sessions that the viewer runs, who may
        cancel them too; of what is printed, and archives, only its own. Whoever has the address of a job's
        page sees how far it is, and nothing else: it cannot be guessed."""
        directed = access.directed(viewer, session="session", club="tournament__club")
        asked = Q(pk=None)
        if isinstance(viewer, Account):
            asked = Q(account=viewer)
        elif isinstance(viewer, Token):
            asked = Q(sender=viewer)
        return self.filter(Q(kind__in=Job.OWN) & asked | ~Q(kind__in=Job.OWN) & directed)

    def free(self, now: datetime) -> JobQuerySet:
        """Those that a worker may begin: nobody has, or whoever did has given no sign of life."""
        return self.filter(Q(state=Job.State.WAITING) | Q(state=Job.State.RUNNING, held_until__lt=now))


class Job(models.Model):
    """`request`: what was asked for, by the names of the service's arguments; empty once the job has ended,
    but for a new plan, what takes it back, and for its preview, which may be done.
    `sender` or `account`: the token of the program, or the signed-in person, that asked for it.
    `name`: of the session that it is about. `session`: the one that it changes, or has made.
    `error`: why it was refused, by language. `outcome`: what there is to know of what came of it, in the
    form in which the API tells it. `attempt` counts the workers that have begun it; the last one
    holds it until `held_until`, and moves that on while it works."""

    class Kind(models.TextChoices):
        SET_UP = "set-up"
        REPLAN = "replan"
        PREVIEW = "preview"  # of a new plan, which is not made
        IMPORT = "import"
        CHECK = "check"  # of a file, which is not to be imported yet
        REHEARSE = "rehearse"
        PRINT = "print"
        NEXT_ROUND = "next-round"  # from the standings
        ARCHIVE = "archive"
        UNPACK = "unpack"  # an archive, into sessions
        RATE = "rate"  # the players of a club, whose newest tournament it stands with

    OWN = (Kind.PRINT, Kind.ARCHIVE)  # whose files are for whoever asked

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    kind = models.CharField(max_length=20, choices=Kind)
    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="jobs")
    session = models.ForeignKey(Session, models.PROTECT, null=True, related_name="jobs")
    sender = models.ForeignKey(Token, models.PROTECT, null=True, related_name="jobs")
    account = models.ForeignKey(Account, models.PROTECT, null=True, related_name="jobs")
    name = models.CharField(max_length=200)
    request = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    state = models.CharField(max_length=20, choices=State, default=State.WAITING)
    progress = models.FloatField(default=0.0)
    error = models.JSONField(null=True, encoder=DjangoJSONEncoder)
    outcome = models.JSONField(null=True, encoder=DjangoJSONEncoder)
    attempt = models.PositiveIntegerField(default=0)
    held_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "running", "done", "failed", "cancelled"]),
                name="job_state_known",
            ),
            models.CheckConstraint(condition=Q(progress__range=(0, 1)), name="job_progress_from_0_to_1"),
            models.CheckConstraint(condition=Q(sender=None) | Q(account=None), name="job_asked_for_once"),
        ]
        indexes = [
            models.Index("id", name="job_to_do", condition=Q(state__in=["waiting", "running"])),
        ]

    @property
    def actor(self) -> Token | Account | None:
        """Who has asked for it."""
        return self.sender if self.sender is not None else self.account

    @property
    def is_over(self) -> bool:
        return self.state not in {self.State.WAITING, self.State.RUNNING}
