"""Belote Noisette: three seats, 24 cards of three suits, trumps proposed by turned cards, and a pot of
nuts.

The parts follow engines/rules/belote-noisette.md, whose sections the comments cite.
"""

from typing import Any

from ... import sheets
from ...contract import Game, Option, Outcome, Settings, Sheet, Unit, with_defaults
from ...dealing import Stream
from ...deals import DealtGame
from ...matches import Match
from ...pads import Pad, Talk, Tricks, Turned
from ...phrases import Phrase
from ...words import SUIT_NAMES, words
from .cards import (
    BELOTE,
    HOLDINGS_WANTED,
    PLAIN_ORDER,
    SEATS,
    TRUMP_ORDER,
    Deal,
    are_nuts,
    deal_from,
    holdings_of,
    pack_without,
    read_deal,
)
from .marks import outcome_of
from .match import NoisetteMatch
from .play import NoisetteState
from .robot import suggestion
from .sheet import FORM, result_of


class BeloteNoisette(DealtGame[Deal, NoisetteState]):
    deal_type, state_type = Deal, NoisetteState
    id = "belote-noisette"
    name = Phrase("Belote Noisette")
    seats = (SEATS,)
    pack = Phrase("24 cards, three suits")
    line_score = Phrase("nuts won or lost")
    unit = Unit(Phrase("nut"))
    options = (
        Option("rank_order", ("belote", "literal"), ("engine",),
               Phrase("where the ten ranks in plain suits")),
        Option("removed_suit", ("C", "S", "H", "D"), ("generator", "engine", "sheet"),
               Phrase("the suit that is taken out of the pack")),
        Option("partners", ("defenders", "none"), ("engine",),
               Phrase("whether the adversaries of the taker are partners when they ruff")),
        Option("beat_led_trump", (True, False), ("engine",),
               Phrase("whether a player must go up when a trump is led")),
        Option("pot_carry", ("neutral", "cycle"), ("generator",),
               Phrase("whether every second board begins with nuts in the pot")),
    )  # fmt: skip
    conditions = (
        Option("nuts", (), ("engine", "sheet"), Phrase("the nuts of each seat before the antes"),
               more=are_nuts, which=HOLDINGS_WANTED),
        Option("pot", (0,), ("engine", "sheet"), Phrase("the nuts in the pot before the antes"),
               more=lambda value: sheets.is_whole(value, 0, 27), which=HOLDINGS_WANTED),
        Option("dealer", (1, 2, 3), ("sheet",), Phrase("who deals")),
    )  # fmt: skip
    form, public = FORM, ("dealer",)
    names = words(f"play over stock pass {SUIT_NAMES}") | {
        "round1": Phrase("first round of the auction"), "round2": Phrase("second round of the auction"),
        "forced": Phrase("forced to take"), "turned": Phrase("turned cards"),
        "turned1": Phrase("turned card"), "turned2": Phrase("second turned card"),
        "take:S": Phrase("takes in spades"), "take:H": Phrase("takes in hearts"),
        "take:D": Phrase("takes in diamonds"), "take:C": Phrase("takes in clubs"),
        "1": Phrase("first round of the auction"), "2": Phrase("second round of the auction"),
        "points": Phrase("card points"), "belote": Phrase("belote"), "ante": Phrase("ante"),
        "stake": Phrase("stake of the taker"), "over-half": Phrase("more than half: the whole pot"),
        "ahead": Phrase("ahead of each adversary"), "beaten": Phrase("taker beaten"),
        "share": Phrase("share of the pot"),
    }  # fmt: skip

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        carried = options["pot_carry"] == "cycle" and number % 2 == 0
        removed, holdings = str(options["removed_suit"]), holdings_of(conditions, carried=carried)
        shuffled = stream.permutation(pack_without(removed).order)
        return Deal(removed, dealer, *deal_from(shuffled, dealer, removed), *holdings)

    def read_deal(self, data: Any, options: Settings | None = None) -> Deal:
        return read_deal(data, str(with_defaults(self.options, options)["removed_suit"]))

    def scored(self, sheet: Sheet, deal: Deal | None, options: Settings, conditions: Settings) -> Outcome:
        result = result_of(sheet, options, known=self.known(deal, conditions), deal=deal)
        holdings = (deal.nuts, deal.pot) if deal is not None else holdings_of(conditions, carried=False)
        return outcome_of(result, *holdings)

    def pad(self, options: Settings) -> Pad | None:
        pack = pack_without(str(options["removed_suit"]))
        takes = tuple(f"take:{suit}" for suit in pack.suit_letters)
        order = PLAIN_ORDER[str(options["rank_order"])]
        first = Talk(
            bids=takes,
            words=("pass",),
            rises=0,
            closing=takes,
            trumps=True,
            turns=SEATS,
            goes_on=True,
            of_turned=True,
        )
        later = Talk(
            bids=takes, words=("pass",), rises=0, closing=takes, trumps=True, unless=takes, of_turned=True
        )
        tricks = Tricks(cards=len(pack.order), order=order, trump_order=TRUMP_ORDER, leads="taker",
                        marks=(BELOTE,))  # fmt: skip
        one, two = Turned(1, names=("turned1",)), Turned(2, names=("turned1", "turned2"), unless=takes)
        return Pad(pack, (one, first, two, later, tricks))

    def match(self, options: Settings, conditions: Settings) -> Match:
        return NoisetteMatch(options)

    robot = staticmethod(suggestion)


GAMES: tuple[Game[Any], ...] = (BeloteNoisette(),)
