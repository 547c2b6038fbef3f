"""Bridgette: the phases (section 4), and what may be seen (section 11)."""

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

from ...cards import CardSet
from ...contract import Outcome, Settings, View
from ...phrases import Phrase
from ...tricks import StagedTricks, on_the_table
from ...turns import FOLLOW, NO_SUCH_ACTION, NOT_HELD, OVER
from .cards import (
    BIDS,
    CALLED,
    COLON_OF,
    COLONS,
    FOREHAND_TAKES,
    GROUPS,
    HAND,
    PACK,
    PLAYS,
    SEATS,
    STRENGTH,
    Bid,
    Deal,
    least_level,
    outbids,
)
from .marks import Contract, Ending, outcome_of

EXCHANGE, AUCTION, PLAY = "exchange", "auction", "play"
PASS, CONTRE, SURCONTRE = "pass", "contre", "surcontre"
MOST_LISTED = 4  # so many discards are listed whole: 2,380; eight cards would make 203,490

LAY_ASIDE = Phrase("lay aside {count} cards of your hand")
TWICE = Phrase("names the same card twice")
BID_HIGHER = Phrase("bid higher than the last bid, or pass")
TWO_OF_THE_SUIT = Phrase("to bid a suit you need at least two cards of it")
FOUR_TO_JUMP = Phrase("to jump in a suit you need at least four cards of it")
ONE_OF_EACH = Phrase("to bid sans atout you need at least one card of each suit")
DOUBLE_AT_ONCE = Phrase(
    "contre answers the other player's bid and surcontre the other player's contre, both at once"
)
BANNED = Phrase("a matching Colon has taken away the right to lead this suit: lead another card")


