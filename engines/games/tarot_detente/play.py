"""Tarot double détente and Triple-Détente: the phases (section 4), and what may be seen (section 11)."""

from collections.abc import Iterator
from typing import Any

from ...cards import CardSet
from ...contract import Outcome, Settings, View
from ...phrases import Phrase
from ...tricks import NEXT, StagedTricks, on_the_table, strongest, tarot_cards, tarot_rule
from ...turns import NO_SUCH_ACTION, NOT_HELD, OVER
from .cards import (
    ACES,
    EXCUSE,
    KNIGHTS,
    PACK,
    PETIT,
    PLAYS,
    RED,
    TRICKS,
    TRUMPS,
    Deal,
    parts_of,
    strength_with,
)
from .marks import PartResult, marks, outcome_of

CONTRACTS, PLAY = "contracts", "play"
ALL = "!all:"

NOT_THIRTEEN = Phrase("the two contracts may not add up to thirteen")
NOBODY_IN_THE_RED = Phrase(
    "only an opponent with 100 points or more can be named, and only where the option is on"
)


class DetenteState(StagedTricks):
    """A board in progress. Seats are indices from 0 inside; lists by seat are of the current part."""

    __slots__ = (
        "aces", "contracts", "deal", "excuse_last", "hands", "knights", "marked", "options",
        "part", "parts", "petit", "petit_last", "results", "seats", "strength", "targets",
        "wanted",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(len(deal.hands))
        self.deal, self.options = deal, options
        self.seats = len(deal.hands)
        self.wanted: CardSet = 0  # what the first card but the Excuse asks for
        self.parts = parts_of(deal, bool(options["modifications"]))
        self.results: list[PartResult] = []
        self.marked: list[tuple[int, ...]] = []  # the marks of the parts so far
        self.part = -1
        self.begin_part()

    def begin_part(self) -> None:
        seats = self.seats
        self.part += 1
        part = self.parts[self.part]
        self.hands = list(part.hands)
        self.contracts: list[int | None] = [None] * seats
        self.targets: list[int | None] = [None] * seats
        self.tricks = [0] * seats
        self.knights = [0] * seats
        self.aces = [0] * seats
        self.petit: int | None = None
        self.petit_last = False
        self.excuse_last: int | None = None
        effect = part.effect
        self.strength = strength_with(effect if len(effect) == 1 else "")
        self.stage = CONTRACTS
        self.actor = NEXT[seats][self.deal.dealer - 1]
        self.playable: CardSet = 0

    # The contracts

    def scores(self) -> tuple[int, ...]:
        """The points of each seat so far, those before the board included."""
        return tuple(sum(points) for points in zip(self.deal.start_scores, *self.marked, strict=True))

    def may_name(self, target: int) -> bool:
        if not self.options["all_or_nothing"] or target == self.actor or not 0 <= target < self.seats:
            return False
        return self.scores()[target] >= RED

    def forbidden(self) -> int | None:
        """The contract that the second of two speakers may not choose."""
        known = [contract for contract in self.contracts if contract is not None]
        return TRICKS - known[0] if self.seats == 2 and known else None

    def choices(self) -> Iterator[str]:
        if self.stage == CONTRACTS:
            targets = [target for target in range(self.seats) if self.may_name(target)]
            for count in range(TRICKS + 1):
                if count != self.forbidden():
                    yield f"bid:{count}"
                    yield from (f"bid:{count}{ALL}{target + 1}" for target in targets)
        else:
            for token in PACK.tokens(self.playable):
                yield f"play:{token}"

    def broken_rule(self, token: str) -> Phrase | None:
        if self.stage == CONTRACTS:
            return self.broken_bid(token)
        card = PLAYS.get(token, 0)
        if not card:
            return NO_SUCH_ACTION
        if card & self.playable:
            return None
        hand = self.hands[self.actor]
        if not card & hand:
            return NOT_HELD
        return tarot_rule(card, hand, self.wanted, TRUMPS)

    def broken_bid(self, token: str) -> Phrase | None:
        if token not in BIDS:
            return NO_SUCH_ACTION
        count, target = BIDS[token]
        if target is not None and not self.may_name(target):
            return NOBODY_IN_THE_RED
        return NOT_THIRTEEN if count == self.forbidden() else None

    def apply(self, entry: str) -> None:
        card = PLAYS.get(entry, 0)
        if card & self.playable:
            self.log.append(entry)
            self.play(card)
            return
        token = self.checked(entry)
        if self.stage == PLAY:
            self.apply(token)
            return
        self.log.append(token)
        self.contracts[self.actor], self.targets[self.actor] = BIDS[token]
        self.actor = NEXT[self.seats][self.actor]
        if None not in self.contracts:
            self.stage = PLAY
            self.playable = self.hands[self.actor]

    # The play

    def play(self, card: CardSet) -> None:
        actor = self.actor
        self.hands[actor] ^= card
        if len(self.trick) % self.seats == 0:
            self.trick = []
            self.leader = actor
            self.wanted = 0
        if not self.wanted and card != EXCUSE:
            self.wanted = PACK.suit_of[card]
        self.trick.append(card)
        if card == EXCUSE and not self.hands[actor]:
            self.excuse_last = actor
        if len(self.trick) == self.seats:
            self.gather()
        else:
            self.actor = NEXT[self.seats][actor]
            self.playable = tarot_cards(self.hands[self.actor], self.wanted, self.trick, TRUMPS, EXCUSE)

    def gather(self) -> None:
        trick = self.trick
        place = strongest(trick, self.wanted | TRUMPS, self.strength)
        self.actor = actor = (self.leader + place) % self.seats
        cards = sum(trick)
        self.tricks[actor] += 1
        self.taker = actor
        self.gathered += 1
        self.knights[actor] += (cards & KNIGHTS).bit_count()
        self.aces[actor] += bool(trick[place] & ACES)
        self.playable = self.hands[actor]
        if cards & PETIT:
            self.petit, self.petit_last = actor, not self.playable
        if not self.playable:
            self.end_part()

    def end_part(self) -> None:
        contracts = tuple(contract or 0 for contract in self.contracts)
        result = PartResult(
            contracts, tuple(self.tricks), self.petit, self.petit_last, self.excuse_last,
            tuple(self.knights), tuple(self.aces), tuple(self.targets),
        )  # fmt: skip
        self.results.append(result)
        self.marked.append(marks(result, self.part, self.parts[self.part].effect, self.options))
        if self.part + 1 < len(self.parts):
            self.begin_part()
        else:
            self.stage = OVER

    def outcome(self) -> Outcome:
        self.check_over()
        return outcome_of(self.results, [part.effect for part in self.parts], self.options)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """The player's own hand; contracts, cards turned so far, marks of earlier parts, the trick, the
        tricks."""
        turned = self.parts[self.part].turned
        shown: dict[str, Any] = {
            "phase": self.stage,
            "part": self.part + 1,
            "dealer": self.deal.dealer,
            "start_scores": list(self.deal.start_scores),
            "marks": [list(points) for points in self.marked],
            "actors": list(self.actors()),
            "turned": list(turned[:1] if self.stage == CONTRACTS else turned),
            "contracts": list(self.contracts),
            "all_or_nothing": [None if target is None else target + 1 for target in self.targets],
            "trick": on_the_table(PACK, self.trick, self.leader, self.seats),
            "tricks": list(self.tricks),
            "gathered": self.gathered,
            "taker": None if self.taker is None else self.taker + 1,
        }
        if seat is not None:
            shown["hand"] = list(PACK.tokens(self.hands[seat - 1]))
        return shown


BIDS: dict[str, tuple[int, int | None]] = {f"bid:{count}": (count, None) for count in range(TRICKS + 1)} | {
    f"bid:{count}{ALL}{target}": (count, target - 1) for count in range(TRICKS + 1) for target in (1, 2, 3)
}
