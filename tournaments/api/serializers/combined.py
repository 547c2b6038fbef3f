"""The standings of a tournament, field by field."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rest_framework import serializers

from scoring.combined import RULES, SUM

from ...services import combined
from ..strict import OnlyKnownFields
from .fields import RoundedField
from .rulings import ExactField

MOST_SESSIONS = 1_000


class StandingsWishSerializer(OnlyKnownFields):
    """How the sessions are combined."""

    rule = serializers.ChoiceField(choices=RULES, default=SUM)
    value = serializers.ChoiceField(
        choices=combined.VALUES, default=combined.SCORE, help_text="What is added up of each session."
    )
    ranked = serializers.ChoiceField(
        choices=combined.RANKED,
        default=combined.CONTESTANTS,
        help_text="Contestants, who are the same where their players are; or each player alone.",
    )
    best = serializers.IntegerField(
        min_value=1,
        max_value=MOST_SESSIONS,
        required=False,
        help_text="Of the rule “best”: how many sessions count.",
    )
    least = serializers.IntegerField(
        min_value=1, max_value=MOST_SESSIONS, default=1, help_text="Who has played fewer has no place."
    )
    weights = serializers.RegexField(
        r"^\d{1,6}:\d{1,6}(/[1-9]\d{0,5})?(,\d{1,6}:\d{1,6}(/[1-9]\d{0,5})?)*$",
        max_length=1_000,
        required=False,
        help_text="Of the rule “weighted”, by the numbers of the sessions: “1:1/3,2:2/3”.",
    )
    factor = ExactField(default="1", help_text="Of master points.")

    @property
    def wish(self) -> combined.StandingsWish:
        given: dict[str, Any] = dict(self.validated_data)
        if "weights" in given:
            pairs = (pair.split(":") for pair in given["weights"].split(","))
            given["weights"] = {number: Fraction(weight) for number, weight in pairs}
        return combined.StandingsWish(**{**given, "factor": Fraction(given["factor"])})


class PartSerializer(serializers.Serializer[Any]):
    session = serializers.IntegerField(help_text="Its id.")
    value = serializers.CharField(help_text="An exact fraction.")
    weight = serializers.CharField(allow_null=True, help_text="Null for a session that does not count.")


class CombinedPlaceSerializer(serializers.Serializer[Any]):
    rank = serializers.CharField(help_text="“3”, or “3=” when shared; empty for who has played too little.")
    players = serializers.ListField(child=serializers.CharField())
    value = serializers.CharField(help_text="An exact fraction.")
    shown = RoundedField(source="value", help_text="The same, rounded.")
    parts = PartSerializer(
        many=True, help_text="The sessions that it comes from, and those that do not count."
    )


class StandingsSerializer(serializers.Serializer[Any]):
    """A page of the standings of a tournament."""

    tournament = serializers.IntegerField()
    sessions = serializers.ListField(
        child=serializers.IntegerField(), help_text="The ids of those that are combined."
    )
    count = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    places = CombinedPlaceSerializer(many=True)


def place_data(place: Any, sessions: Mapping[str, Any], named: Mapping[int, str]) -> dict[str, Any]:
    counted = [
        {"session": sessions[number].pk, "value": value, "weight": weight}
        for number, value, weight in place.parts
    ]
    rest = [{"session": sessions[number].pk, "value": value, "weight": None} for number, value in place.rest]
    return {
        **{"rank": place.rank, "players": [named[one] for one in place.contestant]},
        **{"value": place.value, "parts": counted + rest},
    }
