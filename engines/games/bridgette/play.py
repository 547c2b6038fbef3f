"""Bridgette: the phases (section 4), and what may be seen (section 11)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ...cards import CardSet
from ...contract import Outcome, Settings
from ...phases import OVER, Words
from ...phrases import Phrase
from ...tricks import NEXT, CardPlay, LayingAside, TakingState
from ...turns import FOLLOW
from ...views import Pile, View
from .cards import (
    CALLED,
    COLON_BY_BIT,
    DENOMINATIONS,
    FOREHAND_TAKES,
    HAND,
    MOST_LEVEL,
    PACK,
    SEATS,
    Bid,
    Deal,
    beaters,
    least_level,
)
from .marks import Contract, Ending, outcome_of

PASS, CONTRE, SURCONTRE = "pass", "contre", "surcontre"
ANSWERED = (PASS, SURCONTRE, CONTRE)
SUITS = {letter: PACK.suit(letter) for letter in PACK.suit_letters}
MOST_LISTED = 4  # so many discards are listed whole: 2,380; eight cards would make 203,490

TWICE = Phrase("names the same card twice")
BID_HIGHER = Phrase("bid higher than the last bid, or pass")
TWO_OF_THE_SUIT = Phrase("to bid a suit you need at least two cards of it")
FOUR_TO_JUMP = Phrase("to jump in a suit you need at least four cards of it")
ONE_OF_EACH = Phrase("to bid sans atout you need at least one card of each suit")
DOUBLE_AT_ONCE = Phrase(
    "contre answers the other player's bid and surcontre the other player's contre, both at once"
)
BANNED = Phrase("a matching Colon has taken away the right to lead this suit: lead another card")


class BridgetteState(TakingState):
    """A deal in progress. Seats are indices from 0 inside."""

    __slots__ = ("ban", "beaters", "bid", "deal", "discards", "doubling", "received")

    seats, next_seat = SEATS, NEXT[SEATS]
    follows, auction = False, ""  # who has bid last is named at once

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.deal = deal
        dealer, takes = deal.dealer - 1, deal.dealer_takes
        first = PACK.cards(deal.stock[:FOREHAND_TAKES])
        second = PACK.cards(deal.stock[FOREHAND_TAKES : FOREHAND_TAKES + takes])
        self.received = [second, first] if dealer == 0 else [first, second]
        hands = [hand | more for hand, more in zip(deal.hands, self.received, strict=True)]
        super().__init__(PACK, hands, deal.dealer)
        self.discards: list[CardSet] = [0] * SEATS
        self.bid: Bid | None = None
        self.doubling = "none"
        self.beaters = beaters(0)
        self.ban: CardSet = 0  # the suit that may not be led after the last trick
        self.now = EXCHANGE
        self.actor = self.forehand

    # The tricks

    def may_play(self, hand: CardSet) -> CardSet:
        """Follow suit, or play the Colon of the card that was led; without the suit any card."""
        if not hand & self.asked:
            return hand
        return hand & (self.asked | COLON_BY_BIT[self.trick[0].bit_length()])

    def winning(self) -> int:
        led, card = self.trick
        return 1 if card & self.beaters[led.bit_length()] else 0

    def took(self, winner: int, place: int) -> None:
        """The Colon of the card that was led bans its suit."""
        led, card = self.trick
        self.ban = self.asked if COLON_BY_BIT[led.bit_length()] == card else 0
        self.playable = self.playable & ~self.ban or self.playable

    # The end

    def result(self) -> Ending | None:
        """None: passed out."""
        self.check_over()
        if self.bid is None or self.declarer is None:
            return None
        return Ending(Contract(self.declarer, *self.bid, self.doubling), self.tricks[self.declarer])

    def sheet(self) -> dict[str, Any]:
        result = self.result()
        if result is None:
            return {"passed_out": True}
        return {"passed_out": False, **result.contract.to_json(), "tricks": result.tricks, "faults": []}

    def outcome(self) -> Outcome:
        return outcome_of(self.result())

    # What may be seen (section 11)

    def view(self, seat: int | None) -> "BridgetteView":
        ban = self.ban if len(self.trick) == SEATS else 0
        received, discards = (self.received[seat - 1], self.discards[seat - 1]) if seat else (0, 0)
        return BridgetteView(
            **self.seen_by(
                seat,
                self.deal.dealer,
                Pile("turned", (self.deal.turned,)),
                Pile("received", tuple(PACK.tokens(received))),
                Pile("discards", tuple(PACK.tokens(discards))),
            ),
            contract=None if self.bid is None else f"{self.bid[0]}{self.bid[1]}",
            exchanged=tuple(cards.bit_count() for cards in self.received),
            doubling=self.doubling,
            ban=next((letter for letter in PACK.suit_letters if PACK.suit(letter) == ban), None),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgetteView(View):
    """`exchanged`: by seat, how many cards it has received; `ban`: the suit that may not be led. The piles
    `received` and `discards` are the seat's own."""

    contract: str | None
    exchanged: tuple[int, ...]
    doubling: str
    ban: str | None


