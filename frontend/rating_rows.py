"""Ratings as lines of a table, each with what marks it; somebody's own with the way they moved."""

from collections.abc import Collection, Sequence
from typing import Any

from django.utils import timezone

from engines import registry
from tournaments.models import PlayerRating
from tournaments.models.ratings import ALL_GAMES
from tournaments.services import ratings

from . import plots


def game_name(game: str, language: str) -> str:
    """What it is called; "" for all games together."""
    return "" if game == ALL_GAMES else registry.game(game).name.to(language)


def row_of(one: PlayerRating, language: str) -> dict[str, Any]:
    """A rating, and what marks it."""
    rating = ratings.rating_of(one)
    is_inactive = one.is_inactive(timezone.now())
    return {
        **{"row": one, "rating": rating, "game": game_name(one.game, language)},
        **{"is_provisional": rating.is_provisional(), "is_inactive": is_inactive},
    }


def with_histories(
    own: Sequence[PlayerRating], players: Collection[int], language: str
) -> list[dict[str, Any]]:
    """Somebody's ratings (`players`: their lines in the registers), each with its history. One query."""
    histories = ratings.histories(players)
    return [
        row_of(one, language) | {"plot": plots.history([(step.mean, step.spread) for step in steps])}
        for one in own
        for steps in [histories.get((one.club_id, one.game), [])]
    ]
