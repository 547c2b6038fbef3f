"""Caisse: the result sheet (section 8)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...errors import BadSheet
from ...expressions import expression
from ...forms import Door, Field, Form, Rule, Sentence, Step, rare, rule
from ...phrases import Phrase
from .cards import BELOTE, LAST_TRICK, PACK, SEATS, TRICKS, VALUE, WORTH, Deal, holds_belote
from .marks import (
    ATOUT_1,
    ATOUT_2,
    BY_POINTS,
    CONTRACTS,
    GENERALE,
    GOALS,
    MISERE,
    MOST_CONTRES,
    MOST_DEFI,
    OF_TRUMPS,
    SANS_ATOUT,
    WITH_POINTS,
    Ending,
)

ALL_POINTS = {True: 152, False: 120}  # of the cards: with trumps; without
SUITE_VALUES, CARRE_VALUES = (20, 40, 50, 60, 70, 100, 120, 150), (80, 160)
GAMES_PLAYED = (ATOUT_1, ATOUT_2, SANS_ATOUT, MISERE, GENERALE)
SIDES = ("none", "taker", "opponents")

TAKEN = f"game != '{GENERALE}'"
POINTED = f"game in {WITH_POINTS}"
CONCEDED = "conceded_by in ('taker', 'opponents')"
COUNTED = f"{POINTED} and not {CONCEDED}"
WITH_TRUMPS = f"game in {(ATOUT_1, ATOUT_2)}"
MOST_POINTS = f"({ALL_POINTS[True] + LAST_TRICK} if {WITH_TRUMPS} else {ALL_POINTS[False] + LAST_TRICK})"


def total(seat: str) -> str:
    """The expression of a seat's points: tricks, combinations that count, Belote."""
    marked = " + ".join(
        f"({name}.points if {name} != None and {name}.seat == {seat} else 0)" for name in ("suite", "carre")
    )
    return f"(trick_points[{seat}] + {marked} + ({BELOTE} if belote == {seat} else 0))"


def goal(contract: str) -> str:
    with_trumps, without = GOALS[contract]
    return f"({with_trumps} if {WITH_TRUMPS} else {without})"


MADE = (
    f"all({total('one.seat')} > {total('other')} for other in seats if other != one.seat) "
    "if one.id == 'caisse' else "
    f"trick_points[one.seat] >= {goal('clarte')} if one.id == 'clarte' else "
    f"trick_points[one.seat] >= {goal('cent')} if one.id == 'cent' else "
    f"{total('one.seat')} >= {goal('deux-cents')}"
)
CONTRES = (
    Field("six", "whole", Phrase("with six cards"), most=MOST_CONTRES),
    Field("nine", "whole", Phrase("with nine cards"), most=MOST_CONTRES),
)
FOUR_LEVELS = rule("nine", f"six + nine <= {MOST_CONTRES}", Phrase("can have four levels at most"))


def combination(name: str, label: Phrase, values: tuple[int, ...]) -> Field:
    return Field(name, "object", label, when=COUNTED, optional=True, of=(
        Field("seat", "seat", Phrase("seat")),
        Field("points", "whole", Phrase("points"), among=values),
    ))  # fmt: skip


def for_each(holds: str, says: Phrase, where: str = "contracts", **values: str) -> Rule:
    """A rule of each contract."""
    return rule(where, holds, says, each="one in contracts", **values)


SHAPES: tuple[Mapping[str, Any], ...] = (
    *({"game": ATOUT_1, "taker": seat} for seat in (1, 2, 3)),
    *({"game": ATOUT_2, "trump": suit, "taker": seat} for suit in PACK.suit_letters for seat in (1, 2, 3)),
    *({"game": game, "taker": seat} for game in (SANS_ATOUT, MISERE) for seat in (1, 2, 3)),
    {"game": GENERALE},
)

