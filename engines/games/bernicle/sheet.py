"""Bernicle: the result sheet (section 8)."""

from collections.abc import Sequence
from typing import Any

from ... import sheets
from ...contract import Field, Settings
from ...errors import BadSheet
from ...phrases import Phrase
from .cards import SEATS, TRICKS
from .marks import Ending
from .play import MUST_OPEN

LEAST_POINTS, ALL_POINTS, MOST_IN_A_TRICK = 110, 200, 30


def result_of(fields: tuple[Field, ...], sheet: Any, options: Settings) -> Ending | None:
    """The result on a sheet; None for a deal that was passed out."""
    if isinstance(sheet, dict):
        sheet = {name: value for name, value in sheet.items() if value is not None or name == "taker"}
    sheets.check(fields, sheet, seats=SEATS)
    if sheet["taker"] is None:
        if options["opening"] == "forced":
            raise BadSheet("taker", MUST_OPEN)
        for name in sheet:
            if name != "taker":
                raise BadSheet(name, Phrase("must be left out: nobody took"))
        return None
    taker = sheet["taker"] - 1
    fault = sheet["fault"] - 1 if "fault" in sheet else None
    wanted = {"contract", "combos", "niche"}
    wanted |= {"tricks", "points"} if fault is None else {"points"} if fault == taker else set()
    for field in fields:
        if field.name in wanted and field.name not in sheet:
            raise BadSheet(field.name, Phrase("is missing"))
        if field.name in {"tricks", "points"} - wanted and field.name in sheet:
            raise BadSheet(field.name, Phrase("must be left out: a fault stopped the deal"))
    for name, step in (("contract", 10), ("combos", 10), ("points", 5), ("niche", 10)):
        value = sheet.get(name, 0)
        if any(one % step for one in (value if isinstance(value, list) else [value])):
            raise BadSheet(name, Phrase("must be a multiple of {step}", step=step))
    tricks, points = tuple(sheet.get("tricks", ())), tuple(sheet.get("points", ()))
    check_tricks(tricks, points)
    return Ending(taker, sheet["contract"], tuple(sheet["combos"]), sheet["niche"], tricks, points, fault)


def check_tricks(tricks: Sequence[int], points: Sequence[int]) -> None:
    if sum(points) > ALL_POINTS:
        raise BadSheet("points", Phrase("add up to {total}; the pack has 200", total=sum(points)))
    if not tricks:
        return
    if sum(tricks) != TRICKS:
        raise BadSheet("tricks", Phrase("add up to {total}; thirteen tricks are played", total=sum(tricks)))
    if sum(points) < LEAST_POINTS:
        raise BadSheet(
            "points",
            Phrase(
                "add up to {total}; the nine cards of the niche hold at most 90 of the 200", total=sum(points)
            ),
        )
    for seat, (won, scored) in enumerate(zip(tricks, points, strict=True), 1):
        if scored > MOST_IN_A_TRICK * won:
            raise BadSheet("points", Phrase("seat {seat}: a trick has at most 30 points", seat=seat))
