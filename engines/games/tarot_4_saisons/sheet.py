"""Tarot 4 saisons: the result sheet (section 8)."""

from collections.abc import Iterable
from typing import Any

from ... import sheets
from ...choices import TWICE
from ...contract import Settings
from ...errors import BadSheet
from ...expressions import expression
from ...forms import Door, Field, Form, Sentence, Step, rare, rule
from ...phrases import Phrase
from .cards import (
    ALL_POINTS,
    BIDS,
    CONTRACTS,
    FIGURES,
    PACK,
    PASSED_OUT,
    RANKED,
    SEATS,
    SUITS,
    TRICKS,
    TRUMPS,
    Deal,
    card_points,
)
from .marks import FAULTS, RESISTANCE, Ending

NOT_YOURS = Phrase("only the taker can contract a capot, and only the opponents a resistance")

FEATS = {
    "petit-au-bout": Phrase("Petit in the last trick"),
    "deux-avant-dernier": Phrase("two of trumps in the last trick but one"),
    "quasi": Phrase("all tricks but one"), "quatre-rois": Phrase("four kings"),
    "capot": Phrase("all tricks"), "resistance": Phrase("62 points in defence"),
}  # fmt: skip


def among(names: Iterable[str]) -> str:
    return str(list(names))


ANNULLING_KINDS = [kind for kind, penalty in FAULTS.items() if penalty.annuls]
ANNULLING = among(ANNULLING_KINDS)
COUNTED = f"not any(fault.kind in {ANNULLING} for fault in faults)"
TAKEN = f"bid not in (None, '{PASSED_OUT}')"
PLAYED = f"{TAKEN} and {COUNTED}"
WITH_DOG = {
    side: f"bid in {among(name for name, bid in BIDS.items() if bid.dog_to == side)}"
    for side in ("taker", "opponents")
}


def own(seat: str) -> str:
    """The points of a seat with the dog, where it counts for that seat."""
    with_dog = f"({WITH_DOG['taker']} if {seat} == taker else {WITH_DOG['opponents']})"
    return f"points[{seat}] + (dog if {with_dog} else 0)"


MADE = (
    "petit_au_bout == one.seat if one.id == 'petit-au-bout' else deux_avant_dernier == one.seat if one.id == "
    f"'deux-avant-dernier' else tricks[one.seat] == {TRICKS - 1} if one.id == 'quasi' else tricks[one.seat] "
    f"== {TRICKS} if one.id == 'capot' else {own('one.seat')} >= {RESISTANCE} if one.id == 'resistance' else "
    "one.made"
)


def feat(name: str, label: Phrase) -> Field:
    return Field(name, "seat", label, nobody=True, when=PLAYED, usual=None)


