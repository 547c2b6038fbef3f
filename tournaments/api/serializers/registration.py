"""Registration lists and who stands in them, field by field."""

from typing import Any

from rest_framework import serializers

from ...models import RegistrationList
from ..pagination import LARGEST_NUMBER
from ..strict import OnlyKnownFields
from .fields import FlagField, TextField

MOST = 10_000  # contestants that a list has room for


class RegistrationListSerializer(serializers.ModelSerializer[RegistrationList]):
    """A list in which players enter for a session that is still to be set up."""

    open = serializers.BooleanField(source="is_open")
    public = serializers.BooleanField(source="is_public")
    limit = serializers.IntegerField(
        allow_null=True, help_text="How many contestants there is room for; the next ones wait."
    )
    players_each = serializers.IntegerField(help_text="How many players make a contestant.")

    class Meta:
        model = RegistrationList
        fields = [
            *["id", "tournament", "name", "players_each", "limit", "open", "public"],
            *["opened_at", "closed_at", "session"],
        ]


class NewListSerializer(OnlyKnownFields):
    name = TextField(max_length=200)
    players_each = serializers.IntegerField(min_value=1, max_value=4, default=1)
    limit = serializers.IntegerField(min_value=1, max_value=MOST, allow_null=True, default=None)
    public = FlagField(default=True, help_text="Whether everybody may see it, with names by consent.")


class ListStateSerializer(OnlyKnownFields):
    limit = serializers.IntegerField(min_value=1, max_value=MOST, allow_null=True)
    open = FlagField(help_text="Whether players may enter and leave by themselves.")
    public = FlagField()


class RegistrationSerializer(serializers.Serializer[Any]):
    """An entry of a list: a contestant to be, or a part of one."""

    id = serializers.IntegerField(source="registration")
    number = serializers.IntegerField(help_text="From 1; of those who wait, from 1 again.")
    waits = serializers.BooleanField()
    players = serializers.ListField(child=serializers.IntegerField(), help_text="Their ids in the register.")
    names = serializers.ListField(child=serializers.CharField())
    complete = serializers.SerializerMethodField()
    wants_players = serializers.BooleanField(help_text="Whether others may join.")

    def get_complete(self, place: Any) -> bool:
        return not place.is_short


class RegistrationsSerializer(serializers.Serializer[Any]):
    """A page of a list's entries."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = RegistrationSerializer(many=True)


class RegisteredPlayersSerializer(OnlyKnownFields):
    """Who enters together, or who is to stand in an entry."""

    players = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST_NUMBER),
        max_length=4,
        help_text="Their ids in the club’s register; a player’s own only, unless the club asks. None: they "
        "all leave.",
    )
