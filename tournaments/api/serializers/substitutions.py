"""Substitutes, field by field."""

from rest_framework import serializers

from ...models import Substitution
from ...services import substitutes
from ..strict import OnlyKnownFields
from .fields import HIGHEST


class SubstituteSerializer(OnlyKnownFields):
    """Who plays for whom, and when."""

    contestant = serializers.IntegerField(min_value=1, max_value=1_000_000, help_text="Its number.")
    player = serializers.IntegerField(min_value=1, max_value=HIGHEST, help_text="The id of the substitute.")
    for_player = serializers.IntegerField(
        min_value=1, max_value=HIGHEST, help_text="The id of the member in whose place they play."
    )
    first_round = serializers.IntegerField(min_value=1, max_value=400)
    last_round = serializers.IntegerField(min_value=1, max_value=400)


class SubstitutionSerializer(serializers.ModelSerializer[Substitution]):
    contestant = serializers.IntegerField(source="contestant.number")
    credited = serializers.SerializerMethodField(
        help_text="The ids of those who have to their credit what is played."
    )

    class Meta:
        model = Substitution
        fields = [
            *["id", "contestant", "player", "for_player", "first_round", "last_round"],
            *["credited", "made_at"],
        ]

    def get_credited(self, substitution: Substitution) -> list[int]:
        return [player.pk for player in substitutes.credited(substitution)]


class SubstitutionStateSerializer(OnlyKnownFields):
    state = serializers.ChoiceField(choices=["undone"])
