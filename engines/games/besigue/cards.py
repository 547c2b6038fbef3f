"""The Bésigues: where the two games differ, the cards and the deal (sections 1 to 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from ...cards import Order, Pack
from ...deals import DealtInOrder, in_packets

SEATS = 2
FIGURES, BRISQUES = "JQK", "TA"
SUITS, RANKS = "SHDC", "789JQKTA"
STRENGTH = {rank: place for place, rank in enumerate(RANKS)}


@dataclass(frozen=True, eq=False)
class Rules:
    """`hand`: cards in a hand, and tricks of the final phase; `lift`: what the dealer tries to lift;
    `trump_carres`: whether four of a rank in trumps are worth more, and a fifth card may join a carré."""

    packs: int
    hand: int
    lift: int
    blanches: int
    last_trick: int
    rubicon: int
    target: int
    trump_carres: bool
    impossible: frozenset[int]  # points that no combinations add up to

    @property
    def pack(self) -> Pack:
        return PACKS[self.packs]

    @property
    def cards(self) -> int:
        return 32 * self.packs

    @property
    def stock(self) -> int:
        """How many cards the stock has at first."""
        return self.cards - SEATS * self.hand


PACKS = {packs: Pack(suits=SUITS, ranks=RANKS, copies=packs) for packs in (4, 6)}
FACES = PACKS[4].faces
PLACE = Order(FACES)
PLAYS = {f"play:{face}": face for face in FACES}

JAPONAIS = Rules(4, 9, 18, 50, 50, 1000, 5000, False, frozenset({10, 30}))
CHINOIS = Rules(6, 12, 24, 250, 250, 3000, 10000, True, frozenset(range(10, 131, 20)))

LIFTED, GUESSED = 250, 150  # for the exact cut, and for its exact estimate


@dataclass(frozen=True, slots=True)
class Deal(DealtInOrder):
    """`stock` in drawing order."""

    rules: ClassVar[Rules]
    stock: tuple[str, ...]

    @classmethod
    def of(cls, pack: Sequence[str], dealer: int) -> Self:
        """Three by three, the dealer's opponent first."""
        size = cls.rules.hand
        hands = in_packets(pack, dealer, SEATS, *[3] * (size // 3))
        return cls(dealer, tuple(map(tuple, hands)), tuple(pack[SEATS * size :]))


class JaponaisDeal(Deal):
    __slots__ = ()
    rules, pack, sizes, piles = JAPONAIS, JAPONAIS.pack, (JAPONAIS.hand,) * SEATS, {"stock": JAPONAIS.stock}


class ChinoisDeal(Deal):
    __slots__ = ()
    rules, pack, sizes, piles = CHINOIS, CHINOIS.pack, (CHINOIS.hand,) * SEATS, {"stock": CHINOIS.stock}


def has_figure(cards: Sequence[str]) -> bool:
    return any(card[0] in FIGURES for card in cards)
