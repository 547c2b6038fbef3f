"""Mille: the phases (section 4), and what may be seen (section 11)."""

from collections.abc import Iterator
from itertools import permutations
from typing import Any

from ...cards import CardSet, highest
from ...contract import Outcome, Settings, View
from ...phrases import Phrase
from ...tricks import TrickState, on_the_table
from ...turns import FOLLOW, MUST_RUFF, NO_SUCH_ACTION, NOT_HELD, OVER
from .cards import LEFT_OF, MARRIED, PACK, PACKS, PLAYS, SEATS, VALUES, Deal, couple, has_marriage
from .marks import Ending, outcome_of

AUCTION, EXCHANGE, PLAY = "auction", "exchange", "play"
PASS, BOMB = "pass", "bomb"
LEAST_BID, MOST_BID, WITHOUT_MARRIAGE = 100, 400, 120

MUST_OPEN = Phrase("the player at the dealer's left must open, with at least 100")
BID_HIGHER = Phrase("bid a higher multiple of five, 400 at most, or pass")
NEEDS_MARRIAGE = Phrase("a bid above 120 needs a marriage in the hand")
NO_BOMB = Phrase("this seat has no bomb on this board")
GIVE_TWO = Phrase("give two different cards of your hand")
NO_MARRIAGE = Phrase(
    "a marriage can be led only by the player who has just won a trick and holds its queen and king"
)


