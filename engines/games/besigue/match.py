"""The Bésigues: the match (section 6)."""

from collections.abc import Mapping
from typing import Any

from ... import sheets
from ...errors import BadSheet
from ...matches import Match, Row, plus
from ...phrases import Phrase
from .cards import SEATS

IN_TURN = Phrase("the players deal in turn")


class BesigueMatch(Match):
    """The marks of the winners add up to the target."""

    def __init__(self, target: int) -> None:
        self.target, self.totals, self.dealer = target, [0] * SEATS, 1

    def step(self, entry: Any) -> Row:
        due = self.dealer if self.count else None
        dealer = sheets.match_entry(entry, SEATS, due, IN_TURN).get("dealer", self.dealer)
        marks = marks_of(entry)
        self.totals = plus(self.totals, marks)
        if max(self.totals) >= self.target:
            self.winner = self.totals.index(max(self.totals)) + 1
        self.dealer = SEATS + 1 - dealer
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
