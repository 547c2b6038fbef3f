"""Mille: the result sheet (section 8)."""

from collections.abc import Sequence
from typing import Any

from ... import sheets
from ...contract import Field, Sheet
from ...errors import BadSheet
from ...phrases import Phrase
from .cards import LEFT_OF, MARRIAGE, PACK, SEATS, Deal, has_marriage
from .marks import Ending
from .play import LEAST_BID, NO_BOMB, WITHOUT_MARRIAGE

FAULTS = ("revoke", "no_trump", "trumped", "false_marriage")


def result_of(
    fields: tuple[Field, ...],
    sheet: Any,
    *,
    dealer: int | None,
    bombs: Sequence[int] | None,
    deal: Deal | None,
) -> Ending:
    """The result on a sheet, checked against what is known of the board."""
    if isinstance(sheet, dict):
        sheet = {name: value for name, value in sheet.items() if value is not None}
    sheets.check(fields, sheet, seats=SEATS)
    declarer, contract, end = sheet["taker"] - 1, sheet["contract"], sheet.get("end", "played")
    if contract % 5:
        raise BadSheet("contract", Phrase("must be a multiple of five"))
    if contract == LEAST_BID and dealer is not None and declarer != LEFT_OF[dealer - 1]:
        raise BadSheet("contract", Phrase("only the player at the dealer's left can take for 100"))
    if contract > WITHOUT_MARRIAGE and deal is not None and not has_marriage(PACK, deal.hands[declarer]):
        raise BadSheet("contract", Phrase("the taker was dealt no marriage: 120 at most"))
    if end == "bomb" and bombs is not None and declarer + 1 not in bombs:
        raise BadSheet("end", NO_BOMB)
    offender = offender_of(sheet, end)
    counted = end == "played" or offender == declarer
    for name in ("points", "marriages"):
        if name in sheet and not counted:
            raise BadSheet(name, Phrase("must be left out: nothing is counted in this deal"))
    if not counted:
        return Ending(declarer, contract, end, offender=offender)
    points = points_of(sheet, end)
    marriages = marriages_of(sheet.get("marriages", []), points)
    return Ending(declarer, contract, end, points, marriages, offender)


def offender_of(sheet: Sheet, end: str) -> int | None:
    fault = sheet.get("fault")
    if (fault is not None) != (end == "fault"):
        raise BadSheet("fault", Phrase("belongs only to the outcome “fault”"))
    if fault is None:
        return None
    if set(fault) != {"seat", "kind"} or not sheets.is_whole(fault["seat"], 1, SEATS):
        raise BadSheet("fault", Phrase("each needs a seat and a kind"))
    if fault["kind"] not in FAULTS:
        raise BadSheet("fault", Phrase("its kind must be one of: {values}", values=", ".join(FAULTS)))
    return int(fault["seat"]) - 1


def points_of(sheet: Sheet, end: str) -> tuple[int, ...]:
    if "points" not in sheet:
        raise BadSheet("points", Phrase("is missing"))
    points = tuple(sheet["points"])
    if set(points) & {1, 119}:
        raise BadSheet("points", Phrase("no seat can have 1 point, or 119"))
    if sum(points) > 120 or (end == "played" and sum(points) != 120):
        raise BadSheet("points", Phrase("add up to {total}; the pack has 120", total=sum(points)))
    return points


def marriages_of(given: Any, points: Sequence[int]) -> tuple[tuple[int, str], ...]:
    marriages = []
    for one in given:
        if not isinstance(one, dict) or set(one) != {"suit", "seat"} or one["suit"] not in list(MARRIAGE):
            raise BadSheet("marriages", Phrase("each needs a suit (S, H, D or C) and a seat"))
        if not sheets.is_whole(one["seat"], 1, SEATS):
            raise BadSheet("marriages", Phrase("must be a seat from 1 to {seats}", seats=SEATS))
        marriages.append((one["seat"] - 1, one["suit"]))
    if len({suit for _, suit in marriages}) < len(marriages):
        raise BadSheet("marriages", Phrase("each suit has only one marriage"))
    seats = [seat for seat, _ in marriages]
    if any(seats.count(seat) > 3 for seat in seats):
        raise BadSheet(
            "marriages", Phrase("a seat can announce three at most, since it must win a trick before each")
        )
    pointless = [seat for seat in seats if not points[seat]]
    if len(pointless) > 1:
        raise BadSheet(
            "marriages",
            Phrase("a seat without points can announce only one marriage, after a trick of three nines"),
        )
    return tuple(marriages)
