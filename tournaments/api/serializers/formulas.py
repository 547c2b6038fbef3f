"""The formulas by which a club gives master points, field by field."""

from typing import Any

from rest_framework import serializers

from scoring.formulas import LONGEST_TABLE

from ...models import AwardFormula
from ..strict import OnlyKnownFields
from .fields import TextField


class AwardFormulaSerializer(serializers.ModelSerializer[AwardFormula]):
    """A formula for master points; lists name it by its name."""

    class Meta:
        model = AwardFormula
        fields = ["id", "name", "text"]


class NewAwardFormulaSerializer(OnlyKnownFields):
    name = TextField(max_length=80, help_text="“Federation 2026”.")
    text = TextField(
        max_length=LONGEST_TABLE,
        help_text="An expression, of place, contestants, beaten, tables, boards and factor, with + − × ÷ ( ) "
        "min max sqrt floor ceil; or a table, of a line for each number of tables: “8: 1 0.75 0.5”.",
    )


class AwardFormulaStateSerializer(OnlyKnownFields):
    """A formula is retired, never edited: add another in its place."""

    state: Any = serializers.ChoiceField(choices=["retired"])
