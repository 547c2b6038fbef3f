"""The Bésigues: the match (section 6)."""

from collections.abc import Mapping
from typing import Any

from ... import sheets
from ...entries import InTurn
from ...errors import BadSheet
from ...matches import Row, plus
from ...phrases import Phrase
from .cards import SEATS


class BesigueMatch(InTurn):
    """The marks of the winners add up to the target."""

    def __init__(self, target: int) -> None:
        self.target, self.totals = target, [0] * SEATS

    def step(self, entry: Any) -> Row:
        _details, dealer = self.dealt(entry)
        marks = marks_of(entry)
        self.totals = plus(self.totals, marks)
        if max(self.totals) >= self.target:
            self.winner = self.totals.index(max(self.totals)) + 1
        return {"dealer": dealer, "marks": marks, "totals": self.totals}

    def account(self) -> Row:
        return {"target": self.target, "totals": self.totals, "next_dealer": self.dealer}


def marks_of(entry: Mapping[str, Any]) -> list[int]:
    """What each player marks in a deal of a match, from its scores."""
    scores = entry.get("scores")
    good = isinstance(scores, list) and len(scores) == SEATS
    good = good and all(sheets.is_whole(abs(s) if isinstance(s, int) else s, 500, None) for s in scores or [])
    if not good or sum(scores or [1]) or (scores or [1])[0] % 100:
        raise BadSheet("scores", Phrase("must be m and −m, where m is a multiple of 100 and at least 500"))
    return [max(score, 0) for score in scores or []]
