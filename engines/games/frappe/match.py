"""Frappe: the match (section 6)."""

from collections.abc import Sequence
from typing import Any

from ... import sheets
from ...entries import InTurn
from ...errors import BadSheet
from ...matches import Row, plus
from ...phrases import Phrase
from .cards import SEATS
from .marks import TARGET
from .sheet import FORM, result_of

UNKNOWN_FIRST = Phrase(
    "61 was reached before the end: enter the deal as stopped at that moment, or its events in order"
)


class FrappeMatch(InTurn):
    """Points count as they are marked: the first player with 61 has won, also in the middle of a deal."""

    def __init__(self) -> None:
        self.totals = [0] * SEATS

    def step(self, entry: Any) -> Row:
        details, dealer = self.dealt(entry)
        row: Row = {"board": details.pop("board")} if "board" in details else {}
        counted = of_events if "events" in details else of_sheet
        points, self.winner, ended_by = counted(details, self.totals)
        self.totals = plus(self.totals, points)
        return row | {"dealer": dealer, "points": points, "ended_by": ended_by}

    def account(self) -> Row:
        return {"target": TARGET, "totals": self.totals, "next_dealer": self.dealer}


Counted = tuple[list[int], int | None, str]  # points by seat, the winner of the match, what ended the deal


def of_events(details: dict[str, Any], totals: Sequence[int]) -> Counted:
    if set(details) != {"events"} or not isinstance(details["events"], list):
        raise BadSheet("events", Phrase("must be a list, without a result sheet beside it"))
    for event in details["events"]:
        if not is_event(event):
            raise BadSheet("events", Phrase("each needs a seat, a kind and points"))
    points = [0] * SEATS
    for event in details["events"]:
        seat = event["seat"] - 1
        if event["kind"] == "penitence":
            return points, seat + 1, "penitence"
        points[seat] += event["points"]
        if totals[seat] + points[seat] >= TARGET:
            return points, seat + 1, "target"
    return points, None, "normal"


def is_event(event: Any) -> bool:
    if not isinstance(event, dict) or set(event) != {"seat", "kind", "points"}:
        return False
    is_counted = sheets.is_whole(event["seat"], 1, SEATS) and sheets.is_whole(event["points"], 0, None)
    return is_counted and isinstance(event["kind"], str)


def of_sheet(details: dict[str, Any], totals: Sequence[int]) -> Counted:
    result = result_of(sheets.check(FORM, details, seats=SEATS))
    if result.winner is not None:
        return list(result.points), result.winner + 1, "penitence"
    before = [total + more for total, more in zip(totals, result.points, strict=True)]
    there = [seat for seat, total in enumerate(before, 1) if total >= TARGET]
    if result.cards is None:
        if len(there) != 1:
            raise BadSheet(
                "ended_early", Phrase("exactly one player must have 61 points or more at that moment")
            )
        return list(result.points), there[0], "target"
    if there:
        raise BadSheet("points", UNKNOWN_FIRST)
    points = list(result.totals())
    there = [seat for seat, more in enumerate(points, 1) if totals[seat - 1] + more >= TARGET]
    return points, there[0] if there else None, "target" if there else "normal"
