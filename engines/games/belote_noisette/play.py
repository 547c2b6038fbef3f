"""Belote Noisette: the phases (section 4), and what may be seen (section 11)."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from ...cards import CardSet
from ...contract import Outcome, Settings
from ...phases import Phase
from ...phrases import Phrase
from ...tricks import CardPlay, MarkedPlay, TakingState, clockwise_from, number_of, place_of_best, total
from ...turns import FOLLOW, MUST_OVERTRUMP, MUST_RUFF
from ...views import Pile, View
from .cards import (
    BELOTE,
    BELOTE_POINTS,
    LAST_TRICK_POINTS,
    LEFT_OF,
    SEATS,
    SUITS,
    Deal,
    pack_without,
    with_trumps,
)
from .marks import Ending, outcome_of
from .sheet import FORM, NOT_PROPOSED

PASS = "pass"  # noqa: S105 - a word of the auction

MUST_TAKE = Phrase("all have passed twice: the player at the dealer's left must take")
NO_BELOTE = Phrase(
    "a belote is announced with the first of the queen and king of trumps, while both are in the hand"
)


class NoisetteState(TakingState):
    """A deal in progress. Seats are indices from 0 inside."""

    __slots__ = (
        "belote", "deal", "options", "points", "taken_in", "trumping", "turned",
    )  # fmt: skip

    seats, next_seat = SEATS, LEFT_OF
    follows = False

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(pack_without(deal.removed), deal.hands, deal.dealer)
        self.deal, self.options = deal, options
        self.turned: tuple[str, ...] = (deal.turned,)
        self.taken_in = ""  # the round of the auction, as sheets write it
        self.trumping = with_trumps(deal.removed, str(options["rank_order"]), deal.turned[1])
        self.belote: int | None = None
        self.points = [0] * SEATS
        self.now = ROUND1
        self.actor = self.forehand

    # The tricks

    def may_play(self, hand: CardSet) -> CardSet:
        """Follow suit, going up in trumps; failing that ruff and overruff, unless the partner wins."""
        trumps = self.trumps
        following = hand & self.asked
        if self.asked != trumps:
            if following:
                return following
            held = hand & trumps
            if not held:
                return hand
            return self.upwards(held) | (hand & ~trumps if self.partner_wins() else 0)
        if not following:
            return hand
        return self.upwards(following) if self.options["beat_led_trump"] else following

    def upwards(self, held: CardSet) -> CardSet:
        """The trumps of the hand above those of the trick, if there are any; otherwise all its trumps."""
        higher = held
        for card in self.trick:
            if card & self.trumps:
                higher &= self.trumping.higher[card.bit_length()]
        return higher or held

    def partner_wins(self) -> bool:
        """Whether the other adversary of the taker is winning the trick."""
        if self.options["partners"] == "none" or self.actor == self.declarer:
            return False
        return (self.leader + self.winning()) % SEATS != self.declarer

    def winning(self) -> int:
        return place_of_best(self.trick, self.trumping.powers[self.trick[0].bit_length()])

    def took(self, winner: int, place: int) -> None:
        self.points[winner] += total(self.trick, self.trumping.points)
        if not self.playable:
            self.points[winner] += LAST_TRICK_POINTS
            if self.belote is not None:
                self.points[self.belote] += BELOTE_POINTS

    # The end

    def result(self) -> Ending:
        self.check_over()
        assert self.declarer is not None
        return Ending(
            taker=self.declarer,
            stage=self.taken_in,
            belote=self.belote,
            points=tuple(self.points),
            trump=self.trump,
        )

    def sheet(self) -> dict[str, Any]:
        return self.result().to_sheet(FORM, SEATS)

    def outcome(self) -> Outcome:
        return outcome_of(self.result(), self.deal.nuts, self.deal.pot)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> "NoisetteView":
        return NoisetteView(
            **self.seen_by(seat, self.deal.dealer, Pile("turned", tuple(self.turned))),
            nuts=self.deal.nuts,
            pot=self.deal.pot,
            stage=self.taken_in or None,
            belote=number_of(self.belote),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisetteView(View):
    """`nuts`: by seat, what it has, and the `pot`; `stage`: of the auction, in which was taken;
    `belote`: who said it."""

    nuts: tuple[int, ...]
    pot: int
    stage: str | None
    belote: int | None


class Round(Phase[NoisetteState, str]):
    """A round of the auction: the suit of a turned card is taken as trumps, or the player passes (no
    suit)."""

    number: ClassVar[str]  # as sheets write it

    def offers(self, state: NoisetteState) -> Iterator[str]:
        actions = {PASS: "", **{f"take:{card[1]}": card[1] for card in state.turned}}
        return (token for token, action in actions.items() if self.rule(state, action) is None)

    def read(self, state: NoisetteState, token: str) -> str | None:
        suit = TAKES.get(token)
        return suit if not suit or suit in state.pack.suit_letters else None

    def rule(self, state: NoisetteState, action: str) -> Phrase | None:
        return NOT_PROPOSED if action and action not in [card[1] for card in state.turned] else None

    def take(self, state: NoisetteState, action: str) -> None:
        state.note(f"take:{action}" if action else PASS)
        if action:
            self.settle(state, state.actor, action)
        elif state.have_all_spoken():
            self.all_passed(state)

    @abstractmethod
    def all_passed(self, state: NoisetteState) -> None:
        """What follows when nobody has taken."""

    def settle(self, state: NoisetteState, taker: int, suit: str) -> None:
        """The taker gets the turned cards; the stock fills all hands to eight, from the dealer's left."""
        deal, cards = state.deal, state.pack.cards
        state.declarer, state.trump, state.taken_in = taker, suit, self.number
        state.trumping = with_trumps(deal.removed, str(state.options["rank_order"]), suit)
        state.trumps = state.trumping.all
        state.hands[taker] |= cards(state.turned)
        at = 4 * (len(state.turned) - 1)
        for seat in clockwise_from(deal.dealer, SEATS):
            count = 8 - state.hands[seat - 1].bit_count()
            state.hands[seat - 1] |= cards(deal.stock[at : at + count])
            at += count
        state.now = PLAY
        state.lead(taker)


