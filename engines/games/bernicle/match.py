"""Bernicle: the match (section 6)."""

from collections.abc import Mapping
from typing import Any

from ... import sheets
from ...contract import Settings
from ...dealing import dealer_of
from ...errors import BadSheet
from ...matches import Match, Row, best_alone, plus
from ...phrases import Phrase
from .cards import SEATS
from .marks import Ending, outcome_of
from .sheet import FORM

GOAL, MISDEAL = 2000, 200


class BernicleMatch(Match):
    """To 2000 points; a misdeal costs the dealer, who deals again."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.totals, self.played = [0] * SEATS, 0

    @property
    def dealer(self) -> int:
        return dealer_of(self.played + 1, SEATS)

    def too_late(self) -> Phrase:
        return Phrase("the match was over after {count} deals", count=self.played)

    def step(self, entry: Any) -> Row:
        dealer = self.dealer
        if isinstance(entry, dict) and "misdeal" in entry:
            scores = misdeal(entry, dealer)
            self.totals = plus(self.totals, scores)
            return {"dealer": dealer, "scores": scores, "totals": self.totals, "misdeal": dealer}
        result = Ending.from_sheet(FORM, sheets.check(FORM, entry, seats=SEATS, options=self.settings))
        scores = list(outcome_of(result, self.settings).scores)
        self.played += 1
        self.totals = plus(self.totals, scores)
        if max(self.totals) >= GOAL:
            self.winner = best_alone(self.totals)
        return {"dealer": dealer, "scores": scores, "totals": self.totals}

    def account(self) -> Row:
        return {"totals": self.totals, "next_dealer": None if self.over else self.dealer}


def misdeal(entry: Mapping[str, Any], dealer: int) -> list[int]:
    """What a misdeal costs the dealer, who deals again."""
    if set(entry) != {"misdeal"}:
        raise BadSheet("misdeal", Phrase("must be the only key: the deal is dealt again"))
    if entry["misdeal"] != dealer or isinstance(entry["misdeal"], bool):
        raise BadSheet("misdeal", Phrase("must be the dealer of the next deal, seat {seat}", seat=dealer))
    return [-MISDEAL if seat == dealer else 0 for seat in (1, 2, 3)]
