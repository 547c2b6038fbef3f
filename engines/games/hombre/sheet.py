"""L'Hombre: the result sheet (section 8)."""

from dataclasses import replace
from typing import Any

from ... import sheets
from ...contract import Settings
from ...forms import Door, Field, Form, Sentence, Step, rule
from ...phrases import Phrase
from .cards import SEATS, TRICKS
from .marks import Ending, result_of
from .play import CONTRACTS

TAKEN = "contract != 'none'"
MADE = (
    "(made if made != None else tricks[hombre] == 9 if contract == 'vole' else all(tricks[hombre] > "
    "tricks[seat] for seat in seats if seat != hombre) if contract == 'prendre' and option.prendre_goal == "
    "'plurality' else tricks[hombre] >= 5)"
)
CODILLE = "(contract == 'prendre' and any(tricks[seat] >= 5 for seat in seats if seat != hombre))"
COLLECTOR = f"({TAKEN} and ({MADE} or {CODILLE}))"
COLLECTING = f"hombre if {MADE} else sum(seat for seat in seats if tricks[seat] >= 5)"

FORM = Form(
    fields=(
        Field("contract", "choice", Phrase("contract"), choices=("none", *CONTRACTS)),
        Field("hombre", "seat", Phrase("hombre"), when=TAKEN),
        Field("tricks", "whole", Phrase("tricks"), per_seat=True, most=TRICKS, total=str(TRICKS), when=TAKEN,
              optional=True, needed="made == None"),
        Field("made", "flag", Phrase("vole made"), when="contract == 'vole'", optional=True,
              implied="tricks[hombre] == 9"),
        Field("matadors", "whole", Phrase("matadors"), most=3, when=TAKEN,
              optional=True),
        Field("trump", "choice", Phrase("trump suit"), choices=tuple("SHDC"), when=TAKEN, optional=True),
    ),
    rules=(
        rule("made", "made == None or tricks == None or made == (tricks[hombre] == 9)",
             Phrase("does not agree with the tricks")),
        rule("matadors", f"matadors in (None, 0) or {COLLECTOR}",
             Phrase("nobody takes the pot alone: leave it empty")),
        rule("matadors", f"matadors != None or not {COLLECTOR}",
             Phrase("is missing: how many did seat {seat} hold?"),
             seat=COLLECTING),
    ),
    steps=(
        Step("grid", ("contract", "hombre"), shapes=tuple(
            {"contract": contract, "hombre": seat} for contract in CONTRACTS for seat in (1, 2, 3)
        )),
        Step("chips", ("made",), when="contract == 'vole'"),
        Step("keys", ("tricks",), when="contract != 'vole'", first="hombre"),
        Step("keys", ("matadors",), when=COLLECTOR,
             ask=Phrase("matadors of the seat that takes the pot")),
    ),
    other=(Door(Phrase("passed out"), {"contract": "none"}),),
    sentences=(
        Sentence(Phrase("Everybody passed."), "contract == 'none'"),
        Sentence(Phrase("{hombre} is the hombre: {contract}; tricks {tricks}; {collector} takes the pot, "
                        "matadors: {matadors}."),
                 f"{TAKEN} and tricks != None and {COLLECTOR}",
                 {"hombre": "hombre", "contract": "contract", "tricks": "tricks", "collector": COLLECTING,
                  "matadors": "matadors"}, seats=("hombre", "collector")),
        Sentence(Phrase("{hombre} is the hombre: {contract}; tricks {tricks}."),
                 f"{TAKEN} and tricks != None and not {COLLECTOR}",
                 {"hombre": "hombre", "contract": "contract", "tricks": "tricks"}, seats=("hombre",)),
        Sentence(Phrase("{hombre} played the vole and made it; matadors: {matadors}."),
                 f"{TAKEN} and tricks == None and made",
                 {"hombre": "hombre", "matadors": "matadors"}, seats=("hombre",)),
        Sentence(Phrase("{hombre} played the vole and lost it."), f"{TAKEN} and tricks == None and not made",
                 {"hombre": "hombre"}, seats=("hombre",)),
    ),
    example={"contract": "prendre", "hombre": 1, "tricks": [4, 3, 2], "matadors": 1},
)  # fmt: skip


def result_on(sheet: Any, options: Settings) -> Ending | None:
    """The result on a sheet; None for a deal that was passed out."""
    told = sheets.check(FORM, sheet, seats=SEATS, options=options)
    if told["contract"] == "none":
        return None
    result = result_of(told["contract"], told["hombre"] - 1, told["tricks"] or (), told["made"], options)
    return result if result.collector is None else replace(result, matadors=told["matadors"])
