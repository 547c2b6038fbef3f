"""Seasons of the years before, field by field."""

from typing import Any

from rest_framework import serializers

from ...models import PastSeason
from ...services import past_seasons
from ...services.names import Reader
from ..strict import OnlyKnownFields
from .fields import FlagField, TextField
from .rulings import ExactField


class PastPlaceSerializer(serializers.Serializer[Any]):
    """Somebody's place."""

    rank = serializers.IntegerField()
    number = serializers.CharField(help_text="In the register, for the club’s officials; else empty.")
    name = serializers.CharField(help_text="As you may read it.")
    total = serializers.CharField(help_text="An exact fraction.")
    evenings = serializers.IntegerField(allow_null=True, help_text="How many were played, if that is known.")


class PastSeasonSerializer(serializers.ModelSerializer[PastSeason]):
    """A season of which the club has the standings alone."""

    players = serializers.SerializerMethodField()

    class Meta:
        model = PastSeason
        fields = ["id", "title", "year", "counted", "players", "stored_at"]

    def get_players(self, season: PastSeason) -> int:
        return len(season.places)


class PastSeasonPlacesSerializer(PastSeasonSerializer):
    """The same with its standings, the first first."""

    places = PastPlaceSerializer(many=True, read_only=True)

    class Meta:
        model = PastSeason
        fields = [*PastSeasonSerializer.Meta.fields, "places"]

    def __init__(self, season: Any = None, *, reader: Reader | None = None, **options: Any) -> None:
        super().__init__(season, **options)
        self.reader = reader

    def to_representation(self, season: PastSeason) -> dict[str, Any]:
        own: dict[str, Any] = PastSeasonSerializer(season).data
        shown = past_seasons.shown(season, self.reader or Reader())
        return {**own, "places": PastPlaceSerializer(shown, many=True).data}


class NewPastPlaceSerializer(OnlyKnownFields):
    rank = serializers.IntegerField(min_value=1, max_value=past_seasons.ROWS_AT_MOST)
    number = TextField(
        max_length=past_seasons.CELL_LETTERS, allow_blank=True, default="", help_text="In the register."
    )
    name = TextField(
        max_length=past_seasons.CELL_LETTERS, allow_blank=True, default="", help_text="Without a number."
    )
    total = ExactField()
    evenings = serializers.IntegerField(
        min_value=0, max_value=past_seasons.EVENINGS_AT_MOST, allow_null=True, default=None
    )


class NewPastSeasonSerializer(OnlyKnownFields):
    title = TextField(max_length=past_seasons.TITLE_LETTERS)
    year = serializers.IntegerField(min_value=past_seasons.YEARS[0], max_value=past_seasons.YEARS[-1])
    counted = TextField(
        max_length=past_seasons.TITLE_LETTERS,
        allow_blank=True,
        default="",
        help_text="What the totals are: “per cent”, “master points”.",
    )
    places = serializers.ListField(
        child=NewPastPlaceSerializer(), allow_empty=False, max_length=past_seasons.ROWS_AT_MOST
    )
    dry_run = FlagField(default=False, help_text="Only say what would be stored.")

    def rows(self) -> list[tuple[int, dict[str, str]]]:
        """The standings as a file has them."""
        return [
            (number, {name: "" if cell is None else str(cell) for name, cell in row.items()})
            for number, row in enumerate(self.validated_data["places"], 1)
        ]


class PastSeasonPreviewSerializer(serializers.Serializer[Any]):
    """What a dry run has found."""

    players = serializers.IntegerField()
    in_register = serializers.IntegerField(help_text="How many of them the register has.")
