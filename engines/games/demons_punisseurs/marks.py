"""Démons punisseurs: the marks (section 7), and the match (section 8)."""

from dataclasses import dataclass
from typing import Any

from ...contract import Fact, Outcome
from .cards import GAME, LEFT_OF, PAREIL, SEATS, SUITE

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
    facts = facts_of(result)
    scores = tuple(sum(fact.points for fact in facts if fact.seat == seat) for seat in range(1, SEATS + 1))
    return Outcome(scores, tuple(facts))


@dataclass
class Match:
    """The account of a match in progress: so many deals, or to a target."""

    dealer: int
    deals: int
    target: int | None
    scores: tuple[int, ...] = (0, 0, 0)
    played: int = 0

    @property
    def leaders(self) -> list[int]:
        top = max(self.scores)
        return [seat for seat, score in enumerate(self.scores, 1) if score == top]

    @property
    def over(self) -> bool:
        if self.target is None:
            return self.played >= self.deals
        return max(self.scores) >= self.target and len(self.leaders) == 1

    def enter(self, result: Ending) -> dict[str, Any]:
        marks = outcome_of(result).scores
        self.scores = tuple(score + more for score, more in zip(self.scores, marks, strict=True))
        row = {"dealer": self.dealer, "deal_scores": list(marks), "scores": list(self.scores)}
        self.dealer = LEFT_OF[self.dealer - 1] + 1
        self.played += 1
        return row

    def account(self, rows: list[dict[str, Any]]) -> dict[str, Any]:
        ranks = [1 + sum(other > score for other in self.scores) for score in self.scores]
        return {
            "over": self.over,
            "winner": self.leaders[0] if self.over and len(self.leaders) == 1 else None,
            "scores": list(self.scores),
            "ranks": ranks if self.over else [None] * SEATS,
            "target": self.target,
            "deals_left": None if self.target is not None else self.deals - self.played,
            "next_dealer": None if self.over else self.dealer,
            "rows": rows,
        }
