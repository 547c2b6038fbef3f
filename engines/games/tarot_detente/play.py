"""Tarot double détente and Triple-Détente: the phases (section 4), and what may be seen (section 11)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...cards import CardSet
from ...contract import Outcome, Settings
from ...matches import plus
from ...phases import OVER, Phase
from ...phrases import Phrase
from ...tarot import PLAY, TarotState
from ...tricks import NEXT, number_of, place_of_best
from ...views import Pile, View
from .cards import ACES, EXCUSE, KNIGHTS, PACK, PETIT, RED, TRICKS, Deal, parts_of, powers_with
from .marks import PartResult, marks, outcome_of

ALL = "!all:"

NOT_THIRTEEN = Phrase("the two contracts may not add up to thirteen")
NOBODY_IN_THE_RED = Phrase(
    "only an opponent with 100 points or more can be named, and only where the option is on"
)

Bid = tuple[int | None, int | None]  # a contract, and whom it names
UNSAID: Bid = (None, None)


class DetenteState(TarotState):
    """A board in progress. Seats are indices from 0 inside; lists by seat are of the current part."""

    __slots__ = (
        "announced", "best", "deal", "options", "part", "parts", "power", "results", "won",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(PACK, deal.hands, deal.dealer)
        self.deal, self.options = deal, options
        self.parts = parts_of(deal, bool(options["modifications"]))
        self.results: tuple[PartResult, ...] = ()
        self.part = -1
        self.begin_part()

    def begin_part(self) -> None:
        self.part += 1
        part = self.parts[self.part]
        self.hands = list(part.hands)
        self.announced: list[Bid] = [UNSAID] * self.seats
        self.won: list[CardSet] = [0] * self.seats
        self.best: list[CardSet] = [0] * self.seats  # the cards that took tricks
        self.power = powers_with(part.reversed_suit)
        self.now = CONTRACTS
        self.actor = self.forehand
        self.playable = 0

    @property
    def tricks(self) -> list[int]:
        """Those of the part."""
        takers = self.takers[self.part * TRICKS :]
        return [takers.count(seat) for seat in range(self.seats)]

    def scores(self) -> list[int]:
        """The points of each seat so far, those before the board included."""
        scores = list(self.deal.start_scores)
        for points in self.marked:
            scores = plus(scores, points)
        return scores

    # The tricks

    def winning(self) -> int:
        return place_of_best(self.trick, self.power[self.telling()])

    def took(self, winner: int, place: int) -> None:
        self.won[winner] |= sum(self.trick)
        self.best[winner] |= self.trick[place]
        if not self.playable:
            self.end_part(sum(self.trick))

    def end_part(self, last: CardSet) -> None:
        """The result of the part, whose last trick has these cards."""
        excuse = (self.leader + self.trick.index(EXCUSE)) % self.seats if last & EXCUSE else None
        result = PartResult(
            tuple(contract or 0 for contract, _ in self.announced), tuple(self.tricks),
            next((seat for seat, won in enumerate(self.won) if won & PETIT), None),
            bool(last & PETIT), excuse, tuple((won & KNIGHTS).bit_count() for won in self.won),
            tuple((best & ACES).bit_count() for best in self.best),
            tuple(target for _, target in self.announced),
        )  # fmt: skip
        self.results += (result,)
        if self.part + 1 < len(self.parts):
            self.begin_part()
        else:
            self.now = OVER

    @property
    def marked(self) -> list[tuple[int, ...]]:
        """The marks of the parts so far."""
        parts = enumerate(zip(self.results, self.parts, strict=False))
        return [marks(result, at, part.effect, self.options, self.seats) for at, (result, part) in parts]

    def sheet(self) -> dict[str, Any]:
        return {"parts": [result.to_json(self.options) for result in self.results]}

    def outcome(self) -> Outcome:
        self.check_over()
        return outcome_of(self.results, [part.effect for part in self.parts], self.options, self.seats)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> "DetenteView":
        turned = self.parts[self.part].turned
        return DetenteView(
            **self.seen_by(
                seat, self.deal.dealer, Pile("turned", tuple(turned[:1] if self.now is CONTRACTS else turned))
            ),
            part=self.part + 1,
            start_scores=self.deal.start_scores,
            marks=tuple(map(tuple, self.marked)),
            contracts=tuple(contract for contract, _ in self.announced),
            all_or_nothing=tuple(number_of(target) for _, target in self.announced),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DetenteView(View):
    """`marks`: of the earlier parts; `contracts` by seat, and who wants all of it from whom."""

    part: int
    start_scores: tuple[int, ...]
    marks: tuple[tuple[int, ...], ...]
    contracts: tuple[int | None, ...]
    all_or_nothing: tuple[int | None, ...]


class DoubleState(DetenteState):
    __slots__ = ()
    seats, next_seat = 3, NEXT[3]


class TripleState(DetenteState):
    __slots__ = ()
    seats, next_seat = 2, NEXT[2]


class Contracts(Phase[DetenteState, Bid]):
    """How many tricks a player will make, and perhaps an opponent named for all or nothing."""

    name = "contracts"

    def may_name(self, state: DetenteState, target: int) -> bool:
        if not state.options["all_or_nothing"] or target == state.actor or target >= state.seats:
            return False
        return state.scores()[target] >= RED

    def forbidden(self, state: DetenteState) -> int | None:
        """The contract that the second of two speakers may not choose."""
        known = [contract for contract, _ in state.announced if contract is not None]
        return TRICKS - known[0] if state.seats == 2 and known else None

    def offers(self, state: DetenteState) -> Iterator[str]:
        targets = [target for target in range(state.seats) if self.may_name(state, target)]
        forbidden = self.forbidden(state)
        for count in range(TRICKS + 1):
            if count != forbidden:
                yield f"bid:{count}"
                yield from (f"bid:{count}{ALL}{target + 1}" for target in targets)

    def read(self, state: DetenteState, token: str) -> Bid | None:
        return BIDS.get(token)

    def rule(self, state: DetenteState, action: Bid) -> Phrase | None:
        count, target = action
        if target is not None and not self.may_name(state, target):
            return NOBODY_IN_THE_RED
        return NOT_THIRTEEN if count == self.forbidden(state) else None

    def take(self, state: DetenteState, action: Bid) -> None:
        state.announced[state.actor] = action
        state.actor = state.next_seat[state.actor]
        if UNSAID not in state.announced:
            state.now = PLAY
            state.lead(state.actor)


BIDS: dict[str, Bid] = {f"bid:{count}": (count, None) for count in range(TRICKS + 1)} | {
    f"bid:{count}{ALL}{target}": (count, target - 1) for count in range(TRICKS + 1) for target in (1, 2, 3)
}
CONTRACTS = Contracts()
