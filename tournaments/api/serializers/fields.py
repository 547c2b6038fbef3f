"""Fields that need more care than the framework takes."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from scoring.rounding import decimals


class PlainJSONField(serializers.JSONField):
    """JSON that every database can keep: no NUL, no half of a character, not nested without end."""

    def to_internal_value(self, data: Any) -> Any:
        value = super().to_internal_value(data)
        if not _is_plain(value, depth=8):
            raise serializers.ValidationError(_("Too deep, or with characters that cannot be kept."))
        return value


class RoundedField(serializers.CharField):
    """An exact number as people read it, rounded once, to two decimals; nothing is read from it."""

    def to_representation(self, value: Any) -> str:
        return decimals(value)


def _is_plain(value: Any, depth: int) -> bool:
    if isinstance(value, str):
        return len(value) <= 200 and not any(char == "\0" or "\ud800" <= char <= "\udfff" for char in value)
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list):
        return depth > 0 and len(value) <= 1000 and all(_is_plain(part, depth - 1) for part in value)
    return not isinstance(value, int) or abs(value) < 10**15
