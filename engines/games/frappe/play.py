"""Frappe: the phases (section 4), and what may be seen (section 11)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from ...cards import without
from ...contract import Outcome, Settings
from ...phases import OVER, Answers, Phase, PhasedState
from ...phrases import Phrase
from ...turns import NOT_HELD
from ...views import TABLE, Pile, View, in_hand, latest
from .cards import EXTENSION, HAND, NEXT_RANK, NUMBER, PACK, PLACE, RANKS, ROUNDS, SEATS, Deal, worth
from .marks import Ending, Mark, outcome_of

EXTEND, WAIT = "extend", "wait"
IN_PLACE = "!place"
PAIRE, BRELAN, FRAPPE, CONTRE_FRAPPE = "paire", "brelan", "frappe", "contre-frappe"

Played = tuple[str, bool]  # a card, and whether it is laid in place
PLAYS: dict[str, Played] = {
    f"play:{card}{end}": (card, bool(end)) for card in PACK.order for end in ("", IN_PLACE)
}

ARRANGE_SO = Phrase("change the first two cards or not, the last two or not, and say > or <")
NOT_IN_PLACE = Phrase(
    "you may lay a card in place only if it could capture, and if its number is how many cards then lie on "
    "the table"
)


@dataclass(frozen=True, slots=True)
class Capture:
    """A capture that the next player may still counter: who made it, its cards in order, its points."""

    kind: str
    seat: int
    rank: str
    cards: tuple[str, ...]
    events: tuple[Mark, ...]


class FrappeState(PhasedState):
    """A deal in progress. Seats are indices from 0 inside."""

    __slots__ = (
        "announced", "deal", "events", "extended", "hands", "last", "last_capturer",
        "last_played", "options", "pending", "piles", "resolved", "round", "seen", "table", "winner",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.deal, self.options = deal, options
        self.log = []
        self.round = 0  # of distribution, from 1
        self.hands: list[tuple[str, ...]] = [(), ()]
        self.table: list[str] = []  # the longest there first
        self.piles: list[tuple[str, ...]] = [(), ()]
        self.extended = False
        self.seen: tuple[str, ...] = ()  # the extension while it is being arranged
        self.announced: tuple[tuple[str, str] | None, ...] = (None, None)  # (paire or brelan, rank)
        self.resolved: tuple[int, str, str] | None = None  # the last announcement that was marked
        self.last_played: str | None = None  # if it stayed on the table
        self.pending: Capture | None = None
        self.last_capturer: int | None = None
        self.last: tuple[int, str] | None = None  # who played which card
        self.events: tuple[Mark, ...] = ()
        self.winner: int | None = None  # by a pénitence
        self.distribute()

    @property
    def dealer(self) -> int:
        return self.deal.dealer - 1

    # A distribution, and the extension

    def distribute(self) -> None:
        self.round += 1
        at = HAND * (self.round - 1)
        self.hands = [cards[at : at + HAND] for cards in self.deal.hands]
        self.announced = tuple(map(combination, self.hands))
        self.last_played = None
        self.actor = self.dealer
        second = self.options["extension_timing"] == "second"
        if self.extended or (second and self.round == 1):
            self.begin_play()
        elif second or self.round == ROUNDS:
            self.turn_up()
        else:
            self.now = EXTEND_OR_NOT

    def turn_up(self) -> None:
        """Four of a rank, table included, end the match at once."""
        self.extended = True
        self.seen = self.deal.extension
        if any(count == 4 for _, count in self.multiples()):
            self.win(self.dealer)
            return
        self.now = ARRANGE

    def multiples(self) -> list[tuple[str, int]]:
        """The ranks of the extension, and how many of each it makes together with the table."""
        ranks = Counter(token[0] for token in (*self.table, *self.deal.extension))
        return [(rank, ranks[rank]) for rank in RANKS if any(t[0] == rank for t in self.deal.extension)]

    def arrange(self, cards: tuple[str, ...], direction: str) -> None:
        placed = in_position(cards, direction)
        if placed:
            self.mark(self.dealer, "positions", placed)
        for rank, count in self.multiples():
            if count > 1:
                self.mark(self.dealer, "multiple", worth(rank) * (3 if count == 3 else 1))
        self.table += cards
        self.seen = ()
        self.begin_play()

    def begin_play(self) -> None:
        self.now = PLAY
        self.actor = 1 - self.dealer

    # The play

    def may_place(self, card: str) -> bool:
        """Whether a card that could capture may lie in place instead."""
        rank = card[0]
        if NUMBER.get(rank) != len(self.table) + 1:
            return False
        countered = self.pending is not None and self.pending.rank == rank
        return countered or self.first_of(rank) is not None

    def play(self, card: str, *, placed: bool) -> None:
        actor, rank = self.actor, card[0]
        self.hands[actor] = without(self.hands[actor], card)
        self.last = (actor, card)
        last, self.last_played = self.last_played, None
        if self.pending is not None and self.pending.rank == rank and not placed:
            if self.pending.kind == CONTRE_FRAPPE:
                self.win(actor)
                return
            self.counter(card)
        else:
            self.confirm()
            first = None if placed else self.first_of(rank)
            if first is None:
                self.lay(card)
            else:
                self.capture(card, first, last)
        self.actor = 1 - actor
        if not self.hands[1 - actor]:
            self.end_distribution()

    def lay(self, card: str) -> None:
        self.table.append(card)
        self.last_played = card
        if NUMBER.get(card[0]) == len(self.table):
            self.mark(self.actor, "place", NUMBER[card[0]])

    def capture(self, card: str, first: str, last: str | None) -> None:
        """The first card of the same rank, or the one just played; and one of each rank that follows on the
        table."""
        rank = card[0]
        struck = last is not None and last[0] == rank
        taken, following = [], rank
        found: str | None = last if struck else first
        while found is not None:
            taken.append(found)
            self.table.remove(found)
            following = NEXT_RANK[following]
            found = None if following == rank else self.first_of(following)
        events = self.sweep(taken[-1])
        cards = (*taken, card)
        if struck:
            points = Mark(self.actor, FRAPPE, worth(rank))
            self.pending = Capture(FRAPPE, self.actor, rank, cards, (points, *events))
        else:
            self.take(self.actor, cards, events)

    def first_of(self, rank: str) -> str | None:
        """The card of a rank that has lain on the table longest."""
        for card in self.table:
            if card[0] == rank:
                return card
        return None

    def sweep(self, last: str) -> tuple[Mark, ...]:
        """The points for emptying the table, but not with the last card of the deal."""
        if self.table or (self.round == ROUNDS and not any(self.hands)):
            return ()
        return (Mark(self.actor, "nettoyage", worth(last[0])),)

    def counter(self, card: str) -> None:
        """The frappe is cancelled; its cards and this one go to the other player, unless that is countered
        too."""
        pending = self.pending
        assert pending is not None
        points = Mark(self.actor, CONTRE_FRAPPE, 3 * worth(pending.rank))
        events = (points, *self.sweep(pending.cards[-2]))  # the last of the sequence lies before the striker
        self.pending = replace(
            pending, kind=CONTRE_FRAPPE, seat=self.actor, cards=(*pending.cards, card), events=events
        )

    def confirm(self) -> None:
        if self.pending is not None:
            self.take(self.pending.seat, self.pending.cards, self.pending.events)
            self.pending = None

    def take(self, seat: int, cards: Sequence[str], events: Sequence[Mark]) -> None:
        self.piles[seat] += tuple(cards)
        self.last_capturer = seat
        self.events += tuple(events)

    def mark(self, seat: int, kind: str, points: int) -> None:
        self.events += (Mark(seat, kind, points),)

    def end_distribution(self) -> None:
        self.confirm()
        self.resolved = best_announcement(self.announced, self.dealer)
        if self.resolved is not None:
            seat, kind, rank = self.resolved
            self.mark(seat, kind, worth(rank) * (3 if kind == BRELAN else 1))
        if self.round < ROUNDS:
            self.distribute()
            return
        if self.last_capturer is not None:
            self.piles[self.last_capturer] += tuple(self.table)
            self.table = []
        own, other = map(len, self.piles)
        if own != other:
            self.mark(0 if own > other else 1, "cards", abs(own - other))
        self.now = OVER

    def win(self, seat: int) -> None:
        """A pénitence, or four of a rank in the extension, ends everything."""
        self.winner = seat
        self.mark(seat, "penitence", 0)
        self.now = OVER

    def result(self) -> Ending:
        self.check_over()
        points = tuple(
            sum(e.points for e in self.events if e.seat == seat and e.kind != "cards")
            for seat in range(SEATS)
        )
        cards = None if self.winner is not None else tuple(map(len, self.piles))
        return Ending(points, cards, self.winner)

    def outcome(self) -> Outcome:
        return outcome_of(self.result(), self.events)

    def sheet(self) -> dict[str, Any]:
        result = self.result()
        if result.winner is not None:
            return {"points": list(result.points), "penitence": result.winner + 1}
        return {"points": list(result.points), "cards": list(result.cards or ())}

    # What may be seen (section 11)

    def view(self, seat: int | None) -> "FrappeView":
        """A hand is hidden from its own player too, until the extension is decided."""
        hidden = self.now in (EXTEND_OR_NOT, ARRANGE)
        held = in_hand(list(map(PLACE.sorted, self.hands)), None if hidden else seat)
        table = Pile(TABLE, tuple(self.table))
        taken = (Pile("taken", hidden=len(pile), seat=who) for who, pile in enumerate(self.piles, 1))
        return FrappeView(
            **self.common(seat, self.deal.dealer, *held, table, Pile("extension", self.seen), *taken),
            trick=latest(self.last),
            round=self.round,
            extended=self.extended,
            announced=tuple(None if hidden or not one else one[0] for one in self.announced),
            resolved=self.resolved,
            pending=self.pending,
            last_played=self.last_played,
            events=self.events,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FrappeView(View):
    """`announced`: by seat, the nature of its announcement; `resolved`: whose counts (an index), which,
    of what rank; `pending`: the frappe that may be answered; `events`: all marks so far."""

    round: int
    extended: bool
    announced: tuple[str | None, ...]
    resolved: tuple[int, str, str] | None
    pending: "Capture | None"
    last_played: str | None
    events: tuple[Mark, ...]


class ExtendOrNot(Answers[FrappeState]):
    """The dealer turns the extension up, or leaves it for a later distribution."""

    name = "extension"
    words = (EXTEND, WAIT)

    def take(self, state: FrappeState, action: str) -> None:
        if action == EXTEND:
            state.turn_up()
        else:
            state.begin_play()


Laid = tuple[tuple[str, ...], str]  # the cards of the extension, and from where they are counted


class Arrange(Phase[FrappeState, Laid]):
    """The dealer may change the first two cards, and the last two, and counts from the left or the right."""

    name = "arrange"

    def ways(self, state: FrappeState) -> dict[str, Laid]:
        first, second, third, fourth = state.deal.extension
        pairs = product(((first, second), (second, first)), ((third, fourth), (fourth, third)), "><")
        return {
            f"arrange:{','.join(left + right)}{direction}": (left + right, direction)
            for left, right, direction in pairs
        }

    def offers(self, state: FrappeState) -> Iterator[str]:
        return iter(self.ways(state))

    def read(self, state: FrappeState, token: str) -> Laid | None:
        return self.ways(state).get(token) or (((), "") if token.startswith("arrange:") else None)

    def rule(self, state: FrappeState, action: Laid) -> Phrase | None:
        return None if action[0] else ARRANGE_SO

    def take(self, state: FrappeState, action: Laid) -> None:
        state.arrange(*action)


class Play(Phase[FrappeState, Played]):
    """A card, which captures if it can; or with `!place` does not."""

    name = "play"

    def offers(self, state: FrappeState) -> Iterator[str]:
        for card in PLACE.sorted(state.hands[state.actor]):
            yield f"play:{card}"
            if state.may_place(card):
                yield f"play:{card}{IN_PLACE}"

    def read(self, state: FrappeState, token: str) -> Played | None:
        return PLAYS.get(token)

    def rule(self, state: FrappeState, action: Played) -> Phrase | None:
        card, placed = action
        if card not in state.hands[state.actor]:
            return NOT_HELD
        return NOT_IN_PLACE if placed and not state.may_place(card) else None

    def take(self, state: FrappeState, action: Played) -> None:
        card, placed = action
        state.play(card, placed=placed)


EXTEND_OR_NOT, ARRANGE, PLAY = ExtendOrNot(), Arrange(), Play()


def combination(hand: Sequence[str]) -> tuple[str, str] | None:
    """The pair or the three of a hand of three, and its rank."""
    one, two, three = (token[0] for token in hand)
    if one == two:
        return (BRELAN if two == three else PAIRE, one)
    return (PAIRE, three) if three in (one, two) else None


def best_announcement(
    announced: Sequence[tuple[str, str] | None], dealer: int
) -> tuple[int, str, str] | None:
    """The announcement that is marked: three before two, then the higher rank, then the dealer's opponent."""
    candidates = [
        ((kind == BRELAN, RANKS.index(rank), seat != dealer), (seat, kind, rank))
        for seat, own in enumerate(announced)
        if own is not None
        for kind, rank in [own]
    ]
    return max(candidates)[1] if candidates else None


def in_position(cards: Sequence[str], direction: str) -> int:
    """The numbers of the cards that lie at their own place, counted from the left (>) or the right (<)."""
    counted = cards if direction == ">" else cards[::-1]
    return sum(place for place, card in enumerate(counted, 1) if NUMBER.get(card[0]) == place)


assert EXTENSION == 4  # as many as the numbers that can lie in place
