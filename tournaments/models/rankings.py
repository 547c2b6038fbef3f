"""Rankings, every version of them."""

from __future__ import annotations

from django.db import models

from .tournaments import Session


class Ranking(models.Model):
    """`places`: best first, as the API shows them. A version is never changed."""

    session = models.ForeignKey(Session, models.PROTECT, related_name="rankings")
    version = models.PositiveBigIntegerField()
    places = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint("session", "version", name="ranking_version_unique")]