FORM = Form(
    fields=(
        Field("bid", "choice", Phrase("bid"), choices=(PASSED_OUT, *RANKED), optional=True, needed=COUNTED),
        Field("taker", "seat", Phrase("taker"), when=TAKEN),
        Field("lowered", "flag", Phrase("stake lowered"), when=TAKEN, optional=True, needed=COUNTED,
              usual=False),
        Field("game_contred", "flag", Phrase("game contred"), when=TAKEN, optional=True, needed=COUNTED,
              usual=False),
        Field("tricks", "whole", Phrase("tricks"), per_seat=True, most=TRICKS, total=str(TRICKS),
              when=PLAYED),
        Field("points", "whole", Phrase("card points"), per_seat=True, most=ALL_POINTS, when=PLAYED,
              implied="0 if tricks[seat] == 0 else None"),
        Field("dog", "whole", Phrase("points of the dog"), most=50, when=PLAYED,
              implied=f"{ALL_POINTS} - sum(points)"),
        Field("contracts", "list", Phrase("contracts"), when=PLAYED, usual=[], of=(
            Field("seat", "seat", Phrase("seat")),
            Field("id", "choice", Phrase("contract"), choices=CONTRACTS),
            Field("contred", "flag", Phrase("contred")),
            Field("made", "flag", Phrase("contract made")),
        )),
        feat("petit_au_bout", FEATS["petit-au-bout"]),
        feat("deux_avant_dernier", FEATS["deux-avant-dernier"]),
        feat("trois_bouts", Phrase("three bouts")),
        feat("quatre_as", Phrase("four aces")),
        Field("misere", "seats", Phrase("misère"), when=COUNTED, usual=[]),
        Field("suites", "whole", Phrase("suites"), per_seat=True, most=3, when=PLAYED, usual=[0] * SEATS),
        feat("excuse_late", Phrase("Excuse in the last two tricks")),
        Field("passed_before", "whole", Phrase("deals passed before"), when=COUNTED, optional=True),
        Field("faults", "list", Phrase("faults"), optional=True, usual=[], of=(
            Field("seat", "seat", Phrase("seat")),
            Field("kind", "choice", Phrase("kind"), choices=tuple(FAULTS)),
        )),
    ),
    rules=(
        rule("faults", "all(fault.seat == taker or fault.kind not in ('dog-fault', 'dog-fault-exchanged') "
                       "for fault in faults)", Phrase("only the taker can commit a fault with the dog")),
        rule("faults", "all(fault.seat == known.dealer or fault.kind not in ('misdeal', "
                       "'misdeal-repairable') for fault in faults)",
             Phrase("only the dealer, seat {seat}, can misdeal"), seat="known.dealer"),
        rule("faults", f"sum(1 for fault in faults if fault.kind in {ANNULLING}) <= 1",
             Phrase("only one fault can annul a deal")),
        rule("lowered", f"not lowered or bid in {among(name for name, bid in BIDS.items() if bid.option)}",
             Phrase("only 2 + 2 and 1 + 1 can be lowered")),
        rule("points", "points[seat] == 0 or tricks[seat] > 0 or points == None",
             Phrase("seat {seat} has points without a trick"), each="seat in seats", seat="seat"),
        rule("points", f"sum(points) + dog == {ALL_POINTS}",
             Phrase("add up to {total} with those of the dog; the pack has {all}"), total="sum(points) + dog",
             all=str(ALL_POINTS)),
        rule("suites", f"so_far(suites) <= {len(SUITS)}", Phrase("there are only four suits")),
        *(
            rule(name, f"{name} == None or tricks[{name}] >= (2 if petit_au_bout == deux_avant_dernier else "
                       "1)",
                 Phrase("this seat has won too few tricks"))
            for name in ("petit_au_bout", "deux_avant_dernier")
        ),
        *(
            rule(name, f"{name} == None or points[{name}] + (dog if {WITH_DOG['taker']} and {name} == taker "
                       f"else 0) >= {least}", Phrase("these cards alone are worth {points}"),
                 points=str(least))
            for name, least in (("trois_bouts", 30), ("quatre_as", 16))
        ),
        rule("excuse_late", f"excuse_late == None or tricks[excuse_late] < {TRICKS}",
             Phrase("the player of the Excuse does not win that trick")),
        rule("contracts", "one.seat == taker if one.id == 'capot' else one.seat != taker or one.id != "
                          "'resistance'", NOT_YOURS, each="one in contracts"),
        rule("contracts", "one.id != 'capot' or not one.contred", Phrase("a capot cannot be contred"),
             each="one in contracts"),
        rule("contracts", f"one.made == ({MADE})",
             Phrase("{id} of seat {seat}: made does not agree with the rest of the sheet"),
             each="one in contracts", id="one.id", seat="one.seat"),
        rule("contracts", "distinct((one.seat, one.id) for one in contracts)", TWICE),
        rule("contracts", "sum(1 for one in contracts if one.id == 'quatre-rois' and one.made) <= 1",
             Phrase("only one seat can own the four kings")),
    ),
    steps=(
        Step("grid", ("bid", "taker"), shapes=tuple(
            {"bid": bid, "taker": seat} for bid in RANKED for seat in (1, 2, 3)
        )),
        Step("keys", ("tricks",), first="taker"),
        Step("square", ("points",), first="taker", most=149),
        *rare("facts", "petit_au_bout", "deux_avant_dernier", "trois_bouts", "quatre_as", "excuse_late",
              "suites", "misere"),
        *rare("list", "contracts"),
        *rare("chips", "lowered", "game_contred"),
    ),
    other=(
        Door(Phrase("passed out"), {"bid": PASSED_OUT}),
        Door(Phrase("fault"), {}, ("faults",)),
    ),
    sentences=(
        Sentence(Phrase("Everybody passed."), f"bid == '{PASSED_OUT}'"),
        Sentence(Phrase("{taker} took ({bid}) and made {own}; the others {points} together."), PLAYED,
                 {"taker": "taker", "bid": "bid", "own": own("taker"),
                  "points": f"sum({own('seat')} for seat in seats if seat != taker)"}, seats=("taker",)),
    ),
    example={
        "bid": "tout", "taker": 1, "lowered": False, "game_contred": False, "tricks": [7, 5, 3],
        "points": [80, 52, 41], "dog": 12, "contracts": [], "petit_au_bout": None,
        "deux_avant_dernier": None, "trois_bouts": None, "quatre_as": None, "misere": [],
        "suites": [0] * SEATS, "excuse_late": None,
    },
)  # fmt: skip


def result_of(sheet: Any, known: Settings, deal: Deal | None = None) -> Ending:
    """The result on a sheet, checked against what is known of the board. After a fault that annuls the deal
    only the stake is looked at."""
    bid = sheet.get("bid") if isinstance(sheet, dict) else None
    kept = ("taker", "lowered", "game_contred") if bid in RANKED else ()
    sheet = sheets.annulled(FORM, sheet, ANNULLING_KINDS, kept=kept)
    told = sheets.check(FORM, sheet, seats=SEATS, known=known)
    if deal is not None:
        check_against(deal, told)
    return Ending.from_sheet(FORM, told)


def is_made(result: Ending, seat: int, contract: str, kings: int | None) -> bool:
    """Whether a contract is kept; `kings`: the seat that owns the four kings, which no sheet says."""
    one = {"seat": seat + 1, "id": contract, "made": kings == seat}
    return expression(MADE).value(result.around(FORM, SEATS) | {"one": one}) is True


def check_against(deal: Deal, told: dict[str, Any]) -> None:
    """What the cards of the board rule out."""
    for fault in told["faults"]:
        if fault["kind"] == "no-trump" and deal.hands[fault["seat"] - 1] & TRUMPS:
            raise BadSheet("faults", Phrase("seat {seat} was dealt a trump", seat=fault["seat"]))
    if told["passed_before"]:
        raise BadSheet("passed_before", Phrase("must be 0 on a board: nothing is carried over"))
    for seat in sorted(told["misere"] or ()):
        if deal.hands[seat - 1] & FIGURES:
            raise BadSheet("misere", Phrase("seat {seat} was dealt a figure", seat=seat))
    if told["tricks"] is not None and not BIDS[told["bid"]].turned:
        points = card_points(PACK.cards(deal.dog))
        if told["dog"] != points:
            raise BadSheet("dog", Phrase("nobody exchanged with it: it has {points}", points=points))
