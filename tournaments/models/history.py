"""Who sent, corrected, adjusted or published what, and when."""

from __future__ import annotations

from django.db import models

from .people import Token
from .tournaments import Session, Tournament


class Event(models.Model):
    """A line of the history, written in the transaction of what it tells. A trigger of the database
    refuses to change one (migration 0002)."""

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
