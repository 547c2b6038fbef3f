"""Caisse: the cards, the deal and the combinations (sections 2 to 4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ... import sheets
from ...cards import CardSet, Pack
from ...deals import in_packets
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


def in_order(cards: CardSet) -> tuple[str, ...]:
    """The cards in the order of the unshuffled pack."""
    return tuple(token for token in PACK.order if PACK.card(token) & cards)


# ── The deal ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Deal:
    """`hands` of six, `reserves` of three that nobody sees at first; `indicator` lies on the `talon`."""

    pack: ClassVar[Pack] = PACK

    dealer: int
    hands: tuple[CardSet, ...]
    proposed: str
    reserves: tuple[CardSet, ...]
    indicator: str
    talon: tuple[str, ...]

    @property
    def trump(self) -> str:
        """The suit of the proposed card."""
        return self.proposed[1]

    def out_of_play(self) -> CardSet:
        """The five cards that are dealt to nobody."""
        return PACK.cards([self.proposed, self.indicator, *self.talon])

    @classmethod
    def of(cls, pack: Sequence[str], dealer: int) -> "Deal":
        hands = in_packets(pack, dealer, SEATS, 3, 3)
        reserves = in_packets(pack[19:], dealer, SEATS, 3)
        sets = [tuple(map(PACK.cards, dealt)) for dealt in (hands, reserves)]
        return cls(dealer, sets[0], pack[18], sets[1], pack[28], tuple(pack[29:]))

    @classmethod
    def read(cls, data: Any) -> "Deal":
        keys = ("dealer", "hands", "proposed", "reserves", "indicator", "talon")
        read = sheets.read_deal(data, SEATS, keys)
        both = isinstance(read["hands"], list) and isinstance(read["reserves"], list)
        single = [[read["proposed"]], [read["indicator"]], read["talon"]]
        lists = [*read["hands"], *read["reserves"], *single] if both else []
        sets = PACK.read(lists, sizes=(6, 6, 6, 3, 3, 3, 1, 1, 3))
        talon = tuple(read["talon"])
        return cls(read["dealer"], sets[:3], read["proposed"], sets[3:6], read["indicator"], talon)

    def to_json(self) -> dict[str, Any]:
        return {
            "dealer": self.dealer,
            "hands": [list(in_order(hand)) for hand in self.hands],
            "proposed": self.proposed,
            "reserves": [list(in_order(cards)) for cards in self.reserves],
            "indicator": self.indicator,
            "talon": list(self.talon),
        }


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
