"""Frappe: two seats, 52 cards, three at a time; cards are fished from the table by equal rank.

The parts follow docs/games/frappe.md, whose sections the comments cite.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from ...contract import Game, Option, Outcome, Settings, Sheet, State, Unit, View
from ...dealing import Stream
from ...errors import BadSheet
from ...matches import Match
from ...phrases import Phrase
from .cards import PACK, SEATS, Deal, deal_from, read_deal
from .marks import outcome_of
from .match import FrappeMatch
from .play import FrappeState
from .robot import suggestion
from .sheet import FORM, result_of


class Frappe(Game[Deal]):
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
    names = {
        "extension": Phrase("extension"),
        "arrange": Phrase("lays the extension"),
        "play": Phrase("play"),
        "over": Phrase("over"),
        "extend": Phrase("turns up the extension"),
        "wait": Phrase("leaves the extension for later"),
        "positions": Phrase("extension in place"),
        "multiple": Phrase("multiples of the extension"),
        "paire": Phrase("pair"),
        "brelan": Phrase("three of a rank"),
        "frappe": Phrase("frappe"),
        "contre-frappe": Phrase("contre-frappe"),
        "place": Phrase("card in place"),
        "nettoyage": Phrase("sweep"),
        "cards": Phrase("cards"),
        "points": Phrase("points without the cards"),
        "opponent": Phrase("the other player's points"),
        "penitence": Phrase("pénitence"),
        "penitence-lost": Phrase("the other player's pénitence"),
    }

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        return deal_from(stream.permutation(PACK.order), dealer)

    def read_deal(self, data: Any, options: Settings | None = None) -> Deal:
        return read_deal(data)

    def show_deal(self, deal: Deal) -> dict[str, Any]:
        hands = [list(hand) for hand in deal.hands]
        return {"dealer": deal.dealer, "hands": hands, "extension": list(deal.extension)}

    def start(self, deal: Deal, options: Settings) -> FrappeState:
        return FrappeState(deal, options)

    def summarise(self, state: State) -> dict[str, Any]:
        assert isinstance(state, FrappeState)
        result = state.result()
        if result.winner is not None:
            return {"points": list(result.points), "penitence": result.winner + 1}
        return {"points": list(result.points), "cards": list(result.cards or ())}

    def score(
        self,
        sheet: Sheet,
        *,
        deal: Deal | None = None,
        options: Settings | None = None,
        conditions: Settings | None = None,
    ) -> Outcome:
        result = result_of(sheet)
        if result.winner is None and result.cards is None:
            raise BadSheet("ended_early", Phrase("belongs to a match: a board is played to its end"))
        return outcome_of(result)

    def match(self, options: Settings, conditions: Settings) -> Match:
        return FrappeMatch()

    def suggest(self, view: View, legal: Sequence[str], random: Random) -> str:
        return suggestion(view, legal)


GAMES: tuple[Game[Any], ...] = (Frappe(),)
