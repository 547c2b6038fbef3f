"""L'Hombre: the cards and the deal (sections 2 and 3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from ... import sheets
from ...cards import ByBit, CardSet, Pack, by_bit
from ...deals import Dealt
from ...errors import BadDeal
from ...phrases import Phrase
from ...tricks import Powers, powers

SEATS = 3
TRICKS = 9
POT = 18  # half jetons: three jetons from each
RIGHT_OF = (2, 0, 1)  # the game turns to the right

# ── The cards (section 2) ─────────────────────────────────────────────────────────────────────────

PACK = Pack(suits="SHDC", ranks="A234567JQK")
ESPADILLE, BASTE = PACK.card("AS"), PACK.card("AC")
PLAIN_RANKS = {"black": "234567JQK", "red": "765432AJQK"}  # from low to high
TRUMP_RANKS = {"black": "34567JQK", "red": "65432JQKA"}  # the manille, above them, left out
MANILLE_RANK = {"black": "2", "red": "7"}


def colour(suit: str) -> str:
    return "black" if suit in "SC" else "red"


@dataclass(frozen=True, slots=True)
class Trumps:
    """The pack with one suit as trumps: the order of all cards, from which everything is read."""

    all: CardSet
    matadors: tuple[CardSet, ...]  # the highest first
    strength: dict[CardSet, int]  # trumps above all others
    follows: ByBit  # by the bit of the card led: the cards that follow it
    powers: Powers

    def ranked(self) -> dict[str, list[str]]:
        """The cards of each suit, and the trumps, from the highest."""
        suits = {suit: PACK.suit(suit) & ~self.all for suit in PACK.suit_letters} | {"trumps": self.all}
        ordered = sorted(self.strength, key=self.strength.__getitem__, reverse=True)
        return {suit: [PACK.token(card) for card in ordered if card & cards] for suit, cards in suits.items()}


def with_trumps(suit: str) -> Trumps:
    manille = PACK.card(MANILLE_RANK[colour(suit)] + suit)
    matadors = (ESPADILLE, manille, BASTE)
    lower = [PACK.card(rank + suit) for rank in TRUMP_RANKS[colour(suit)]]
    ordered = [*lower, *reversed(matadors)]
    trumps = sum(ordered)
    strength = {card: 100 + place for place, card in enumerate(ordered)}
    follows = dict.fromkeys(ordered, trumps)
    for plain in PACK.suit_letters:
        cards = PACK.suit(plain) & ~trumps
        for place, rank in enumerate(PLAIN_RANKS[colour(plain)]):
            card = PACK.card(rank + plain)
            if card & cards:
                strength[card] = place
                follows[card] = cards
    led = by_bit(follows)
    return Trumps(trumps, matadors, strength, led, powers(strength, led, trumps))


TRUMPS = {suit: with_trumps(suit) for suit in PACK.suit_letters}
RANKED = {suit: one.ranked() for suit, one in TRUMPS.items()}


# ── The deal (section 3) ──────────────────────────────────────────────────────────────────────────


def order_from(dealer: int) -> tuple[int, ...]:
    """The seats (indices) in turn: the dealer's right first, the dealer last."""
    first = RIGHT_OF[dealer - 1]
    return first, RIGHT_OF[first], dealer - 1


POT_WANTED = Phrase("the pot must be a positive multiple of six half jetons")


def is_pot(value: object) -> bool:
    return sheets.is_whole(value, 6, None) and isinstance(value, int) and value % 6 == 0


@dataclass(frozen=True, slots=True)
class Deal(Dealt):
    """`stock` in drawing order; `pot` in half jetons, a third of it from each."""

    pack, sizes, piles, optional = PACK, (9,) * SEATS, {"stock": 13}, ("pot",)

    stock: tuple[str, ...]
    pot: int = POT

    @classmethod
    def of(cls, pack: Sequence[str], dealer: int, pot: int = POT) -> Self:
        """Nine cards each in packets of three; the rest is the stock."""
        hands = [0] * SEATS
        for packet in range(9):
            hands[order_from(dealer)[packet % 3]] |= PACK.cards(pack[3 * packet : 3 * packet + 3])
        return cls(dealer, tuple(hands), tuple(pack[27:]), pot)

    @classmethod
    def more(cls, read: Mapping[str, Any]) -> dict[str, Any]:
        pot = read.get("pot", POT)
        if not is_pot(pot):
            raise BadDeal((), POT_WANTED)
        return {"pot": pot}