class MilleState(TrickState):
    """A deal in progress. Seats are indices from 0 inside; cards are those of the order's own pack."""

    __slots__ = (
        "bids", "contract", "deal", "declarer", "hands", "marriages", "options", "order", "pack",
        "passed", "passes", "points", "received", "trump",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(SEATS)
        self.deal, self.options = deal, options
        self.order = str(options["rank_order"])
        self.pack = PACKS[self.order]
        self.hands = [self.pack.cards(PACK.tokens(hand)) for hand in deal.hands]
        self.bids: list[tuple[int, str]] = []
        self.passed: list[int] = []
        self.passes = 0  # in a row
        self.contract = 0
        self.declarer: int | None = None
        self.received: tuple[str, str] | None = None  # given to the left, and to the seat after it
        self.trump: CardSet = 0
        self.marriages: list[tuple[int, str]] = []
        self.points = [0] * SEATS
        self.stage = AUCTION
        self.actor = LEFT_OF[deal.dealer - 1]

    def choices(self) -> Iterator[str]:
        if self.stage == AUCTION:
            if self.bids:
                yield PASS
            most = MOST_BID if has_marriage(self.pack, self.hands[self.actor]) else WITHOUT_MARRIAGE
            for amount in range(max(LEAST_BID, self.contract + 5), most + 1, 5):
                yield f"bid:{amount}"
        elif self.stage == EXCHANGE:
            if self.actor + 1 in self.deal.bombs:
                yield BOMB
            for left, right in permutations(self.pack.tokens(self.hands[self.actor]), 2):
                yield f"give:{left},{right}"
        else:
            for token in self.pack.tokens(self.playable):
                yield f"play:{token}"
                if self.may_marry(token):
                    yield f"play:{token}{MARRIED}"

    def broken_rule(self, token: str) -> Phrase | None:
        if self.stage == AUCTION:
            return self.broken_bid(token)
        if self.stage == EXCHANGE:
            return self.broken_exchange(token)
        plain = token.removesuffix(MARRIED)
        card = PLAYS[self.order].get(plain, 0)
        if not card:
            return NO_SUCH_ACTION
        if not card & self.playable:
            hand = self.hands[self.actor]
            if not card & hand:
                return NOT_HELD
            return FOLLOW if hand & self.pack.suit_of[self.trick[0]] else MUST_RUFF
        if plain != token and not self.may_marry(self.pack.token(card)):
            return NO_MARRIAGE
        return None

    def broken_bid(self, token: str) -> Phrase | None:
        if token == PASS:
            return None if self.bids else MUST_OPEN
        verb, _colon, number = token.partition(":")
        if verb != "bid" or not (number.isascii() and number.isdigit()) or str(int(number)) != number:
            return NO_SUCH_ACTION
        amount = int(number)
        if amount % 5 or not max(LEAST_BID, self.contract + 5) <= amount <= MOST_BID:
            return BID_HIGHER if self.bids else MUST_OPEN
        if amount > WITHOUT_MARRIAGE and not has_marriage(self.pack, self.hands[self.actor]):
            return NEEDS_MARRIAGE
        return None

    def broken_exchange(self, token: str) -> Phrase | None:
        if token == BOMB:
            return None if self.actor + 1 in self.deal.bombs else NO_BOMB
        verb, _colon, rest = token.partition(":")
        cards = rest.split(",")
        if verb != "give" or not all(card in self.pack for card in cards):
            return NO_SUCH_ACTION
        held = self.pack.cards(set(cards)) & self.hands[self.actor]
        return None if len(cards) == 2 and held.bit_count() == 2 else GIVE_TWO

    def may_marry(self, token: str) -> bool:
        """Whether a card may be led with its marriage: by a leader who has just won a trick."""
        if self.taker is None or 0 < len(self.trick) < SEATS or token[0] not in "QK":
            return False
        both = couple(self.pack, token[1])
        return self.hands[self.actor] & both == both

    def apply(self, entry: str) -> None:
        card = PLAYS[self.order].get(entry, 0)
        if card & self.playable:
            self.log.append(entry)
            self.play(card)
            return
        token = self.checked(entry)
        if self.stage == PLAY and not token.endswith(MARRIED):
            self.apply(token)
            return
        self.log.append(token)
        if self.stage == AUCTION:
            self.speak(token)
        elif self.stage == EXCHANGE:
            self.exchange(token)
        else:
            suit = token.removesuffix(MARRIED)[-1]
            self.marriages.append((self.actor, suit))
            self.trump = self.pack.suit(suit)
            self.play(PLAYS[self.order][token.removesuffix(MARRIED)])

    # The auction

    def speak(self, token: str) -> None:
        """Two passes in a row end it; with `reentry=false` two players who have passed do."""
        self.bids.append((self.actor, token))
        if token == PASS:
            self.passes += 1
            self.passed.append(self.actor)
        else:
            self.passes = 0
            self.contract, self.declarer = int(token.removeprefix("bid:")), self.actor
        skips = not self.options["reentry"]
        if (len(self.passed) if skips else self.passes) == 2:
            assert self.declarer is not None
            self.stage = EXCHANGE
            self.actor = self.declarer
            self.hands[self.actor] |= self.pack.cards(self.deal.dog)
            return
        self.actor = LEFT_OF[self.actor]
        while skips and self.actor in self.passed:
            self.actor = LEFT_OF[self.actor]

    def exchange(self, token: str) -> None:
        """A card for each opponent, or the bomb that ends the deal."""
        if token == BOMB:
            self.stage = OVER
            return
        left, right = token.removeprefix("give:").split(",")
        self.received = (left, right)
        first, second = LEFT_OF[self.actor], LEFT_OF[LEFT_OF[self.actor]]
        self.hands[self.actor] &= ~self.pack.cards([left, right])
        self.hands[first] |= self.pack.card(left)
        self.hands[second] |= self.pack.card(right)
        self.stage = PLAY
        self.playable = self.hands[self.actor]

    # The play

    def play(self, card: CardSet) -> None:
        actor = self.actor
        self.hands[actor] ^= card
        if len(self.trick) % SEATS == 0:
            self.trick = []
            self.leader = actor
        trick = self.trick
        trick.append(card)
        if len(trick) == SEATS:
            self.gather()
            return
        self.actor = actor = LEFT_OF[actor]
        hand = self.hands[actor]
        self.playable = hand & self.pack.suit_of[trick[0]] or hand & self.trump or hand

    def gather(self) -> None:
        """The highest trump, else the highest of the suit led; its player leads the next."""
        cards = sum(self.trick)
        best = highest(cards & self.trump or cards & self.pack.suit_of[self.trick[0]])
        self.actor = actor = (self.leader + self.trick.index(best)) % SEATS
        value = VALUES[self.order]
        self.points[actor] += sum(value[card] for card in self.trick)
        self.tricks[actor] += 1
        self.taker = actor
        self.gathered += 1
        self.playable = self.hands[actor]
        if not self.playable:
            self.stage = OVER

    def result(self) -> "Ending":
        self.check_over()
        assert self.declarer is not None
        if self.received is None:
            return Ending(self.declarer, self.contract, end="bomb")
        return Ending(self.declarer, self.contract, "played", tuple(self.points), tuple(self.marriages))

    def outcome(self) -> Outcome:
        return outcome_of(self.result(), self.options)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """The player's own hand and the cards given or received; bids, dog, trump, marriages, points, the
        trick."""
        shown: dict[str, Any] = {
            "phase": self.stage,
            "dealer": self.deal.dealer,
            "bombs": list(self.deal.bombs),
            "actors": list(self.actors()),
            "bids": [{"seat": who + 1, "bid": said} for who, said in self.bids],
            "declarer": None if self.declarer is None or self.stage == AUCTION else self.declarer + 1,
            "contract": self.contract or None,
            "dog": list(self.deal.dog) if self.stage != AUCTION else None,
            "trump": self.marriages[-1][1] if self.marriages else None,
            "marriages": [{"suit": suit, "seat": who + 1} for who, suit in self.marriages],
            "trick": on_the_table(self.pack, self.trick, self.leader, SEATS),
            "tricks": list(self.tricks),
            "points": list(self.points),
            "gathered": self.gathered,
            "taker": None if self.taker is None else self.taker + 1,
        }
        if seat is not None:
            shown["hand"] = list(self.pack.tokens(self.hands[seat - 1]))
            shown["exchanged"] = self.exchanged_with(seat - 1)
        return shown

    def exchanged_with(self, seat: int) -> list[str]:
        """The cards that a seat knows from the exchange: both for the declarer, its own for another."""
        if self.received is None or self.declarer is None:
            return []
        if seat == self.declarer:
            return list(self.received)
        return [self.received[0 if seat == LEFT_OF[self.declarer] else 1]]
