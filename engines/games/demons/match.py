"""Démons: the match (section 6)."""

from typing import Any

from ...matches import Match, Row, plus
from .cards import LEFT_OF, MARKERS, SEATS
from .marks import outcome_of
from .sheet import result_of

GOAL = 333


class DemonsMatch(Match):
    """To 333 points, for a player who has bet. A seat that reaches them without a bet keeps its old score; of
    several that have bet the one with the most tricks wins; if none has, they keep their old scores too."""

    def __init__(self, dealer: int) -> None:
        self.dealer = dealer
        self.scores = [0] * SEATS

    def step(self, entry: Any) -> Row:
        result = result_of(entry)
        marks = outcome_of(result).scores
        before, after = self.scores, plus(self.scores, marks)
        there = [seat for seat in range(SEATS) if after[seat] >= GOAL]
        qualified = [seat for seat in there if result.has_bet[seat]]
        kept = set(there) - set(qualified)
        if len(qualified) == 1:
            self.winner = qualified[0] + 1
        elif result.most_tricks in qualified:
            self.winner = (result.most_tricks or 0) + 1
        else:
            kept |= set(qualified)
        self.scores = [before[seat] if seat in kept else after[seat] for seat in range(SEATS)]
        dealer, self.dealer = self.dealer, LEFT_OF[self.dealer - 1] + 1
        return {
            "dealer": dealer,
            "deal_scores": list(marks),
            "tricks": list(result.tricks),
            "has_bet": list(result.has_bet),
            "applied": [seat not in kept for seat in range(SEATS)],
            "scores": self.scores,
        }

    def account(self) -> Row:
        next_dealer = None if self.over else self.dealer
        return {"markers": list(MARKERS), "scores": self.scores, "next_dealer": next_dealer}
