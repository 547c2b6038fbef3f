"""Ratings and divisions, field by field."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers

from engines import registry

from ...models import PlayerRating
from ...models.ratings import ALL_GAMES
from ...services import divisions
from ...services.ratings import rating_of
from ..strict import OnlyKnownFields

MOST_DIVISIONS, MOST_MOVED = 100, 1_000


class RatingsWishSerializer(OnlyKnownFields):
    """At which game."""

    game = serializers.ChoiceField(
        choices=[ALL_GAMES, *registry.games()],
        required=False,
        help_text="“all” for the ratings over all games; by default each, one after the other.",
    )


class RatingSerializer(serializers.Serializer[Any]):
    """How strong a player is at the game. These numbers are estimates."""

    game = serializers.CharField(help_text="“all” for the rating over all games.")
    rank = serializers.IntegerField(
        help_text="At the game, among those that you see. Those whose rating is provisional come after the"
        " others, and then those who are inactive."
    )
    player = serializers.CharField()
    mean = serializers.FloatField(help_text="It begins at 25.")
    spread = serializers.FloatField(help_text="Its uncertainty, a standard deviation. It begins at 8.33.")
    low = serializers.FloatField(help_text="The strength lies between these with 95 % certainty.")
    high = serializers.FloatField()
    boards = serializers.IntegerField()
    events = serializers.IntegerField()
    provisional = serializers.BooleanField(help_text="It rests on fewer than 60 boards.")
    played_at = serializers.DateTimeField(allow_null=True, help_text="The last event that it rests on.")
    inactive = serializers.BooleanField(help_text="That was more than a year ago.")
    made_at = serializers.DateTimeField()


class DivisionsWishSerializer(OnlyKnownFields):
    """Which sessions are the divisions, and how many move."""

    sessions = serializers.RegexField(
        r"^[1-9]\d{0,5}(,[1-9]\d{0,5})*$",
        max_length=700,
        required=False,
        help_text="The numbers of the sessions in their tournament, the highest division first: “1,2,3”; by"
        " default all that have a ranking.",
    )
    up = serializers.IntegerField(min_value=0, max_value=MOST_MOVED, default=1)
    down = serializers.IntegerField(min_value=0, max_value=MOST_MOVED, default=1)
    lists = serializers.RegexField(
        r"^[1-9]\d{0,5}:[1-9]\d{0,5}(,[1-9]\d{0,5}:[1-9]\d{0,5})*$",
        max_length=1_400,
        required=False,
        help_text="Of which session which list decides, in place of its ranking: “1:2,2:1”.",
    )

    @property
    def wish(self) -> divisions.DivisionsWish:
        given: dict[str, Any] = dict(self.validated_data)
        pairs = (pair.split(":") for pair in given.get("lists", "").split(",") if pair)
        return divisions.DivisionsWish(
            sessions=list(dict.fromkeys(int(one) for one in given.get("sessions", "").split(",") if one)),
            up=given["up"],
            down=given["down"],
            lists={int(session): int(number) for session, number in pairs},
        )


class DivisionPlaceSerializer(serializers.Serializer[Any]):
    players = serializers.ListField(child=serializers.CharField())
    before = serializers.IntegerField(help_text="Its division until now, from 1, the highest.")
    rank = serializers.CharField(help_text="There.")


class DivisionSerializer(serializers.Serializer[Any]):
    """A division of the next season."""

    division = serializers.IntegerField(help_text="From 1, the highest.")
    session = serializers.IntegerField(help_text="The id of the session that it has been until now.")
    contestants = DivisionPlaceSerializer(many=True)


class TournamentDivisionsSerializer(serializers.Serializer[Any]):
    tournament = serializers.IntegerField()
    divisions = DivisionSerializer(many=True)


def rating_data(rank: int, row: PlayerRating, name: str) -> dict[str, Any]:
    rating = rating_of(row)
    low, high = rating.interval
    return {
        **{"game": row.game, "rank": rank, "player": name},
        **{"mean": rating.mean, "spread": rating.spread},
        **{"low": low, "high": high, "boards": rating.boards, "events": row.events},
        **{"provisional": rating.is_provisional(), "inactive": row.is_inactive(timezone.now())},
        **{"played_at": row.played_at, "made_at": row.made_at},
    }
