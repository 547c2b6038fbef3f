"""The joint field of a leg of an event: everybody who has played its boards, in whatever club."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from .events import Leg


class FieldTallyQuerySet(models.QuerySet["FieldTally"]):
    def behind(self) -> FieldTallyQuerySet:
        """Those for which something is still to be taken in."""
        return self.filter(BEHIND)


BEHIND = Q(changes__gt=F("counted"))


class FieldTally(models.Model):
    """How far the field of a leg is counted. `changes` counts what may change it: a club that sends its
    results, mends them, is left out or taken in; `counted` is the one that the newest version has taken in,
    and `basis` the digest of all that it was made from. There is none before the leg's embargo is lifted."""

    leg = models.OneToOneField(Leg, models.PROTECT, primary_key=True, related_name="field")
    changes = models.PositiveBigIntegerField(default=1)
    counted = models.PositiveBigIntegerField(default=0)
    version = models.PositiveBigIntegerField(default=0)
    basis = models.CharField(max_length=64, blank=True, default="")

    objects = FieldTallyQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(counted__lte=F("changes")), name="field_not_ahead")]
        indexes = [models.Index("leg", name="field_behind", condition=BEHIND)]


class FieldRanking(models.Model):
    """A version of the ranking of a field; it is never changed. `content`: what everybody had won, packed
    (`services.versions`). `sessions`: the clubs' parts that it counts, by the id of each the digest of its
    results; `news`: of each club for which something is other than in the version before its id, "in", "out"
    or "mended", and why, where somebody has said."""

    leg = models.ForeignKey(Leg, models.PROTECT, related_name="field_rankings", db_index=False)
    version = models.PositiveBigIntegerField()
    content = models.BinaryField()
    sessions = models.JSONField()
    news = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint("leg", "version", name="field_version_unique")]
