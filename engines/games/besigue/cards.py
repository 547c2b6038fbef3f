"""The Bésigues: where the two games differ, the cards and the deal (sections 1 to 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ... import sheets
from ...cards import Pack

SEATS = 2
FIGURES, BRISQUES = "JQK", "TA"
SUITS, RANKS = "SHDC", "789JQKTA"
STRENGTH = {rank: place for place, rank in enumerate(RANKS)}


@dataclass(frozen=True)
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


PACKS = {packs: Pack(suits=SUITS, ranks=RANKS, copies=packs) for packs in (4, 6)}
FACES = PACKS[4].faces
PLACE = {face: place for place, face in enumerate(FACES)}
PLAYS = {f"play:{face}": face for face in FACES}

JAPONAIS = Rules(4, 9, 18, 50, 50, 1000, 5000, False, frozenset({10, 30}))
CHINOIS = Rules(6, 12, 24, 250, 250, 3000, 10000, True, frozenset(range(10, 131, 20)))

LIFTED, GUESSED = 250, 150  # for the exact cut, and for its exact estimate


@dataclass(frozen=True, slots=True)
class Deal:
    """`stock` in drawing order."""

    dealer: int
    hands: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]


def deal_from(pack: Sequence[str], dealer: int, rules: Rules) -> Deal:
    """Three by three, the dealer's opponent first."""
    size = 2 * rules.hand
    packets = [pack[at : at + 3] for at in range(0, size, 3)]
    forehand, own = (tuple(token for packet in packets[side::2] for token in packet) for side in (0, 1))
    return Deal(dealer, (own, forehand) if dealer == 1 else (forehand, own), tuple(pack[size:]))


def read_deal(data: Any, rules: Rules) -> Deal:
    read = sheets.read_deal(data, SEATS, ("dealer", "hands", "stock"))
    lists = [*read["hands"], read["stock"]] if isinstance(read["hands"], list) else []
    rules.pack.read(lists, sizes=(rules.hand, rules.hand, rules.cards - 2 * rules.hand))
    return Deal(read["dealer"], tuple(map(tuple, read["hands"])), tuple(read["stock"]))


def has_figure(cards: Sequence[str]) -> bool:
    return any(card[0] in FIGURES for card in cards)
