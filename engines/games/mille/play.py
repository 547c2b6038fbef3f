"""Mille: the phases (section 4), and what may be seen (section 11)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from random import Random
from typing import Any

from ...cards import CardSet, below
from ...contract import Outcome, Settings
from ...phases import OVER, Phase
from ...phrases import Phrase
from ...tricks import MarkedPlay, TakingState, total
from ...views import Pile, Said, Talk, View, said
from .cards import COUPLES, LEFT_OF, MARRIED, PACK, PACKS, SEATS, VALUES, Deal, marriages_in
from .marks import Ending, outcome_of
from .sheet import FORM, LEAST_BID, MOST_BID, NO_BOMB, WITHOUT_MARRIAGE

PASS, BOMB = "pass", "bomb"
BIDS = {PASS: 0} | {f"bid:{amount}": amount for amount in range(LEAST_BID, MOST_BID + 1, 5)}

MUST_OPEN = Phrase("the player at the dealer's left must open, with at least 100")
BID_HIGHER = Phrase("bid a higher multiple of five, 400 at most, or pass")
NEEDS_MARRIAGE = Phrase("a bid above 120 needs a marriage in the hand")
GIVE_TWO = Phrase("give two different cards of your hand")
NO_MARRIAGE = Phrase(
    "a marriage can be led only by the player who has just won a trick and holds its queen and king"
)


class MilleState(TakingState):
    """A deal in progress. Seats are indices from 0 inside; cards are those of the order's own pack."""

    __slots__ = (
        "contract", "deal", "marriages", "options", "order", "passed", "passes", "points", "received",
        "values",
    )  # fmt: skip

    seats, next_seat = SEATS, LEFT_OF

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.deal, self.options = deal, options
        self.order = order = str(options["rank_order"])
        pack, self.values = PACKS[order], VALUES[order]
        super().__init__(pack, [pack.same(hand, PACK) for hand in deal.hands], deal.dealer)
        self.passed: list[int] = []
        self.passes = 0  # in a row
        self.contract = 0
        self.received: tuple[str, str] | None = None  # given to the left, and to the seat after it
        self.marriages: Talk = ()
        self.points = [0] * SEATS
        self.now = AUCTION
        self.actor = self.forehand

    # The tricks: follow suit, failing that ruff; the highest trump takes, else the highest of the suit led

    def took(self, winner: int, place: int) -> None:
        self.points[winner] += total(self.trick, self.values)

    # The end

    def result(self) -> Ending:
        self.check_over()
        assert self.declarer is not None
        if self.received is None:
            return Ending(self.declarer, self.contract, end="bomb")
        marriages = tuple((suit, seat) for seat, suit in self.marriages)
        return Ending(self.declarer, self.contract, "played", tuple(self.points), marriages)

    def outcome(self) -> Outcome:
        return outcome_of(self.result(), self.options)

    def sheet(self) -> dict[str, Any]:
        return self.result().to_sheet(FORM, SEATS)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> "MilleView":
        known = () if seat is None else self.exchanged_with(seat - 1)
        return MilleView(
            **self.seen_by(
                seat,
                self.deal.dealer,
                Pile.of("dog", self.deal.dog, is_shown=self.now is not AUCTION),
                Pile("exchanged", known),
            ),
            contract=self.contract or None,
            marriages=said(self.marriages),
            bombs=self.deal.bombs,
            points=tuple(self.points),
        )

    def exchanged_with(self, seat: int) -> tuple[str, ...]:
        """The cards that a seat knows from the exchange: both for the declarer, its own for another."""
        if self.received is None or self.declarer is None:
            return ()
        if seat == self.declarer:
            return self.received
        return (self.received[0 if seat == LEFT_OF[self.declarer] else 1],)


@dataclass(frozen=True, slots=True, kw_only=True)
class MilleView(View):
    """`marriages`: who announced which suit; `bombs`: the seats that hold one. The pile `exchanged`: the
    cards that the seat gave or received."""

    contract: int | None
    marriages: tuple[Said, ...]
    bombs: tuple[int, ...]


