"""L'Hombre: the phases (section 4), and what may be seen (section 11)."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

from ...cards import CardSet
from ...contract import Outcome, Settings, View
from ...phrases import Phrase
from ...tricks import StagedTricks, on_the_table, strongest
from ...turns import FOLLOW, MUST_FOLLOW_TRUMP, MUST_RUFF, NO_SUCH_ACTION, NOT_HELD, OVER
from .cards import PACK, PLAYS, RIGHT_OF, SEATS, TRUMPS, Deal, order_from
from .marks import PASSED_OUT, outcome_of, result_of

BID, TRUMP, EXCHANGE, PLAY = "bid", "trump", "exchange", "play"
CONTRACTS = ("prendre", "sans-prendre", "vole")  # from low to high
PASS = "pass"  # noqa: S105 - a word of the auction
BIDS = {f"bid:{contract}": level for level, contract in enumerate(CONTRACTS)}
NAMINGS = {f"trump:{suit}": suit for suit in PACK.suit_letters}
NONE = "exchange:none"

BID_HIGHER = Phrase("bid higher than the last bid, or pass")
TOO_MANY = Phrase("no more cards may be laid aside than the stock has left")
TWICE = Phrase("the same card is laid aside twice")


class HombreState(StagedTricks):
    """A deal in progress. Seats are indices from 0 inside."""

    __slots__ = (
        "bids", "contract", "deal", "discards", "drawn", "exchanged", "hands", "hombre",
        "matadors", "options", "passed", "trump", "trumps", "waiting",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(SEATS)
        self.deal, self.options = deal, options
        self.hands = list(deal.hands)
        self.bids: list[tuple[int, str]] = []  # (seat, bid), in order
        self.passed: list[int] = []
        self.contract: int | None = None  # the level
        self.hombre: int | None = None
        self.trump: str | None = None
        self.trumps = TRUMPS["S"]
        self.waiting: list[int] = []  # the seats that are still to exchange
        self.exchanged: list[int | None] = [None] * SEATS
        self.discards = [0] * SEATS
        self.drawn = 0  # cards taken from the stock
        self.matadors = [0] * SEATS
        self.stage = BID
        self.actor = order_from(deal.dealer)[0]

    def choices(self) -> Iterator[str]:
        if self.stage == BID:
            yield PASS
            yield from (bid for bid, level in BIDS.items() if self.may_bid(level))
        elif self.stage == TRUMP:
            yield from NAMINGS
        elif self.stage == EXCHANGE:
            yield NONE
            cards = [token for token in PACK.order if PACK.card(token) & self.hands[self.actor]]
            for count in range(1, min(len(cards), self.left()) + 1):
                for chosen in combinations(cards, count):
                    yield f"exchange:{','.join(chosen)}"
        else:
            for token in PACK.tokens(self.playable):
                yield f"play:{token}"

    def broken_rule(self, token: str) -> Phrase | None:
        if self.stage == BID:
            if token == PASS:
                return None
            if token not in BIDS:
                return NO_SUCH_ACTION
            return None if self.may_bid(BIDS[token]) else BID_HIGHER
        if self.stage == TRUMP:
            return None if token in NAMINGS else NO_SUCH_ACTION
        if self.stage == EXCHANGE:
            return self.broken_exchange(token)
        card = PLAYS.get(token, 0)
        if not card:
            return NO_SUCH_ACTION
        hand = self.hands[self.actor]
        if card & self.playable:
            return None
        if not card & hand:
            return NOT_HELD
        led = self.trumps.follows[self.trick[0]]
        if not hand & led:
            return MUST_RUFF
        return MUST_FOLLOW_TRUMP if led == self.trumps.all else FOLLOW

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
            self.exchange(laid_aside(token))
        elif self.stage == TRUMP:
            self.log.append(token)
            self.name_trump(NAMINGS[token])
        else:
            self.log.append(token)
            self.speak(token)

    # The auction

    def may_bid(self, level: int) -> bool:
        """Strictly higher; with `elder_hold` a seat that speaks before the last bidder may take it over."""
        if self.contract is None or level > self.contract:
            return True
        assert self.hombre is not None
        order = order_from(self.deal.dealer)
        elder = order.index(self.actor) < order.index(self.hombre)
        return self.options["elder_hold"] == "on" and level == self.contract and elder

    def speak(self, token: str) -> None:
        self.bids.append((self.actor, token))
        if token == PASS:
            self.passed.append(self.actor)
        else:
            self.contract, self.hombre = BIDS[token], self.actor
        if len(self.passed) == SEATS:
            self.stage = OVER
        elif self.hombre is not None and (len(self.passed) == 2 or self.contract == BIDS["bid:vole"]):
            self.stage = TRUMP
            self.actor = self.hombre
        else:
            self.actor = RIGHT_OF[self.actor]
            while self.actor in self.passed:
                self.actor = RIGHT_OF[self.actor]

    def name_trump(self, suit: str) -> None:
        """Then the exchange: the hombre takes part only in a prendre, the opponents unless the option forbids
        it."""
        assert self.hombre is not None
        self.trump, self.trumps = suit, TRUMPS[suit]
        opponents = [RIGHT_OF[self.hombre], RIGHT_OF[RIGHT_OF[self.hombre]]]
        contract = CONTRACTS[self.contract or 0]
        if contract == "prendre":
            self.waiting = [self.hombre, *opponents]
        elif contract == "vole" and self.options["vole_exchange"] == "none":
            self.waiting = []
        else:
            self.waiting = opponents
        self.stage = EXCHANGE
        self.next_exchange()

    # The exchange

    def left(self) -> int:
        return len(self.deal.stock) - self.drawn

    def broken_exchange(self, token: str) -> Phrase | None:
        verb, _colon, rest = token.partition(":")
        if verb != "exchange":
            return NO_SUCH_ACTION
        tokens = rest.split(",") if rest != "none" else []
        if not all(card in PACK for card in tokens):
            return NO_SUCH_ACTION
        if len(set(tokens)) < len(tokens):
            return TWICE
        if PACK.cards(tokens) & ~self.hands[self.actor]:
            return NOT_HELD
        return TOO_MANY if len(tokens) > self.left() else None

    def exchange(self, cards: CardSet) -> None:
        """Lay cards aside face down, and take as many from the stock."""
        actor, count = self.actor, cards.bit_count()
        tokens = [token for token in PACK.order if PACK.card(token) & cards]
        self.log.append(f"exchange:{','.join(tokens)}" if tokens else NONE)
        taken = self.deal.stock[self.drawn : self.drawn + count]
        self.hands[actor] = self.hands[actor] ^ cards | PACK.cards(taken)
        self.discards[actor] = cards
        self.exchanged[actor] = count
        self.drawn += count
        self.next_exchange()

    def next_exchange(self) -> None:
        if self.waiting:
            self.actor = self.waiting.pop(0)
            return
        self.stage = PLAY
        self.matadors = [sum(bool(matador & hand) for matador in self.trumps.matadors) for hand in self.hands]
        self.actor = order_from(self.deal.dealer)[0]
        self.playable = self.hands[self.actor]

    # The play

    def play(self, card: CardSet) -> None:
        actor = self.actor
        self.hands[actor] ^= card
        if len(self.trick) == SEATS:
            self.trick = []
        trick = self.trick
        trick.append(card)
        if len(trick) == SEATS:
            self.gather()
        else:
            self.actor = RIGHT_OF[actor]
            self.playable = self.legal_cards(self.hands[self.actor])

    def legal_cards(self, hand: CardSet) -> CardSet:
        """Follow suit; failing that ruff; failing that any card. A dry matador need not be played."""
        trumps = self.trumps
        led = trumps.follows[self.trick[0]]
        following = hand & led
        held = hand & trumps.all
        if led == trumps.all:
            return hand if not following or self.is_free(held, trump_led=True) else following
        if following or not held or self.options["must_trump"] == "off":
            return following or hand
        ruffed = any(card & trumps.all for card in self.trick)
        return hand if ruffed and self.is_free(held, trump_led=False) else held

    def is_free(self, held: CardSet, *, trump_led: bool) -> bool:
        """Whether a hand whose only trumps are these matadors is free not to play them."""
        matadors = self.trumps.matadors
        rule = self.options["dry_matador"]
        if rule == "parent":
            if not trump_led or held & ~sum(matadors):
                return False
            led = self.trick[0]
            return led not in matadors or not any(m & held for m in matadors[matadors.index(led) + 1 :])
        return held in matadors and (trump_led or rule == "any_trump")

    def gather(self) -> None:
        """The highest trump, else the highest of the suit led; its player leads the next."""
        trick, trumps = self.trick, self.trumps
        led = trumps.follows[trick[0]]
        best = strongest(trick, led | trumps.all, trumps.strength)
        leader = RIGHT_OF[self.actor]  # the third seat of the turn sits left of the leader
        self.actor = actor = (leader, RIGHT_OF[leader], self.actor)[best]
        self.tricks[actor] += 1
        self.taker = actor
        self.gathered += 1
        self.playable = self.hands[actor]
        if not self.playable:
            self.stage = OVER

    def outcome(self) -> Outcome:
        self.check_over()
        if self.contract is None or self.hombre is None:
            return PASSED_OUT
        result = result_of(CONTRACTS[self.contract], self.hombre, self.tricks, None, self.options)
        collected = self.matadors[result.collector] if result.collector is not None else 0
        return outcome_of(replace(result, matadors=collected), self.deal.pot)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """The player's own hand and discards; bids, trump, how many cards each exchanged, the trick, the
        tricks."""
        leader = self.actor
        for _ in range(len(self.trick) if len(self.trick) < SEATS else 0):
            leader = (leader + 1) % SEATS
        if len(self.trick) == SEATS:
            leader = self.led_last()
        shown: dict[str, Any] = {
            "phase": self.stage,
            "dealer": self.deal.dealer,
            "pot": self.deal.pot,
            "actors": list(self.actors()),
            "bids": [{"seat": who + 1, "bid": said} for who, said in self.bids],
            "hombre": None if self.hombre is None or self.stage == BID else self.hombre + 1,
            "contract": None if self.contract is None else CONTRACTS[self.contract],
            "trump": self.trump,
            "exchanged": list(self.exchanged),
            "stock": self.left(),
            "trick": on_the_table(PACK, self.trick, leader, SEATS, -1),
            "tricks": list(self.tricks),
            "gathered": self.gathered,
            "taker": None if self.taker is None else self.taker + 1,
        }
        if seat is not None:
            shown["hand"] = list(PACK.tokens(self.hands[seat - 1]))
            shown["discards"] = list(PACK.tokens(self.discards[seat - 1]))
        return shown

    def led_last(self) -> int:
        """The leader of the last trick, which still lies on the table."""
        led = self.trumps.follows[self.trick[0]]
        return (self.actor + strongest(self.trick, led | self.trumps.all, self.trumps.strength)) % SEATS


def laid_aside(token: str) -> CardSet:
    rest = token.partition(":")[2]
    return 0 if rest == "none" else PACK.cards(rest.split(","))
