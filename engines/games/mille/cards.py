"""Mille: the cards and the deal (sections 2 and 3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ... import sheets
from ...cards import CardSet, Pack, by_bit
from ...deals import Dealt, in_packets
from ...errors import BadDeal
from ...phrases import Phrase
from ...tricks import NEXT, by_rank

SEATS = 3
LEFT_OF = NEXT[SEATS]

# ── The cards (section 2) ─────────────────────────────────────────────────────────────────────────

PACK = Pack(suits="SHDC", ranks="9JQKTA")
PACKS = {"points": PACK, "literal": Pack(suits="SHDC", ranks="9TJQKA")}
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
MARRIAGE = {"S": 40, "C": 60, "D": 80, "H": 100}
MARRIED = "!marriage"
VALUES = {order: by_bit(by_rank(pack, POINTS, POINTS)) for order, pack in PACKS.items()}


COUPLES = {pack: {suit: pack.cards([f"Q{suit}", f"K{suit}"]) for suit in MARRIAGE} for pack in PACKS.values()}


def marriages_in(pack: Pack, hand: CardSet) -> list[str]:
    """The suits of which a hand holds queen and king."""
    return [suit for suit, couple in COUPLES[pack].items() if hand & couple == couple]


# ── The deal (section 3) ──────────────────────────────────────────────────────────────────────────


def are_seats(value: object) -> bool:
    seats = value if isinstance(value, list) else [0]
    return all(sheets.is_whole(seat, 1, SEATS) for seat in seats) and len(set(seats)) == len(seats)


BOMBS_WANTED = Phrase("the bombs must be a list of different seats from 1 to 3")


@dataclass(frozen=True, slots=True)
class Deal(Dealt):
    """`bombs`: the seats that hold one, in order."""

    pack, sizes, piles, optional = PACK, (7,) * SEATS, {"dog": 3}, ("bombs",)

    dog: tuple[str, ...]
    bombs: tuple[int, ...] = ()

    @classmethod
    def of(cls, pack: Sequence[str], dealer: int) -> "Deal":
        """One card at a time from the dealer's left, the fourth of the first three rounds to the dog."""
        dog = pack[3], pack[7], pack[11]
        hands = in_packets([token for token in pack if token not in dog], dealer, SEATS, *(1,) * 7)
        return cls(dealer, tuple(map(PACK.cards, hands)), dog)

    @classmethod
    def more(cls, read: Mapping[str, Any]) -> dict[str, Any]:
        bombs = read.get("bombs", [])
        if not are_seats(bombs):
            raise BadDeal((), BOMBS_WANTED)
        return {"bombs": tuple(sorted(bombs))}
