"""Tarot double détente (three seats, two parts) and Triple-Détente (two seats, three parts): everyone bids
the number of tricks to be made, with a tarot pack of which each part uses its share.

The parts follow engines/rules/tarot-double-detente.md, whose sections the comments cite.
"""

from dataclasses import replace
from typing import Any, ClassVar

from ...contract import Game, Option, Outcome, Settings, Sheet, Unit
from ...dealing import Stream
from ...deals import DealtGame
from ...errors import NeedsDeal
from ...matches import Match, plus
from ...pads import Pad, Talk, Tricks, tarot_ranks
from ...phrases import Phrase
from ...words import words
from .cards import PACK, PARTS, RED, SCORES_WANTED, TRICKS, Deal, DoubleDeal, TripleDeal, are_scores, parts_of
from .marks import marks, outcome_of
from .match import DetenteMatch
from .play import DetenteState, DoubleState, TripleState
from .robot import suggestion
from .sheet import check_against, check_targets, form_of, parts_on


class Detente(DealtGame[Deal, DetenteState]):
    """What the two games share; they differ in their seats and parts."""

    deal_type: ClassVar[type[Deal]]
    pack = Phrase("78 tarot cards")
    line_score = Phrase("points of all parts")
    unit = Unit(Phrase("point"))
    options = (
        Option("cavalry", (False, True), ("engine", "sheet"),
               Phrase("whether each knight won brings two points")),
        Option("modifications", (False, True), ("engine", "sheet"),
               Phrase("whether a turned card changes a part")),
        Option("winning_ace", (False, True), ("engine", "sheet"),
               Phrase("whether a trick won with an ace costs the others ten")),
        Option("all_or_nothing", (False, True), ("generator", "engine", "sheet", "ledger"),
               Phrase("whether a player may stake all on the exact contract against an opponent with 100 "
                      "points")),
    )  # fmt: skip
    names = words("play over stock tricks fault") | {
        "contracts": Phrase("contracts"), "start_scores": Phrase("scores before the deal"),
        "bid": Phrase("contract"), "bonus": Phrase("bonus of the contract"),
        "petit": Phrase("the Petit won"), "petit-last": Phrase("the Petit in the last trick"),
        "knights": Phrase("knights"), "excuse-last": Phrase("the Excuse played to the last trick"),
        "aces": Phrase("tricks that others won with an ace"),
        "all-or-nothing": Phrase("an opponent's all or nothing"),
        "all-or-nothing-failed": Phrase("all or nothing failed"),
        "annulled_part": Phrase("part stopped by another player's fault"),
    }  # fmt: skip

    @property
    def part_count(self) -> int:
        return PARTS[self.seats[0]]

    def pad(self, options: Settings) -> Pad | None:
        """None where a turned card changes the order of a suit, or a contract names an opponent."""
        if options["modifications"] or options["all_or_nothing"]:
            return None
        seats = self.seats[0]
        bids = tuple(f"bid:{count}" for count in range(TRICKS + 1))
        said = Talk(turns=seats, words=bids, never=TRICKS if seats == 2 else 0)
        tricks = Tricks(cards=seats * TRICKS, order=PACK.rank_letters, ranked=tarot_ranks(PACK), duty="trump")
        return Pad(PACK, (said, tricks), self.part_count)

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        seats, deal = self.seats[0], self.deal_type.of(stream.permutation(PACK.order), dealer)
        red = number % 2 == 0 if seats == 3 else number % 4 in {3, 0}
        preset = [RED if options["all_or_nothing"] and red else 0] * seats
        return replace(deal, start_scores=tuple(conditions.get("start_scores", preset)))

    def scored(self, sheet: Sheet, deal: Deal | None, options: Settings, conditions: Settings) -> Outcome:
        seats = self.seats[0]
        results = parts_on(self.form, sheet, seats, self.part_count, options)
        if options["modifications"] and deal is None:
            raise NeedsDeal("parts", Phrase("with modifications a sheet needs its deal"))
        is_started = deal is not None or "start_scores" in conditions
        parts = parts_of(deal, bool(options["modifications"])) if deal is not None else ()
        effects = [part.effect for part in parts] or [""] * self.part_count
        running = list(deal.start_scores if deal else conditions.get("start_scores", [0] * seats))
        for number, result in enumerate(results):
            check_targets(number, result, running, is_started=is_started)
            if parts:
                check_against(number, result, parts[number], options)
            running = plus(running, marks(result, number, effects[number], options, seats))
        return outcome_of(results, effects, options, seats)

    def match(self, options: Settings, conditions: Settings) -> Match:
        return DetenteMatch(self.seats[0], self.part_count, may_be_named=bool(options["all_or_nothing"]))

    robot = staticmethod(suggestion)


def scores_condition(seats: int) -> tuple[Option, ...]:
    return (
        Option("start_scores", (), ("engine", "sheet"), Phrase("scores before the deal"),
               more=lambda value: are_scores(value, seats), which=SCORES_WANTED),
    )  # fmt: skip


DOUBLE = [
    {"contracts": [4, 7, 2], "tricks": [4, 6, 3], "petit": 2},
    {"contracts": [5, 5, 3], "tricks": [5, 4, 4]},
]
TRIPLE = [
    {"contracts": [5, 7], "tricks": [6, 7]},
    {"contracts": [7, 7], "tricks": [6, 7]},
    {"contracts": [8, 6], "tricks": [7, 6], "petit": 1},
]
"""Usual sheets: two are one trick off."""


class DoubleDetente(Detente):
    id = "tarot-double-detente"
    name = Phrase("Tarot double détente")
    seats = (3,)
    deal_type, state_type = DoubleDeal, DoubleState
    board = Phrase("a round of two parts")
    form = form_of(PARTS[3], DOUBLE)
    conditions = scores_condition(3)


class TripleDetente(Detente):
    id = "tarot-triple-detente"
    name = Phrase("Triple-Détente")
    seats = (2,)
    deal_type, state_type = TripleDeal, TripleState
    board = Phrase("a round of three parts")
    form = form_of(PARTS[2], TRIPLE)
    conditions = scores_condition(2)


GAMES: tuple[Game[Any], ...] = (DoubleDetente(), TripleDetente())
