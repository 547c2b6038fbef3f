"""Duel à Las Vegas: the cards and the deal (sections 2 and 3)."""

from dataclasses import dataclass
from typing import Any

from ...errors import BadDeal
from ...phrases import Phrase
from .poker import CARD, RANKS, SUITS

SEATS = 2
MAINS = 6  # that win the game
JOKERS = ("JK1", "JK2")
ORDER = (*(rank + suit for suit in SUITS for rank in RANKS), *JOKERS)


@dataclass(frozen=True, slots=True)
class Deal:
    """Each seat's own pack, drawn from the front."""

    decks: tuple[tuple[str, ...], ...]

    @classmethod
    def read(cls, data: Any) -> "Deal":
        """An explicit deal may have shorter packs, even empty ones."""
        if not isinstance(data, dict) or set(data) != {"decks"}:
            raise BadDeal((), Phrase("must have the key decks, and no other"))
        decks = data["decks"]
        if not isinstance(decks, list) or len(decks) != SEATS or not all(isinstance(d, list) for d in decks):
            raise BadDeal((), Phrase("must have two packs, each a list of cards"))
        for deck in decks:
            strange = tuple(str(card) for card in deck if not isinstance(card, str) or card not in ORDER)
            if strange:
                raise BadDeal(strange, Phrase("has cards that are not in the pack"))
            if double := tuple(sorted({card for card in deck if deck.count(card) > 1})):
                raise BadDeal(double, Phrase("has the same card twice"))
        return cls(tuple(map(tuple, decks)))

    def to_json(self) -> dict[str, Any]:
        return {"decks": [list(deck) for deck in self.decks]}


def is_joker(token: str) -> bool:
    return token not in CARD
