"""What a phone needs to take down the play of a deal from what everybody at the table sees, as plain data.

It knows no hand and no stock: which cards there are, what is said before the first one and with one, who
leads, and what takes a trick. So it can say whose turn it is, and never what somebody may play. docs/forms.md
tells a program that draws it what it means.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .cards import Pack
from .phrases import Phrase


@dataclass(frozen=True, slots=True)
class Pad:
    """The play in tricks of one card from each seat, clockwise; the dealer's left begins.

    `cards`: how many are played, in each round of a game of `rounds`. `order`: ranks from low to high, of
    trumps `trump_order`. `before`: what seats say in turn before the first card, until one says what begins
    with `taking`, followed by the suit of trumps; with `taker_leads` that seat leads. `marks`: what may be
    said with a card, as the end of its token. `turned`: so many cards lie face up, whose suits are trumps.
    `cancelling`: two trumps of one rank in a trick of three cancel each other. `gives`: how the token begins
    by which the winner of a trick names the seat that gets it and leads, each at most `quota` times a round;
    not of the last trick."""

    pack: Pack
    cards: int
    order: str
    trump_order: str = ""
    before: tuple[str, ...] = ()
    taking: str = ""
    taker_leads: bool = False
    marks: tuple[str, ...] = ()
    turned: int = 0
    cancelling: bool = False
    gives: str = ""
    quota: int = 0
    rounds: int = 1

    def to_json(self, names: Mapping[str, Phrase], language: str) -> dict[str, Any]:
        def said(token: str) -> dict[str, str]:
            return {"token": token, "label": names[token.lstrip("!")].to(language)}

        return {
            "suits": self.pack.suit_letters,
            "ranks": self.order[::-1],
            "trump_ranks": (self.trump_order or self.order)[::-1],
            "cards": self.cards,
            "before": [said(token) for token in self.before],
            "taking": self.taking,
            "taker_leads": self.taker_leads,
            "marks": [said(token) for token in self.marks],
            "turned": self.turned,
            "cancelling": self.cancelling,
            "gives": self.gives,
            "quota": self.quota,
            "rounds": self.rounds,
        }
