"""Who sent, corrected, adjusted or published what, and when; and the files that were imported."""

from __future__ import annotations

from django.db import models

from .accounts import Account
from .clubs import Club
from .people import Token
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
    refuses to change or delete one (`tournaments.guards`).

    It is about a session, a tournament, a club, or (with none of them) the federation. Who did it is a caller
    of the API (`actor`), somebody who was signed in (`account`), or neither: the service or its operator."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, null=True, related_name="events")
    session = models.ForeignKey(Session, models.PROTECT, null=True, related_name="events")
    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="events")
    at = models.DateTimeField(auto_now_add=True)
    actor = models.ForeignKey(Token, models.PROTECT, null=True, related_name="events")
    account = models.ForeignKey(Account, models.PROTECT, null=True, related_name="events")
    actor_name = models.CharField(max_length=200)  # a caller's as it was then; of an account only its number
    verb = models.CharField(max_length=40)
    subject = models.CharField(max_length=80)
    detail = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index("session", "id", name="event_newest_of_session")]
