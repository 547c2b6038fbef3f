"""Photographs of paper slips, by which a director sees what a table has written down."""

from django.db import models
from django.utils import timezone

from .plays import Play


class SlipPhoto(models.Model):
    """A photograph of the slip of a play, as WebP with nothing but its pixels (`services.pictures`).
    `digest`: of what is kept, so that the same one sent twice is one."""

    play = models.ForeignKey(Play, models.CASCADE, related_name="slip_photos", db_index=False)
    content = models.BinaryField()
    digest = models.CharField(max_length=64)
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint("play", "digest", name="slip_photo_once")]
        indexes = [models.Index("made_at", name="slip_photo_by_age")]
