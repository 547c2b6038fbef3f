"""Archives that wait to be fetched or to be read, and what is known of sessions that came in one."""

from __future__ import annotations

from django.db import models

from .jobs import Job
from .tournaments import Session


class ArchiveFile(models.Model):
    """The archive that a job has made, for whoever asked for it, or that somebody has brought, for the job
    that reads it; kept for a day. `content` is sealed with the keys of the seeds."""

    job = models.OneToOneField(Job, models.CASCADE, primary_key=True, related_name="archive")
    content = models.BinaryField()
    made_at = models.DateTimeField(auto_now_add=True)


class ImportedSession(models.Model):
    """A session that came in an archive, and what its rows cannot say. `facts`: its number, club and
    tournament there, the ids that digests of its rankings were made from; `history`: of the places where it
    has been, as it came, compressed. With its rows this is the archive that it came in."""

    session = models.OneToOneField(Session, models.CASCADE, primary_key=True, related_name="imported")
    facts = models.JSONField()
    history = models.BinaryField()
    digest = models.CharField(max_length=64)
    imported_at = models.DateTimeField(auto_now_add=True)
