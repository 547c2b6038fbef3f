"""Loba: the cards, the contracts and the deal (sections 2 and 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ... import sheets
from ...cards import Pack
from ...dealing import is_key
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


@dataclass(frozen=True, slots=True)
class Deal:
    """`turned` begins the discard pile; `stock` in drawing order; `key` orders a reshuffle."""

    dealer: int
    mene: int
    hands: tuple[tuple[str, ...], ...]
    turned: str
    stock: tuple[str, ...]
    key: str


def deal_from(pack: Sequence[str], dealer: int, seats: int, mene: int, key: str) -> Deal:
    """One card at a time from the dealer's left; then the card that begins the discard pile."""
    hands: list[list[str]] = [[] for _ in range(seats)]
    at = HAND * seats
    for place, token in enumerate(pack[:at]):
        hands[(dealer + place) % seats].append(token)
    return Deal(dealer, mene, tuple(map(tuple, hands)), pack[at], tuple(pack[at + 1 :]), key)


KEY_WANTED = Phrase("the key of the reshuffle must be 1 to 64 printable ASCII characters")
MENE_WANTED = Phrase("the mène must be a number from 1 to 6")
SEATS_WANTED = Phrase("there must be three to five players")


def read_deal(data: Any) -> Deal:
    hands = data.get("hands") if isinstance(data, dict) else None
    seats = len(hands) if isinstance(hands, list) else SEATS[0]
    if seats not in SEATS:
        raise BadDeal((), SEATS_WANTED)
    read = sheets.read_deal(data, seats, ("dealer", "mene", "hands", "turned", "stock", "reshuffle_key"))
    lists = [*read["hands"], [read["turned"]], read["stock"]] if isinstance(read["hands"], list) else []
    PACK.read(lists, sizes=(*[HAND] * seats, 1, len(PACK.order) - HAND * seats - 1))
    if not sheets.is_whole(read["mene"], 1, len(CONTRACTS)):
        raise BadDeal((), MENE_WANTED)
    if not is_key(read["reshuffle_key"]):
        raise BadDeal((), KEY_WANTED)
    hands_read = tuple(map(tuple, read["hands"]))
    return Deal(
        read["dealer"], read["mene"], hands_read, read["turned"], tuple(read["stock"]), read["reshuffle_key"]
    )