class First(Round):
    name, number = "round1", "1"

    def all_passed(self, state: NoisetteState) -> None:
        """Everyone gets one card more, and a second card is turned."""
        deal = state.deal
        for seat, token in zip(clockwise_from(deal.dealer, SEATS), deal.stock, strict=False):
            state.hands[seat - 1] |= state.pack.card(token)
        state.turned = (deal.turned, deal.stock[3])
        state.now = ROUND2


class Second(Round):
    name, number = "round2", "2"

    def all_passed(self, state: NoisetteState) -> None:
        state.now = FORCED


class Forced(Round):
    name = number = "forced"

    def rule(self, state: NoisetteState, action: str) -> Phrase | None:
        return super().rule(state, action) if action else MUST_TAKE

    def all_passed(self, state: NoisetteState) -> None:
        raise AssertionError("nobody passes here")


class Cards(CardPlay[NoisetteState]):
    def reason(self, state: NoisetteState, hand: CardSet, card: CardSet) -> Phrase:
        if hand & state.asked and not card & state.asked:
            return FOLLOW
        return MUST_OVERTRUMP if card & state.trumps else MUST_RUFF


class Play(MarkedPlay[NoisetteState]):
    """With the first of queen and king of trumps a belote may be said."""

    mark, unmarked, cards = BELOTE, NO_BELOTE, Cards()

    def saying(self, state: NoisetteState) -> CardSet:
        couple = state.trumping.couple
        return couple if state.hands[state.actor] & couple == couple else 0

    def say(self, state: NoisetteState, card: CardSet) -> None:
        state.belote = state.actor


TAKES = {PASS: "", **{f"take:{suit}": suit for suit in SUITS}}
ROUND1, ROUND2, FORCED, PLAY = First(), Second(), Forced(), Play()
