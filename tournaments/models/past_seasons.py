"""Seasons of the years before: what a club knows of them is how they ended."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from .clubs import Club


class PastSeason(models.Model):
    """The standings of a season that was played before the club came here, or elsewhere. `counted`: what the
    totals are, in the club's words. `places`: one a player, the first first; each has its `rank`, its `total`
    as an exact fraction, the number of `evenings` or null, and the `player` of the register, or the `number`
    and `name` that the file had. `digest`: of what the file said."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="past_seasons", db_index=False)
    title = models.CharField(max_length=80)
    year = models.PositiveSmallIntegerField()
    counted = models.CharField(max_length=80, default="", blank=True)
    places = models.JSONField()
    digest = models.CharField(max_length=64)
    stored_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = "past season"
        constraints = [
            models.UniqueConstraint("club", "year", "title", name="past_season_title_unique"),
            models.UniqueConstraint("club", "digest", name="past_season_once"),
            models.CheckConstraint(condition=Q(year__gte=1800, year__lte=2200), name="past_season_year"),
        ]
