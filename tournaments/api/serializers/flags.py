"""Flags, field by field."""

from typing import Any

from rest_framework import serializers

from ...services import flags


class FlagSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=flags.KINDS)
    section = serializers.CharField()
    table = serializers.IntegerField()
    round = serializers.IntegerField(allow_null=True, help_text="Null where it is about the whole table.")
    board = serializers.IntegerField(allow_null=True)
    play = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField(help_text="In the caller’s language.")
