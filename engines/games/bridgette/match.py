"""Bridgette: the match (section 6)."""

from collections.abc import Sequence
from typing import Any

from ... import sheets
from ...contract import Field
from ...errors import BadRecord
from ...phrases import Phrase
from .cards import SEATS
from .marks import Ending, marks_of, result_of

DEALS = 6
IN_TURN = Phrase("the players deal in turn")


def account(deals: Sequence[Any], fields: tuple[Field, ...], *, redealt: bool) -> dict[str, Any]:
    """Six deals; after a tie one more, which is dealt again until somebody marks. `redealt`: any deal
    that was passed out is dealt again too."""
    totals, counted, over = [0] * SEATS, 0, False
    dealer = 1
    rows: list[dict[str, Any]] = []
    for number, entry in enumerate(deals):
        if over:
            count = Phrase("the match was over after {count} deals", count=number)
            raise BadRecord(f"deals[{number}]", count)
        with sheets.within(f"deals[{number}]"):
            details = sheets.match_entry(entry, SEATS, dealer if number else None, IN_TURN)
            dealer, board = details.pop("dealer", dealer), details.pop("board", None)
            result = result_of(fields, details)
        marks = list(marks_of(result))
        totals = [total + more for total, more in zip(totals, marks, strict=True)]
        rows.append({"board": board, "dealer": dealer, **result_row(result), "marks": marks})
        if result is None and (redealt or counted >= DEALS):
            continue
        counted += 1
        dealer = SEATS + 1 - dealer
        over = counted >= DEALS and totals[0] != totals[1]
    return {
        "over": over,
        "winner": (1 if totals[0] > totals[1] else 2) if over else None,
        "deals_planned": DEALS,
        "totals": totals,
        "extra_deal": counted > DEALS or (counted == DEALS and not over),
        "next_dealer": None if over else dealer,
        "rows": rows,
    }


def result_row(result: Ending | None) -> dict[str, Any]:
    if result is None:
        return {"contract": None, "tricks": None}
    contract = result.contract
    return {
        "contract": {
            "declarer": contract.declarer + 1,
            "level": contract.level,
            "denomination": contract.denomination,
            "doubling": contract.doubling,
        },
        "tricks": result.tricks,
    }
