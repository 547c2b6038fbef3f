"""Loba: the cards, the contracts and the deal (sections 2 and 3)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ... import sheets
from ...cards import Pack
from ...deals import Stocked, seats_dealt
from ...errors import BadDeal
from ...phrases import Phrase

SEATS = (3, 4, 5)
HAND = 11
JOKERS = ("JK1", "JK2")
PACK = Pack(suits="SHDC", ranks="A23456789TJQK", alone=JOKERS, copies=2)
PLACE = {token: place for place, token in enumerate(PACK.faces)}
POSITIONS = "A23456789TJQKA"  # of a run, from 1; the ace is the first and the last
LONGEST = len(POSITIONS)
SET, RUN, SIX = 3, 4, 6  # cards

CONTRACTS = {1: (2, 0), 2: (1, 1), 3: (0, 2), 4: (3, 0), 5: (2, 1), 6: (1, 2)}
"""By mène: how many sets and how many runs the first lay-down has."""


def is_joker(token: str) -> bool:
    return token in JOKERS


def size_of(mene: int) -> int:
    """The cards of a contract."""
    sets, runs = CONTRACTS[mene]
    return SET * sets + RUN * runs


def penalty(token: str, ace: int) -> int:
    """What a card left in the hand costs; `ace`: 1 or 14. `JK` is a joker as well."""
    if token.startswith("JK"):
        return 25
    return ace if token[0] == "A" else 1 + POSITIONS.index(token[0])


MENE_WANTED = Phrase("the mène must be a number from 1 to 6")
SEATS_WANTED = Phrase("there must be three to five players")


@dataclass(frozen=True, slots=True)
class Deal(Stocked):
    """`turned` begins the discard pile."""

    mene: int = 1

    @classmethod
    def of(cls, pack: Sequence[str], dealer: int, seats: int, mene: int, key: str) -> "Deal":
        return replace(cls.one_by_one(pack, dealer, seats, HAND, key), mene=mene)

    @classmethod
    def read(cls, data: Any) -> "Deal":
        seats = seats_dealt(data, SEATS[0])
        if seats not in SEATS:
            raise BadDeal((), SEATS_WANTED)
        deal = cls.read_stocked(data, PACK, seats, HAND, "mene")
        if not sheets.is_whole(data["mene"], 1, len(CONTRACTS)):
            raise BadDeal((), MENE_WANTED)
        return replace(deal, mene=data["mene"])
