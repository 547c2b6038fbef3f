"""Loba: the result sheet (section 8)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ... import sheets
from ...contract import Settings
from ...errors import BadSheet
from ...forms import Door, Field, Form, Sentence, Step, rule
from ...phrases import Phrase
from .cards import CONTRACTS, HAND, JOKERS, PACK, penalty, size_of
from .marks import Ending

MENE = "(mene if mene != None else known.mene)"
ACE = "option.ace_points == 1"
LAST = len(CONTRACTS)  # who lays down in this mène has finished
LAID = f"(laid[seat] if laid != None else False if {MENE} == {LAST} else None)"
WHOLE_LEAST, WHOLE_MOST = f"(14 if {ACE} else 25)", f"(191 if {ACE} else 198)"  # of eleven cards
ONE_CARD = f"(1 if {ACE} else 2)"
MOST_LAID = f"((113, 100, 75, 50, 25) if {ACE} else (114, 100, 75, 50, 25))[{MENE}]"  # after a lay-down
LEAST = f"(0 if seat == finisher else {WHOLE_LEAST} if {LAID} == False else {ONE_CARD})"
MOST = f"(0 if seat == finisher else {MOST_LAID} if {LAID} == True else {WHOLE_MOST})"
WITHIN = f"({LEAST} <= points[seat] and points[seat] <= {MOST})"
ALL_POINTS = f"(828 if {ACE} else 932)"  # of the pack

FORM = Form(
    fields=(
        Field("mene", "whole", Phrase("mène"), least=1, most=LAST, optional=True, implied="known.mene"),
        Field("finisher", "seat", Phrase("the player who finished"), nobody=True),
        Field("points", "whole", Phrase("points left"), per_seat=True, optional=True,
              implied="0 if seat == finisher else None"),
        Field("laid", "flag", Phrase("has laid down"), per_seat=True, optional=True),
        Field("left", "list", Phrase("cards left"), per_seat=True, optional=True,
              of=(Field("it", "card", Phrase("card")),)),
    ),
    rules=(
        rule("mene", f"{MENE} != None", Phrase("is missing")),
        rule("mene", "mene == None or known.mene in (None, mene)", Phrase("this is mène {mene}"),
             mene="known.mene"),
        rule("laid", "finisher == None or laid == None or laid[finisher]",
             Phrase("a player who finished must have laid down")),
        rule("laid", f"{MENE} != {LAST} or laid == None or not laid[seat] or seat == finisher",
             Phrase("a player who lays down in the sixth mène has finished"), each="seat in seats"),
        rule("points", "(points == None) != (left == None)",
             Phrase("give either the points or the cards left, and not both")),
        rule("points", f"so_far(points) <= {ALL_POINTS}", Phrase("add up to more than the pack has")),
        rule("points", "seat != finisher or points[seat] == 0",
             Phrase("seat {seat} has finished, and so has 0 points"), each="seat in seats", seat="seat"),
        rule("points", f"{MENE} != {LAST} or {WITHIN}",
             Phrase("seat {seat}: in the sixth mène nobody else has laid down, so from {least} to {most}"),
             each="seat in seats", seat="seat", least=LEAST, most=MOST),
        rule("points", f"{LAID} != False or {WITHIN}",
             Phrase("seat {seat} has not laid down, and so has from {least} to {most}"),
             each="seat in seats", seat="seat", least=LEAST, most=MOST),
        rule("points", f"{LAID} != True or {WITHIN}",
             Phrase("seat {seat} has laid down, and so has from {least} to {most}"),
             each="seat in seats", seat="seat", least=LEAST, most=MOST),
        rule("points", WITHIN, Phrase("seat {seat}: from {least} to {most}"), each="seat in seats",
             seat="seat", least=LEAST, most=MOST),
    ),
    steps=(
        Step("keys", ("mene",), when="known.mene == None"),
        Step("seats", ("finisher",)),
        Step("square", ("points",), most=198),
    ),
    other=(Door(Phrase("nobody finished"), {"finisher": None}),),
    sentences=(
        Sentence(Phrase("{seat} finished; points left: {points}."), "finisher != None and points != None",
                 {"seat": "finisher", "points": "points"}, ("seat",)),
        Sentence(Phrase("Nobody finished; points left: {points}."), "finisher == None and points != None",
                 {"points": "points"}),
        Sentence(Phrase("{seat} finished."), "finisher != None and points == None", {"seat": "finisher"},
                 ("seat",)),
        Sentence(Phrase("Nobody finished."), "finisher == None and points == None"),
    ),
    example={"mene": 1, "finisher": 1, "points": [0, 31, 88]},
)  # fmt: skip


def result_of(sheet: Any, seats: int, options: Settings, known: Settings) -> Ending:
    """The result on a sheet of a mène."""
    told = sheets.check(FORM, sheet, seats=seats, options=options, known=known)
    finisher = None if told["finisher"] is None else told["finisher"] - 1
    if told["points"] is not None:
        return Ending(tuple(told["points"]), finisher)
    mene = int(told["mene"] or known["mene"])
    return Ending(penalties(told, mene, finisher, int(options["ace_points"])), finisher)


def penalties(told: Mapping[str, Any], mene: int, finisher: int | None, ace: int) -> tuple[int, ...]:
    """The penalties of the cards left, if the pack has them, and each seat may have so many."""
    left, laid = told["left"], told["laid"]
    together = [card for cards in left for card in cards]
    if not all(card in PACK or card == "JK" for card in together):
        raise BadSheet("left", Phrase("has cards that are not in the pack"))
    counts = Counter(together)
    jokers = sum(counts[joker] for joker in ("JK", *JOKERS))
    if any(count > PACK.copies for card, count in counts.items() if card != "JK") or jokers > 4:
        raise BadSheet("left", Phrase("has more copies of a card than the pack"))
    for seat, cards in enumerate(left):
        if len(cards) not in sizes(mene, seat == finisher, None if laid is None else laid[seat]):
            raise BadSheet(
                "left", Phrase("seat {seat} cannot have {count} cards left", seat=seat + 1, count=len(cards))
            )
    return tuple(sum(penalty(card, ace) for card in cards) for cards in left)


def sizes(mene: int, finished: bool, laid: bool | None) -> Sequence[int]:
    """How many cards a seat can have left."""
    if finished:
        return (0,)
    after = range(1, HAND - size_of(mene) + 1)
    return (HAND, *after) if laid is None else after if laid else (HAND,)
