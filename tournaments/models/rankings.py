"""Rankings: every version is kept."""

from __future__ import annotations

from django.db import models

from .tournaments import Session


class Ranking(models.Model):
    """A version of a session's ranking; it is never changed.

    `totals`: by contestant (its id), what it had won, exactly: `points` ("13/3") out of `top` (0 where a
    method has no top) on so many `boards`; `progress`: what it was ranked by after each round that it played;
    `line_group`: those it could be compared with.
    Ranks follow from the totals (`services.rankings.standings`).
    """

    session = models.ForeignKey(Session, models.PROTECT, related_name="rankings")
    version = models.PositiveBigIntegerField()
    totals = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint("session", "version", name="ranking_version_unique")]
