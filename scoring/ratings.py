"""Ratings: how strong a player is at a game, over all events, and how sure that is.

The model is Plackett and Luce's in the form of R. Weng and C. Lin (“A Bayesian approximation method for
online ranking”, 2011), as the library `openskill` has it. These numbers are floats: they estimate. The time
grows with the square of the field: a thousand contestants take a twentieth of a second.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import hypot, log
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING, Any, TypeVar

from engines.phrases import Phrase

from .errors import BadScoring

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
MEAN, SPREAD = 25.0, 25.0 / 3.0  # of whoever has not played yet
CHANCE = 25.0 / 6.0  # how much a result varies, a standard deviation
ELO, ELO_STEP, ELO_SCALE = 1500.0, 32.0, 400.0


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

    return PlackettLuce(mu=MEAN, sigma=SPREAD, beta=CHANCE)


# ── How well they foretell ────────────────────────────────────────────────────────────────────────

BINS = 10
COIN = log(2)  # the loss of whoever gives both sides one half
COMPARED = 25  # with how many others each contestant of an event is compared, at most
LEAST_CHANCE = 1e-6  # what was held to be impossible costs much, and not everything


@dataclass(frozen=True, slots=True)
class Forecasts:
    """How well ratings foretold, before events, which of two contestants would be placed before the other.
    `pairs`: how many were compared; `loss`, `elo_loss`: the sums of their log-losses, by these ratings and by
    Elo's, where a coin loses `COIN` each time. `bins`: how many pairs had a favourite whose chance was from
    50 to 55 %, and in how many of them it was placed before the other; then from 55 to 60 %, and so on."""

    pairs: int = 0
    loss: float = 0.0
    elo_loss: float = 0.0
    bins: tuple[tuple[int, int], ...] = ((0, 0),) * BINS

    def __add__(self, other: "Forecasts") -> "Forecasts":
        both = zip(self.bins, other.bins, strict=True)
        return Forecasts(
            self.pairs + other.pairs,
            self.loss + other.loss,
            self.elo_loss + other.elo_loss,
            tuple((n + more, won + also) for (n, won), (more, also) in both),
        )

    def to_json(self) -> list[Any]:
        return [self.pairs, self.loss, self.elo_loss, [list(one) for one in self.bins]]

    @classmethod
    def from_json(cls, told: Sequence[Any]) -> "Forecasts":
        pairs, loss, elo_loss, bins = told
        return cls(pairs, loss, elo_loss, tuple((n, won) for n, won in bins))


def forecasts(
    ratings: Mapping[K, Rating], elos: Mapping[K, float], places: Sequence[tuple[str, Sequence[K]]]
) -> Forecasts:
    """What the ratings before an event foretold of its `places`, as `ratings_after` takes them. Only pairs of
    contestants count whose players all have a rating, and who do not share a place; each contestant is
    compared with the `COMPARED` that follow it, in a circle of places, so that the time grows with the
    field."""
    known = [(rank, players) for rank, players in places if rank and all(one in ratings for one in players)]
    pairs, loss, elo_loss = 0, 0.0, 0.0
    bins = [[0, 0] for _bin in range(BINS)]
    for (rank, first), (other_rank, second) in _compared(known):
        if rank == other_rank:
            continue
        chance = before(*([ratings[one] for one in players] for players in (first, second)))
        by_elo = _before_by_elo(_mean_of(elos, first), _mean_of(elos, second))
        pairs += 1
        loss -= log(max(chance, LEAST_CHANCE))
        elo_loss -= log(max(by_elo, LEAST_CHANCE))
        if chance != 0.5:
            column = bins[min(int((max(chance, 1 - chance) - 0.5) * 2 * BINS), BINS - 1)]
            column[0] += 1
            column[1] += chance > 0.5
    return Forecasts(pairs, loss, elo_loss, tuple((n, won) for n, won in bins))


def _compared(ranked: Sequence[T]) -> Iterator[tuple[T, T]]:
    """Pairs of contestants, given in their order: of each pair, the one that stands first there; each pair
    once."""
    count = len(ranked)
    for step in range(1, min(COMPARED, count // 2) + 1):
        # half of the circle, where the other half would be the same pairs again
        for at in range(count // 2 if 2 * step == count else count):
            one, other = sorted((at, (at + step) % count))
            yield ranked[one], ranked[other]


def before(first: Sequence[Rating], second: Sequence[Rating]) -> float:
    """The chance that a contestant of these players is placed before another.

    >>> before([Rating()], [Rating()]), round(before([Rating(30, 2)], [Rating(25, 2)]), 3)
    (0.5, 0.778)
    """
    everybody = [*first, *second]
    varies = hypot(CHANCE, CHANCE, *(one.spread for one in everybody))
    apart = sum(one.mean for one in first) - sum(one.mean for one in second)
    return NormalDist().cdf(apart / varies)


def _before_by_elo(first: float, second: float) -> float:
    return float(1 / (1 + 10 ** ((second - first) / ELO_SCALE)))


def _mean_of(elos: Mapping[K, float], players: Sequence[K]) -> float:
    return fmean(elos.get(one, ELO) for one in players)


def elos_after(elos: Mapping[K, float], places: Sequence[tuple[str, Sequence[K]]]) -> dict[K, float]:
    """Elo's ratings after an event, to compare with: each contestant has met those with which `forecasts`
    compares it, and moves by the mean of what it gains from each; its players rise and fall with it.
    `places`: as for `ratings_after`."""
    ranked = [(rank, players) for rank, players in places if rank]
    contestants = [(at, rank, _mean_of(elos, players)) for at, (rank, players) in enumerate(ranked)]
    gained, met = [0.0] * len(ranked), [0] * len(ranked)
    for (at, rank, first), (other, other_rank, second) in _compared(contestants):
        gain = (0.5 if rank == other_rank else 1.0) - _before_by_elo(first, second)
        for one, won in ((at, gain), (other, -gain)):
            gained[one] += won
            met[one] += 1
    after = dict(elos)
    for (_rank, players), won, count in zip(ranked, gained, met, strict=True):
        for player in players:
            after[player] = elos.get(player, ELO) + ELO_STEP * won / max(count, 1)
    return after
