"""The master points of a club's players, field by field."""

from typing import Any

from rest_framework import serializers

from ...models import PointsGiven
from .fields import RoundedField


class PointsGivenSerializer(serializers.ModelSerializer[PointsGiven]):
    """What a list has given to a player. What has been taken back does not count any more."""

    name: Any = serializers.CharField(
        source="player.name", help_text="Of the player, as the register has it."
    )
    list = serializers.IntegerField(source="the_list.number", help_text="Its number in the session.")
    points = RoundedField(help_text="In hundredths at most.")
    version = serializers.IntegerField(help_text="Of the ranking by which they were given.")
    reversed_version = serializers.IntegerField(
        allow_null=True,
        help_text="By which they were taken back; null where they stand, and where the session gives none.",
    )

    class Meta:
        model = PointsGiven
        fields = [
            *["id", "player", "name", "session", "list", "points", "version"],
            *["given_at", "reversed_at", "reversed_version"],
        ]
