"""Caisse: the cards, the deal and the combinations (sections 2 to 4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ...cards import CardSet, Pack, by_bit
from ...deals import ALONE, Dealt, in_packets
from ...tricks import NEXT, by_rank, powers, strengths

SEATS = 3
TRICKS = 9
LEFT_OF = NEXT[SEATS]
LAST_TRICK = 10

PACK = Pack(suits="SHDC", ranks="789TJQKA")  # in the order of sequences
TRUMP_ORDER, PLAIN_ORDER = "78QKTA9J", "789JQKTA"
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
PLAIN_POINTS = TRUMP_POINTS | {"J": 2, "9": 0}
BID_ORDER = ("S", "D", "H", "C", "SA")
ACES = PACK.rank("A")


SUITS_OF_TRUMPS = (*PACK.suit_letters, None)
STRENGTH = {suit: strengths(PACK, PLAIN_ORDER, suit or "", TRUMP_ORDER) for suit in SUITS_OF_TRUMPS}
VALUE = {suit: by_rank(PACK, PLAIN_POINTS, TRUMP_POINTS, suit or "") for suit in SUITS_OF_TRUMPS}
VALUES = {suit: by_bit(value) for suit, value in VALUE.items()}
POWERS = {suit: powers(STRENGTH[suit], PACK.suit_by_bit, PACK.suits(suit or "")) for suit in SUITS_OF_TRUMPS}


# ── The deal ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Deal(Dealt):
    """`hands` of six, `reserves` of three that nobody sees at first; `indicator` lies on the `talon`."""

    pack, sizes = PACK, (6,) * SEATS
    piles = {"proposed": ALONE, "reserves": (3,) * SEATS, "indicator": ALONE, "talon": 3}

    proposed: str
    reserves: tuple[tuple[str, ...], ...]
    indicator: str
    talon: tuple[str, ...]

    @property
    def trump(self) -> str:
        """The suit of the proposed card."""
        return self.proposed[1]

    def whole_hands(self) -> list[CardSet]:
        """The nine cards of each."""
        reserves = (sum(map(PACK.card, cards)) for cards in self.reserves)
        return [hand | more for hand, more in zip(self.hands, reserves, strict=True)]

    @classmethod
    def of(cls, pack: Sequence[str], dealer: int) -> "Deal":
        hands = tuple(map(PACK.cards, in_packets(pack, dealer, SEATS, 3, 3)))
        reserves = (PACK.in_order(PACK.cards(cards)) for cards in in_packets(pack[19:], dealer, SEATS, 3))
        return cls(dealer, hands, pack[18], tuple(reserves), pack[28], tuple(pack[29:]))

    def tokens(self, hand: CardSet) -> Sequence[str]:
        return PACK.in_order(hand)

    def to_json(self) -> dict[str, Any]:
        reserves = [list(PACK.in_order(PACK.cards(cards))) for cards in self.reserves]
        return Dealt.to_json(self) | {"reserves": reserves}


# ── Combinations ──────────────────────────────────────────────────────────────────────────────────

SUITE_POINTS = {3: 20, 4: 50}  # longer ones: 100
CARRE_POINTS = 80
BELOTE = 20


@dataclass(frozen=True, slots=True)
class Suite:
    """A run of a suit that cannot be made longer; `top` is a place in the order of sequences."""

    length: int
    top: int
    suit: str

    @property
    def points(self) -> int:
        return SUITE_POINTS.get(self.length, 100)


SUITS = {suit: PACK.suit(suit) for suit in PACK.suit_letters}
RANKS = {rank: PACK.rank(rank) for rank in PACK.rank_letters}
COUPLES = {suit: PACK.cards(["K" + suit, "Q" + suit]) for suit in PACK.suit_letters}


def suites_of(hand: CardSet) -> list[Suite]:
    """The runs of three cards or more."""
    return [suite for suit, cards in SUITS.items() for suite in suites_in(suit, hand & cards)]


@cache
def suites_in(suit: str, cards: CardSet) -> tuple[Suite, ...]:
    """Those of one suit."""
    suites, length = [], 0
    for place, rank in enumerate(PACK.rank_letters):
        length = length + 1 if cards & PACK.card(rank + suit) else 0
        if length == 3:
            suites.append(Suite(length, place, suit))
        elif length > 3:
            suites[-1] = Suite(length, place, suit)
    return tuple(suites)


def carres_of(hand: CardSet) -> list[str]:
    """The ranks of which a hand holds all four cards."""
    return [rank for rank, cards in RANKS.items() if hand & cards == cards]


def holds_belote(hand: CardSet, trump: str) -> bool:
    return hand & COUPLES[trump] == COUPLES[trump]


def suite_points(hand: CardSet) -> int:
    """What all the suites of a hand are worth."""
    return sum(suite.points for suite in suites_of(hand))


def carre_points(hand: CardSet) -> int:
    """What all its carrés are worth."""
    return CARRE_POINTS * len(carres_of(hand))


WORTH = {"suite": suite_points, "carre": carre_points}


def best_carre(hands: dict[int, CardSet], trump: str | None) -> tuple[int, int] | None:
    """The seat with the strongest carré among those that showed theirs, and the points of all its carrés."""
    order = TRUMP_ORDER if trump else PLAIN_ORDER
    carres = [(order.index(rank), seat) for seat, hand in hands.items() for rank in carres_of(hand)]
    if not carres:
        return None
    seat = max(carres)[1]
    return seat, carre_points(hands[seat])


def best_suite(hands: dict[int, CardSet], trump: str | None, *, passes_down: bool) -> tuple[int, int] | None:
    """Likewise for the strongest suite: the longest, then the highest, then one in trumps. Where the best of
    several seats are equal nobody scores; with `passes_down` the best of the other seats does."""
    best = {
        seat: max((suite.length, suite.top, suite.suit == trump) for suite in suites_of(hand))
        for seat, hand in hands.items()
        if suites_of(hand)
    }
    while best:
        top = max(best.values())
        owners = [seat for seat, suite in best.items() if suite == top]
        if len(owners) == 1:
            return owners[0], suite_points(hands[owners[0]])
        if not passes_down:
            return None
        best = {seat: suite for seat, suite in best.items() if seat not in owners}
    return None
