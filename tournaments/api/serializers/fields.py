"""Fields that the framework does not have."""

import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, ClassVar
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.rounding import decimals

from ...services import dates

UNPLAIN = re.compile("[\0\ud800-\udfff]")
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")  # dates have other forms too, in ISO 8601
SUSPECT = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")
"""An escape by which JSON can write what is not text: NUL, or half of a surrogate pair."""

DEPTH, PARTS, LONGEST, HIGHEST = 8, 1_000, 200, 10**15
"""JSON has so many levels, parts of a list and characters of a text at most, and numbers below the last."""


MEMBERS = 7  # of a contestant, at most


@dataclass(frozen=True, slots=True)
class UnplainRow:
    """A row that has what cannot be stored. `wrong`: by field, what is wrong with it."""

    wrong: dict[str, list[str]]


class PlainJSONField(serializers.JSONField):
    """JSON that every database can store: no NUL, no half of a surrogate pair, a few levels at most."""

    def to_internal_value(self, data: Any) -> Any:
        value = super().to_internal_value(data)
        if not _is_plain(value, DEPTH):
            raise serializers.ValidationError(
                _("This is too long, is nested too deeply, or has characters that cannot be stored.")
            )
        return value


OBJECT: dict[str, Any] = {"type": "object", "additionalProperties": {}}
"""In the description: names with values of any kind, which are a game's, a method's or a deal's own."""


@extend_schema_field(OBJECT)
class PlainObjectField(PlainJSONField):
    """The same, of names with their values."""

    default_error_messages: ClassVar = {
        "not_an_object": gettext_lazy("This must be an object: names with their values.")
    }

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        value = super().to_internal_value(data)
        if not isinstance(value, dict):
            self.fail("not_an_object")
        return value


def shown_object(**options: Any) -> serializers.DictField:
    """The field of such an object in an answer."""
    return serializers.DictField(read_only=True, **options)


class TextField(serializers.CharField):
    """A text that a caller sends. A number is not a text, though it could be written as one."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


def reason_field() -> TextField:
    """Why something is done, where that may be asked."""
    return TextField(max_length=1000, default="", allow_blank=True, help_text="Why; it is in the history.")


class MomentField(serializers.DateTimeField):
    """A moment of years that every club's clock can show (`dates`)."""

    default_error_messages: ClassVar = {"far": gettext_lazy("This day is too far away.")}

    def to_internal_value(self, data: Any) -> datetime:
        at: datetime = super().to_internal_value(data)
        if not dates.is_near(at):
            self.fail("far")
        return at


class DayField(serializers.DateField):
    """A day of years that every clock and calendar can show (`dates`)."""

    default_error_messages: ClassVar = {"far": gettext_lazy("This day is too far away.")}

    def to_internal_value(self, data: Any) -> date:
        if not isinstance(data, str) or not DAY.fullmatch(data):
            self.fail("invalid", format="YYYY-MM-DD")
        day: date = super().to_internal_value(data)
        if not dates.is_near(day):
            self.fail("far")
        return day


class KeyField(serializers.UUIDField):
    """A UUID in its usual form; a number is not one."""

    def to_internal_value(self, data: Any) -> UUID:
        if not isinstance(data, str):
            self.fail("invalid", value=data)
        return super().to_internal_value(data)


class FlagField(serializers.BooleanField):
    """True or false in JSON. A number is neither, nor is a word."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "minLength": 1, "maxLength": LONGEST},
            {
                "type": "object",
                "required": ["players"],
                "additionalProperties": False,
                "properties": {
                    "players": {
                        "type": "array",
                        "minItems": 1,
                        "maxItems": MEMBERS,
                        "items": {"type": "integer", "minimum": 1, "maximum": HIGHEST},
                    },
                    "name": {"type": "string", "maxLength": LONGEST},
                },
            },
        ]
    }
)
class EntrantField(serializers.Field[Any, Any, Any, Any]):
    """A contestant: a name, which is a player's of the club's register or adds one; or players of the
    register by their ids, with a name of their own if they want one."""

    default_error_messages: ClassVar = {
        "invalid": gettext_lazy(
            "This is a name, or an object with “players” (ids of the register) and, if wanted, a “name”."
        )
    }

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, str):
            return TextField(max_length=LONGEST).run_validation(data)
        if not isinstance(data, dict) or not {"players"} <= set(data) <= {"players", "name"}:
            self.fail("invalid")
        players = data["players"]
        if not isinstance(players, list) or not 1 <= len(players) <= MEMBERS:
            self.fail("invalid")
        if not all(type(player) is int and 1 <= player <= HIGHEST for player in players):
            self.fail("invalid")
        name = TextField(max_length=LONGEST, allow_blank=True).run_validation(data.get("name", ""))
        return {"players": players, "name": name}

    def to_representation(self, value: Any) -> Any:
        return value


def publishable_names() -> FlagField:
    """The field that says it of those whom typed names add to a register."""
    return FlagField(
        default=False,
        help_text="Whether the names of players whom this adds to the club’s register may be published.",
    )


class RoundedField(serializers.CharField):
    """An exact number as people read it, rounded to two decimals. For answers only."""

    def to_representation(self, value: Any) -> str:
        return decimals(value)


def is_plain_text(text: str) -> bool:
    """Whether every database can store it, and every client read it: no NUL, no half of a surrogate pair."""
    return UNPLAIN.search(text) is None


def _is_plain(value: Any, depth: int) -> bool:
    if isinstance(value, str):
        return len(value) <= LONGEST and is_plain_text(value)
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list):
        return depth > 0 and len(value) <= PARTS and all(_is_plain(part, depth - 1) for part in value)
    return not isinstance(value, int | float) or abs(value) < HIGHEST
