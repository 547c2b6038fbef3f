"""Tarot double détente and Triple-Détente: the cards and the deal (sections 2 and 3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Self

from ... import sheets
from ...cards import CardSet, Pack
from ...deals import Dealt
from ...errors import BadDeal
from ...phrases import Phrase
from ...tarot import asks_of
from ...tricks import Powers, powers

TRICKS = 13
PARTS = {3: 2, 2: 3}  # by the number of seats
RED = 100  # an opponent with so many points can be named

# ── The cards (section 2) ─────────────────────────────────────────────────────────────────────────

PACK = Pack(suits="SHDC", ranks="123456789TJCQK", trumps=21, excuse=True)
TRUMPS, EXCUSE, PETIT = PACK.suit("T"), PACK.card("EX"), PACK.card("1T")
KNIGHTS, ACES = PACK.cards("CS CH CD CC"), PACK.cards("1S 1H 1D 1C")


@cache
def strength_with(reversed_suit: str) -> Mapping[CardSet, int]:
    """The strength of every card, one suit perhaps turned upside down; trumps above all, the Excuse below."""
    strength = {EXCUSE: 0}
    for token in PACK.order[:-1]:
        if token[-1] == "T":
            strength[PACK.card(token)] = 100 + int(token[:-1])
        else:
            place = 1 + PACK.rank_letters.index(token[0])
            strength[PACK.card(token)] = 15 - place if token[-1] == reversed_suit else place
    return strength


@cache
def powers_with(reversed_suit: str) -> Powers:
    return powers(strength_with(reversed_suit), asks_of(PACK), TRUMPS)


# ── The deal (section 3) ──────────────────────────────────────────────────────────────────────────


def are_scores(value: object, seats: int) -> bool:
    return sheets.are_whole(value, seats, -10_000, 10_000)


SCORES_WANTED = Phrase("the scores before the deal must be a list of whole numbers, one per seat")


@dataclass(frozen=True, slots=True)
class Deal(Dealt):
    """`hands` of the first part; the `stock` gives those of the others; `start_scores` by seat."""

    pack, optional = PACK, ("start_scores",)

    stock: tuple[str, ...]
    start_scores: tuple[int, ...]

    @classmethod
    def of(cls, pack: Sequence[str], dealer: int) -> Self:
        seats, handed = len(cls.sizes), TRICKS * len(cls.sizes)
        return cls(dealer, handed_out(pack[:handed], dealer, seats), tuple(pack[handed:]), (0,) * seats)

    @classmethod
    def more(cls, read: Mapping[str, Any]) -> dict[str, Any]:
        scores = read.get("start_scores", [0] * len(cls.sizes))
        if not are_scores(scores, len(cls.sizes)):
            raise BadDeal((), SCORES_WANTED)
        return {"start_scores": tuple(scores)}


class DoubleDeal(Deal):
    __slots__ = ()
    sizes, piles = (TRICKS,) * 3, {"stock": 39}


class TripleDeal(Deal):
    __slots__ = ()
    sizes, piles = (TRICKS,) * 2, {"stock": 52}


@dataclass(frozen=True, slots=True)
class Part:
    """What a part begins with: the hands, and the cards turned (none, one, or two after an Excuse)."""

    hands: tuple[CardSet, ...]
    turned: tuple[str, ...] = ()

    @property
    def effect(self) -> str:
        """exact, doubled, the letter of a reversed suit, or nothing (section 4)."""
        if not self.turned:
            return ""
        card = self.turned[-1]
        if card[-1] == "T":
            return "exact"
        return "doubled" if card[0] == "C" else card[-1]

    @property
    def reversed_suit(self) -> str:
        """The suit that is turned upside down, if any."""
        return self.effect if len(self.effect) == 1 else ""


def handed_out(cards: Sequence[str], dealer: int, seats: int) -> tuple[CardSet, ...]:
    """Thirteen cards each, one at a time from the dealer's left."""
    hands = [0] * seats
    for place, token in enumerate(cards):
        hands[(dealer + place) % seats] |= PACK.card(token)
    return tuple(hands)


@lru_cache(maxsize=1024)
def parts_of(deal: Deal, modifications: bool) -> tuple[Part, ...]:
    """All parts, each dealt from what the one before has left."""
    seats, stock = len(deal.hands), list(deal.stock)
    parts, hands = [], deal.hands
    for number in range(PARTS[seats]):
        last = number + 1 == PARTS[seats]
        if number:
            hands, stock = handed_out(stock[: TRICKS * seats], deal.dealer, seats), stock[TRICKS * seats :]
        turned: tuple[str, ...] = ()
        if modifications and not last:
            turned = tuple(stock[: 2 if stock[0] == "EX" else 1])
            stock = stock[len(turned) :] + list(turned)
        parts.append(Part(hands, turned))
    return tuple(parts)
