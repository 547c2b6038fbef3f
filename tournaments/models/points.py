"""The master points that players have been given, list by list, and what became of them."""

from __future__ import annotations

from fractions import Fraction

from django.db import models
from django.db.models import F, Q

from .lists import SessionList
from .people import Player
from .tournaments import Session, not_under_embargo

FINAL_STATES = (Session.State.FINAL, Session.State.AMENDED)


def gives_points(session: str = "") -> Q:
    """Rows of sessions whose lists give their points: final, and everybody may see them. `session`: the way
    to them."""
    way = f"{session}__" if session else ""
    asked = {"listed": True, "is_trial": False, "state__in": FINAL_STATES}
    return Q(**{f"{way}{name}": value for name, value in asked.items()}) & not_under_embargo(session)


class PointsGivenQuerySet(models.QuerySet["PointsGiven"]):
    def standing(self) -> PointsGivenQuerySet:
        """Those that count: not taken back, and still of a list that everybody may see."""
        return self.filter(gives_points("session"), reversed_at=None)


class PointsGiven(models.Model):
    """What a list has given to a player, in hundredths of a master point. A row is changed once at most: when
    it is taken back. `version`: of the ranking by which it was given; `reversed_version`: by which it was
    taken back, null where the session gives no points any more."""

    session = models.ForeignKey(Session, models.CASCADE, related_name="points_given")
    the_list = models.ForeignKey(SessionList, models.CASCADE, related_name="given", db_index=False)
    player = models.ForeignKey(Player, models.PROTECT, related_name="points_given")
    hundredths = models.PositiveIntegerField()
    version = models.PositiveBigIntegerField()
    given_at = models.DateTimeField()
    reversed_at = models.DateTimeField(null=True)
    reversed_version = models.PositiveBigIntegerField(null=True)

    objects = PointsGivenQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "the_list", "player", condition=Q(reversed_at=None), name="points_given_once"
            ),
            models.CheckConstraint(condition=Q(hundredths__gt=0), name="points_given_above_0"),
        ]
        indexes = [models.Index("the_list", name="points_given_by_list")]

    @property
    def points(self) -> Fraction:
        return Fraction(self.hundredths, 100)


class PointsTallyQuerySet(models.QuerySet["PointsTally"]):
    def behind(self) -> PointsTallyQuerySet:
        """Those of sessions of which something is still to be given or taken back."""
        return self.filter(POINTS_BEHIND)


POINTS_BEHIND = Q(changes__gt=F("counted"))


class PointsTally(models.Model):
    """A session of which a list gives master points, or has given some, and how far that is done: as
    `RatingTally` for a club."""

    session = models.OneToOneField(Session, models.CASCADE, primary_key=True, related_name="points_tally")
    changes = models.PositiveBigIntegerField(default=1)
    counted = models.PositiveBigIntegerField(default=0)

    objects = PointsTallyQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(counted__lte=F("changes")), name="points_not_ahead")
        ]
        indexes = [models.Index("session", name="points_behind", condition=POINTS_BEHIND)]
