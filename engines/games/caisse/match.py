"""Caisse: the match (section 6)."""

from collections.abc import Mapping
from typing import Any

from ... import sheets
from ...errors import BadSheet
from ...matches import Race, Row
from ...phrases import Phrase
from .cards import LEFT_OF, SEATS

GOAL = 20


class CaisseMatch(Race):
    """One manche: the goal rises as long as several have reached it."""

    def __init__(self) -> None:
        super().__init__(SEATS, GOAL, GOAL)
        self.dealer = 1

    def step(self, entry: Any) -> Row:
        marks = entry.get("scores") if isinstance(entry, Mapping) else None
        if not sheets.are_whole(marks, SEATS, 0, None):
            raise BadSheet("scores", Phrase("must be the marks of the three seats, whole numbers from 0"))
        self.add(marks)
        dealer, self.dealer = self.dealer, LEFT_OF[self.dealer - 1] + 1
        return {"dealer": dealer, "marks": list(marks), "scores": self.scores, "goal": self.goal}

    def account(self) -> Row:
        next_dealer = None if self.over else self.dealer
        return {"goal": self.goal, "scores": self.scores, "next_dealer": next_dealer}
