"""Loba: the match (section 6)."""

from collections.abc import Mapping
from typing import Any

from ...contract import Settings
from ...errors import BadSheet
from ...matches import Match, Row, best_alone, plus
from ...phrases import Phrase
from ...ranks import shared_ranks
from .cards import CONTRACTS
from .sheet import result_of


class LobaMatch(Match):
    """Six mènes in order; the lowest total wins."""

    def __init__(self, seats: int, options: Settings) -> None:
        self.seats, self.options = seats, options
        self.totals: list[int] = []

    @property
    def over(self) -> bool:
        return self.count == len(CONTRACTS)

    def step(self, entry: Any) -> Row:
        if not self.totals and isinstance(entry, Mapping):
            penalties = entry.get("points", entry.get("left"))
            if isinstance(penalties, list) and len(penalties) in (3, 4, 5):
                self.seats = len(penalties)
        if isinstance(entry, dict) and "mene" not in entry:
            raise BadSheet("mene", Phrase("is missing"))
        mene = self.count + 1
        points = result_of(entry, self.seats, self.options, {"mene": mene}).points
        self.totals = plus(self.totals or [0] * self.seats, points)
        if mene == len(CONTRACTS):
            self.winner = best_alone(self.losses())
        return {"mene": mene, "points": list(points), "totals": self.totals}

    def losses(self) -> list[int]:
        return [-total for total in self.totals]

    def account(self) -> Row:
        return {
            "mene": None if self.over else self.count + 1,
            "totals": self.totals or [0] * self.seats,
            "ranks": shared_ranks(self.losses()) if self.over else None,
        }
