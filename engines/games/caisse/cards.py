"""Caisse: the cards, the deal and the combinations (sections 2 to 4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...cards import CardSet, Pack
from ...deals import ALONE, Dealt, in_packets
from ...tricks import NEXT

SEATS = 3
TRICKS = 9
LEFT_OF = NEXT[SEATS]
LAST_TRICK = 10

PACK = Pack(suits="SHDC", ranks="789TJQKA")  # in the order of sequences
PLAYS = {f"play:{token}": PACK.card(token) for token in PACK.order}
TRUMP_ORDER, PLAIN_ORDER = "78QKTA9J", "789JQKTA"
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
PLAIN_POINTS = TRUMP_POINTS | {"J": 2, "9": 0}
BID_ORDER = ("S", "D", "H", "C", "SA")
ACES = PACK.rank("A")


def strengths(trump: str | None) -> dict[CardSet, int]:
    """The strength of every card, trumps above all others."""
    return {
        PACK.card(token): 10 + TRUMP_ORDER.index(token[0])
        if token[1] == trump
        else PLAIN_ORDER.index(token[0])
        for token in PACK.order
    }


def values(trump: str | None) -> dict[CardSet, int]:
    return {
        PACK.card(token): (TRUMP_POINTS if token[1] == trump else PLAIN_POINTS)[token[0]]
        for token in PACK.order
    }


STRENGTH = {trump: strengths(trump) for trump in (*PACK.suit_letters, None)}
VALUE = {trump: values(trump) for trump in (*PACK.suit_letters, None)}


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
        return [hand | PACK.cards(more) for hand, more in zip(self.hands, self.reserves, strict=True)]

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


def suites_of(hand: CardSet) -> list[Suite]:
    """The runs of three cards or more."""
    suites = []
    for suit in PACK.suit_letters:
        length = 0
        for place, rank in enumerate(PACK.rank_letters + "."):
            if rank != "." and hand & PACK.card(rank + suit):
                length += 1
                continue
            if length >= 3:
                suites.append(Suite(length, place - 1, suit))
            length = 0
    return suites


def carres_of(hand: CardSet) -> list[str]:
    """The ranks of which a hand holds all four cards."""
    return [rank for rank in PACK.rank_letters if hand & PACK.rank(rank) == PACK.rank(rank)]


def holds_belote(hand: CardSet, trump: str) -> bool:
    both = PACK.cards(["K" + trump, "Q" + trump])
    return hand & both == both


def best_carre(hands: dict[int, CardSet], trump: str | None) -> tuple[int, int] | None:
    """The seat with the strongest carré among those that showed theirs, and the points of all its carrés."""
    order = TRUMP_ORDER if trump else PLAIN_ORDER
    carres = [(order.index(rank), seat) for seat, hand in hands.items() for rank in carres_of(hand)]
    if not carres:
        return None
    seat = max(carres)[1]
    return seat, CARRE_POINTS * len(carres_of(hands[seat]))


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
            return owners[0], sum(suite.points for suite in suites_of(hands[owners[0]]))
        if not passes_down:
            return None
        best = {seat: suite for seat, suite in best.items() if seat not in owners}
    return None
