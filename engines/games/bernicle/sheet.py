"""Bernicle: the result sheet (section 8)."""

from ...forms import Door, Field, Form, Sentence, Step, rule
from ...phrases import Phrase
from .cards import PACK, TRICKS

OPENINGS = (150, 160)
LETTERS = tuple(PACK.suit_letters)
MUST_OPEN = Phrase("the player at the dealer's left must open, with 150 or 160")
LEAST_POINTS, ALL_POINTS, MOST_IN_A_TRICK = 110, 200, 30
TAKEN = "taker != None"

FORM = Form(
    fields=(
        Field("taker", "seat", Phrase("taker"), nobody=True),
        Field("contract", "whole", Phrase("contract"), least=OPENINGS[0], step=10, when=TAKEN),
        Field("trump", "choice", Phrase("trump suit"), choices=LETTERS, when=TAKEN, optional=True),
        Field("combos", "whole", Phrase("combinations"), per_seat=True, step=10, when=TAKEN),
        Field("tricks", "whole", Phrase("tricks"), per_seat=True, most=TRICKS, total=str(TRICKS),
              when=f"{TAKEN} and fault == None"),
        Field("points", "whole", Phrase("card points"), per_seat=True, most=ALL_POINTS, step=5,
              when=f"{TAKEN} and fault in (None, taker)"),
        Field("niche", "whole", Phrase("niche"), step=10, when=TAKEN),
        Field("fault", "seat", Phrase("fault"), when=TAKEN, optional=True),
    ),
    rules=(
        rule("taker", "taker != None or option.opening == 'free'", MUST_OPEN),
        rule("points", f"so_far(points) <= {ALL_POINTS} or points == None",
             Phrase("add up to {total}; the pack has 200"), total="so_far(points)"),
        rule("points", f"fault != None or sum(points) >= {LEAST_POINTS}",
             Phrase("add up to {total}; the nine cards of the niche hold at most 90 of the 200"),
             total="sum(points)"),
        rule("points", f"tricks == None or points[seat] <= {MOST_IN_A_TRICK} * tricks[seat]",
             Phrase("seat {seat}: a trick has at most 30 points"), each="seat in seats", seat="seat"),
    ),
    steps=(
        Step("grid", ("contract", "taker"), most=990),
        Step("square", ("combos",), first="taker", most=1490),
        Step("keys", ("tricks",), first="taker"),
        Step("square", ("points",), first="taker"),
        Step("square", ("niche",), most=1490),
    ),
    other=(
        Door(Phrase("nobody took"), {"taker": None}),
        Door(Phrase("fault"), {}, ("fault",)),
    ),
    sentences=(
        Sentence(Phrase("Everybody passed."), "taker == None"),
        Sentence(Phrase("{taker} took at {contract} and has {points} in tricks, {combos} in combinations; "
                        "niche {niche}."), "taker != None and fault == None",
                 {"taker": "taker", "contract": "contract", "points": "points[taker]",
                  "combos": "combos[taker]", "niche": "niche"}, seats=("taker",)),
        Sentence(Phrase("{taker} took at {contract}; {seat} committed a fault."), "fault != None",
                 {"taker": "taker", "contract": "contract", "seat": "fault"}, seats=("taker", "seat")),
    ),
    example={"taker": 1, "contract": 250, "combos": [140, 0, 0], "tricks": [7, 3, 3],
             "points": [120, 40, 20], "niche": 30},
)  # fmt: skip