class BridgetteState(StagedTricks):
    """A deal in progress. Seats are indices from 0 inside."""

    __slots__ = (
        "ban", "bid", "bids", "deal", "declarer", "discards", "doubling", "hands", "options",
        "received", "trump",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(SEATS)
        self.deal, self.options = deal, options
        dealer, takes = deal.dealer - 1, deal.dealer_takes
        first = PACK.cards(deal.stock[:FOREHAND_TAKES])
        second = PACK.cards(deal.stock[FOREHAND_TAKES : FOREHAND_TAKES + takes])
        self.received = [second, first] if dealer == 0 else [first, second]
        self.hands = [hand | more for hand, more in zip(deal.hands, self.received, strict=True)]
        self.discards: list[CardSet] = [0] * SEATS
        self.bids: list[tuple[int, str]] = []
        self.bid: Bid | None = None
        self.declarer: int | None = None
        self.doubling = "none"
        self.trump: CardSet = 0
        self.ban: CardSet = 0  # the suit that may not be led now
        self.stage = EXCHANGE
        self.actor = 1 - dealer

    def surplus(self) -> int:
        """How many cards the actor lays aside."""
        return self.hands[self.actor].bit_count() - HAND

    def choices(self) -> Iterator[str]:
        if self.stage == EXCHANGE:
            held, count = in_order(self.hands[self.actor]), self.surplus()
            if count > MOST_LISTED:
                held = held[:count]
            yield from (f"discard:{','.join(chosen)}" for chosen in combinations(held, count))
        elif self.stage == AUCTION:
            yield PASS
            yield from self.doublings()
            for level, denomination in BIDS:
                token = f"bid:{level}{denomination}"
                if self.broken_bid((level, denomination)) is None:
                    yield token
        else:
            yield from (f"play:{token}" for token in PACK.tokens(self.playable))

    def any_legal(self, seat: int, random: Random) -> str:
        """Millions of discards are possible: one is drawn card by card."""
        if self.stage != EXCHANGE or seat != self.actor + 1:
            return super().any_legal(seat, random)
        chosen = PACK.cards(random.sample(in_order(self.hands[self.actor]), self.surplus()))
        return f"discard:{','.join(in_order(chosen))}"

    def broken_rule(self, token: str) -> Phrase | None:
        if self.stage == EXCHANGE:
            return self.broken_discard(token)
        if self.stage == AUCTION:
            return self.broken_call(token)
        card = PLAYS.get(token, 0)
        if not card:
            return NO_SUCH_ACTION
        if card & self.playable:
            return None
        if not card & self.hands[self.actor]:
            return NOT_HELD
        return BANNED if self.actor == self.leader and len(self.trick) != 1 else FOLLOW

    def apply(self, entry: str) -> None:
        card = PLAYS.get(entry, 0)
        if card & self.playable:
            self.log.append(entry)
            self.play(card)
            return
        token = self.checked(entry)
        if self.stage == PLAY:
            self.apply(token)
        elif self.stage == EXCHANGE:
            cards = PACK.cards(token.partition(":")[2].split(","))
            self.log.append(f"discard:{','.join(in_order(cards))}")
            self.hands[self.actor] ^= cards
            self.discards[self.actor] = cards
            if self.actor == self.deal.dealer - 1:
                self.stage = AUCTION
            self.actor = 1 - self.actor
        else:
            self.log.append(token)
            self.call(token)

    def broken_discard(self, token: str) -> Phrase | None:
        verb, _colon, rest = token.partition(":")
        tokens = rest.split(",")
        if verb != "discard" or not all(card in PACK for card in tokens):
            return NO_SUCH_ACTION
        if len(set(tokens)) < len(tokens):
            return TWICE
        if len(tokens) != self.surplus():
            return Phrase(LAY_ASIDE.text, count=self.surplus())
        return NOT_HELD if PACK.cards(tokens) & ~self.hands[self.actor] else None

    # The auction

    def broken_call(self, token: str) -> Phrase | None:
        if token == PASS:
            return None
        if token in {CONTRE, SURCONTRE}:
            return None if token in self.doublings() else DOUBLE_AT_ONCE
        return self.broken_bid(CALLED[token]) if token in CALLED else NO_SUCH_ACTION

    def doublings(self) -> Iterator[str]:
        if self.doubling == CONTRE:
            yield SURCONTRE
        elif self.declarer == 1 - self.actor and self.bids[-1][1] in CALLED:
            yield CONTRE

    def broken_bid(self, bid: Bid) -> Phrase | None:
        level, denomination = bid
        if not outbids(bid, self.bid):
            return BID_HIGHER
        hand = self.hands[self.actor]
        if denomination == "SA":
            return None if all(hand & PACK.suit(letter) for letter in PACK.suit_letters) else ONE_OF_EACH
        held = (hand & PACK.suit(denomination)).bit_count()
        if held < 2:
            return TWO_OF_THE_SUIT
        return FOUR_TO_JUMP if held < 4 and level > least_level(denomination, self.bid) else None

    def call(self, token: str) -> None:
        """The auction ends when the last bidder passes or redoubles, or when both have passed without a
        bid."""
        actor = self.actor
        self.bids.append((actor, token))
        self.actor = 1 - actor
        if token in CALLED:
            self.bid, self.declarer, self.doubling = CALLED[token], actor, "none"
        elif token == CONTRE:
            self.doubling = CONTRE
        elif token == SURCONTRE:
            self.doubling = SURCONTRE
            self.begin_play()
        elif self.declarer == actor:
            self.begin_play()
        elif self.declarer is None and len(self.bids) == SEATS:
            self.stage = OVER

    def begin_play(self) -> None:
        assert self.bid is not None
        assert self.declarer is not None
        denomination = self.bid[1]
        self.trump = 0 if denomination == "SA" else PACK.suit(denomination)
        self.stage = PLAY
        self.actor = self.leader = self.declarer
        self.playable = self.hands[self.actor]

    # The play

    def play(self, card: CardSet) -> None:
        actor = self.actor
        self.hands[actor] ^= card
        if len(self.trick) != 1:
            self.trick = [card]
            self.leader = actor
            self.ban = 0
            self.actor = other = 1 - actor
            hand = self.hands[other]
            following = hand & PACK.suit_of[card]
            self.playable = following | hand & COLON_OF[card] if following and card in COLON_OF else hand
            return
        self.trick.append(card)
        led = self.trick[0]
        winner = actor if self.beats(card, led) else self.leader
        if card in GROUPS and led & GROUPS[card]:
            self.ban = PACK.suit_of[led]
        self.actor = self.taker = winner
        self.tricks[winner] += 1
        self.gathered += 1
        hand = self.hands[winner]
        self.playable = hand & ~self.ban or hand
        if not hand:
            self.stage = OVER

    def beats(self, card: CardSet, led: CardSet) -> bool:
        """Whether the answer wins. A Colon never wins as the answer; led, it loses to its group and to
        trumps."""
        if led & COLONS:
            return bool(card & (GROUPS[led] | self.trump))
        if card & COLONS:
            return False
        if card & PACK.suit_of[led]:
            return STRENGTH[card] > STRENGTH[led]
        return bool(card & self.trump)

    def result(self) -> Ending | None:
        self.check_over()
        if self.bid is None or self.declarer is None:
            return None
        contract = Contract(self.declarer, *self.bid, self.doubling)
        return Ending(contract, self.tricks[self.declarer])

    def outcome(self) -> Outcome:
        return outcome_of(self.result())

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """The player's own hand, what was received and laid aside; the turned card, the calls, the trick, the
        ban."""
        banned = next((letter for letter in PACK.suit_letters if PACK.suit(letter) == self.ban), None)
        contract = None if self.bid is None else f"{self.bid[0]}{self.bid[1]}"
        shown: dict[str, Any] = {
            "phase": self.stage,
            "dealer": self.deal.dealer,
            "turned": self.deal.turned,
            "exchanged": [cards.bit_count() for cards in self.received],
            "actors": list(self.actors()),
            "bids": [{"seat": who + 1, "bid": said} for who, said in self.bids],
            "declarer": None if self.declarer is None else self.declarer + 1,
            "contract": contract,
            "doubling": self.doubling,
            "ban": banned,
            "trick": on_the_table(PACK, self.trick, self.leader, SEATS),
            "tricks": list(self.tricks),
            "gathered": self.gathered,
            "taker": None if self.taker is None else self.taker + 1,
        }
        if seat is not None:
            shown["hand"] = list(PACK.tokens(self.hands[seat - 1]))
            shown["received"] = list(PACK.tokens(self.received[seat - 1]))
            shown["discards"] = list(PACK.tokens(self.discards[seat - 1]))
        return shown


def in_order(cards: CardSet) -> tuple[str, ...]:
    """The cards in the order of the unshuffled pack."""
    return tuple(token for token in PACK.order if PACK.card(token) & cards)
