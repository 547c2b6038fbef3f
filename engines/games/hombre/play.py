"""L'Hombre: the phases (section 4), and what may be seen (section 11)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from math import comb
from random import Random
from typing import Any

from ...cards import CardSet, below
from ...combinations import nth
from ...contract import Outcome, Settings
from ...phases import OVER, Words
from ...phrases import Phrase
from ...tricks import CardPlay, LayingAside, TakingState, place_of_best
from ...turns import FOLLOW, MUST_FOLLOW_TRUMP, MUST_RUFF, NOT_HELD
from ...views import Pile, View
from .cards import PACK, RIGHT_OF, SEATS, TRUMPS, Deal, order_from
from .marks import Ending, outcome_of, result_of

CONTRACTS = ("prendre", "sans-prendre", "vole")  # from low to high
VOLE = len(CONTRACTS) - 1
PASS = "pass"  # noqa: S105 - a word of the auction
NONE = "exchange:none"

BID_HIGHER = Phrase("bid higher than the last bid, or pass")
TOO_MANY = Phrase("no more cards may be laid aside than the stock has left")
TWICE = Phrase("the same card is laid aside twice")


class HombreState(TakingState):
    """A deal in progress. Seats are indices from 0 inside."""

    __slots__ = (
        "contract", "deal", "discards", "drawn", "exchanged", "matadors", "options", "passed", "trumping",
        "waiting",
    )  # fmt: skip

    seats, next_seat, turn_by = SEATS, RIGHT_OF, -1
    follows, counts, auction = False, False, "bid"

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(PACK, deal.hands, deal.dealer)
        self.deal, self.options = deal, options
        self.passed: list[int] = []
        self.contract: int | None = None  # the level
        self.trumping = TRUMPS["S"]
        self.waiting: list[int] = []  # the seats that are still to exchange
        self.exchanged: list[int | None] = [None] * SEATS
        self.discards = [0] * SEATS
        self.drawn = 0  # cards taken from the stock
        self.matadors = (0,) * SEATS
        self.now = AUCTION
        self.actor = self.forehand

    def left(self) -> int:
        """How many cards the stock has left."""
        return len(self.deal.stock) - self.drawn

    def next_exchange(self) -> None:
        """The next seat exchanges; after the last, the play begins at the dealer's right."""
        if self.waiting:
            self.actor = self.waiting.pop(0)
            return
        matadors = self.trumping.matadors
        self.matadors = tuple([sum(bool(one & hand) for one in matadors) for hand in self.hands])
        self.now = PLAY
        self.lead(self.forehand)

    # The tricks: the highest trump takes, else the highest of the suit led

    def may_play(self, hand: CardSet) -> CardSet:
        """Follow suit; failing that ruff; failing that any card. A dry matador need not be played."""
        following, held = hand & self.asked, hand & self.trumps
        if self.asked == self.trumps:
            return hand if not following or self.is_free(held, trump_led=True) else following
        if following or not held or self.options["must_trump"] == "off":
            return following or hand
        ruffed = sum(self.trick) & self.trumps
        return hand if ruffed and self.is_free(held, trump_led=False) else held

    def is_free(self, held: CardSet, *, trump_led: bool) -> bool:
        """Whether a hand whose only trumps are these matadors is free not to play them."""
        matadors = self.trumping.matadors
        rule = self.options["dry_matador"]
        if rule == "parent":
            if not trump_led or held & ~sum(matadors):
                return False
            led = self.trick[0]
            return led not in matadors or not any(m & held for m in matadors[matadors.index(led) + 1 :])
        return held in matadors and (trump_led or rule == "any_trump")

    def winning(self) -> int:
        return place_of_best(self.trick, self.trumping.powers[self.trick[0].bit_length()])

    # The end

    def result(self) -> Ending | None:
        """None: everybody passed."""
        self.check_over()
        if self.contract is None or self.declarer is None:
            return None
        result = result_of(CONTRACTS[self.contract], self.declarer, self.tricks, None, self.options)
        return (
            result if result.collector is None else replace(result, matadors=self.matadors[result.collector])
        )

    def sheet(self) -> dict[str, Any]:
        result = self.result()
        if result is None:
            return {"contract": "none"}
        tricks = list(result.tricks)
        sheet: dict[str, Any] = {"contract": result.contract, "hombre": result.hombre + 1, "tricks": tricks}
        if result.collector is not None:
            sheet["matadors"] = result.matadors
        return sheet | {"trump": self.trump}

    def outcome(self) -> Outcome:
        return outcome_of(self.result(), self.deal.pot)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> "HombreView":
        discards = self.discards[seat - 1] if seat else 0
        return HombreView(
            **self.seen_by(
                seat,
                self.deal.dealer,
                Pile("stock", hidden=self.left()),
                Pile("discards", tuple(PACK.tokens(discards))),
            ),
            contract=None if self.contract is None else CONTRACTS[self.contract],
            pot=self.deal.pot,
            exchanged=tuple(self.exchanged),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HombreView(View):
    """The declarer is the hombre; `exchanged`: by seat, how many cards. The pile `discards` is the seat's
    own."""

    contract: str | None
    pot: int
    exchanged: tuple[int | None, ...]


class Auction(Words[HombreState, int]):
    """A bid is its level, a pass is −1. It ends when two have passed after a bid, or at a vole."""

    name = "bid"
    words = {PASS: -1, **{f"bid:{contract}": level for level, contract in enumerate(CONTRACTS)}}

    def rule(self, state: HombreState, action: int) -> Phrase | None:
        """Strictly higher; with `elder_hold` a seat that speaks before the last bidder may take it over."""
        if action < 0 or state.contract is None or action > state.contract:
            return None
        assert state.declarer is not None
        order = order_from(state.deal.dealer)
        elder = order.index(state.actor) < order.index(state.declarer)
        takes_over = state.options["elder_hold"] == "on" and action == state.contract and elder
        return None if takes_over else BID_HIGHER

    def take(self, state: HombreState, action: int) -> None:
        actor = state.actor
        state.note(PASS if action < 0 else f"bid:{CONTRACTS[action]}")
        if action < 0:
            state.passed.append(actor)
        else:
            state.contract, state.declarer = action, actor
        if len(state.passed) == SEATS:
            state.now = OVER
        elif state.declarer is not None and (len(state.passed) == SEATS - 1 or state.contract == VOLE):
            state.now = NAMING
            state.actor = state.declarer
        else:
            state.actor = RIGHT_OF[actor]
            while state.actor in state.passed:
                state.actor = RIGHT_OF[state.actor]


class Naming(Words[HombreState, str]):
    name = "trump"
    words = {f"trump:{suit}": suit for suit in PACK.suit_letters}

    def take(self, state: HombreState, action: str) -> None:
        """Then the exchange: the hombre takes part only in a prendre, the opponents unless the option forbids
        it."""
        hombre = state.actor
        state.trump, state.trumping = action, TRUMPS[action]
        state.trumps, state.asks = state.trumping.all, state.trumping.follows
        opponents = [RIGHT_OF[hombre], RIGHT_OF[RIGHT_OF[hombre]]]
        if state.contract == 0:
            state.waiting = [hombre, *opponents]
        elif state.contract != VOLE or state.options["vole_exchange"] != "none":
            state.waiting = opponents
        state.now = EXCHANGE
        state.next_exchange()


class Exchange(LayingAside[HombreState]):
    """Any number of cards are laid aside face down, and as many taken from the stock."""

    name = verb = "exchange"
    pack = PACK

    def count(self, state: HombreState) -> int:
        return min(state.hands[state.actor].bit_count(), state.left())

    def offers(self, state: HombreState) -> Iterator[str]:
        cards = self.in_order(self.held(state))
        chosen = (combinations(cards, count) for count in range(self.count(state) + 1))
        return map(self.token, chain.from_iterable(chosen))

    def draw(self, state: HombreState, random: Random) -> str:
        """One of hundreds, without listing them."""
        cards = self.in_order(self.held(state))
        ways = [comb(len(cards), count) for count in range(self.count(state) + 1)]
        at, count = below(sum(ways), random), 0
        while at >= ways[count]:
            at -= ways[count]
            count += 1
        return self.token(nth(cards, count, at))

    def token(self, cards: Sequence[str]) -> str:
        return super().token(cards) if cards else NONE

    def read(self, state: HombreState, token: str) -> tuple[str, ...] | None:
        return () if token == NONE else super().read(state, token)

    def rule(self, state: HombreState, action: tuple[str, ...]) -> Phrase | None:
        if len(set(action)) < len(action):
            return TWICE
        if PACK.cards(action) & ~state.hands[state.actor]:
            return NOT_HELD
        return TOO_MANY if len(action) > state.left() else None

    def take(self, state: HombreState, action: tuple[str, ...]) -> None:
        actor, count = state.actor, len(action)
        state.discards[actor] = self.lay_aside(state, action)
        state.hands[actor] |= PACK.cards(state.deal.stock[state.drawn : state.drawn + count])
        state.exchanged[actor] = count
        state.drawn += count
        state.next_exchange()


class Play(CardPlay[HombreState]):
    def reason(self, state: HombreState, hand: CardSet, card: CardSet) -> Phrase:
        if not hand & state.asked:
            return MUST_RUFF
        return MUST_FOLLOW_TRUMP if state.asked == state.trumps else FOLLOW


AUCTION, NAMING, EXCHANGE, PLAY = Auction(), Naming(), Exchange(), Play()
