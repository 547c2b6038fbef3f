"""Mille: three seats, 24 cards, an auction for points, marriages that make trumps; one thousand wins.

The parts follow engines/rules/mille.md, whose sections the comments cite.
"""

from dataclasses import replace
from typing import Any

from ...contract import Game, Option, Outcome, Settings, Unit
from ...dealing import Stream
from ...deals import JudgedGame
from ...matches import Match
from ...pads import FaceDown, Pad, Talk, Tricks
from ...phrases import Phrase
from ...words import SUIT_NAMES, words
from .cards import BOMBS_WANTED, MARRIED, PACK, PACKS, SEATS, Deal, are_seats
from .marks import outcome_of
from .match import MilleMatch
from .play import BIDS, PASS, MilleState
from .robot import suggestion
from .sheet import FORM, result_of


class Mille(JudgedGame[Deal, MilleState]):
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
    deal_type, state_type = Deal, MilleState
    names = words(f"auction exchange play over dog pass bid made lost fault annulled {SUIT_NAMES}") | {
        "bombs": Phrase("bombs"), "give": Phrase("gives"), "bomb": Phrase("bomb"),
        "played": Phrase("played out"), "bomb-points": Phrase("half of the contract"),
        "marriage": Phrase("marriage"), "points": Phrase("points in defence"), "bar": Phrase("bar"),
        "revoke": Phrase("revoke"), "no_trump": Phrase("forgotten ruff"),
        "trumped": Phrase("forbidden ruff"), "false_marriage": Phrase("false marriage"),
    }  # fmt: skip

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        everyone = options["bombs"] == "always" or (options["bombs"] == "third" and number % 9 in {3, 5, 7})
        bombs = conditions.get("bombs", [1, 2, 3] if everyone else [])
        return replace(Deal.of(stream.permutation(PACK.order), dealer), bombs=tuple(sorted(bombs)))

    def known(self, deal: Deal | None, conditions: Settings | None) -> dict[str, Any]:
        of_deal = {"dealer": deal.dealer, "bombs": list(deal.bombs)} if deal is not None else {}
        return dict(conditions or {}) | of_deal

    def pad(self, options: Settings) -> Pad | None:
        bids = tuple(bid for bid in BIDS if bid != PASS)
        said = Talk(bids=bids, words=(PASS,), passes=2, out=not options["reentry"], opens=True)
        given = FaceDown(who="taker", verb="give", given=True)
        order = PACKS[str(options["rank_order"])].rank_letters
        tricks = Tricks(
            cards=len(PACK.order), order=order, leads="taker", marks=(MARRIED,), making=MARRIED, duty="trump"
        )
        return Pad(PACK, (said, given, tricks))

    def judged(self, told: dict[str, Any], deal: Deal | None, options: Settings, seats: int) -> Outcome:
        return outcome_of(result_of(told, deal), options)

    def match(self, options: Settings, conditions: Settings) -> Match:
        return MilleMatch(int(options["barrel_limit"]))

    robot = staticmethod(suggestion)


GAMES: tuple[Game[Any], ...] = (Mille(),)
