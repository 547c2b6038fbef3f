"""Tarot 4 saisons: the match (section 6)."""

from dataclasses import replace
from typing import Any

from ...errors import BadSheet
from ...matches import Match, Row, plus
from ...phrases import Phrase
from .cards import LEFT_OF, SEATS
from .marks import outcome_of
from .sheet import result_of

BAR, BAR_STEP = 50, 10


class SaisonsMatch(Match):
    """To the bar, which rises as long as several have reached it."""

    def __init__(self, dealer: int) -> None:
        self.dealer = dealer
        self.scores, self.bar, self.passed = [0] * SEATS, BAR, 0

    def step(self, entry: Any) -> Row:
        dealer, passed = self.dealer, self.passed
        result = result_of(entry, {"dealer": dealer})
        if entry.get("passed_before", passed) != passed and not result.is_annulled:
            rule = Phrase("must be {count}: so many deals were passed before", count=passed)
            raise BadSheet("passed_before", rule)
        marks = list(outcome_of(replace(result, passed_before=passed)).scores)
        self.scores = plus(self.scores, marks)
        if not result.is_annulled:
            self.passed = passed + 1 if result.taker is None else 0
        while sum(score >= self.bar for score in self.scores) > 1:
            self.bar += BAR_STEP
        if max(self.scores) >= self.bar:
            self.winner = self.scores.index(max(self.scores)) + 1
        if not {kind for _, kind in result.faults} & {"misdeal", "no-trump"}:
            self.dealer = LEFT_OF[dealer - 1] + 1
        return {
            "dealer": dealer, "marks": marks, "scores": self.scores, "bar": self.bar, "passed": self.passed
        }  # fmt: skip

    def account(self) -> Row:
        next_dealer = None if self.over else self.dealer
        return {"scores": self.scores, "bar": self.bar, "passed": self.passed, "next_dealer": next_dealer}
