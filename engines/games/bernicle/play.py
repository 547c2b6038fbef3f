"""Bernicle: the phases (section 4), and what may be seen (section 11)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from ...cards import CardSet
from ...contract import Outcome, Settings
from ...phases import OVER, Phase, Words
from ...phrases import Phrase
from ...tricks import CardPlay, LayingAside, Powers, TakingState, place_of_best, total
from ...turns import FOLLOW, MUST_OVERTRUMP, MUST_RUFF
from ...views import Pile, View
from .cards import HIGHER, LEFT_OF, PACK, POINTS_BY_BIT, POWERS, SEATS, TRICKS, Deal
from .combinations import CODES, LISTED, best_declaration, broken_list, declarations, in_order, worth_of
from .marks import Ending, niche_points, outcome_of
from .sheet import FORM, LETTERS, MUST_OPEN, OPENINGS

PASS = "pass"  # noqa: S105
STEPS = (10, 20)
NONE, BEST = "declare:none", "declare:max"

OPEN_SO = Phrase("the first bid is 150 or 160")
BID_SO = Phrase("bid ten or twenty more, or pass")
GO_UP = Phrase("play a higher card of the suit while you hold one")


class BernicleState(TakingState):
    """A deal in progress. Seats are indices from 0 inside."""

    __slots__ = (
        "contract", "deal", "declared", "discards", "options", "passes", "points",
        "powers",
    )  # fmt: skip

    seats, next_seat = SEATS, LEFT_OF
    follows = False

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(PACK, deal.hands, deal.dealer)
        self.deal, self.options = deal, options
        self.discards: list[CardSet] = [0] * SEATS
        self.passes = 0  # in a row
        self.contract = 0
        self.powers: Powers = ()
        self.declared: list[tuple[str, ...] | None] = [None] * SEATS
        self.points = [0] * SEATS
        self.now = AUCTION
        self.actor = self.forehand

    def combos(self) -> tuple[int, ...]:
        """The points of the combinations declared so far, by seat."""
        return tuple(worth_of(Counter(codes), self.trump or "") for codes in self.declared)

    # The tricks: the strongest trump takes, else the strongest of the suit led; of two equal cards the first

    def may_play(self, hand: CardSet) -> CardSet:
        """Follow suit and go up, unless the suit is trumped; failing that ruff, and overruff; failing that
        any card."""
        asked, trumps, cards = self.asked, self.trumps, sum(self.trick)
        following = hand & asked
        if following:
            if asked != trumps and cards & trumps:
                return following
            return following & HIGHER[(cards & asked).bit_length()] or following
        following = hand & trumps
        ruffs = cards & trumps
        return (following & HIGHER[ruffs.bit_length()]) or following or hand

    def winning(self) -> int:
        return place_of_best(self.trick, self.powers[self.trick[0].bit_length()])

    def took(self, winner: int, place: int) -> None:
        self.points[winner] += total(self.trick, POINTS_BY_BIT)

    # The end

    def result(self) -> Ending:
        self.check_over()
        natural = self.options["tierce_order"] == "natural"
        return Ending(
            taker=self.declarer,
            contract=self.contract,
            trump=self.trump,
            combos=self.combos(),
            tricks=tuple(self.tricks),
            points=tuple(self.points),
            niche=niche_points(PACK.tokens(sum(self.discards)), natural=natural),
        )

    def sheet(self) -> dict[str, Any]:
        return self.result().to_sheet(FORM, SEATS)

    def outcome(self) -> Outcome:
        return outcome_of(self.result(), self.options)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> "BernicleView":
        discards = self.discards[seat - 1] if seat else 0
        niche = sum(self.discards) if self.over else 0
        return BernicleView(
            **self.seen_by(
                seat,
                self.deal.dealer,
                Pile("discards", tuple(PACK.tokens(discards))),
                Pile("niche", tuple(PACK.tokens(niche))),
            ),
            points=tuple(self.points),
            contract=self.contract or None,
            combinations=tuple(None if codes is None else tuple(codes) for codes in self.declared),
            combos=tuple(self.combos()),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BernicleView(View):
    """`combinations`: by seat, what it has declared, and what that is worth. The pile `discards` is the
    seat's own, the `niche` everybody's at the end."""

    contract: int | None
    combinations: tuple[tuple[str, ...] | None, ...]
    combos: tuple[int, ...]


class Auction(Phase[BernicleState, int]):
    """A bid is its amount, a pass is 0, and a bid of anything else −1. Two passes in a row after a bid end
    it; three without a bid end the deal."""

    name = "auction"

    def amounts(self, state: BernicleState) -> tuple[int, ...]:
        return tuple(state.contract + step for step in STEPS) if state.contract else OPENINGS

    def offers(self, state: BernicleState) -> Iterator[str]:
        if self.rule(state, 0) is None:
            yield PASS
        yield from (f"bid:{amount}" for amount in self.amounts(state))

    def read(self, state: BernicleState, token: str) -> int | None:
        if token == PASS:
            return 0
        if not token.startswith("bid:"):
            return None
        return next((amount for amount in self.amounts(state) if token == f"bid:{amount}"), -1)

    def rule(self, state: BernicleState, action: int) -> Phrase | None:
        if action > 0:
            return None
        if action < 0:
            return BID_SO if state.contract else OPEN_SO
        return MUST_OPEN if state.options["opening"] == "forced" and not state.bids else None

    def take(self, state: BernicleState, action: int) -> None:
        state.note(f"bid:{action}" if action else PASS)
        state.passes = 0 if action else state.passes + 1
        if action:
            state.contract, state.declarer = action, state.actor
        if state.declarer is None and state.passes == SEATS:
            state.now = OVER
        elif state.declarer is not None and state.passes == SEATS - 1:
            state.now = NAMING
            state.actor = state.declarer
        else:
            state.actor = LEFT_OF[state.actor]


class Naming(Words[BernicleState, str]):
    name = "trump"
    words = {f"trump:{suit}": suit for suit in LETTERS}

    def take(self, state: BernicleState, action: str) -> None:
        """Then the taker gets the dog."""
        state.trump, state.trumps, state.powers = action, PACK.suit(action), POWERS[action]
        state.hands[state.actor] |= state.deal.dog
        state.now = EXCHANGE


class Exchange(LayingAside[BernicleState]):
    """The taker lays five cards aside; then each defender gets two pups, and lays two cards aside."""

    name = "exchange"
    pack = PACK

    def count(self, state: BernicleState) -> int:
        return state.hands[state.actor].bit_count() - TRICKS

    def take(self, state: BernicleState, action: tuple[str, ...]) -> None:
        state.discards[state.actor] = self.lay_aside(state, action)
        state.actor = actor = LEFT_OF[state.actor]
        if actor == state.declarer:
            state.now = COMBINATIONS
        else:
            second = LEFT_OF[actor] == state.declarer
            state.hands[actor] |= state.deal.pups[second]


class Combinations(Phase[BernicleState, tuple[str, ...]]):
    """Each declares a list of combinations, the taker first; `declare:max` is the best list there is."""

    name = "combinations"

    def offers(self, state: BernicleState) -> Iterator[str]:
        for declared in declarations(state.hands[state.actor]):
            yield self.written(tuple(in_order(declared)), "")

    def draw(self, state: BernicleState, random: Random) -> str:
        """Hundreds of lists are possible: the one that is drawn is written."""
        declared = random.choice(list(declarations(state.hands[state.actor])))
        return self.written(tuple(in_order(declared)), "")

    def read(self, state: BernicleState, token: str) -> tuple[str, ...] | None:
        if token == NONE:
            return ()
        if token == BEST:
            return tuple(in_order(best_declaration(state.hands[state.actor], state.trump or "")))
        verb, _colon, rest = token.partition(":")
        codes = rest.split(",")
        if verb != "declare" or not all(code in CODES for code in codes):
            return None
        return tuple(sorted(codes, key=LISTED.__getitem__))

    def rule(self, state: BernicleState, action: tuple[str, ...]) -> Phrase | None:
        return broken_list(Counter(action), state.hands[state.actor]) if action else None

    def written(self, action: tuple[str, ...], token: str) -> str:
        return f"declare:{','.join(action)}" if action else NONE

    def take(self, state: BernicleState, action: tuple[str, ...]) -> None:
        state.declared[state.actor] = action
        state.actor = LEFT_OF[state.actor]
        if state.actor == state.declarer:
            state.now = PLAY
            state.lead(state.actor)


class Play(CardPlay[BernicleState]):
    def reason(self, state: BernicleState, hand: CardSet, card: CardSet) -> Phrase:
        if hand & state.asked:
            return GO_UP if card & state.asked else FOLLOW
        return MUST_OVERTRUMP if card & state.trumps else MUST_RUFF


AUCTION, NAMING, EXCHANGE, COMBINATIONS, PLAY = Auction(), Naming(), Exchange(), Combinations(), Play()
