"""How strong the players of a club are at a game, as its evenings tell."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from .clubs import Club
from .people import Player


class PlayerRating(models.Model):
    """A player's rating at a game, over the evenings of a club: an estimate, so its numbers are floats. All
    of a club are made anew, in the order of the evenings, by a job. `boards`, `events`: how many it rests
    on."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="ratings", db_index=False)
    game = models.CharField(max_length=40)
    player = models.ForeignKey(Player, models.PROTECT, related_name="ratings")
    mean = models.FloatField()
    spread = models.FloatField()
    boards = models.PositiveIntegerField()
    events = models.PositiveIntegerField()
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint("club", "game", "player", name="rating_once_a_player"),
            models.CheckConstraint(condition=Q(spread__gt=0), name="rating_is_uncertain"),
        ]
