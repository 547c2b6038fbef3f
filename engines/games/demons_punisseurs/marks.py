"""Démons punisseurs: the marks (section 7)."""

from dataclasses import dataclass

from ...contract import Fact, Outcome
from .cards import GAME, PAREIL, SEATS, SUITE

ENOUGH = 4  # tricks that win the jeu


@dataclass(frozen=True, slots=True)
class Share:
    """How an objective ended: the winner (index) if anybody, what it marks, what each seat loses."""

    winner: int | None
    points: int
    losses: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """How a deal ended. `tricks` by seat, if they were noted."""

    pareil: Share
    suite: Share
    jeu: Share
    tricks: tuple[int, ...] | None = None

    @property
    def shares(self) -> tuple[tuple[str, Share], ...]:
        return (PAREIL, self.pareil), (SUITE, self.suite), (GAME, self.jeu)


def facts_of(result: Ending) -> list[Fact]:
    facts = [Fact("tricks", seat, 0, count) for seat, count in enumerate(result.tricks or (), 1)]
    for name, share in result.shares:
        if share.winner is None:
            facts.append(Fact(f"{name}-nobody"))
        else:
            facts.append(Fact(name, share.winner + 1, share.points))
        facts += [Fact(f"{name}-lost", seat, -loss) for seat, loss in enumerate(share.losses, 1) if loss]
    return facts


def outcome_of(result: Ending) -> Outcome:
    return Outcome.of(facts_of(result), SEATS)
