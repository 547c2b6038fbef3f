"""Fields that the framework does not have."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from scoring.rounding import decimals


class PlainJSONField(serializers.JSONField):
    """JSON that every database can store: no NUL, no half of a surrogate pair, a few levels at most."""

    def to_internal_value(self, data: Any) -> Any:
        value = super().to_internal_value(data)
        if not _is_plain(value, depth=8):
            raise serializers.ValidationError(
                _("This is too long, is nested too deeply, or has characters that cannot be stored.")
            )
        return value


class RoundedField(serializers.CharField):
    """An exact number as people read it, rounded to two decimals. For answers only."""

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
