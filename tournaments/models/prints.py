"""What has been printed, until it is fetched."""

from __future__ import annotations

from django.db import models

from .jobs import Job


class PrintedFile(models.Model):
    """The PDF that a job has made, for whoever asked for it; kept for a day. It names people, and may show
    cards and codes: `content` is sealed with the keys of the seeds, and whoever fetches it is asked for
    their rights again."""

    job = models.OneToOneField(Job, models.CASCADE, primary_key=True, related_name="printed")
    content = models.BinaryField()
    pages = models.PositiveIntegerField()
    made_at = models.DateTimeField(auto_now_add=True)