class Auction(Phase[MilleState, int]):
    """A bid is its amount, a pass is 0. Two passes in a row end it; with `reentry=false` two players who have
    passed do."""

    name = "auction"

    def amounts(self, state: MilleState, most: int) -> range:
        return range(max(LEAST_BID, state.contract + 5), most + 1, 5)

    def most(self, state: MilleState) -> int:
        return MOST_BID if marriages_in(state.pack, state.hands[state.actor]) else WITHOUT_MARRIAGE

    def offers(self, state: MilleState) -> Iterator[str]:
        if state.bids:
            yield PASS
        yield from (f"bid:{amount}" for amount in self.amounts(state, self.most(state)))

    def draw(self, state: MilleState, random: Random) -> str:
        amounts, passes = self.amounts(state, self.most(state)), bool(state.bids)
        at = below(len(amounts) + passes, random)
        return PASS if passes and not at else f"bid:{amounts[at - passes]}"

    def read(self, state: MilleState, token: str) -> int | None:
        if token in BIDS:
            return BIDS[token]
        verb, _colon, number = token.partition(":")
        if verb != "bid" or len(number) > 10 or not (number.isascii() and number.isdigit()):
            return None
        if str(int(number)) != number:
            return None
        return int(number) or -1

    def rule(self, state: MilleState, action: int) -> Phrase | None:
        if not action:
            return None if state.bids else MUST_OPEN
        if action not in self.amounts(state, MOST_BID):
            return BID_HIGHER if state.bids else MUST_OPEN
        return NEEDS_MARRIAGE if action > WITHOUT_MARRIAGE and action > self.most(state) else None

    def take(self, state: MilleState, action: int) -> None:
        state.note(f"bid:{action}" if action else PASS)
        if action:
            state.passes = 0
            state.contract, state.declarer = action, state.actor
        else:
            state.passes += 1
            state.passed.append(state.actor)
        skips = not state.options["reentry"]
        if (len(state.passed) if skips else state.passes) == 2:
            assert state.declarer is not None
            state.now = EXCHANGE
            state.actor = state.declarer
            state.hands[state.actor] |= state.pack.cards(state.deal.dog)
            return
        state.actor = LEFT_OF[state.actor]
        while skips and state.actor in state.passed:
            state.actor = LEFT_OF[state.actor]


class Exchange(Phase[MilleState, tuple[str, ...]]):
    """A card for each opponent, or the bomb that ends the deal (no cards)."""

    name = "exchange"

    def offers(self, state: MilleState) -> Iterator[str]:
        if self.rule(state, ()) is None:
            yield BOMB
        for left, right in permutations(state.pack.tokens(state.hands[state.actor]), 2):
            yield f"give:{left},{right}"

    def draw(self, state: MilleState, random: Random) -> str:
        cards, bomb = state.pack.tokens(state.hands[state.actor]), self.rule(state, ()) is None
        at = below(len(cards) * (len(cards) - 1) + bomb, random)
        if bomb and not at:
            return BOMB
        left, right = divmod(at - bomb, len(cards) - 1)
        return f"give:{cards[left]},{cards[right + (right >= left)]}"

    def read(self, state: MilleState, token: str) -> tuple[str, ...] | None:
        if token == BOMB:
            return ()
        verb, _colon, rest = token.partition(":")
        cards = tuple(rest.split(","))
        return cards if verb == "give" and PACK.places.keys() >= set(cards) else None

    def rule(self, state: MilleState, action: tuple[str, ...]) -> Phrase | None:
        if not action:
            return None if state.actor + 1 in state.deal.bombs else NO_BOMB
        held = state.pack.cards(set(action)) & state.hands[state.actor]
        return None if len(action) == 2 and held.bit_count() == 2 else GIVE_TWO

    def take(self, state: MilleState, action: tuple[str, ...]) -> None:
        if not action:
            state.now = OVER
            return
        actor, pack = state.actor, state.pack
        state.received = left, right = action[0], action[1]
        first, second = LEFT_OF[actor], LEFT_OF[LEFT_OF[actor]]
        state.hands[actor] &= ~pack.cards(action)
        state.hands[first] |= pack.card(left)
        state.hands[second] |= pack.card(right)
        state.now = PLAY
        state.lead(actor)


class Play(MarkedPlay[MilleState]):
    """A card; or with it, `!marriage`, which makes its suit trumps."""

    mark, unmarked = MARRIED, NO_MARRIAGE

    def saying(self, state: MilleState) -> CardSet:
        """Of the marriages in the hand, by a player who has just won a trick."""
        if state.taker is None or 0 < len(state.trick) < SEATS:
            return 0
        hand, couples = state.hands[state.actor], COUPLES[state.pack]
        return sum(couples[suit] for suit in marriages_in(state.pack, hand))

    def say(self, state: MilleState, card: CardSet) -> None:
        state.trump = state.pack.token(card)[1]
        state.marriages += ((state.actor, state.trump),)
        state.trumps = state.pack.suit_of[card]


AUCTION, EXCHANGE, PLAY = Auction(), Exchange(), Play()
