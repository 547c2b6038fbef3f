"""Belote Noisette: the cards and the deal (sections 2 and 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeGuard

from ... import sheets
from ...cards import ByBit, CardSet, Pack, by_bit
from ...contract import Settings
from ...deals import Places, in_packets, places
from ...errors import BadDeal, BadRecord
from ...phrases import Phrase
from ...tricks import NEXT, Powers, by_rank, powers, strengths

SEATS = 3
NUTS = 30
LEFT_OF = NEXT[SEATS]

# ── The cards (section 2) ─────────────────────────────────────────────────────────────────────────

RANKS = "789JQKTA"
SUITS = "SHDC"
TRUMP_ORDER = "78QKTA9J"
PLAIN_ORDER = {"belote": RANKS, "literal": "789TJQKA"}
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
TRUMP_POINTS = POINTS | {"J": 20, "9": 14}
BELOTE = "!belote"
BELOTE_POINTS = LAST_TRICK_POINTS = 10
TOTAL = 132


@cache
def pack_without(removed: str) -> Pack:
    return Pack(suits=SUITS.replace(removed, ""), ranks=RANKS)


@dataclass(frozen=True, slots=True)
class Trumps:
    """The pack with one suit as trumps: what takes a trick by the suit that is led; by bit, points and
    higher trumps."""

    all: CardSet
    powers: Powers
    points: ByBit
    higher: ByBit
    couple: CardSet  # queen and king


@cache
def with_trumps(removed: str, rank_order: str, suit: str) -> Trumps:
    pack = pack_without(removed)
    trumps = pack.suit(suit)
    strength = strengths(pack, PLAIN_ORDER[rank_order], suit, TRUMP_ORDER)
    points = by_rank(pack, POINTS, TRUMP_POINTS, suit)
    in_suit = [pack.card(rank + suit) for rank in TRUMP_ORDER]
    higher = dict.fromkeys(pack.suit_of, 0)
    higher |= {card: sum(in_suit[place + 1 :]) for place, card in enumerate(in_suit)}
    couple = pack.cards([f"Q{suit}", f"K{suit}"])
    return Trumps(trumps, powers(strength, pack.suit_by_bit, trumps), by_bit(points), by_bit(higher), couple)


# ── The deal (section 3) ──────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Deal:
    """`hands` of five; `stock` in order, whose fourth card may be turned; holdings before the
    antes."""

    removed: str
    dealer: int
    hands: tuple[CardSet, ...]
    turned: str
    stock: tuple[str, ...]
    nuts: tuple[int, ...] = (10, 10, 10)
    pot: int = 0

    def places(self) -> Places:
        hands = map(pack_without(self.removed).tokens, self.hands)
        return places(hands, {"turned": (self.turned,), "stock": self.stock})

    def to_json(self) -> dict[str, Any]:
        hands = [list(pack_without(self.removed).tokens(hand)) for hand in self.hands]
        piles = {"turned": self.turned, "stock": list(self.stock)}
        return {"dealer": self.dealer, "hands": hands, **piles, "nuts": list(self.nuts), "pot": self.pot}


def deal_from(
    pack: Sequence[str], dealer: int, removed: str
) -> tuple[tuple[CardSet, ...], str, tuple[str, ...]]:
    """Packets of two, then of three, from the dealer's left; a card turned; the stock."""
    hands = map(pack_without(removed).cards, in_packets(pack, dealer, SEATS, 2, 3))
    return tuple(hands), pack[15], tuple(pack[16:])


HOLDINGS_WANTED = Phrase("each seat has 1 to 20 nuts before the antes, and all of them with the pot make 30")


def are_nuts(nuts: object) -> TypeGuard[list[int]]:
    """Whether the seats may have so many, the others being in the pot."""
    return sheets.are_whole(nuts, SEATS, 1, 20) and sum(nuts) <= NUTS


def are_holdings(nuts: object, pot: object) -> bool:
    return are_nuts(nuts) and sheets.is_whole(pot, 0, NUTS) and pot == NUTS - sum(nuts)


def holdings_of(conditions: Settings, *, carried: bool) -> tuple[tuple[int, ...], int]:
    """The nuts and the pot that conditions preset; what they leave out brings the sum to thirty."""
    nuts = conditions.get("nuts", [9, 9, 9] if carried else [10, 10, 10])
    pot = conditions.get("pot", NUTS - sum(nuts))
    if not are_holdings(nuts, pot):
        raise BadRecord("conditions.nuts", HOLDINGS_WANTED)
    return tuple(nuts), pot


def read_deal(data: Any, removed: str) -> Deal:
    keys = ("dealer", "hands", "turned", "stock")
    read = sheets.read_deal(data, SEATS, keys, optional=("nuts", "pot"))
    lists = [*read["hands"], [read["turned"]], read["stock"]] if isinstance(read["hands"], list) else []
    *hands, _turned, _stock = pack_without(removed).read(lists, sizes=(5, 5, 5, 1, 8))
    nuts, pot = read.get("nuts", [10, 10, 10]), read.get("pot", 0)
    if not are_holdings(nuts, pot):
        raise BadDeal((), HOLDINGS_WANTED)
    return Deal(removed, read["dealer"], tuple(hands), read["turned"], tuple(read["stock"]), tuple(nuts), pot)
