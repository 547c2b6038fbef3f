"""Caisse: the match (section 6)."""

from collections.abc import Mapping
from typing import Any

from ... import sheets
from ...errors import BadSheet
from ...matches import Match, Row, plus
from ...phrases import Phrase
from .cards import LEFT_OF, SEATS

GOAL = 20


class CaisseMatch(Match):
    """One manche: the goal rises as long as several have reached it."""

    def __init__(self) -> None:
        self.scores, self.goal, self.dealer = [0] * SEATS, GOAL, 1

    def step(self, entry: Any) -> Row:
        marks, dealer = marks_of(entry), self.dealer
        self.scores = plus(self.scores, marks)
        while sum(score >= self.goal for score in self.scores) > 1:
            self.goal += GOAL
        if max(self.scores) >= self.goal:
            self.winner = self.scores.index(max(self.scores)) + 1
        self.dealer = LEFT_OF[dealer - 1] + 1
        return {"dealer": dealer, "marks": marks, "scores": self.scores, "goal": self.goal}

    def account(self) -> Row:
        next_dealer = None if self.over else self.dealer
        return {"goal": self.goal, "scores": self.scores, "next_dealer": next_dealer}


def marks_of(entry: Any) -> list[int]:
    marks = entry.get("scores") if isinstance(entry, Mapping) else None
    if (
        not isinstance(marks, list)
        or len(marks) != SEATS
        or not all(sheets.is_whole(mark, 0, None) for mark in marks)
    ):
        raise BadSheet("scores", Phrase("must be the marks of the three seats, whole numbers from 0"))
    return list(marks)