class Exchange(LayingAside[BridgetteState]):
    """Both lay aside what they hold beyond thirteen cards, the forehand first."""

    name = "exchange"
    pack = PACK

    def count(self, state: BridgetteState) -> int:
        return state.hands[state.actor].bit_count() - HAND

    def held(self, state: BridgetteState) -> Sequence[str]:
        return PACK.in_order(state.hands[state.actor])

    def offers(self, state: BridgetteState) -> Iterator[str]:
        count = self.count(state)
        held = self.held(state)[: None if count <= MOST_LISTED else count]
        return map(self.token, combinations(held, count))

    def rule(self, state: BridgetteState, action: tuple[str, ...]) -> Phrase | None:
        return TWICE if len(set(action)) < len(action) else super().rule(state, action)

    def take(self, state: BridgetteState, action: tuple[str, ...]) -> None:
        state.discards[state.actor] = self.lay_aside(state, action)
        if state.actor == state.deal.dealer - 1:
            state.now = AUCTION
        state.actor = 1 - state.actor


class Auction(Words[BridgetteState, str]):
    """Bids, contre and surcontre. It ends when the last bidder passes or redoubles, or when both have passed
    without a bid."""

    name = "auction"
    words = {word: word for word in (*ANSWERED, *CALLED)}

    def most(self, state: BridgetteState, denomination: str) -> int:
        """The highest level at which the hand allows to bid a denomination now; −1 if it does not at all."""
        hand = state.hands[state.actor]
        if denomination == "SA":
            return MOST_LEVEL if all(hand & suit for suit in SUITS.values()) else -1
        held = (hand & SUITS[denomination]).bit_count()
        return -1 if held < 2 else least_level(denomination, state.bid) if held < 4 else MOST_LEVEL

    def offers(self, state: BridgetteState) -> Iterator[str]:
        """What is no bid first; of each denomination, its levels are asked for once."""
        yield from (word for word in ANSWERED if self.rule(state, word) is None)
        least = {one: least_level(one, state.bid) for one in DENOMINATIONS}
        most = {one: self.most(state, one) for one in DENOMINATIONS}
        yield from [word for word, (level, one) in CALLED.items() if least[one] <= level <= most[one]]

    def rule(self, state: BridgetteState, action: str) -> Phrase | None:
        if action in CALLED:
            return self.rule_of_bid(state, *CALLED[action])
        if action == SURCONTRE:
            return None if state.doubling == CONTRE else DOUBLE_AT_ONCE
        if action == CONTRE:
            at_once = state.declarer == 1 - state.actor and state.bids[-1][1] in CALLED
            return None if at_once else DOUBLE_AT_ONCE
        return None

    def rule_of_bid(self, state: BridgetteState, level: int, denomination: str) -> Phrase | None:
        if level < least_level(denomination, state.bid):
            return BID_HIGHER
        most = self.most(state, denomination)
        if level <= most:
            return None
        if denomination == "SA":
            return ONE_OF_EACH
        return TWO_OF_THE_SUIT if most < 0 else FOUR_TO_JUMP

    def take(self, state: BridgetteState, action: str) -> None:
        actor = state.actor
        state.note(action)
        state.actor = 1 - actor
        if action in CALLED:
            state.bid, state.declarer, state.doubling = CALLED[action], actor, "none"
        elif action != PASS:
            state.doubling = action
        if action == SURCONTRE or (action == PASS and state.declarer == actor):
            assert state.bid is not None
            assert state.declarer is not None
            state.trumps = 0 if state.bid[1] == "SA" else PACK.suit(state.bid[1])
            state.beaters = beaters(state.trumps)
            state.now = PLAY
            state.lead(state.declarer)
        elif state.declarer is None and len(state.bids) == SEATS:
            state.now = OVER


class Play(CardPlay[BridgetteState]):
    def reason(self, state: BridgetteState, hand: CardSet, card: CardSet) -> Phrase:
        return FOLLOW if len(state.trick) == 1 else BANNED


EXCHANGE, AUCTION, PLAY = Exchange(), Auction(), Play()
