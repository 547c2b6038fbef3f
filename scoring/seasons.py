"""Seasons: the standings over the events of a season."""

from collections.abc import Hashable, Mapping
from typing import TypeVar

from .combined import BEST, SUM, CombinedPlace, combined_ranking
from .lines import Number

K = TypeVar("K", bound=Hashable)


def standings(
    events: Mapping[str, Mapping[K, Number]], *, best: int | None = None, least: int = 1
) -> tuple[CombinedPlace[K], ...]:
    """The standings of a season, from the points of each event (master points, as a rule), events in the
    order of the calendar: the sum of each player's `best` so many, or of all.

    `least`: the events that a player needs to be ranked. BadScoring for a `best` that is not a whole number
    above 0.
    """
    return combined_ranking(events, rule=SUM if best is None else BEST, best=best, least=least)