FORM = Form(
    fields=(
        Field("game", "choice", Phrase("game"), choices=GAMES_PLAYED),
        Field("trump", "choice", Phrase("trump suit"), choices=tuple(PACK.suit_letters),
              when=f"game == '{ATOUT_2}'"),
        Field("taker", "seat", Phrase("taker"), when=TAKEN),
        Field("game_contres", "object", Phrase("contres of the game"), when=TAKEN,
              usual={"six": 0, "nine": 0}, of=CONTRES, rules=(FOUR_LEVELS,)),
        Field("contracts", "list", Phrase("contracts"), when=POINTED, usual=[], of=(
            Field("seat", "seat", Phrase("seat")),
            Field("id", "choice", Phrase("contract"), choices=tuple(CONTRACTS)),
            Field("at", "whole", Phrase("declared with so many cards"), least=6, most=9, among=(6, 9)),
            *CONTRES,
            Field("made", "flag", Phrase("contract made"), optional=True),
        ), rules=(
            FOUR_LEVELS,
            rule("at", "at == 6 or six == 0",
                 Phrase("a contract that was declared at 9 cannot be contred at 6")),
            rule("at", "id != 'capot' or at == 9", Phrase("a Capot cannot be declared at 6")),
        )),
        Field("defi", "whole", Phrase("défi"), most=MOST_DEFI, when=TAKEN, usual=0),
        Field("conceded_by", "choice", Phrase("conceded by"), choices=SIDES, when=TAKEN, usual="none"),
        Field("trick_points", "whole", Phrase("points of tricks"), per_seat=True, when=COUNTED),
        combination("suite", Phrase("suites marked"), SUITE_VALUES),
        combination("carre", Phrase("carrés marked"), CARRE_VALUES),
        Field("belote", "seat", Phrase("Belote"), when=f"{WITH_TRUMPS} and not {CONCEDED}", optional=True),
        Field("exchanged", "flag", Phrase("trumps exchanged"), when=f"game == '{ATOUT_1}'", usual=False),
        Field("misere_made", "flag", Phrase("Misère made"), when=f"game == '{MISERE}' and not {CONCEDED}"),
        Field("tricks", "whole", Phrase("tricks"), per_seat=True, most=TRICKS, total=str(TRICKS),
              when=f"game == '{GENERALE}'"),
    ),
    rules=(
        rule("game_contres", f"game != '{MISERE}' or game_contres.six == 0",
             Phrase("a Misère can be contred only with nine cards")),
        for_each(f"one.id not in {OF_TRUMPS} or {WITH_TRUMPS}", Phrase("{id} needs trumps"), id="one.id"),
        rule("contracts", "distinct((one.seat, one.id) for one in contracts)",
             Phrase("names the same thing twice")),
        for_each("one.id != 'clarte' or one.at == 6 or not any(other.id == 'cent' and other.seat == one.seat "
                 "for other in contracts)", Phrase("a Clarté cannot follow a Cent or come with it")),
        rule("contracts", "sum(1 for one in contracts if one.id == 'caisse') <= 1",
             Phrase("only one seat can hold the king and queen of trumps")),
        rule("defi", f"defi == 0 and not {CONCEDED} or all(one.id == 'caisse' for one in contracts) or "
                     "contracts == None",
             Phrase("there is none where a contract other than a Caisse was declared")),
        rule("defi", f"not {CONCEDED} or defi in ((0, 2, 4) if conceded_by == 'taker' else (1, 3))",
             Phrase("the taker concedes at 0, 2 or 4, the opponents at 1 or 3")),
        rule("trick_points", f"so_far(trick_points) <= {MOST_POINTS}",
             Phrase("add up to {total}; the pack has {all}"), total="so_far(trick_points)", all=MOST_POINTS),
        for_each(f"one.made == None or not {CONCEDED}",
                 Phrase("made must be true or false, and is left out of a conceded deal")),
        for_each(f"one.made != None or {CONCEDED} or one.id in {BY_POINTS}",
                 Phrase("{id}: made is missing"), id="one.id"),
        for_each(f"one.made == None or one.id not in {BY_POINTS} or one.made == ({MADE})",
                 Phrase("{id}: made does not agree with the points"), id="one.id"),
        for_each(f"one.made != True or one.id in {BY_POINTS} or "
                 "sum(1 for other in contracts if other.id == one.id and other.made == True) == 1",
                 Phrase("{id}: only one seat can make it"), id="one.id"),
        for_each("one.id != 'capot' or one.made != True or all(trick_points[seat] == 0 for seat in seats if "
                 "seat != one.seat)", Phrase("after a Capot the other seats have none"), "trick_points"),
        for_each(f"one.id != 'caisse' or {CONCEDED} or belote == one.seat",
                 Phrase("must be the seat whose Caisse was declared"), "belote"),
    ),
    steps=(
        Step("grid", ("game", "trump", "taker"), shapes=SHAPES),
        Step("square", ("trick_points",), first="taker", most=149),
        Step("chips", ("misere_made",)),
        Step("keys", ("tricks",)),
        *rare("facts", "suite", "belote", "carre"),
        *rare("chips", "exchanged"),
        *rare("list", "contracts"),
        *rare("facts", "game_contres"),
        *rare("keys", "defi"),
    ),
    other=(Door(Phrase("conceded by"), {}, ("conceded_by", "defi")),),
    sentences=(
        Sentence(Phrase("{taker} took ({game}); {points} points in tricks, {total} in all."), COUNTED,
                 {"taker": "taker", "game": "game", "points": "trick_points[taker]", "total": total("taker")},
                 seats=("taker",)),
        Sentence(Phrase("{taker} took, and the deal was conceded."), CONCEDED, {"taker": "taker"},
                 ("taker",)),
        Sentence(Phrase("{taker} played a Misère and made it."), "misere_made == True", {"taker": "taker"},
                 ("taker",)),
        Sentence(Phrase("{taker} played a Misère and lost it."), "misere_made == False", {"taker": "taker"},
                 ("taker",)),
        Sentence(Phrase("Misère Générale: tricks {a}, {b}, {c}."), f"game == '{GENERALE}'",
                 {"a": "tricks[1]", "b": "tricks[2]", "c": "tricks[3]"}),
    ),
    example={
        "game": ATOUT_2, "trump": "H", "taker": 2, "game_contres": {"six": 0, "nine": 0}, "contracts": [],
        "defi": 0, "conceded_by": "none", "trick_points": [51, 70, 31], "suite": {"seat": 2, "points": 20},
        "carre": None, "belote": None,
    },
)  # fmt: skip


