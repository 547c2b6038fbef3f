"""Bernicle: the cards and the deal (sections 2 and 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from ... import sheets
from ...cards import CardSet, Pack, by_bit
from ...deals import Places, numbered, places
from ...tricks import NEXT, by_rank, powers, strengths

SEATS = 3
TRICKS = 13
LEFT_OF = NEXT[SEATS]

# ── The cards (section 2) ─────────────────────────────────────────────────────────────────────────

PACK = Pack(suits="SHDC", ranks="7JQKTA", copies=2)
TENS_AND_ACES = PACK.rank("T") | PACK.rank("A")
POINTS = {"A": 10, "T": 10, "K": 5, "Q": 0, "J": 0, "7": 0}
CARD_POINTS = by_rank(PACK, POINTS, POINTS)
POINTS_BY_BIT = by_bit(CARD_POINTS)
STRENGTH = {suit: strengths(PACK, PACK.rank_letters, suit) for suit in PACK.suit_letters}  # by trumps
POWERS = {suit: powers(STRENGTH[suit], PACK.suit_by_bit, PACK.suit(suit)) for suit in PACK.suit_letters}
HIGHER = by_bit(
    {  # the cards of the suit that are strictly stronger
        card: sum(
            other for other in PACK.suit_of if other & suit and STRENGTH["S"][other] > STRENGTH["S"][card]
        )
        for card, suit in PACK.suit_of.items()
    }
)


# ── The deal (section 3) ──────────────────────────────────────────────────────────────────────────

LAYOUT = "001122dd" * 2 + "001122pp" + "001122qq" + "001122" * 2 + "012d"
"""Where each card of the shuffled pack goes: the seats in turn, the dog, the two pups."""


@dataclass(frozen=True, slots=True)
class Deal:
    pack: ClassVar[Pack] = PACK

    dealer: int
    hands: tuple[CardSet, ...]
    dog: CardSet
    pups: tuple[CardSet, CardSet]

    @classmethod
    def of(cls, pack: Sequence[str], dealer: int) -> Self:
        heaps = dict.fromkeys("012dpq", 0)
        left = PACK.all
        for place, token in zip(LAYOUT, pack, strict=True):
            card = PACK.selection(left, [token])
            heaps[place] |= card
            left ^= card
        turn = [str((seat - dealer - 1) % SEATS) for seat in (1, 2, 3)]
        return cls(dealer, tuple(heaps[place] for place in turn), heaps["d"], (heaps["p"], heaps["q"]))

    @classmethod
    def read(cls, data: Any) -> Self:
        read = sheets.read_deal(data, SEATS, ("dealer", "hands", "dog", "pups"))
        both = isinstance(read["hands"], list) and isinstance(read["pups"], list)
        lists = [*read["hands"], read["dog"], *read["pups"]] if both else []
        *hands, dog, first, second = PACK.read(lists, sizes=(13, 13, 13, 5, 2, 2))
        return cls(read["dealer"], tuple(hands), dog, (first, second))

    def places(self) -> Places:
        pups = numbered("pups", map(PACK.tokens, self.pups))
        return places(map(PACK.tokens, self.hands), {"dog": PACK.tokens(self.dog)} | pups)

    def to_json(self) -> dict[str, Any]:
        hands, pups = ([list(PACK.tokens(cards)) for cards in heaps] for heaps in (self.hands, self.pups))
        return {"dealer": self.dealer, "hands": hands, "dog": list(PACK.tokens(self.dog)), "pups": pups}
