"""Frappe: the cards and the deal (sections 2 and 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ... import sheets
from ...cards import Pack

SEATS = 2
ROUNDS, HAND, EXTENSION = 8, 3, 4

PACK = Pack(suits="SHDC", ranks="A23456789TJQK")
RANKS = PACK.rank_letters
NUMBER = {"A": 1, "2": 2, "3": 3, "4": 4}  # of the cards that can lie in place
NEXT_RANK = dict(zip(RANKS, RANKS[1:] + RANKS[:1], strict=True))  # the ace follows the king


def worth(rank: str) -> int:
    """What a pair of the rank is worth, a frappe with it, a sweep that ends with it."""
    return {"K": 4, "Q": 3, "J": 2}.get(rank, 1)


@dataclass(frozen=True, slots=True)
class Deal:
    """`hands`: by seat, three cards for each distribution in their order; `extension` from the left."""

    dealer: int
    hands: tuple[tuple[str, ...], ...]
    extension: tuple[str, ...]


def deal_from(pack: Sequence[str], dealer: int) -> Deal:
    """Three cards each, the dealer's opponent first, eight times; the last four are the extension."""
    packets = [pack[at : at + HAND] for at in range(0, ROUNDS * HAND * SEATS, HAND)]
    forehand, own = (tuple(token for packet in packets[side::2] for token in packet) for side in (0, 1))
    return Deal(dealer, (own, forehand) if dealer == 1 else (forehand, own), tuple(pack[48:]))


def read_deal(data: Any) -> Deal:
    read = sheets.read_deal(data, SEATS, ("dealer", "hands", "extension"))
    lists = [*read["hands"], read["extension"]] if isinstance(read["hands"], list) else []
    PACK.read(lists, sizes=(ROUNDS * HAND, ROUNDS * HAND, EXTENSION))
    return Deal(read["dealer"], tuple(map(tuple, read["hands"])), tuple(read["extension"]))
