"""How strong the players of a club are, at each game and over all, as its evenings tell."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.db.models import F, Q

from .clubs import Club
from .people import Player
from .tournaments import Session

ALL_GAMES = "all"
"""In place of a game: over all of them."""
INACTIVE_AFTER = timedelta(days=365)


class PlayerRating(models.Model):
    """A player's rating at a game, or over all games, over the evenings of a club: an estimate, so its
    numbers are floats. A worker brings all of a club up to date, in the order of the evenings. `boards`,
    `events`: how many it rests on; `played_at`: when the last of them was."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="ratings", db_index=False)
    game = models.CharField(max_length=40)
    player = models.ForeignKey(Player, models.PROTECT, related_name="ratings")
    mean = models.FloatField()
    spread = models.FloatField()
    boards = models.PositiveIntegerField()
    events = models.PositiveIntegerField()
    made_at = models.DateTimeField()
    played_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("club", "game", "player", name="rating_once_a_player"),
            models.CheckConstraint(condition=Q(spread__gt=0), name="rating_is_uncertain"),
        ]

    def is_inactive(self, now: datetime) -> bool:
        """Whether the player has not played for a year."""
        return self.played_at is not None and self.played_at < now - INACTIVE_AFTER


class RatedSession(models.Model):
    """A session that the ratings of its club have taken in. `place`: in their order, from 0; `taken`: what of
    it was read, "" for what is to be read anew; `forecasts`: how well the ratings before it foretold it
    (`scoring.ratings.Forecasts`)."""

    session = models.OneToOneField(Session, models.CASCADE, related_name="rated")
    club = models.ForeignKey(Club, models.PROTECT, related_name="rated_sessions", db_index=False)
    place = models.PositiveIntegerField()
    taken = models.CharField(max_length=64, blank=True, default="")
    forecasts = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint("club", "place", name="rated_session_has_its_place")]


class RatingStep(models.Model):
    """What a player's rating at a game, or over all games, was after a session that they have played.
    `elo`: at a game, what Elo's would be, to compare with."""

    rated = models.ForeignKey(RatedSession, models.CASCADE, related_name="steps", db_index=False)
    game = models.CharField(max_length=40)
    player = models.ForeignKey(Player, models.PROTECT, related_name="rating_steps")
    mean = models.FloatField()
    spread = models.FloatField()
    elo = models.FloatField()
    boards = models.PositiveIntegerField()
    events = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint("rated", "game", "player", name="rating_step_once")]


class RatingTallyQuerySet(models.QuerySet["RatingTally"]):
    def behind(self) -> RatingTallyQuerySet:
        """Those of clubs for whose ratings something is still to be taken in."""
        return self.filter(RATINGS_BEHIND)


RATINGS_BEHIND = Q(changes__gt=F("counted"))


class RatingTally(models.Model):
    """A club that has its players rated, and how far that is done: as `SeasonTally` for a season. `stored`:
    how often its ratings have been stored."""

    club = models.OneToOneField(Club, models.CASCADE, primary_key=True, related_name="rating_tally")
    changes = models.PositiveBigIntegerField(default=1)
    counted = models.PositiveBigIntegerField(default=0)
    stored = models.PositiveBigIntegerField(default=0)

    objects = RatingTallyQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(counted__lte=F("changes")), name="ratings_not_ahead")
        ]
        indexes = [models.Index("club", name="ratings_behind", condition=RATINGS_BEHIND)]
