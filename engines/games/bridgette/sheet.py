"""Bridgette: the result sheet (section 8)."""

from typing import Any

from ... import sheets
from ...forms import Door, Field, Form, Sentence, Step, rule
from ...phrases import Phrase
from .cards import BIDS, DENOMINATIONS, SEATS, TRICKS
from .marks import BONUS, FAULTS, Contract, Ending

TAKEN = "passed_out == False"
LEVELS = tuple({"level": level, "denomination": denomination} for level, denomination in BIDS)

FORM = Form(
    fields=(
        Field("passed_out", "flag", Phrase("passed out"), optional=True, usual=False),
        Field("declarer", "seat", Phrase("taker"), when=TAKEN),
        Field("level", "whole", Phrase("level"), most=7, when=TAKEN),
        Field("denomination", "choice", Phrase("denomination"), choices=DENOMINATIONS, when=TAKEN),
        Field("doubling", "choice", Phrase("contre or surcontre"), choices=tuple(BONUS), when=TAKEN,
              usual="none"),
        Field("tricks", "whole", Phrase("the taker's tricks"), most=TRICKS, when=TAKEN),
        Field("faults", "list", Phrase("faults"), when=TAKEN, optional=True, usual=[], of=(
            Field("seat", "seat", Phrase("seat")),
            Field("kind", "choice", Phrase("kind"), choices=tuple(FAULTS)),
        )),
    ),
    rules=(
        rule("level", "level != 0 or denomination == 'SA'", Phrase("can be 0 only for sans atout")),
    ),
    steps=(
        Step("seats", ("declarer",)),
        Step("grid", ("level", "denomination"), shapes=LEVELS),
        Step("chips", ("doubling",), rare=True),
        Step("keys", ("tricks",)),
    ),
    other=(
        Door(Phrase("passed out"), {"passed_out": True}),
        Door(Phrase("fault"), {}, ("faults",)),
    ),
    sentences=(
        Sentence(Phrase("Everybody passed."), "passed_out"),
        Sentence(Phrase("{declarer} played {level} {denomination} and took {tricks} tricks."), TAKEN,
                 {"declarer": "declarer", "level": "level", "denomination": "denomination",
                  "tricks": "tricks"}, seats=("declarer",)),
    ),
    example={"passed_out": False, "declarer": 1, "level": 4, "denomination": "H", "doubling": "none",
             "tricks": 11, "faults": []},
)  # fmt: skip


def result_of(sheet: Any) -> Ending | None:
    """The result on a sheet; None for a deal that was passed out."""
    told = sheets.check(FORM, sheet, seats=SEATS)
    if told["passed_out"]:
        return None
    contract = Contract(told["declarer"] - 1, told["level"], told["denomination"], told["doubling"])
    return Ending(contract, told["tricks"], tuple((one["seat"] - 1, one["kind"]) for one in told["faults"]))
