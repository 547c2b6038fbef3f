"""Tarot double and Triple-Détente: the match (section 6)."""

from typing import Any

from ... import sheets
from ...errors import BadSheet
from ...matches import Match, Row, best_alone, plus
from ...phrases import Phrase
from .cards import RED, are_scores
from .play import NOBODY_IN_THE_RED

GOAL = 200
A_ROUND = Phrase(
    "a round needs a dealer, the marks of its parts, and the seats that were named for all or nothing"
)


class DetenteMatch(Match):
    """To 200 points. Each entry is a round: dealer, marks of its parts, and the seats named in each."""

    def __init__(self, seats: int, parts: int, *, may_be_named: bool) -> None:
        self.seats, self.parts, self.may_be_named = seats, parts, may_be_named
        self.scores = [0] * seats

    def step(self, entry: Any) -> Row:
        keys = {"dealer", "marks"}
        if not isinstance(entry, dict) or not keys <= set(entry) <= keys | {"all_or_nothing"}:
            raise BadSheet("", A_ROUND)
        dealer = entry["dealer"]
        self.check_dealer(dealer, self.seats)
        shown = []
        for marks, targets in zip(self.marks(entry), self.named(entry), strict=True):
            if any(target is not None and self.scores[target - 1] < RED for target in targets or []):
                raise BadSheet("all_or_nothing", NOBODY_IN_THE_RED)
            self.scores = plus(self.scores, marks)
            eligible = [score >= RED for score in self.scores]
            shown.append({"marks": marks, "scores": self.scores, "eligible": eligible})
        if max(self.scores) >= GOAL:
            self.winner = best_alone(self.scores)
        return {"dealer": dealer, "parts": shown, "scores": self.scores}

    def marks(self, entry: Any) -> list[list[int]]:
        parts: Any = entry["marks"]
        if not self.is_of_parts(parts) or not all(are_scores(part, self.seats) for part in parts):
            rule = Phrase("a round needs the marks of {count} parts, by seat", count=self.parts)
            raise BadSheet("marks", rule)
        return list(parts)

    def named(self, entry: Any) -> list[list[int | None] | None]:
        named: Any = entry.get("all_or_nothing") or [None] * self.parts
        good = self.is_of_parts(named) and all(is_naming(one, self.seats) for one in named)
        if not good or (any(any(one or []) for one in named) and not self.may_be_named):
            raise BadSheet("all_or_nothing", NOBODY_IN_THE_RED)
        return list(named)

    def is_of_parts(self, value: object) -> bool:
        return isinstance(value, list) and len(value) == self.parts

    def account(self) -> Row:
        return {"scores": self.scores}


def is_naming(value: object, seats: int) -> bool:
    """Whether a value names, by seat, another seat or nobody."""
    if value is None:
        return True
    if not isinstance(value, list) or len(value) != seats:
        return False
    return all(t is None or (sheets.is_whole(t, 1, seats) and t != seat) for seat, t in enumerate(value, 1))
