"""Who sent, corrected, adjusted or published what, and when; and the files that were imported."""

from __future__ import annotations

from django.db import models

from .people import Club, Token
from .tournaments import Session, Tournament


class PaperFile(models.Model):
    """A file that a club's evening was imported from, and the newest session that came of it. The same file
    is not imported twice by mistake."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="paper_files")
    digest = models.CharField(max_length=64)  # SHA-256 of its text
    session = models.OneToOneField(Session, models.PROTECT, related_name="paper_file")

    class Meta:
        constraints = [models.UniqueConstraint("club", "digest", name="paper_file_once_in_club")]


class Event(models.Model):
    """A line of the history, stored in the same transaction as the change that it records. The database
    refuses to change or delete one (`tournaments.guards`)."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="events")
    session = models.ForeignKey(Session, models.PROTECT, null=True, related_name="events")
    at = models.DateTimeField(auto_now_add=True)
    actor = models.ForeignKey(Token, models.PROTECT, null=True, related_name="events")
    actor_name = models.CharField(max_length=200)  # as it was then; "worker" for the service itself
    verb = models.CharField(max_length=40)
    subject = models.CharField(max_length=80)
    detail = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index("session", "id", name="event_newest_of_session")]
