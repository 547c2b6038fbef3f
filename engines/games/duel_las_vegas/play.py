"""Duel à Las Vegas: the phases (section 4), and what may be seen (section 11)."""

from typing import Any

from ...contract import Outcome, Settings, View
from ...phases import OVER, Answers, PhasedState
from .cards import MAINS, SEATS, Deal, is_joker
from .marks import outcome_of
from .poker import CARD, PART, Cards, Part, first_part, pile_value, usable

DRAW, CONCEDE = "draw", "concede"


class DuelState(PhasedState):
    """A game in progress. Seats are indices from 0 inside; `first` are the values of the first parts."""

    __slots__ = (
        "cards", "deal", "drawn", "first", "gathered", "gone", "jokers", "low", "options", "piles",
        "taker", "wins",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.deal, self.options = deal, options
        self.low = options["ace_low_straight"] == "on"
        self.log = []
        self.drawn = [0] * SEATS
        self.piles: list[list[str]] = [[], []]
        self.cards: list[Cards] = [0] * SEATS
        self.jokers = [0] * SEATS
        self.first: list[Part] = [(), ()]
        self.gone: list[list[str]] = [[], []]  # out of play
        self.wins = [0] * SEATS
        self.gathered = 0
        self.taker: int | None = None
        self.actor = 0
        self.now = DECISION
        self.begin_main()

    def is_empty(self, seat: int) -> bool:
        return self.drawn[seat] == len(self.deal.decks[seat])

    def draw(self, seat: int) -> None:
        token = self.deal.decks[seat][self.drawn[seat]]
        self.drawn[seat] += 1
        self.piles[seat].append(token)
        if is_joker(token):
            self.jokers[seat] += 1
        else:
            self.cards[seat] |= CARD[token]
        self.first[seat] = first_part(
            self.cards[seat], usable(self.cards[seat], self.jokers[seat]), low=self.low
        )

    # A main: each is begun, compared and ended until somebody has to decide

    def begin_main(self) -> None:
        """Both draw; where one pack is empty the other draws a card and has won the main."""
        while max(self.wins) < MAINS:
            empty = [self.is_empty(seat) for seat in range(SEATS)]
            if all(empty):
                break
            if not any(empty):
                for seat in range(SEATS):
                    self.draw(seat)
                self.compare()
                return
            seat = empty.index(False)
            self.draw(seat)
            self.end_main(seat)
        self.now = OVER

    def compare(self) -> None:
        """Until the piles differ both draw; then the weaker decides, if it has a card to draw."""
        while (order := self.order()) == 0:
            empty = [self.is_empty(seat) for seat in range(SEATS)]
            if all(empty):
                self.clear()
                self.now = OVER
                return
            if any(empty):
                self.end_main(empty.index(False))
                self.begin_main()
                return
            for seat in range(SEATS):
                self.draw(seat)
        weaker = 0 if order < 0 else 1
        self.actor = weaker
        if self.is_empty(weaker):
            self.end_main(1 - weaker)
            self.begin_main()

    def order(self) -> int:
        """1 if the first pile is the stronger, −1 if the second is, 0 if they are worth the same."""
        one, other = self.first
        if one != other:
            return 1 if one > other else -1
        longer = [c.bit_count() + usable(c, j) > PART for c, j in zip(self.cards, self.jokers, strict=True)]
        if not all(longer):
            return longer[0] - longer[1]  # a second part is more than none
        values = [pile_value(c, j, low=self.low) for c, j in zip(self.cards, self.jokers, strict=True)]
        return (values[0] > values[1]) - (values[0] < values[1])

    def end_main(self, winner: int) -> None:
        self.wins[winner] += 1
        self.taker = winner
        self.gathered += 1
        self.clear()

    def clear(self) -> None:
        for seat in range(SEATS):
            self.gone[seat] += self.piles[seat]
        self.piles = [[], []]
        self.cards, self.jokers, self.first = [0] * SEATS, [0] * SEATS, [(), ()]

    def outcome(self) -> Outcome:
        self.check_over()
        return outcome_of(self.wins, self.options)

    def sheet(self) -> dict[str, Any]:
        return {"mains": list(self.wins), "packs_exhausted": max(self.wins) < MAINS}

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """Both piles, all cards out of play, how many each pack has left; the packs' order is nobody's."""
        shown: dict[str, Any] = {
            "phase": self.phase,
            "actors": list(self.actors()),
            "piles": [list(pile) for pile in self.piles],
            "gone": [list(cards) for cards in self.gone],
            "left": [len(deck) - drawn for deck, drawn in zip(self.deal.decks, self.drawn, strict=True)],
            "trick": [{"seat": s, "card": pile[-1]} for s, pile in enumerate(self.piles, 1) if pile],
            "tricks": list(self.wins),
            "gathered": self.gathered,
            "taker": None if self.taker is None else self.taker + 1,
        }
        if seat is not None:
            shown["hand"] = list(self.piles[seat - 1])
        return shown


class Decision(Answers[DuelState]):
    """The player of the weaker pile draws a card, or concedes the main."""

    name = "decision"
    words = (CONCEDE, DRAW)

    def take(self, state: DuelState, action: str) -> None:
        if action == CONCEDE:
            state.end_main(1 - state.actor)
            state.begin_main()
        else:
            state.draw(state.actor)
            state.compare()


DECISION = Decision()
