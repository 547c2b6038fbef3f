"""Objections, field by field."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ...models import Objection, ObjectionStep
from ...services import objections, rulings
from ..strict import OnlyKnownFields
from . import plain_entries
from .fields import HIGHEST, TextField

COMMITTEE = 9


class NewObjectionSerializer(OnlyKnownFields):
    """What a contestant says against the result of a play, or a ruling on it."""

    section = TextField(max_length=plain_entries.SECTION, default="A")
    table = serializers.IntegerField(min_value=1, max_value=plain_entries.HIGHEST_NUMBER)
    board = serializers.IntegerField(min_value=1, max_value=plain_entries.HIGHEST_NUMBER)
    contestant = serializers.IntegerField(
        min_value=1,
        max_value=plain_entries.HIGHEST_NUMBER,
        required=False,
        help_text="Its number: for a director who writes the objection down.",
    )
    text = TextField(max_length=2_000)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        place = rulings.PlayPlace(*(attrs.pop(name) for name in rulings.PlayPlace._fields))
        return {**attrs, "place": place}


class NewStepSerializer(OnlyKnownFields):
    """The next step: a director answers or records the committee's decision; the contestant appeals or
    withdraws."""

    kind = serializers.ChoiceField(choices=ObjectionStep.Kind.choices)
    text = TextField(max_length=2_000)
    outcome = serializers.ChoiceField(
        choices=ObjectionStep.Outcome.choices, required=False, help_text="Of an answer or a decision."
    )
    ruling = serializers.IntegerField(
        min_value=1, max_value=HIGHEST, required=False, help_text="The id of the ruling that followed."
    )
    committee = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=HIGHEST),
        max_length=COMMITTEE,
        required=False,
        help_text="Who decided: ids of players of the club's register.",
    )


class ToldField(serializers.CharField):
    """The text of a remark, which some may not read yet (`services.reasons`)."""

    def __init__(self, **options: Any) -> None:
        words = "Empty once it has been erased, and where it would tell results."
        super().__init__(source="*", read_only=True, help_text=words, **options)

    def to_representation(self, value: Any) -> str:
        return "" if value.remark_id in self.context["hidden"] else value.remark.text


class StepSerializer(serializers.ModelSerializer[ObjectionStep]):
    text = ToldField()
    by = serializers.CharField(
        source="role.account.name", allow_null=True, default=None, help_text="Null for the contestant."
    )
    committee = serializers.SerializerMethodField(help_text="The names of those who decided.")

    class Meta:
        model = ObjectionStep
        fields = ["kind", "outcome", "text", "by", "ruling", "committee", "made_at"]

    def get_committee(self, step: ObjectionStep) -> list[str]:
        named: dict[int, str] = self.context["players"]
        return [named[player] for player in step.committee if player in named]


class ObjectionSerializer(serializers.ModelSerializer[Objection]):
    """An objection with what followed."""

    section = serializers.CharField(source="play.table.section.name")
    table = serializers.IntegerField(source="play.table.number")
    board = serializers.IntegerField(source="play.board.number")
    contestant = serializers.IntegerField(source="contestant.number", help_text="Its number.")
    state = serializers.SerializerMethodField()
    text = ToldField()
    by = serializers.CharField(
        source="role.account.name", allow_null=True, default=None, help_text="Null for the contestant."
    )
    steps = serializers.SerializerMethodField()

    class Meta:
        model = Objection
        fields = [
            *["id", "section", "table", "board", "contestant", "state", "text", "by", "made_at", "steps"]
        ]

    @extend_schema_field(serializers.ChoiceField(choices=list(objections.STATES.values())))
    def get_state(self, objection: Objection) -> str:
        return objections.state_of(objection)

    @extend_schema_field(StepSerializer(many=True))
    def get_steps(self, objection: Objection) -> Any:
        steps = sorted(objection.steps.all(), key=lambda step: step.pk)
        return StepSerializer(steps, many=True, context=self.context).data
