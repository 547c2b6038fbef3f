"""What trick-taking games share, each a function that a game calls."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from .cards import CardSet, Pack, highest
from .phrases import Phrase
from .turns import FOLLOW, MUST_FOLLOW_TRUMP, MUST_OVERTRUMP, MUST_RUFF, LoggedState

NEXT = {seats: tuple((seat + 1) % seats for seat in range(seats)) for seats in range(2, 8)}
"""By number of seats, who sits at the left of each (indices from 0)."""


class TrickState(LoggedState):
    """What a trick-taking game knows at any time. Seats are indices; `trick` lies on the table, the last one
    until the next begins; `leader` began it; `taker` took the last; `playable`: what the actor may play."""

    __slots__ = ("gathered", "leader", "playable", "taker", "trick", "tricks")

    def __init__(self, seats: int) -> None:
        self.log = []
        self.trick: list[CardSet] = []
        self.tricks = [0] * seats
        self.gathered = 0
        self.leader = 0
        self.taker: int | None = None
        self.playable: CardSet = 0


@cache
def clockwise_from(seat: int, seats: int) -> tuple[int, ...]:
    """All seats (from 1), beginning with the one at the left of `seat`, which comes last.

    >>> clockwise_from(2, 3)
    (3, 1, 2)
    """
    return tuple((seat + step) % seats + 1 for step in range(seats))


def strongest(trick: Sequence[CardSet], contending: CardSet, strength: Mapping[CardSet, int]) -> int:
    """The place in a trick of its strongest card, among the cards that contend for it (the suit led, and
    trumps); of equal ones the first played."""
    best, place = -1, 0
    for at, card in enumerate(trick):
        if card & contending and strength[card] > best:
            best, place = strength[card], at
    return place


def on_the_table(
    pack: Pack, trick: Sequence[CardSet], leader: int, seats: int, turn: int = 1
) -> list[dict[str, Any]]:
    """A trick as views show it: seats from 1 and tokens, from the lead; `turn` is −1 where play goes to
    the right."""
    return [
        {"seat": (leader + turn * step) % seats + 1, "card": pack.token(card)}
        for step, card in enumerate(trick)
    ]


def tarot_cards(
    hand: CardSet, demanded: CardSet, trick: Sequence[CardSet], trumps: CardSet, excuse: CardSet
) -> CardSet:
    """What a hand may play to a tarot trick: the suit demanded (none as long as only the Excuse lies there);
    failing that a trump, higher than those of the trick; failing that any card. The Excuse always."""
    following = hand & demanded
    if following and demanded != trumps:
        return following | hand & excuse
    held = hand & trumps
    if not demanded or not held:
        return hand
    played = sum(trick) & trumps
    higher = held & -2 * highest(played) if played else held
    return (higher or held) | hand & excuse


def tarot_rule(card: CardSet, hand: CardSet, demanded: CardSet, trumps: CardSet) -> Phrase:
    """The rule that forbids a card of the hand in a tarot trick."""
    if hand & demanded and demanded != trumps:
        return FOLLOW
    if not card & trumps:
        return MUST_FOLLOW_TRUMP if demanded == trumps else MUST_RUFF
    return MUST_OVERTRUMP
