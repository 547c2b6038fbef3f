"""The players of a club's register, field by field."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ...models import Category, Club, Player
from ...services import register
from ..strict import OnlyKnownFields
from .fields import FlagField, TextField


class HomeClubField(serializers.SlugRelatedField[Club]):
    """A club, by the slug in its address."""

    def to_internal_value(self, data: Any) -> Club:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class PlayerSerializer(OnlyKnownFields, serializers.ModelSerializer[Player]):
    """A player in a club's register. What is left out is empty in a new one, and stays in another."""

    name = serializers.CharField(read_only=True, help_text="The whole name.")
    given_name = TextField(max_length=register.NAME_LETTERS, allow_blank=True, required=False)
    family_name = TextField(max_length=register.NAME_LETTERS, allow_blank=True, required=False)
    public_name = TextField(
        max_length=register.NAME_LETTERS,
        allow_blank=True,
        required=False,
        help_text="As the player is shown; by default the whole name.",
    )
    number = TextField(
        max_length=register.NUMBER_LETTERS,
        allow_blank=True,
        required=False,
        help_text="Of the membership; unique in the club.",
    )
    home_club = HomeClubField(
        slug_field="slug",
        queryset=Club.objects.all(),
        allow_null=True,
        required=False,
        help_text="Its slug, where the player is a member of another club.",
    )
    categories = serializers.ListField(
        child=serializers.ChoiceField(choices=Category.choices), required=False, max_length=len(Category)
    )
    consent = FlagField(required=False, help_text="Whether the name may be published.")
    account = serializers.SerializerMethodField(help_text="Whether the player has claimed this line.")

    class Meta:
        model = Player
        fields = [
            *["id", "name", "given_name", "family_name", "public_name", "number", "home_club"],
            *["categories", "consent", "account", "registered_at"],
        ]
        read_only_fields = ["id", "registered_at"]

    @extend_schema_field(serializers.BooleanField())
    def get_account(self, player: Player) -> bool:
        return player.account_id is not None

    def validate_categories(self, categories: list[str]) -> list[str]:
        if len(set(categories)) < len(categories):
            raise serializers.ValidationError(_("Each category once."))
        return categories

    def details(self, player: Player | None = None) -> register.Details:
        """What the valid data says; of a player, with what it leaves out."""
        given = dict(self.validated_data)
        if "home_club" in given:
            given["home_club"] = given["home_club"] and given["home_club"].pk
        if "categories" in given:
            given["categories"] = tuple(given["categories"])
        before = register.Details() if player is None else register.Details.of(player)
        known = {**before.columns, "categories": before.categories}
        return register.Details(**{**known, **given})
