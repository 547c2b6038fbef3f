"""Bridgette: the cards, the deal and the bids (sections 2 to 4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Self

from ...cards import ByBit, CardSet, Pack, by_bit
from ...deals import ALONE, Dealt

SEATS = 2
HAND = TRICKS = 13
FOREHAND_TAKES = 2
STOCK = 28

PACK = Pack(suits="SHDC", ranks="23456789TJQKA", alone=("1T", "CS", "EX"))
COLONS = PACK.cards("1T CS EX")
ACES, FIGURES = PACK.rank("A"), PACK.rank("J") | PACK.rank("Q") | PACK.rank("K")
SMALL = PACK.suits("SHDC") & ~(ACES | FIGURES)
GROUPS = {PACK.card("1T"): ACES, PACK.card("CS"): FIGURES, PACK.card("EX"): SMALL}
COLON_OF = {card: colon for colon, group in GROUPS.items() for card in PACK.suit_of if card & group}
COLON_BY_BIT = by_bit(dict.fromkeys(PACK.suit_of, 0) | COLON_OF)  # answers it while one has the suit
STRENGTH = {PACK.card(token): PACK.rank_letters.index(token[0]) for token in PACK.order[:-3]}


@dataclass(frozen=True, slots=True)
class Deal(Dealt):
    """`hands` before the exchange; of the `stock` the forehand's cards lie first, then the dealer's."""

    pack, sizes, piles = PACK, (HAND,) * SEATS, {"turned": ALONE, "stock": STOCK}

    turned: str
    stock: tuple[str, ...]

    @property
    def dealer_takes(self) -> int:
        """How many cards the dealer takes, by the turned card."""
        card = PACK.card(self.turned)
        if card & ACES or self.turned == "1T":
            return 12
        return 8 if card & FIGURES or self.turned == "CS" else 4

    @classmethod
    def of(cls, pack: Sequence[str], dealer: int) -> Self:
        """One by one, the dealer's opponent first; the next card is turned up."""
        forehand, own = PACK.cards(pack[0:26:2]), PACK.cards(pack[1:26:2])
        hands = (own, forehand) if dealer == 1 else (forehand, own)
        return cls(dealer, hands, pack[26], tuple(pack[27:]))


# ── The bids (section 4) ──────────────────────────────────────────────────────────────────────────

MOST_LEVEL = 7
DENOMINATIONS = ("C", "D", "H", "S", "SA")
BIDS = tuple(
    (level, denomination)
    for level in range(MOST_LEVEL + 1)
    for denomination in DENOMINATIONS
    if level or denomination == "SA"
)  # from low to high
RANKED = {bid: place for place, bid in enumerate(BIDS)}
CALLED = {f"bid:{level}{denomination}": (level, denomination) for level, denomination in BIDS}

Bid = tuple[int, str]


@cache
def beaters(trump: CardSet) -> ByBit:
    """By the bit of the card led, the answers that win. A Colon never wins as the answer; led, it loses to
    its group and to trumps."""
    higher = {led: suit & -2 * led | trump & ~suit for led, suit in PACK.suit_of.items() if led in STRENGTH}
    return by_bit(higher | {colon: group | trump for colon, group in GROUPS.items()})


@cache
def least_level(denomination: str, current: Bid | None) -> int:
    """The lowest level at which a denomination can be bid now, above all others if it cannot; above it one
    jumps."""
    above = BIDS if current is None else BIDS[RANKED[current] + 1 :]
    return next((level for level, one in above if one == denomination), MOST_LEVEL + 1)
