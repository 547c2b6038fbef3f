"""The catalogue of penalties and bonuses of a club, field by field."""

from typing import Any

from rest_framework import serializers

from scoring.rulings import UNITS

from ...models import CataloguePenalty
from ..strict import OnlyKnownFields
from .fields import TextField
from .rulings import ExactField


class CataloguePenaltySerializer(serializers.ModelSerializer[CataloguePenalty]):
    """An entry of a club's catalogue; rulings name it by its id."""

    class Meta:
        model = CataloguePenalty
        fields = ["id", "name", "kind", "amount", "unit"]


class NewCataloguePenaltySerializer(OnlyKnownFields):
    name = TextField(max_length=80, help_text="What it is for: “slow play”.")
    kind = serializers.ChoiceField(choices=CataloguePenalty.Kind.choices, default="penalty")
    amount = ExactField(help_text="Above 0.")
    unit = serializers.ChoiceField(
        choices=UNITS,
        default="percent",
        help_text="Per cent of what a board can give, or what sessions count.",
    )


class CataloguePenaltyStateSerializer(OnlyKnownFields):
    """An entry is retired, never edited: add another in its place."""

    state: Any = serializers.ChoiceField(choices=["retired"])