def result_of(told: dict[str, Any], deal: Deal | None = None) -> Ending:
    """The result on a complete sheet, checked against what is known of the board."""
    result = Ending.from_sheet(FORM, told)
    if deal is not None:
        if result.game == ATOUT_2 and result.trump == deal.trump:
            raise BadSheet("trump", Phrase("must be a suit other than the proposed one"))
        if result.trick_points and not result.exchanged:
            check_against(deal, result)
    return settled(result)


def settled(result: Ending) -> Ending:
    """With the contracts in their order, and with whether those are made that follow from the points."""
    if not result.contracts:
        return result
    contracts, around = [], result.around(FORM, SEATS)
    for one in sorted(result.contracts, key=lambda one: (one.seat, tuple(CONTRACTS).index(one.id))):
        made = one.made
        if one.id in BY_POINTS and result.trick_points:
            made = expression(MADE).value(around | {"one": {"seat": one.seat + 1, "id": one.id}})
        contracts.append(one._replace(made=made))
    return replace(result, contracts=tuple(contracts))


def check_against(deal: Deal, result: Ending) -> None:
    """What the cards of the board rule out."""
    trump, hands = deal.trump if result.game == ATOUT_1 else result.trump, deal.whole_hands()
    dealt = sum(hands)
    wanted = LAST_TRICK + sum(points for card, points in VALUE[trump].items() if card & dealt)
    if sum(result.trick_points) != wanted:
        raise BadSheet("trick_points", Phrase("add up to {all} on this board", all=wanted))
    holders = [seat for seat, hand in enumerate(hands) if trump and holds_belote(hand, trump)]
    if trump and result.belote != (holders[0] if holders else None):
        raise BadSheet("belote", Phrase("is not the seat that was dealt the king and queen of trumps"))
    for name, worth in WORTH.items():
        mark = getattr(result, name)
        if mark is not None and mark[1] != (held := worth(hands[mark[0]])):
            raise BadSheet(name, Phrase("seat {seat} was dealt {points}", seat=mark[0] + 1, points=held))
