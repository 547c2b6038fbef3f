"""L'Hombre: three seats, anticlockwise, 40 cards; one plays alone for the pot against two, after an
auction and an exchange of cards with the stock.

The parts follow docs/games/hombre.md, whose sections the comments cite.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from ... import sheets
from ...contract import Field, Game, Option, Outcome, Settings, Sheet, State, Unit, View, with_defaults
from ...dealing import Stream
from ...errors import BadSheet
from ...matches import Match
from ...phrases import Phrase
from .cards import PACK, POT, POT_WANTED, SEATS, TRICKS, Deal, deal_from, is_pot, read_deal
from .marks import PASSED_OUT, Ending, outcome_of, result_of
from .match import HombreMatch
from .play import CONTRACTS, HombreState
from .robot import suggestion

PLAYED = CONTRACTS


class Hombre(Game[Deal]):
    id = "hombre"
    name = Phrase("L'Hombre")
    seats = (SEATS,)
    pack = Phrase("40 cards")
    line_score = Phrase("half jetons won or lost")
    unit = Unit(Phrase("half jeton"), 2)
    options = (
        Option("elder_hold", ("off", "on"), ("engine",),
               Phrase("whether a player who speaks earlier in turn may take over a bid at its level")),
        Option("prendre_goal", ("plurality", "five"), ("engine", "sheet", "ledger"),
               Phrase("what makes a prendre: more tricks than each other player, or five")),
        Option("failed_take", ("pay", "remise", "bete"), ("engine", "sheet", "ledger"),
               Phrase("what a prendre lost without codille costs")),
        Option("vole_exchange", ("opponents", "none"), ("engine",),
               Phrase("whether the opponents of a vole exchange cards")),
        Option("must_trump", ("on", "off"), ("engine",),
               Phrase("whether a player who cannot follow a plain suit must ruff")),
        Option("dry_matador", ("any_trump", "trump_led", "parent"), ("engine",),
               Phrase("when a matador without other trumps need not be played")),
        Option("pot_cycle", ("fixed", "relance"), ("generator",),
               Phrase("whether the pot grows from board to board in a cycle")),
        Option("deals", (12,), ("ledger",), Phrase("how many deals a match has"),
               more=lambda value: sheets.is_whole(value, 3, None) and value % 3 == 0,
               which=Phrase("another positive multiple of three")),
    )  # fmt: skip
    conditions = (
        Option(
            "pot",
            (POT,),
            ("engine", "sheet"),
            Phrase("the pot, in half jetons"),
            more=is_pot,
            which=POT_WANTED,
        ),
        Option("dealer", (1, 2, 3), ("ledger",), Phrase("who deals first in the match")),
    )
    fields = (
        Field("contract", "choice", Phrase("contract"), choices=("none", *CONTRACTS)),
        Field("hombre", "seat", Phrase("hombre"), when=PLAYED),
        Field("tricks", "whole", Phrase("tricks"), per_seat=True, most=TRICKS, when=PLAYED, optional=True),
        Field("made", "flag", Phrase("vole made"), when=("vole",), optional=True),
        Field(
            "matadors",
            "whole",
            Phrase("matadors of the seat that takes the pot"),
            most=3,
            when=PLAYED,
            optional=True,
        ),
        Field("trump", "choice", Phrase("trump suit"), choices=tuple("SHDC"), when=PLAYED, optional=True),
    )
    names = {
        "bid": Phrase("auction"),
        "trump": Phrase("trump suit"),
        "exchange": Phrase("exchange"),
        "play": Phrase("play"),
        "over": Phrase("over"),
        "stock": Phrase("stock"),
        "pass": Phrase("passes"),
        "bid:prendre": Phrase("prendre (with exchange)"),
        "bid:sans-prendre": Phrase("sans prendre (without exchange)"),
        "bid:vole": Phrase("vole (all tricks)"),
        "trump:S": Phrase("names spades"),
        "trump:H": Phrase("names hearts"),
        "trump:D": Phrase("names diamonds"),
        "trump:C": Phrase("names clubs"),
        "none": Phrase("passed out"),
        "prendre": Phrase("prendre (with exchange)"),
        "sans-prendre": Phrase("sans prendre (without exchange)"),
        "vole": Phrase("vole (all tricks)"),
        "S": Phrase("spades"),
        "H": Phrase("hearts"),
        "D": Phrase("diamonds"),
        "C": Phrase("clubs"),
        "passed-out": Phrase("passed out"),
        "made": Phrase("contract made"),
        "lost": Phrase("contract lost"),
        "codille": Phrase("codille"),
        "remise": Phrase("remise"),
        "bete": Phrase("bête"),
        "tricks": Phrase("tricks"),
        "stake": Phrase("stake"),
        "pot": Phrase("pot"),
        "tariff": Phrase("tariff of the contract"),
        "matadors": Phrase("matadors"),
        "returned": Phrase("returned from the pot"),
    }

    def dealer_of(self, number: int, conditions: Settings) -> int:
        """The deal passes to the right: 1, 3, 2, 1…"""
        return SEATS - (number + 1) % SEATS

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        steps = (number - 1) // 3 % 3 if options["pot_cycle"] == "relance" else 0
        pot = conditions.get("pot", POT + 12 * steps)
        return replace(deal_from(stream.permutation(PACK.order), dealer), pot=pot)

    def read_deal(self, data: Any, options: Settings | None = None) -> Deal:
        return read_deal(data)

    def show_deal(self, deal: Deal) -> dict[str, Any]:
        hands = [list(PACK.tokens(hand)) for hand in deal.hands]
        return {"dealer": deal.dealer, "hands": hands, "stock": list(deal.stock), "pot": deal.pot}

    def start(self, deal: Deal, options: Settings) -> HombreState:
        return HombreState(deal, options)

    # The result sheet (section 8)

    def summarise(self, state: State) -> dict[str, Any]:
        assert isinstance(state, HombreState)
        state.check_over()
        if state.contract is None or state.hombre is None:
            return {"contract": "none"}
        contract = CONTRACTS[state.contract]
        sheet: dict[str, Any] = {
            "contract": contract,
            "hombre": state.hombre + 1,
            "tricks": list(state.tricks),
        }
        result = result_of(contract, state.hombre, state.tricks, None, state.options)
        if result.collector is not None:
            sheet["matadors"] = state.matadors[result.collector]
        return sheet | {"trump": state.trump}

    def score(
        self,
        sheet: Sheet,
        *,
        deal: Deal | None = None,
        options: Settings | None = None,
        conditions: Settings | None = None,
    ) -> Outcome:
        result = self.result(sheet, with_defaults(self.options, options))
        pot = deal.pot if deal is not None else (conditions or {}).get("pot", POT)
        return PASSED_OUT if result is None else outcome_of(result, pot)

    def result(self, sheet: Sheet, options: Settings) -> Ending | None:
        """The result on a sheet; None for a deal that was passed out."""
        sheets.check(self.fields, sheet, seats=SEATS)
        if sheet["contract"] == "none":
            return None
        tricks, made, hombre = sheet.get("tricks"), sheet.get("made"), sheet["hombre"] - 1
        if tricks is None and made is None:
            raise BadSheet("tricks", Phrase("is missing"))
        if tricks is not None and sum(tricks) != TRICKS:
            raise BadSheet("tricks", Phrase("add up to {total}; nine tricks are played", total=sum(tricks)))
        if tricks is not None and made is not None and made != (tricks[hombre] == TRICKS):
            raise BadSheet("made", Phrase("does not agree with the tricks"))
        result = result_of(sheet["contract"], hombre, tricks or (), made, options)
        if result.collector is None:
            if sheet.get("matadors"):
                raise BadSheet("matadors", Phrase("nobody takes the pot alone: leave it empty"))
            return result
        if "matadors" not in sheet:
            raise BadSheet(
                "matadors", Phrase("is missing: how many did seat {seat} hold?", seat=result.collector + 1)
            )
        return replace(result, matadors=sheet["matadors"])

    # The match (section 6)

    def match(self, options: Settings, conditions: Settings) -> Match:
        dealer = int(conditions.get("dealer", 1))
        return HombreMatch(lambda sheet: self.result(sheet, options), int(options["deals"]), dealer)

    def suggest(self, view: View, legal: Sequence[str], random: Random) -> str:
        return suggestion(view, legal)


GAMES: tuple[Game[Any], ...] = (Hombre(),)
