"""Frappe: the cards and the deal (sections 2 and 3)."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...cards import Order, Pack
from ...deals import DealtInOrder, in_packets

SEATS = 2
ROUNDS, HAND, EXTENSION = 8, 3, 4

PACK = Pack(suits="SHDC", ranks="A23456789TJQK")
PLACE = Order(PACK.order)
RANKS = PACK.rank_letters
NUMBER = {"A": 1, "2": 2, "3": 3, "4": 4}  # of the cards that can lie in place
NEXT_RANK = dict(zip(RANKS, RANKS[1:] + RANKS[:1], strict=True))  # the ace follows the king


def worth(rank: str) -> int:
    """What a pair of the rank is worth, a frappe with it, a sweep that ends with it."""
    return {"K": 4, "Q": 3, "J": 2}.get(rank, 1)


@dataclass(frozen=True, slots=True)
class Deal(DealtInOrder):
    """`hands`: by seat, three cards for each distribution in their order; `extension` from the left."""

    pack, sizes, piles = PACK, (ROUNDS * HAND,) * SEATS, {"extension": EXTENSION}

    extension: tuple[str, ...]

    @classmethod
    def of(cls, pack: Sequence[str], dealer: int) -> "Deal":
        """Three cards each, the dealer's opponent first, eight times; the last four are the extension."""
        hands = in_packets(pack, dealer, SEATS, *(HAND,) * ROUNDS)
        return cls(dealer, tuple(map(tuple, hands)), tuple(pack[-EXTENSION:]))
