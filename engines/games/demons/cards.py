"""Démons: the cards, the deal and the combinations (sections 2 to 4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ... import sheets
from ...cards import Order, Pack
from ...deals import ByField, Places, check_copies, places, sizes_of
from ...errors import BadDeal
from ...phrases import Phrase
from ...tricks import NEXT, clockwise_from

SEATS = 3
HAND = TRICKS = 9
POOL = 6
LEFT_OF = NEXT[SEATS]

SUITS = "SHDC"
DEMONS = ("1T", "2T", "3T", "4T", "5T")  # the strongest first
FACES = (*(rank + suit for suit in SUITS for rank in "6JQCK"), *DEMONS)
PACK = (*FACES[:20], *(rank + suit for suit in SUITS for rank in "CK"), *DEMONS)
PLACE = Order(FACES)
SINGLE = tuple(face for face in FACES if PACK.count(face) == 1)
MIXED = Pack(suits=SUITS, ranks="6JQCK", alone=DEMONS[::-1], copies=2)  # but for the single ones
TRICK_ORDER, COMBINATION_ORDER = "6JQCK", "JCQK"
FIGURES = "JCQK"
SPIRIT = {demon: len(DEMONS) - place for place, demon in enumerate(DEMONS)}
MARKERS = ("S", "D", "C")


def is_demon(card: str) -> bool:
    return card in SPIRIT


@dataclass(frozen=True, slots=True)
class Deal(ByField):
    """`markers`: each seat's own suit; the `pool` lies face up."""

    dealer: int
    markers: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]
    pool: tuple[str, ...]

    @property
    def designating(self) -> str:
        """The strongest Démon that is not in the pool."""
        return next(demon for demon in DEMONS if demon not in self.pool)

    @property
    def devil(self) -> int:
        """The seat (index) that was dealt it."""
        return next(seat for seat, hand in enumerate(self.hands) if self.designating in hand)

    @property
    def is_void(self) -> bool:
        """Whether all Démons are in the pool."""
        return set(DEMONS) <= set(self.pool)

    @classmethod
    def of(cls, pack: Sequence[str], dealer: int) -> "Deal":
        """Two by two, the pool second in the first three rounds; in the last round one by one."""
        hands: list[list[str]] = [[], [], []]
        pool: list[str] = []
        first, second, third = (hands[seat - 1] for seat in clockwise_from(dealer, SEATS))
        heaps = [first, pool, second, third] * 3 + [first, second, third] * 2
        at = 0
        for heap, size in zip(heaps, [2] * 15 + [1] * 3, strict=True):
            heap += pack[at : at + size]
            at += size
        return cls(dealer, MARKERS, tuple(map(tuple, hands)), tuple(pool))

    @classmethod
    def read(cls, data: Any) -> "Deal":
        read = sheets.read_deal(data, SEATS, ("dealer", "markers", "hands", "pool"))
        markers = read["markers"]
        if not isinstance(markers, list) or sorted(map(str, markers)) != sorted(MARKERS):
            raise BadDeal((), Phrase("the markers must be S, D and C, one for each seat"))
        lists = [*read["hands"], read["pool"]] if isinstance(read["hands"], list) else []
        if sizes_of(lists) != [HAND, HAND, HAND, POOL]:
            raise BadDeal((), Phrase("the cards must be in lists of {wanted}", wanted="9, 9, 9, 6"))
        check_copies(lists, PACK)
        deal = cls(read["dealer"], tuple(markers), tuple(map(tuple, read["hands"])), tuple(read["pool"]))
        if deal.is_void:
            raise BadDeal(DEMONS, Phrase("all Démons are in the pool: nobody is the Diable"))
        return deal

    def places(self) -> Places:
        return places(self.hands, {"pool": self.pool})


# ── Combinations ──────────────────────────────────────────────────────────────────────────────────

PAREIL, SUITE = "pareil", "suite"
Best = tuple[int, str]  # the length of a combination, and its rank or its highest card


@lru_cache(1 << 12)
def extending(kind: str, cards: tuple[str, ...]) -> frozenset[str]:
    """The figures that extend a combination: those of its rank; or those of its suit at either end of the
    run."""
    if kind == PAREIL:
        return frozenset(cards[0][0] + suit for suit in SUITS)
    places = [COMBINATION_ORDER.index(card[0]) for card in cards]
    ends = {min(places) - 1, max(places) + 1}
    return frozenset(rank + cards[0][1] for place, rank in enumerate(COMBINATION_ORDER) if place in ends)


def best_of(kind: str, cards: Sequence[str]) -> Best:
    ranks = [card[0] for card in cards]
    return len(cards), ranks[0] if kind == PAREIL else max(ranks, key=COMBINATION_ORDER.index)


def strength(best: Best) -> tuple[int, int]:
    return best[0], COMBINATION_ORDER.index(best[1])
