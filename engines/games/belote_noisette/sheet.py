"""Belote Noisette: the result sheet (section 8)."""

from typing import Any

from ... import sheets
from ...contract import Settings
from ...errors import BadSheet
from ...forms import Field, Form, Sentence, Step, rule
from ...phrases import Phrase
from .cards import BELOTE_POINTS, SEATS, SUITS, TOTAL, Deal
from .marks import Ending

NOT_PROPOSED = Phrase("only the suit of a turned card can be trumps")

FORM = Form(
    fields=(
        Field("taker", "seat", Phrase("taker")),
        Field("stage", "choice", Phrase("taken in round"), choices=("1", "2", "forced")),
        Field("belote", "seat", Phrase("belote"), optional=True),
        Field("points", "whole", Phrase("card points"), per_seat=True, never=(1,),
              total=f"{TOTAL} if belote == None else {TOTAL + BELOTE_POINTS}"),
        Field("trump", "choice", Phrase("trump suit"), choices=tuple(SUITS), optional=True),
        Field("faults", "list", Phrase("faults"), optional=True, of=(
            Field("seat", "seat", Phrase("seat")),
            Field("moved", "list", Phrase("points that moved"), of=(
                Field("to", "seat", Phrase("to")),
                Field("points", "whole", Phrase("points"), most=TOTAL),
            )),
        )),
    ),
    rules=(
        rule("stage", f"stage != 'forced' or taker == known.dealer % {SEATS} + 1",
             Phrase("only the player at the dealer's left can be forced to take")),
        rule("points", f"points[belote] >= {BELOTE_POINTS} and points[belote] != {BELOTE_POINTS + 1} or "
                       "belote == None",
             Phrase("with its belote seat {seat} has 10 points, or 12 and more"), seat="belote"),
        rule("trump", "trump != option.removed_suit or trump == None",
             Phrase("this suit is not in the pack")),
    ),
    steps=(
        Step("grid", ("stage", "taker")),
        Step("square", ("points",), first="taker", most=TOTAL + BELOTE_POINTS),
        Step("facts", ("belote",), rare=True),
    ),
    sentences=(
        Sentence(Phrase("{taker} took in the {stage} and made {points} of {total}."), "stage != 'forced'",
                 {"taker": "taker", "stage": "stage", "points": "points[taker]", "total": "sum(points)"},
                 seats=("taker",)),
        Sentence(Phrase("{taker} was forced to take and made {points} of {total}."), "stage == 'forced'",
                 {"taker": "taker", "points": "points[taker]", "total": "sum(points)"}, seats=("taker",)),
    ),
    example={"taker": 2, "stage": "1", "belote": None, "points": [40, 67, 25]},
)  # fmt: skip


def result_of(sheet: Any, options: Settings, *, known: Settings, deal: Deal | None = None) -> Ending:
    """The result on a sheet, checked against what is known of the board."""
    told = sheets.check(FORM, sheet, seats=SEATS, options=options, known=known)
    result = Ending.from_sheet(FORM, told)
    if deal is not None and result.trump is not None:
        turned = [deal.turned] if result.stage == "1" else [deal.turned, deal.stock[3]]
        if result.trump not in [card[1] for card in turned]:
            raise BadSheet("trump", NOT_PROPOSED)
    return result
