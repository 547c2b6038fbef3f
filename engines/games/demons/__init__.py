"""Démons, and Les Héritiers, which have the same rules: three seats, 33 cards, one player secretly the
Diable; Démons that possess cards, combinations built trick by trick, bets on the tricks.

The parts follow docs/games/demons.md, whose sections the comments cite.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from ...contract import Game, Option, Outcome, Settings, Sheet, State, Unit, View
from ...dealing import Stream
from ...matches import Match
from ...phrases import Phrase
from .cards import PACK, SEATS, Deal, deal_from, is_void, read_deal
from .marks import Stakes, outcome_of
from .match import DemonsMatch
from .play import DemonsState
from .robot import suggestion
from .sheet import FORM, result_of


class Demons(Game[Deal]):
    id = "demons"
    name = Phrase("Démons")
    seats = (SEATS,)
    pack = Phrase("33 cards of two tarot packs")
    line_score = Phrase("points of cards, combinations and bets")
    unit = Unit(Phrase("point"))
    options = (
        Option("possession_obligation", (False, True), ("engine",),
               Phrase("whether a player without the suit led must possess a card of it")),
        Option("combination_continuity", ("consecutive", "free"), ("engine",),
               Phrase("whether the cards of a combination follow each other at once")),
    )  # fmt: skip
    conditions = (Option("dealer", (1, 2, 3), ("ledger",), Phrase("who deals first in the match")),)
    form = FORM
    names = {
        "exchange": Phrase("exchange"),
        "play": Phrase("play"),
        "bet": Phrase("bet"),
        "devil": Phrase("the Diable"),
        "over": Phrase("over"),
        "markers": Phrase("markers"),
        "pool": Phrase("cards turned up"),
        "keep": Phrase("exchanges nothing"),
        "swap": Phrase("exchanges"),
        "devil:keep": Phrase("the Diable exchanges nothing"),
        "bet:partial": Phrase("bets on the partial gain"),
        "bet:complete": Phrase("bets on the complete gain"),
        "hold": Phrase("holds"),
        "raise": Phrase("raises"),
        "concede": Phrase("concedes"),
        "tricks": Phrase("tricks"),
        "cards": Phrase("card points"),
        "suite": Phrase("best suite"),
        "pareil": Phrase("best pareil"),
        "most-tricks": Phrase("most tricks"),
        "partial-bet": Phrase("bet on the partial gain"),
        "complete-bet": Phrase("bet on the complete gain"),
        "failed": Phrase("failed combinations"),
        "signal": Phrase("showed who the Diable is"),
        "pure-demon-revoke": Phrase("pure Démon in place of the suit led"),
        "annulled": Phrase("annulled by another player's fault"),
    }

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        while is_void(deal := deal_from(stream.permutation(PACK), dealer)):
            pass
        return deal

    def read_deal(self, data: Any, options: Settings | None = None) -> Deal:
        return read_deal(data)

    def show_deal(self, deal: Deal) -> dict[str, Any]:
        return {
            "dealer": deal.dealer,
            "markers": list(deal.markers),
            "hands": [list(hand) for hand in deal.hands],
            "pool": list(deal.pool),
        }

    def start(self, deal: Deal, options: Settings) -> DemonsState:
        return DemonsState(deal, options)

    def words(self, action: str) -> Phrase:
        if action in self.names:
            return self.names[action]
        return self.names[action.partition(":")[0]]

    def summarise(self, state: State) -> dict[str, Any]:
        assert isinstance(state, DemonsState)
        result = state.result()

        def details(stakes: Stakes | None) -> Any:
            return None if stakes is None else {"stake": stakes.stake, "risk": list(stakes.risk)}

        return {
            "tricks": list(result.tricks),
            "card_points": list(result.card_points),
            "best_suite": [best and {"length": best[0], "top": best[1]} for best in result.best_suite],
            "best_pareil": [best and {"length": best[0], "rank": best[1]} for best in result.best_pareil],
            "penalised_failures": list(result.failures),
            "partial": details(result.partial),
            "complete": details(result.complete),
        }

    def score(
        self,
        sheet: Sheet,
        *,
        deal: Deal | None = None,
        options: Settings | None = None,
        conditions: Settings | None = None,
    ) -> Outcome:
        return outcome_of(result_of(sheet, deal))

    def match(self, options: Settings, conditions: Settings) -> Match:
        return DemonsMatch(int(conditions.get("dealer", 1)))

    def suggest(self, view: View, legal: Sequence[str], random: Random) -> str:
        return suggestion(view, legal)


class Heritiers(Demons):
    id = "heritiers"
    name = Phrase("Les Héritiers")


GAMES: tuple[Game[Any], ...] = (Demons(), Heritiers())
