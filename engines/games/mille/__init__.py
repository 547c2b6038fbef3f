"""Mille: three seats, 24 cards, an auction for points, marriages that make trumps; one thousand wins.

The parts follow docs/games/mille.md, whose sections the comments cite.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from ...contract import Game, Option, Outcome, Settings, Sheet, State, Unit, View, with_defaults
from ...dealing import Stream
from ...matches import Match
from ...phrases import Phrase
from .cards import BOMBS_WANTED, PACK, SEATS, Deal, are_seats, deal_from, read_deal
from .marks import outcome_of
from .match import MilleMatch
from .play import MilleState
from .robot import suggestion
from .sheet import FORM, result_of


class Mille(Game[Deal]):
    id = "mille"
    name = Phrase("Mille")
    seats = (SEATS,)
    pack = Phrase("24 cards")
    line_score = Phrase("points, minus the cost of a bar")
    unit = Unit(Phrase("point"))
    options = (
        Option("rank_order", ("points", "literal"), ("engine",),
               Phrase("whether the ten ranks by its points, or below the jack")),
        Option("reentry", (True, False), ("engine",), Phrase("whether a player who has passed may bid "
                                                             "again")),
        Option("bombs", ("third", "always", "never"), ("generator",), Phrase("which boards offer the bomb")),
        Option("bar_value", (40, 0), ("engine", "sheet"), Phrase("what a bar costs on a board")),
        Option("barrel_limit", (3, 4), ("ledger",), Phrase("how many deals a player may spend on the "
                                                           "barrel")),
    )  # fmt: skip
    conditions = (
        Option(
            "bombs",
            (),
            ("engine", "sheet"),
            Phrase("the seats that hold a bomb"),
            more=are_seats,
            which=BOMBS_WANTED,
        ),
        Option("dealer", (1, 2, 3), ("sheet",), Phrase("who deals")),
    )
    form = FORM
    names = {
        "auction": Phrase("auction"),
        "exchange": Phrase("exchange"),
        "play": Phrase("play"),
        "over": Phrase("over"),
        "dog": Phrase("dog"),
        "bombs": Phrase("bombs"),
        "pass": Phrase("passes"),
        "bid": Phrase("bids"),
        "give": Phrase("gives"),
        "bomb": Phrase("bomb"),
        "played": Phrase("played out"),
        "bomb-points": Phrase("half of the contract"),
        "marriage": Phrase("marriage"),
        "made": Phrase("contract made"),
        "lost": Phrase("contract lost"),
        "points": Phrase("points in defence"),
        "bar": Phrase("bar"),
        "fault": Phrase("fault"),
        "annulled": Phrase("annulled by another player's fault"),
    }

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        everyone = options["bombs"] == "always" or (options["bombs"] == "third" and number % 9 in {3, 5, 7})
        bombs = conditions.get("bombs", [1, 2, 3] if everyone else [])
        return replace(deal_from(stream.permutation(PACK.order), dealer), bombs=tuple(sorted(bombs)))

    def read_deal(self, data: Any, options: Settings | None = None) -> Deal:
        return read_deal(data)

    def show_deal(self, deal: Deal) -> dict[str, Any]:
        hands = [list(PACK.tokens(hand)) for hand in deal.hands]
        return {"dealer": deal.dealer, "hands": hands, "dog": list(deal.dog), "bombs": list(deal.bombs)}

    def start(self, deal: Deal, options: Settings) -> MilleState:
        return MilleState(deal, options)

    def summarise(self, state: State) -> dict[str, Any]:
        assert isinstance(state, MilleState)
        result = state.result()
        sheet: dict[str, Any] = {"taker": result.declarer + 1, "contract": result.contract, "end": result.end}
        if result.end == "played":
            sheet["points"] = list(result.points)
            sheet["marriages"] = [{"suit": suit, "seat": seat + 1} for seat, suit in result.marriages]
        return sheet

    def known(self, deal: Deal | None, conditions: Settings | None) -> dict[str, Any]:
        of_deal = {"dealer": deal.dealer, "bombs": list(deal.bombs)} if deal is not None else {}
        return dict(conditions or {}) | of_deal

    def score(
        self,
        sheet: Sheet,
        *,
        deal: Deal | None = None,
        options: Settings | None = None,
        conditions: Settings | None = None,
    ) -> Outcome:
        result = result_of(sheet, known=self.known(deal, conditions), deal=deal)
        return outcome_of(result, with_defaults(self.options, options))

    def match(self, options: Settings, conditions: Settings) -> Match:
        return MilleMatch(int(options["barrel_limit"]))

    def suggest(self, view: View, legal: Sequence[str], random: Random) -> str:
        return suggestion(view, legal)


GAMES: tuple[Game[Any], ...] = (Mille(),)
