"""The players of a club's register, field by field."""

from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import empty

from ...models import Category, Club, Player
from ...services import register
from ...services.errors import Invalid
from ..strict import OnlyKnownFields
from .fields import DayField, FlagField, TextField, UnplainRow


class HomeClubField(serializers.SlugRelatedField[Club]):
    """A club, by the slug in its address. None is null, as the description says, and not an empty text."""

    default_error_messages: ClassVar = {"does_not_exist": gettext_lazy("There is no such club.")}

    def run_validation(self, data: Any = empty) -> Any:
        if data == "":  # which the framework takes for null
            self.fail("does_not_exist")
        return super().run_validation(data)

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
        return details_of(given, player)


def details_of(given: dict[str, Any], player: Player | None = None) -> register.Details:
    """What valid data says; of a player, with what it leaves out. `home_club`: its id."""
    if "categories" in given:
        given = given | {"categories": tuple(given["categories"])}
    before = register.Details() if player is None else register.Details.of(player)
    known = {**before.columns, "categories": before.categories}
    return register.Details(**{**known, **given})


class NewPlayerSerializer(PlayerSerializer):
    """One of many new players in a club's register."""

    home_club = TextField(  # type: ignore[assignment]  # those of all rows are looked up at once
        max_length=200,
        allow_null=True,
        required=False,
        help_text="Its slug, where the player is a member of another club.",
    )


class RowsField(serializers.ListField):
    """Objects, each valid or not by itself: what it says, or the error that names what is wrong."""

    def run_child_validation(self, data: Any) -> list[Any]:
        if not all(isinstance(row, dict | UnplainRow) for row in data):
            return super().run_child_validation(data)  # which names those that are no objects
        return [self._row(row) for row in data]

    def _row(self, row: Any) -> Any:
        if isinstance(row, UnplainRow):
            return serializers.ValidationError(row.wrong)
        try:
            return self.child.run_validation(row)
        except serializers.ValidationError as error:
            return error


class PlayersSerializer(OnlyKnownFields):
    """Many new players at once."""

    players = RowsField(child=NewPlayerSerializer(), min_length=1, max_length=register.AT_ONCE)

    def rows(self) -> list[register.Details | Invalid]:
        """The details of each row, or what is wrong with it. One query for all home clubs."""
        given = self.validated_data["players"]
        slugs = {row["home_club"] for row in given if isinstance(row, dict) and row.get("home_club")}
        clubs = dict(Club.objects.filter(slug__in=slugs).values_list("slug", "pk")) if slugs else {}
        return [self._row(row, clubs) for row in given]

    def _row(
        self, row: dict[str, Any] | serializers.ValidationError, clubs: dict[str, int]
    ) -> register.Details | Invalid:
        if isinstance(row, serializers.ValidationError):
            return Invalid("invalid", _("Some fields are wrong."), row.detail)
        home = row.get("home_club")
        if home is not None and home not in clubs:
            wrong = {"home_club": [_("There is no such club.")]}
            return Invalid("bad-player", _("Some fields are wrong."), wrong)
        return details_of(row if home is None else row | {"home_club": clubs[home]})


class AddedPlayerSerializer(serializers.Serializer[Any]):
    """What became of a row."""

    index = serializers.IntegerField(help_text="Which row of the request: the first is 0.")
    state = serializers.ChoiceField(choices=["created"])
    player = PlayerSerializer()


class AddedPlayersSerializer(serializers.Serializer[Any]):
    players = AddedPlayerSerializer(many=True)


class LicenceSerializer(OnlyKnownFields):
    """What the register says of a player's licence; null for what is not known."""

    licence_until = DayField(allow_null=True, help_text="The last day on which it holds.")
    suspended_from = DayField(allow_null=True, help_text="The first day on which its holder may not play.")
    suspended_until = DayField(allow_null=True, help_text="The last; null until further notice.")
