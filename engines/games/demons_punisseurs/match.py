"""Démons punisseurs: the match (section 8)."""

from typing import Any

from ... import sheets
from ...matches import Match, Row, best_alone, plus
from ...ranks import shared_ranks
from .cards import LEFT_OF, SEATS
from .marks import Ending, outcome_of
from .sheet import FORM


class PunisseursMatch(Match):
    """So many deals, or to a target."""

    def __init__(self, dealer: int, deals: int, target: int | None) -> None:
        self.dealer, self.deals, self.target = dealer, deals, target
        self.scores = [0] * SEATS

    @property
    def over(self) -> bool:
        return self.count >= self.deals if self.target is None else self.winner is not None

    def step(self, entry: Any) -> Row:
        result = Ending.from_sheet(FORM, sheets.check(FORM, entry, seats=SEATS))
        marks = list(outcome_of(result).scores)
        self.scores = plus(self.scores, marks)
        ends = self.count + 1 >= self.deals if self.target is None else max(self.scores) >= self.target
        self.winner = best_alone(self.scores) if ends else None
        dealer, self.dealer = self.dealer, LEFT_OF[self.dealer - 1] + 1
        return {"dealer": dealer, "deal_scores": marks, "scores": self.scores}

    def account(self) -> Row:
        return {
            "scores": self.scores,
            "ranks": shared_ranks(self.scores) if self.over else [None] * SEATS,
            "target": self.target,
            "deals_left": None if self.target is not None else self.deals - self.count,
            "next_dealer": None if self.over else self.dealer,
        }
