"""Sessions that somebody is setting up: what has been decided so far, until the session is there."""

from __future__ import annotations

from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils import timezone

from . import access
from .access import Caller
from .accounts import Account
from .clubs import Club
from .jobs import Job
from .tournaments import Session, Tournament


class DraftQuerySet(models.QuerySet["Draft"]):
    def managed_by(self, caller: Caller) -> DraftQuerySet:
        """Those of clubs whose sessions the caller sets up: the draft of one organiser is another's too."""
        return self.filter(access.managed(caller, club="club"))

    def unfinished(self) -> DraftQuerySet:
        """Those that have not become a session."""
        return self.filter(Q(job=None) | ~Q(job__state=Job.State.DONE))


class Draft(models.Model):
    """A session before it is set up.

    `wish`: what has been decided (`services.drafts.SessionWish`); `version` counts what has been saved of it,
    so that a form that somebody has overtaken is noticed. `compared`: the digest of the question which
    movements would do, `asked_at`: since when a worker has it, `comparison`: the answer. `job`: what sets the
    session up, or has; `copied_from`: the session that it began as.
    """

    club = models.ForeignKey(Club, models.PROTECT, related_name="drafts")
    tournament = models.ForeignKey(Tournament, models.PROTECT, null=True, related_name="drafts")
    made_by = models.ForeignKey(Account, models.PROTECT, related_name="drafts")
    copied_from = models.ForeignKey(Session, models.PROTECT, null=True, related_name="+")
    wish = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    version = models.PositiveIntegerField(default=1)
    comparison: Any = models.JSONField(null=True, encoder=DjangoJSONEncoder)
    compared = models.CharField(max_length=64, blank=True)
    asked_at = models.DateTimeField(null=True)
    job = models.OneToOneField(Job, models.PROTECT, null=True, related_name="draft")
    made_at = models.DateTimeField(default=timezone.now)
    saved_at = models.DateTimeField(default=timezone.now)

    objects = DraftQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(version__gte=1), name="draft_version_from_1")]


class SessionTemplate(models.Model):
    """What a club usually plays: `wish` says what a session that begins as it has (`services.templates`).
    `is_usual`: what a new session begins as where nobody chooses; `changes` counts how often it was set up
    anew."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="session_templates", db_index=False)
    name = models.CharField(max_length=80)
    wish = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    is_usual = models.BooleanField(default=False)
    changes = models.PositiveIntegerField(default=0)
    removed_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "template"
        constraints = [
            models.UniqueConstraint(
                "club", "name", condition=Q(removed_at=None), name="template_name_unique"
            ),
            models.UniqueConstraint("club", condition=Q(is_usual=True), name="template_one_usual"),
            models.CheckConstraint(
                condition=Q(is_usual=False) | Q(removed_at=None), name="template_usual_is_there"
            ),
        ]
