"""Bernicle: three seats, a double pack of 48 cards, an auction, declared combinations and tricks.

The parts follow engines/rules/bernicle.md, whose sections the comments cite.
"""

from typing import Any

from ...contract import Game, Option, Outcome, Settings, Unit
from ...deals import JudgedGame
from ...matches import Match
from ...pads import FaceDown, Pad, Talk, Tricks
from ...phrases import Phrase
from ...words import SUIT_NAMES, TRUMP_NAMINGS, words
from .cards import PACK, SEATS, TRICKS, Deal
from .combinations import CODES
from .marks import Ending, outcome_of
from .match import BernicleMatch
from .play import NONE, PASS, STEPS, BernicleState
from .robot import suggestion
from .sheet import FORM, LETTERS, OPENINGS

HIGHEST_ON_A_PAD = 700  # nobody makes as much without combinations that nobody bids on


class Bernicle(JudgedGame[Deal, BernicleState]):
    deal_type, state_type = Deal, BernicleState
    id = "bernicle"
    name = Phrase("Bernicle")
    seats = (SEATS,)
    pack = Phrase("48 cards, two of each")
    line_score = Phrase("points of contract, tricks and combinations")
    unit = Unit(Phrase("point"))
    options = (
        Option("tierce_order", ("game", "natural"), ("engine",),
               Phrase("which ranks follow each other in a tierce of the niche")),
        Option("capot", ("plus200", "flat400"), ("engine", "sheet", "ledger"),
               Phrase("what all the tricks are worth: 200 more, or 400 in all")),
        Option("trickless_combos", ("kept", "void"), ("engine", "sheet", "ledger"),
               Phrase("whether the combinations of a defender without a trick count for the other defender")),
        Option("opening", ("free", "forced"), ("engine", "sheet", "ledger"),
               Phrase("whether the player at the dealer's left must open")),
    )  # fmt: skip
    form, between = FORM, {"declare": ","}
    names = words(
        "auction exchange play over dog pass bid discard passed-out made lost tricks fault "
        f"{SUIT_NAMES} {TRUMP_NAMINGS}"
    ) | {
        "trump": Phrase("trump suit"), "combinations": Phrase("combinations"), "pups": Phrase("pups"),
        "one of pups": Phrase("pup"),
        "declare": Phrase("declares"), NONE: Phrase("declares nothing"), "capot": Phrase("all tricks"),
        "combos": Phrase("combinations"), "niche": Phrase("niche"),
        "contract": Phrase("the taker's lost contract"), "no-trick": Phrase("no trick: no points"),
    }  # fmt: skip

    def thing(self, named: str) -> Phrase:
        return CODES[named][1]

    def pad(self, options: Settings) -> Pad | None:
        bids = tuple(f"bid:{amount}" for amount in range(OPENINGS[0], HIGHEST_ON_A_PAD + 1, STEPS[0]))
        said = Talk(bids=bids, words=(PASS,), jumps=STEPS, passes=SEATS - 1, without=SEATS,
                    opens=options["opening"] == "forced")  # fmt: skip
        named = Talk(begins="taker", turns=1, words=tuple(f"trump:{suit}" for suit in LETTERS), trumps=True)
        laid = FaceDown(who="taker", verb="discard", count=5), FaceDown(who="others", verb="discard", count=2)
        declared = Talk(begins="taker", turns=SEATS, words=tuple(CODES), verb="declare", between=",",
                        nothing=NONE, twice=True)  # fmt: skip
        tricks = Tricks(cards=SEATS * TRICKS, order=PACK.rank_letters, leads="taker")
        return Pad(PACK, (said, named, *laid, declared, tricks))

    def judged(self, told: dict[str, Any], deal: Deal | None, options: Settings, seats: int) -> Outcome:
        return outcome_of(Ending.from_sheet(FORM, told), options)

    def match(self, options: Settings, conditions: Settings) -> Match:
        return BernicleMatch(options)

    robot = staticmethod(suggestion)


GAMES: tuple[Game[Any], ...] = (Bernicle(),)
