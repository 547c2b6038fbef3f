"""Tarot 4 saisons: the match (section 6)."""

from dataclasses import replace
from typing import Any

from ...errors import BadSheet
from ...matches import Race, Row
from ...phrases import Phrase
from .cards import LEFT_OF, SEATS
from .marks import outcome_of
from .sheet import result_of

BAR, BAR_STEP = 50, 10


class SaisonsMatch(Race):
    """To the bar, which rises as long as several have reached it."""

    def __init__(self, dealer: int) -> None:
        super().__init__(SEATS, BAR, BAR_STEP)
        self.dealer, self.passed = dealer, 0

    def step(self, entry: Any) -> Row:
        dealer, passed = self.dealer, self.passed
        result = result_of(entry, {"dealer": dealer})
        if entry.get("passed_before", passed) != passed and not result.is_annulled:
            rule = Phrase("must be {count}: so many deals were passed before", count=passed)
            raise BadSheet("passed_before", rule)
        marks = list(outcome_of(replace(result, passed_before=passed)).scores)
        self.add(marks)
        if not result.is_annulled:
            self.passed = passed + 1 if result.taker is None else 0
        if not {kind for _, kind in result.faults} & {"misdeal", "no-trump"}:
            self.dealer = LEFT_OF[dealer - 1] + 1
        return {"dealer": dealer, "marks": marks} | self.standing()

    def standing(self) -> Row:
        return {"scores": self.scores, "bar": self.goal, "passed": self.passed}

    def account(self) -> Row:
        return self.standing() | {"next_dealer": None if self.over else self.dealer}
