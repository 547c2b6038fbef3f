"""Duel à Las Vegas: two seats, each drawing from a pack of 54; poker piles of any size, six of them win.

The parts follow docs/games/duel-las-vegas.md, whose sections the comments cite.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from ... import sheets
from ...contract import Game, Option, Outcome, Settings, Unit, View
from ...dealing import Stream
from ...deals import DealtGame
from ...matches import Match
from ...phrases import Phrase
from .cards import ORDER, SEATS, Deal
from .marks import NONE, outcome_of
from .match import DuelMatch
from .play import CONCEDE, DRAW, DuelState
from .sheet import FORM

WIN = Unit(Phrase("win"))


class Duel(DealtGame[Deal, DuelState]):
    id = "duel-las-vegas"
    name = Phrase("Duel à Las Vegas")
    seats = (SEATS,)
    pack = Phrase("two packs of 54 cards")
    board = Phrase("a whole game")
    line_score = Phrase("hands won minus hands lost, −6 to +6")
    unit = Unit(Phrase("hand won"))
    options = (
        Option("ace_low_straight", ("on", "off"), ("engine",),
               Phrase("whether ace, 2, 3, 4, 5 is a straight")),
        Option("line_basis", ("mains", "victory"), ("engine", "sheet"),
               Phrase("whether hands are compared, or the game's victory")),
        Option("target_games", (NONE,), ("ledger",), Phrase("how many games win a match"),
               more=lambda value: sheets.is_whole(value, 1, None),
               which=Phrase("a whole number, 1 or more")),
    )  # fmt: skip
    form = FORM
    deal_type, state_type = Deal, DuelState
    names = {
        "decision": Phrase("draw or concede"),
        "over": Phrase("over"),
        "decks": Phrase("packs"),
        "draw": Phrase("draws a card"),
        "concede": Phrase("concedes the hand"),
        "mains": Phrase("hands won"),
        "opponent": Phrase("the other player's hands"),
        "victory": Phrase("victory"),
        "defeat": Phrase("defeat"),
        "no-winner": Phrase("no winner"),
    }

    def unit_of(self, options: Settings) -> Unit:
        return WIN if options["line_basis"] == "victory" else self.unit

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        return Deal((tuple(stream.permutation(ORDER)), tuple(stream.permutation(ORDER))))

    def judged(self, told: dict[str, Any], deal: Deal | None, options: Settings, seats: int) -> Outcome:
        return outcome_of(told["mains"], options)

    def match(self, options: Settings, conditions: Settings) -> Match:
        return DuelMatch(options["target_games"])

    def suggest(self, view: View, legal: Sequence[str], random: Random) -> str:
        """Goes on while its pile is hardly longer than the other's, and cards are left."""
        seat = view["actors"][0] - 1
        own, other = len(view["piles"][seat]), len(view["piles"][1 - seat])
        return DRAW if own < other + 3 or view["left"][1 - seat] == 0 else CONCEDE


GAMES: tuple[Game[Any], ...] = (Duel(),)
