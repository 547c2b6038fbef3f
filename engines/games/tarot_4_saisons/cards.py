"""Tarot 4 saisons: the cards, the deal, the bids (sections 2 to 4)."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...cards import CardSet, Pack
from ...deals import Dealt, in_packets
from ...tricks import NEXT

SEATS = 3
TRICKS = 15
LEFT_OF = NEXT[SEATS]

# ── The cards (section 2) ─────────────────────────────────────────────────────────────────────────

PACK = Pack(suits="SHDC", ranks="124JCQK", trumps=21, excuse=True)
TRUMPS, EXCUSE, PETIT, TWO = PACK.suit("T"), PACK.card("EX"), PACK.card("1T"), PACK.card("2T")
OUDLERS = PACK.cards("1T 21T EX")
KINGS, ACES = PACK.rank("K"), PACK.rank("1")
FIGURES = PACK.rank("J") | PACK.rank("C") | PACK.rank("Q") | KINGS
WORTHLESS = PACK.rank("2") | PACK.rank("4")
NOT_TO_THE_DOG = KINGS | OUDLERS
SUITS = {letter: FIGURES & PACK.suit(letter) for letter in PACK.suit_letters}
STRENGTH = {PACK.card(token): place for place, token in enumerate(("EX", *PACK.order[:-1]))}
WORTH = (
    (10, OUDLERS | KINGS),
    (8, PACK.rank("Q")),
    (6, PACK.rank("C")),
    (5, PACK.cards("16T 17T 18T 19T")),
    (4, ACES),
    (2, PACK.rank("J")),
    (1, PACK.cards([f"{number}T" for number in (*range(2, 16), 20)])),
)
ALL_POINTS = 185


def card_points(cards: CardSet) -> int:
    return sum(points * (cards & kind).bit_count() for points, kind in WORTH)


# ── The deal (section 3) ──────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Deal(Dealt):
    """`dog`: its top card first."""

    pack, sizes, piles = PACK, (TRICKS,) * SEATS, {"dog": 5}

    dog: tuple[str, ...]

    @classmethod
    def of(cls, pack: Sequence[str], dealer: int) -> "Deal":
        """Three packets of five each from the dealer's left; the dog's after the first round."""
        hands = in_packets([*pack[:15], *pack[20:]], dealer, SEATS, 5, 5, 5)
        return cls(dealer, tuple(map(PACK.cards, hands)), tuple(pack[15:20]))

    @property
    def is_void(self) -> bool:
        """Whether a seat was dealt no trump: such a deal is annulled, and is never a board."""
        return not all(hand & TRUMPS for hand in self.hands)


# ── The bids and the contracts (section 4) ────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Bid:
    """`turned`: how many cards of the dog; `dog_to`: whose its points are: "taker", "nobody", "opponents"."""

    stake: int
    turned: int
    dog_to: str = "taker"
    option: bool = False
    clear: bool = False


BIDS = {
    "tout": Bid(2, 5),
    "2+2": Bid(4, 2, option=True),
    "3": Bid(4, 3),
    "1+1": Bid(6, 1, option=True),
    "sans-voir": Bid(7, 0),
    "sans-points": Bid(9, 0, "nobody"),
    "contre": Bid(10, 0, "opponents"),
    "tout-clair": Bid(12, 5, clear=True),
    "2+2-clair": Bid(15, 2, option=True, clear=True),
    "3-clair": Bid(15, 3, clear=True),
    "1+1-clair": Bid(17, 1, option=True, clear=True),
    "sans-voir-clair": Bid(18, 0, clear=True),
    "sans-points-clair": Bid(21, 0, "nobody", clear=True),
    "contre-clair": Bid(24, 0, "opponents", clear=True),
}
RANKED, PASSED_OUT = tuple(BIDS), "passed"
CONTRACTS = ("petit-au-bout", "deux-avant-dernier", "quasi", "quatre-rois", "capot", "resistance")
CONTRACTED = {"petit-au-bout": 6, "deux-avant-dernier": 4, "quasi": 6, "quatre-rois": 3, "resistance": 2}
CONTRED, GAME = 2, "game"
