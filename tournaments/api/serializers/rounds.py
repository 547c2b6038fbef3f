"""Rounds and their clock, field by field. Times that last are minutes for people, and whole numbers."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ...models import Round
from ...services.rounds import Pace, stamp
from ..strict import OnlyKnownFields
from .fields import FlagField, TextField, reason_field

DAY = 24 * 60


class MinutesField(serializers.IntegerField):
    """Minutes: given as they are, shown of what is kept in seconds."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_value=DAY, **{"min_value": 0} | options)

    def to_representation(self, value: Any) -> int:
        return int(value) // 60


class ClockSerializer(OnlyKnownFields):
    """How the rounds of a session follow each other, in minutes."""

    duration = MinutesField(
        min_value=1, default=None, allow_null=True, help_text="Null: a round ends when the director says so."
    )
    warning = MinutesField(default=None, allow_null=True, help_text="So long before the end, screens warn.")
    grace = MinutesField(default=0, help_text="So long after the end, tables still hand in.")
    pause_before = MinutesField(
        default=None,
        allow_null=True,
        help_text="So long after a round, the clock opens the next; null: the director does.",
    )
    barometer = FlagField(
        default=False, source="is_barometer", help_text="A round opens once all earlier ones are over."
    )

    def pace(self) -> Pace:
        given = self.validated_data
        return Pace(
            **{name: minutes and 60 * minutes for name, minutes in given.items() if name != "is_barometer"},
            is_barometer=given["is_barometer"],
        )


class RoundSerializer(serializers.ModelSerializer[Round]):
    duration = MinutesField(allow_null=True)
    warning = MinutesField(allow_null=True)
    grace = MinutesField()
    pause_before = MinutesField(allow_null=True)
    barometer = serializers.BooleanField(source="is_barometer")
    extensions = serializers.SerializerMethodField(help_text="Tables that have longer.")
    etag = serializers.SerializerMethodField(help_text="What is sent as If-Match by whoever changes it.")

    class Meta:
        model = Round
        fields = [
            *["number", "state", "duration", "warning", "grace", "pause_before", "barometer"],
            *["opens_at", "opened_at", "ends_at", "paused_at", "closed_at", "takes_until", "settled_at"],
            *["extensions", "etag"],
        ]

    def get_etag(self, one: Round) -> str:
        return f'"{stamp(one)}"'

    @extend_schema_field(
        {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["section", "table", "until"],
                "properties": {
                    "section": {"type": "string"},
                    "table": {"type": "integer"},
                    "until": {"type": "string", "format": "date-time"},
                },
            },
        }
    )
    def get_extensions(self, one: Round) -> list[dict[str, Any]]:
        return [
            {
                "section": extension.table.section.name,
                "table": extension.table.number,
                "until": serializers.DateTimeField().to_representation(extension.until),
            }
            for extension in one.extensions.all()
        ]


class RoundStateSerializer(OnlyKnownFields):
    """`waiting` takes back a round that was opened too early; opening one again wants a reason."""

    state = serializers.ChoiceField(choices=Round.State.choices)
    reason = reason_field()


class RoundPauseSerializer(OnlyKnownFields):
    paused = FlagField()


class SeatedSerializer(OnlyKnownFields):
    """Whether a table sits: its own, for a table; officials say which."""

    seated = FlagField()
    section = TextField(max_length=20, required=False)
    table = serializers.IntegerField(min_value=1, max_value=1_000_000, required=False)


class RoundExtensionSerializer(OnlyKnownFields):
    """More time: for everybody, or for one table."""

    minutes = MinutesField(min_value=1)
    section = TextField(max_length=20, required=False)
    table = serializers.IntegerField(min_value=1, max_value=1_000_000, required=False)
