"""Belote Noisette: the result sheet (section 8)."""

from typing import Any

from ... import sheets
from ...contract import Field
from ...errors import BadSheet
from ...phrases import Phrase
from .cards import BELOTE_POINTS, LEFT_OF, SEATS, TOTAL, Deal
from .marks import Ending
from .play import NOT_PROPOSED


def result_of(
    fields: tuple[Field, ...], sheet: Any, *, dealer: int | None, deal: Deal | None, removed: str
) -> Ending:
    """The result on a sheet, checked against what is known of the board."""
    if isinstance(sheet, dict):
        sheet = {name: value for name, value in sheet.items() if value is not None}
    sheets.check(fields, sheet, seats=SEATS)
    declarer, stage, points = sheet["taker"] - 1, sheet["stage"], tuple(sheet["points"])
    belote = sheet["belote"] - 1 if "belote" in sheet else None
    if stage == "forced" and dealer is not None and declarer != LEFT_OF[dealer - 1]:
        raise BadSheet("stage", Phrase("only the player at the dealer's left can be forced to take"))
    wanted = TOTAL + (BELOTE_POINTS if belote is not None else 0)
    if sum(points) != wanted:
        raise BadSheet(
            "points",
            Phrase("add up to {total}; here they must add up to {wanted}", total=sum(points), wanted=wanted),
        )
    if 1 in points:
        raise BadSheet("points", Phrase("no seat can have 1 point"))
    if belote is not None and (points[belote] < BELOTE_POINTS or points[belote] == BELOTE_POINTS + 1):
        raise BadSheet(
            "points", Phrase("with its belote seat {seat} has 10 points, or 12 and more", seat=belote + 1)
        )
    if "trump" in sheet:
        check_trump(sheet["trump"], stage, deal, removed)
    check_faults(sheet.get("faults", []))
    return Ending(declarer, stage, belote, points)


def check_trump(suit: str, stage: str, deal: Deal | None, removed: str) -> None:
    if suit == removed:
        raise BadSheet("trump", Phrase("this suit is not in the pack"))
    if deal is not None:
        turned = [deal.turned] if stage == "1" else [deal.turned, deal.stock[3]]
        if suit not in [card[1] for card in turned]:
            raise BadSheet("trump", NOT_PROPOSED)


def check_faults(faults: Any) -> None:
    wanted = Phrase("each needs a seat, and the points that moved: a list of “to” (a seat) and “points”")
    for fault in faults:
        good = (
            isinstance(fault, dict) and set(fault) == {"seat", "moved"} and isinstance(fault["moved"], list)
        )
        if not good or not sheets.is_whole(fault["seat"], 1, SEATS):
            raise BadSheet("faults", wanted)
        for move in fault["moved"]:
            if not isinstance(move, dict) or set(move) != {"to", "points"}:
                raise BadSheet("faults", wanted)
            if not sheets.is_whole(move["to"], 1, SEATS) or not sheets.is_whole(move["points"], 0, TOTAL):
                raise BadSheet("faults", wanted)
