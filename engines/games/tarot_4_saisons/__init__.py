"""Tarot 4 saisons: three seats, a tarot pack of 50 cards, fourteen bids, contracts, contres and suites.

The parts follow engines/rules/tarot-4-saisons.md, whose sections the comments cite.
"""

from typing import Any

from ...contract import Game, Option, Outcome, Settings, Sheet, Unit
from ...deals import DealtGame
from ...matches import Match
from ...pads import FaceDown, Pad, Talk, Tricks, tarot_ranks
from ...phrases import Phrase
from ...words import WORDS, contracts, words
from .cards import BIDS, CONTRACTS, GAME, PACK, SEATS, SUITS, TRICKS, Deal
from .marks import outcome_of
from .match import SaisonsMatch
from .play import ACCEPT, LEAD_FOREHAND, LEAD_ME, MISERE, PASS, REFUSE, SKIP, TAKE, SaisonsState
from .robot import suggestion
from .sheet import FEATS, FORM, result_of


class Saisons(DealtGame[Deal, SaisonsState]):
    id = "tarot-4-saisons"
    name = Phrase("Tarot 4 saisons")
    seats = (SEATS,)
    pack = Phrase("50 tarot cards")
    line_score = Phrase("marks of game, bonuses and penalties")
    unit = Unit(Phrase("point"))
    options = (
        Option("pass_is_final", (False, True), ("engine",),
               Phrase("whether a player who has passed is out of the auction")),
        Option("misere_mandatory", (False, True), ("engine",),
               Phrase("whether a hand without figures must be declared")),
    )  # fmt: skip
    conditions = (Option("dealer", (1, 2, 3), ("sheet", "ledger"), Phrase("who deals, or deals first")),)
    form, public = FORM, ("dealer",)
    between = {"contracts": ",", "contre": ",", "suites": ",", "bid": ","}
    deal_type, state_type = Deal, SaisonsState
    names = (
        words("auction dog play over pass bid discard contre passed-out annulled")
        | contracts(FEATS)
        | {f"{name}-contract": Phrase("contract made: {feat}", feat=feat) for name, feat in FEATS.items()}
        | {
            "contracts": Phrase("contracts"), "contres": Phrase("contres"), "suites": Phrase("suites"),
            "misere": Phrase("misère"), "option:take": Phrase("turns the optional cards"),
            "option:skip": Phrase("turns no more cards"), "lower:accept": Phrase("accepts the lower stake"),
            "lower:refuse": Phrase("refuses the lower stake"), "contracts:none": Phrase("no contract"),
            "suites:none": Phrase("no suite"), "lead:me": Phrase("takes the lead"),
            "lead:forehand": Phrase("lets the forehand lead"), "passed": Phrase("passed out"),
            "tout": Phrase("tout"), "2+2": Phrase("2 + 2"), "3": Phrase("three cards"),
            "1+1": Phrase("1 + 1"), "sans-voir": Phrase("sans voir"), "sans-points": Phrase("sans points"),
            "tout-clair": Phrase("tout, clair"), "2+2-clair": Phrase("2 + 2, clair"),
            "3-clair": Phrase("three cards, clair"), "1+1-clair": Phrase("1 + 1, clair"),
            "sans-voir-clair": Phrase("sans voir, clair"),
            "sans-points-clair": Phrase("sans points, clair"), "contre-clair": Phrase("contre, clair"),
            "count": Phrase("card points"), "won": Phrase("game won"),
            "won-clear": Phrase("game won with 93 points or more"), "lost": Phrase("game lost"),
            "taker-lost": Phrase("the taker's game lost"), "after-passes": Phrase("after passed deals"),
            "trois-bouts": Phrase("three bouts"), "quatre-as": Phrase("four aces"),
            "excuse-late": Phrase("Excuse in the last two tricks"), "revoke": Phrase("revoke"),
            "misere-omitted": Phrase("misère not declared"),
            "misdeal-repairable": Phrase("misdeal put right"), "misdeal": Phrase("misdeal"),
            "dog-fault": Phrase("too many cards of the dog turned"),
            "dog-fault-exchanged": Phrase("too many cards of the dog turned and exchanged"),
            "no-trump": Phrase("hand without a trump"),
        }
    )  # fmt: skip

    def pad(self, options: Settings) -> Pad | None:
        bids = tuple(f"bid:{bid}" for bid in BIDS)
        optional = tuple(f"bid:{bid}" for bid, one in BIDS.items() if one.option)
        turned = tuple(f"bid:{bid}" for bid, one in BIDS.items() if one.turned)
        said = Talk(bids=bids, words=(MISERE, PASS), free=(MISERE,), passes=SEATS - 1, without=SEATS,
                    least=SEATS, out=bool(options["pass_is_final"]))  # fmt: skip
        more = Talk(begins="taker", turns=1, words=(TAKE, SKIP), when=optional)
        lower = Talk(begins="others", turns=SEATS - 1, words=(ACCEPT, REFUSE), when=(TAKE,))
        laid = FaceDown(who="taker", verb="discard", when=turned)
        own = Talk(turns=SEATS, words=CONTRACTS, verb="contracts", between=",", nothing="contracts:none",
                   only={"capot": "taker", "resistance": "others"})  # fmt: skip
        contred = tuple(f"{one}@{seat + 1}" for seat in range(SEATS) for one in CONTRACTS if one != "capot")
        against = Talk(turns=SEATS, words=(GAME, *contred), verb="contre", between=",", against=True)
        suites = Talk(turns=SEATS, words=tuple(SUITS), verb="suites", between=",", nothing="suites:none")
        lead = Talk(begins="taker", turns=1, words=(LEAD_ME, LEAD_FOREHAND), when=("capot",))
        tricks = Tricks(cards=SEATS * TRICKS, order=PACK.rank_letters, ranked=tarot_ranks(PACK), duty="trump",
                        lead_words=(LEAD_ME,))  # fmt: skip
        return Pad(PACK, (said, more, lower, laid, own, against, suites, lead, tricks))

    def accepts(self, deal: Deal, options: Settings) -> bool:
        return not deal.is_void

    def thing(self, named: str) -> Phrase:
        """What is bid, contracted, contred or shown, in words: `tout`, `quasi`, `game`, `quasi@2`, `S`."""
        if named == GAME:
            return Phrase("the game")
        if named in SUITS:
            return WORDS[named]
        name, at, seat = named.partition("@")
        return Phrase("{feat} (seat {seat})", feat=self.names[name], seat=seat) if at else self.names[name]

    def scored(self, sheet: Sheet, deal: Deal | None, options: Settings, conditions: Settings) -> Outcome:
        return outcome_of(result_of(sheet, self.known(deal, conditions), deal))

    def match(self, options: Settings, conditions: Settings) -> Match:
        return SaisonsMatch(int(conditions.get("dealer", 1)))

    robot = staticmethod(suggestion)


GAMES: tuple[Game[Any], ...] = (Saisons(),)
