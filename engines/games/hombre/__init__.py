"""L'Hombre: three seats, anticlockwise, 40 cards; one plays alone for the pot against two, after an
auction and an exchange of cards with the stock.

The parts follow engines/rules/hombre.md, whose sections the comments cite.
"""

from typing import Any

from ...contract import Game, Option, Outcome, Settings, Sheet, Unit
from ...dealing import Stream
from ...deals import DealtGame
from ...entries import FIRST_DEALER, WHOLE_ROUNDS
from ...matches import Match
from ...pads import FaceDown, Pad, Talk, Tricks
from ...phrases import Phrase
from ...words import SUIT_NAMES, TRUMP_NAMINGS, words
from .cards import PACK, POT, POT_WANTED, RANKED, SEATS, TRICKS, Deal, is_pot
from .marks import outcome_of
from .match import HombreMatch
from .play import CONTRACTS, NONE, PASS, HombreState
from .robot import suggestion
from .sheet import FORM, result_on


class Hombre(DealtGame[Deal, HombreState]):
    deal_type, state_type = Deal, HombreState
    id = "hombre"
    name = Phrase("L’Hombre")
    seats = (SEATS,)
    direction = -1
    pack = Phrase("40 cards")
    line_score = Phrase("half jetons won or lost")
    unit = Unit(Phrase("half jeton"), 2, Phrase("jetons"))
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
        WHOLE_ROUNDS,
    )  # fmt: skip
    conditions = (
        Option("pot", (POT,), ("engine", "sheet"), Phrase("the pot, in half jetons"),
               more=is_pot, which=POT_WANTED),
        FIRST_DEALER,
    )  # fmt: skip
    form = FORM
    names = words(
        f"exchange play over stock pass passed-out made lost tricks {SUIT_NAMES} {TRUMP_NAMINGS}"
    ) | {
        "bid": Phrase("auction"), "trump": Phrase("trump suit"),
        "bid:prendre": Phrase("prendre, with exchange"),
        "bid:sans-prendre": Phrase("sans prendre, without exchange"),
        "bid:vole": Phrase("vole, all tricks"), "none": Phrase("passed out"),
        "exchange:none": Phrase("exchanges no card"),
        "prendre": Phrase("prendre, with exchange"),
        "sans-prendre": Phrase("sans prendre, without exchange"), "vole": Phrase("vole, all tricks"),
        "codille": Phrase("codille"), "remise": Phrase("remise"), "bete": Phrase("bête"),
        "stake": Phrase("stake"), "pot": Phrase("pot"), "tariff": Phrase("tariff of the contract"),
        "matadors": Phrase("matadors"), "returned": Phrase("returned from the pot"),
    }  # fmt: skip

    def dealer_of(self, number: int, conditions: Settings) -> int:
        """The deal passes to the right: 1, 3, 2, 1…"""
        return SEATS - (number + 1) % SEATS

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        steps = (number - 1) // 3 % 3 if options["pot_cycle"] == "relance" else 0
        pot = conditions.get("pot", POT + 12 * steps)
        return Deal.of(stream.permutation(PACK.order), dealer, pot)

    def pad(self, options: Settings) -> Pad | None:
        prendre, sans_prendre, vole = bids = tuple(f"bid:{contract}" for contract in CONTRACTS)
        rises = 0 if options["elder_hold"] == "on" else 1
        said = Talk(bids=bids, words=(PASS,), rises=rises, closing=(vole,), passes=SEATS - 1, out=True,
                    without=SEATS)  # fmt: skip
        named = Talk(begins="taker", turns=1, words=tuple(f"trump:{suit}" for suit in RANKED), trumps=True)
        exchanging = (sans_prendre,) if options["vole_exchange"] == "none" else (sans_prendre, vole)
        own = FaceDown(who="taker", verb="exchange", nothing=NONE, when=(prendre,))
        theirs = FaceDown(who="others", verb="exchange", nothing=NONE, when=(prendre, *exchanging))
        tricks = Tricks(cards=SEATS * TRICKS, order=PACK.rank_letters, ranked=RANKED,
                        duty="trump" if options["must_trump"] == "on" else "suit", spared=3)  # fmt: skip
        return Pad(PACK, (said, named, own, theirs, tricks), turn=self.direction)

    def scored(self, sheet: Sheet, deal: Deal | None, options: Settings, conditions: Settings) -> Outcome:
        pot = deal.pot if deal is not None else conditions.get("pot", POT)
        return outcome_of(result_on(sheet, options), pot)

    def match(self, options: Settings, conditions: Settings) -> Match:
        return HombreMatch(options, int(conditions.get("dealer", 1)))

    robot = staticmethod(suggestion)


GAMES: tuple[Game[Any], ...] = (Hombre(),)
