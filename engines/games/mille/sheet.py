"""Mille: the result sheet (section 8)."""

from typing import Any

from ...errors import BadSheet
from ...forms import Door, Field, Form, Sentence, Step, rule
from ...phrases import Phrase
from .cards import MARRIAGE, PACK, SEATS, Deal, marriages_in
from .marks import Ending

LEAST_BID, MOST_BID, WITHOUT_MARRIAGE = 100, 400, 120
NO_BOMB = Phrase("this seat has no bomb on this board")
FAULTS = ("revoke", "no_trump", "trumped", "false_marriage")
ALL_POINTS = 120
COUNTED = "(end == 'played' or fault.seat == taker)"
SUITS = tuple(MARRIAGE)

FORM = Form(
    fields=(
        Field("taker", "seat", Phrase("taker")),
        Field("contract", "whole", Phrase("contract"), least=LEAST_BID, most=MOST_BID, step=5),
        Field("end", "choice", Phrase("end of the deal"), choices=("played", "bomb", "fault"), optional=True,
              usual="played"),
        Field("points", "whole", Phrase("card points"), per_seat=True, most=ALL_POINTS, never=(1, 119),
              when=COUNTED, total=f"{ALL_POINTS} if end == 'played' else None"),
        Field("marriages", "list", Phrase("marriages"), when=COUNTED, optional=True, usual=[], of=(
            Field("suit", "choice", Phrase("suit"), choices=SUITS),
            Field("seat", "seat", Phrase("seat")),
        )),
        Field("fault", "object", Phrase("fault"), when="end == 'fault'", of=(
            Field("seat", "seat", Phrase("seat")),
            Field("kind", "choice", Phrase("kind"), choices=FAULTS),
        )),
    ),
    rules=(
        rule("contract", f"contract != {LEAST_BID} or taker == known.dealer % {SEATS} + 1",
             Phrase("only the player at the dealer's left can take for 100")),
        rule("end", "end != 'bomb' or taker in known.bombs", NO_BOMB),
        rule("points", f"so_far(points) <= {ALL_POINTS}",
             Phrase("add up to {total}; the pack has 120"), total="so_far(points)"),
        rule("marriages", "distinct(one.suit for one in marriages)",
             Phrase("each suit has only one marriage")),
        rule("marriages", "count((one.seat for one in marriages), seat) <= 3",
             Phrase("a seat can announce three at most, since it must win a trick before each"),
             each="seat in seats"),
        rule("marriages", "sum(1 for one in marriages if points[one.seat] == 0) <= 1",
             Phrase("a seat without points can announce only one marriage, after a trick of three nines")),
    ),
    steps=(
        Step("grid", ("contract", "taker")),
        Step("square", ("points",), first="taker"),
        Step("facts", ("marriages",), rare=True),
    ),
    other=(
        Door(Phrase("bomb"), {"end": "bomb"}),
        Door(Phrase("fault"), {"end": "fault"}, ("fault",)),
    ),
    sentences=(
        Sentence(Phrase("{taker} took at {contract} and made {points} in tricks, {marriages} in marriages."),
                 "end == 'played'",
                 {"taker": "taker", "contract": "contract", "points": "points[taker]",
                  "marriages": "sum((100 if one.suit == 'H' else 80 if one.suit == 'D' else 60 if "
                               "one.suit == 'C' else 40) for one in marriages if one.seat == taker)"},
                 seats=("taker",)),
        Sentence(Phrase("{taker} took at {contract} and used the bomb."), "end == 'bomb'",
                 {"taker": "taker", "contract": "contract"}, seats=("taker",)),
        Sentence(Phrase("{taker} took at {contract}; {seat} committed a fault."), "end == 'fault'",
                 {"taker": "taker", "contract": "contract", "seat": "fault.seat"}, seats=("taker", "seat")),
    ),
    example={"taker": 2, "contract": 120, "end": "played", "points": [30, 74, 16],
             "marriages": [{"suit": "C", "seat": 2}]},
)  # fmt: skip


def result_of(told: dict[str, Any], deal: Deal | None = None) -> Ending:
    """The result on a complete sheet, checked against what is known of the board."""
    result = Ending.from_sheet(FORM, told)
    if (
        deal is not None
        and result.contract > WITHOUT_MARRIAGE
        and not marriages_in(PACK, deal.hands[result.taker])
    ):
        raise BadSheet("contract", Phrase("the taker was dealt no marriage: 120 at most"))
    return result
