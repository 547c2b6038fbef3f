"""Confirmations, field by field."""

from typing import Any

from rest_framework import serializers

from ...models import Confirmation
from ..pagination import LARGEST_NUMBER
from ..strict import OnlyKnownFields
from . import plain_entries
from .fields import FlagField, TextField


class NewConfirmationSerializer(OnlyKnownFields):
    """What was handed in is right."""

    section = TextField(max_length=plain_entries.SECTION, default="A")
    table = serializers.IntegerField(min_value=1, max_value=plain_entries.HIGHEST_NUMBER)
    board = serializers.IntegerField(min_value=1, max_value=plain_entries.HIGHEST_NUMBER)
    submission = serializers.IntegerField(
        min_value=1, max_value=LARGEST_NUMBER, help_text="The one that counts, as whoever agrees has seen it."
    )
    seat = serializers.IntegerField(
        min_value=1,
        max_value=plain_entries.SEATS,
        default=None,
        allow_null=True,
        help_text="Which seat agrees; null for officials.",
    )
    shared = FlagField(default=False, help_text="It was said on the one phone of the table.")


class ConfirmationSerializer(serializers.ModelSerializer[Confirmation]):
    shared = serializers.BooleanField(source="is_shared")

    class Meta:
        model = Confirmation
        fields = ["id", "submission", "seat", "shared", "made_at"]


class PlayConfirmationSerializer(serializers.Serializer[Any]):
    """Who has agreed with a result."""

    seat = serializers.IntegerField(allow_null=True, help_text="Null: an official.")
    shared = serializers.BooleanField(help_text="It was said on the one phone of the table.")
    made_at = serializers.DateTimeField()
