"""The trick: who leads, what may be played, who takes it, and what lies on the table."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, TypeVar

from .cards import CardSet, Pack, highest
from .phases import Phase, PhasedState
from .phrases import Phrase
from .turns import FOLLOW, MUST_FOLLOW_TRUMP, MUST_OVERTRUMP, MUST_RUFF, NOT_HELD, LoggedState

NEXT = {seats: tuple((seat + 1) % seats for seat in range(seats)) for seats in range(2, 8)}
"""By number of seats, who sits at the left of each (indices from 0)."""


class StagedTricks(LoggedState):
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


class TrickState(PhasedState):
    """Cards that are played to tricks. Seats are indices; `hands` by seat, cards of the `pack`;
    `plays`: what the tokens of plays mean; `trick` lies on the table, the last one until the next begins;
    `leader` began it; `taker` took the last; `playable`: what the actor may play, nothing outside the play.

    A game says how many play (`seats`) and who plays after whom (`next_seat`), what a hand `may_play` to the
    trick, which card is `winning` it, and what follows when its winner `took` it.
    """

    __slots__ = ("gathered", "hands", "leader", "pack", "playable", "plays", "taker", "trick", "tricks")

    seats: ClassVar[int]
    next_seat: ClassVar[tuple[int, ...]]

    def __init__(self, pack: Pack, plays: Mapping[str, CardSet], hands: Sequence[CardSet]) -> None:
        self.log = []
        self.pack, self.plays = pack, plays
        self.hands = list(hands)
        self.trick: list[CardSet] = []
        self.tricks = [0] * len(hands)
        self.gathered = 0
        self.leader = 0
        self.taker: int | None = None
        self.playable: CardSet = 0

    @abstractmethod
    def may_play(self, hand: CardSet) -> CardSet:
        """The cards of a hand that may follow those of the trick."""

    @abstractmethod
    def winning(self) -> int:
        """The place in the trick of the card that takes it."""

    @abstractmethod
    def took(self, winner: int, place: int) -> None:
        """What follows a trick, which this seat took with the card at this place: it is now the winner's
        turn, who may lead any card of the hand."""

    def lead(self, seat: int) -> None:
        """A seat leads any card of its hand."""
        self.actor = seat
        self.playable = self.hands[seat]

    def apply(self, entry: str) -> None:
        card = self.plays.get(entry, 0)
        if card & self.playable:
            self.log.append(entry)
            self.play(card)
        else:
            super().apply(entry)

    def play(self, card: CardSet) -> None:
        actor = self.actor
        hands = self.hands
        hands[actor] ^= card
        trick = self.trick
        size = len(trick)
        if size == 0 or size == self.seats:
            self.trick = [card]
            self.leader = actor
        else:
            trick.append(card)
            if size == self.seats - 1:
                place = self.winning()
                self.actor = self.taker = winner = (self.leader + place) % self.seats
                self.tricks[winner] += 1
                self.gathered += 1
                self.playable = hands[winner]
                self.took(winner, place)
                return
        self.actor = actor = self.next_seat[actor]
        self.playable = self.may_play(hands[actor])


T = TypeVar("T", bound=TrickState)


class CardPlay(Phase[T, CardSet]):
    """The play of a trick-taking game: one card at a time, of those that the state names `playable`."""

    name = "play"

    def offers(self, state: T) -> Iterator[str]:
        return (f"play:{token}" for token in state.pack.tokens(state.playable))

    def read(self, state: T, token: str) -> CardSet | None:
        return state.plays.get(token)

    def rule(self, state: T, action: CardSet) -> Phrase | None:
        if action & state.playable:
            return None
        hand = state.hands[state.actor]
        return self.reason(state, hand, action) if action & hand else NOT_HELD

    def reason(self, state: T, hand: CardSet, card: CardSet) -> Phrase:
        """The rule that keeps a card of the hand from being played."""
        return FOLLOW if hand & state.pack.suit_of[state.trick[0]] else MUST_RUFF

    def take(self, state: T, action: CardSet) -> None:
        state.play(action)


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
