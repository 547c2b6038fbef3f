"""Bridgette: the match (section 6)."""

from typing import Any

from ...entries import InTurn
from ...matches import Row, best_alone, plus
from .cards import SEATS
from .marks import marks_of
from .sheet import result_of

DEALS = 6


class BridgetteMatch(InTurn):
    """Six deals; after a tie one more, which is dealt again until somebody marks. `redealt`: any deal
    that was passed out is dealt again too."""

    def __init__(self, *, redealt: bool) -> None:
        self.redealt = redealt
        self.totals, self.counted = [0] * SEATS, 0

    def step(self, entry: Any) -> Row:
        details, dealer = self.dealt(entry)
        board = details.pop("board", None)
        result = result_of(details)
        marks = list(marks_of(result))
        self.totals = plus(self.totals, marks)
        if result is not None or not (self.redealt or self.counted >= DEALS):
            self.counted += 1
            if self.counted >= DEALS:
                self.winner = best_alone(self.totals)
        else:
            self.dealer = dealer
        contract, tricks = (result.contract.to_json(), result.tricks) if result else (None, None)
        return {"board": board, "dealer": dealer, "contract": contract, "tricks": tricks, "marks": marks}

    def account(self) -> Row:
        return {
            "deals_planned": DEALS,
            "totals": self.totals,
            "extra_deal": self.counted > DEALS or (self.counted == DEALS and not self.over),
            "next_dealer": None if self.over else self.dealer,
        }
