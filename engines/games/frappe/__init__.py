"""Frappe: two seats, 52 cards, three at a time; cards are fished from the table by equal rank.

The parts follow engines/rules/frappe.md, whose sections the comments cite.
"""

from typing import Any

from ...contract import Game, Option, Outcome, Settings, Unit
from ...deals import JudgedGame
from ...errors import BadSheet
from ...matches import Match
from ...pads import Fishing, Pad
from ...phrases import Phrase
from .cards import EXTENSION, HAND, NUMBER, PACK, ROUNDS, SEATS, Deal
from .marks import outcome_of
from .match import FrappeMatch
from .play import EXTEND, IN_PLACE, WAIT, FrappeState
from .robot import suggestion
from .sheet import FORM, result_of


class Frappe(JudgedGame[Deal, FrappeState]):
    id = "frappe"
    name = Phrase("Frappe")
    seats = (SEATS,)
    pack = Phrase("52 cards")
    line_score = Phrase("points minus the other player's; ±61 for a pénitence")
    unit = Unit(Phrase("point"))
    options = (
        Option("extension_timing", ("any", "second"), ("engine",),
               Phrase("when the four cards of the extension are turned up")),
    )  # fmt: skip
    form = FORM
    deal_type, state_type = Deal, FrappeState
    names = {
        "extension": Phrase("extension"), "arrange": Phrase("lays the extension"), "play": Phrase("play"),
        "over": Phrase("over"), "extend": Phrase("turns up the extension"),
        "wait": Phrase("leaves the extension for later"), "positions": Phrase("extension in place"),
        "multiple": Phrase("multiples of the extension"), "paire": Phrase("pair"),
        "brelan": Phrase("three of a rank"), "frappe": Phrase("frappe"),
        "contre-frappe": Phrase("contre-frappe"), "place": Phrase("card in place"),
        "nettoyage": Phrase("sweep"), "cards": Phrase("cards"),
        "points": Phrase("points without the cards"), "opponent": Phrase("the other player's points"),
        "penitence": Phrase("pénitence"), "penitence-lost": Phrase("the other player's pénitence"),
    }  # fmt: skip

    def pad(self, options: Settings) -> Pad | None:
        """A pénitence ends it before all cards are played: its result is entered as a sheet."""
        played = Fishing(
            cards=ROUNDS * HAND * SEATS, order=PACK.rank_letters, hand=HAND, numbers=NUMBER, place=IN_PLACE,
            verb="arrange", extension=EXTENSION, ends=(">", "<"), whether=(EXTEND, WAIT),
            at=2 if options["extension_timing"] == "second" else 0,
        )  # fmt: skip
        return Pad(PACK, (played,))

    def judged(self, told: dict[str, Any], deal: Deal | None, options: Settings, seats: int) -> Outcome:
        result = result_of(told)
        if result.winner is None and result.cards is None:
            raise BadSheet("ended_early", Phrase("belongs to a match: a board is played to its end"))
        return outcome_of(result)

    def match(self, options: Settings, conditions: Settings) -> Match:
        return FrappeMatch()

    robot = staticmethod(suggestion)


GAMES: tuple[Game[Any], ...] = (Frappe(),)
