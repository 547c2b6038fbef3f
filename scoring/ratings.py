"""Ratings: how strong a player is at a game, over all events, and how sure that is.

The model is Plackett and Luce's in the form of R. Weng and C. Lin (“A Bayesian approximation method for
online ranking”, 2011), as the library `openskill` has it. These numbers are floats: they estimate. The time
grows with the square of the field: a thousand contestants take a twentieth of a second.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from engines.phrases import Phrase

from .errors import BadScoring

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

K = TypeVar("K", bound=Hashable)
MEAN, SPREAD = 25.0, 25.0 / 3.0  # of whoever has not played yet


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength at one game: its estimate, `mean`, with a standard deviation of `spread`. `boards`:
    how many it rests on."""

    mean: float = MEAN
    spread: float = SPREAD
    boards: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the strength lies with 95 % certainty. It is published beside the mean."""
        return self.mean - 1.96 * self.spread, self.mean + 1.96 * self.spread

    def is_provisional(self, least_boards: int = 60) -> bool:
        return self.boards < least_boards


def ratings_after(
    ratings: Mapping[K, Rating], places: Sequence[tuple[str, Sequence[K]]], *, boards: Mapping[K, int]
) -> dict[K, Rating]:
    """The ratings at one game after one event: all that there were before, with those of its players brought
    up to date. Call it once for each event and game, with the ratings at that game.

    `places`: the ranking of the event, (rank, the players of the contestant), the best first. Equal ranks are
    ties; a contestant without a rank ("") did not take part. `boards`: how many each player has played.
    BadScoring for a player who appears twice, or has played none.
    """
    ranked = [(rank, players) for rank, players in places if rank]
    seen: set[K] = set()
    for _, players in ranked:
        for player in players:
            if player in seen:
                raise BadScoring("places", Phrase("{contestant} appears twice", contestant=player))
            seen.add(player)
            if boards.get(player, 0) < 1:
                raise BadScoring("boards", Phrase("{contestant} has not played any", contestant=player))
    after = dict(ratings)
    if len(ranked) < 2:
        return after
    before = [[ratings.get(player, Rating()) for player in players] for _, players in ranked]
    order = {rank: place for place, rank in enumerate(dict.fromkeys(rank for rank, _ in ranked))}
    model = _model()
    results = model.rate(
        [[model.rating(mu=r.mean, sigma=r.spread) for r in team] for team in before],
        ranks=[float(order[rank]) for rank, _ in ranked],
    )
    for (_, players), team, olds in zip(ranked, results, before, strict=True):
        for player, new, old in zip(players, team, olds, strict=True):
            after[player] = Rating(new.mu, new.sigma, old.boards + boards[player])
    return after


@cache
def _model() -> "PlackettLuce":
    from openskill.models import PlackettLuce  # a megabyte, for those processes that rate

    return PlackettLuce(mu=MEAN, sigma=SPREAD)
