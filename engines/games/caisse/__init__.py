"""Caisse: three seats, 32 cards, three rounds of declaration, contracts at six and at nine cards, contres on
each, a défi before the second trick.

The parts follow engines/rules/caisse.md, whose sections the comments cite.
"""

from dataclasses import replace
from typing import Any

from ...contract import Game, Option, Outcome, Settings, Unit
from ...deals import JudgedGame
from ...matches import Match
from ...pads import Challenge, Contracts, FaceDown, Pad, Talk, Tricks, Turned
from ...phrases import Phrase
from ...words import contracts, words
from .cards import BID_ORDER, PACK, PLAIN_ORDER, SEATS, TRICKS, TRUMP_ORDER, Deal
from .marks import (
    ACCEPT,
    CONCEDE,
    CONTRACTS,
    CONTRE,
    DEFI,
    MOST_CONTRES,
    MOST_DEFI,
    NO,
    OF_TRUMPS,
    outcome_of,
)
from .match import CaisseMatch
from .play import COMBINATIONS, GAME, KEEP, LEAVE_IT, MISERE_BID, PASS, SWAP, TAKE, TAKE_IT, CaisseState
from .robot import suggestion
from .sheet import FORM, result_of

CONTRACT_NAMES = {
    "caisse": Phrase("Caisse"), "clarte": Phrase("Clarté"), "cent": Phrase("Cent"),
    "deux-cents": Phrase("Deux Cents"), "quarante-quatre": Phrase("Quarante-Quatre (four aces)"),
    "tous-les-trois": Phrase("Tous les Trois (jack, nine, seven of trumps)"),
    "ultime": Phrase("Ultime (seven of trumps last)"),
    "famille": Phrase("Famille (ace, king, queen of trumps)"),
    "tous-les-atouts": Phrase("Tous les Atouts (six trumps)"), "capot": Phrase("Capot (all tricks)"),
}  # fmt: skip


class Caisse(JudgedGame[Deal, CaisseState]):
    id = "caisse"
    name = Phrase("Caisse")
    seats = (SEATS,)
    pack = Phrase("32 cards")
    line_score = Phrase("marks of game and contracts")
    unit = Unit(Phrase("point"))
    options = (
        Option("tie_taker", ("loses", "wins"), ("engine", "sheet"),
               Phrase("whether the taker wins with as many points as another")),
        Option("final_contre_round", (False, True), ("engine",),
               Phrase("whether a round of contres follows the first trick")),
        Option("suite_tie_passes_down", (False, True), ("engine",),
               Phrase("whether the next best suite counts where the best ones are equal")),
    )  # fmt: skip
    form = FORM
    between = {"say": "+", "renounce": "+", "bid": "+"}
    deal_type, state_type = Deal, CaisseState
    names = (
        words("exchange play over pass bid discard contre S H D C tricks")
        | contracts(CONTRACT_NAMES)
        | {
            "declaration-1": Phrase("first declaration"), "declaration-2": Phrase("second declaration"),
            "declaration-3": Phrase("third declaration"), "contracts-6": Phrase("contracts with six cards"),
            "first-trick": Phrase("first trick"), "final-contres": Phrase("last contres"),
            "validation": Phrase("validation"), "defi": Phrase("défi"), "proposed": Phrase("proposed card"),
            "reserves": Phrase("reserves"), "one of reserves": Phrase("reserve"),
            "indicator": Phrase("indicator card"), "talon": Phrase("talon"),
            "take": Phrase("takes"), "say": Phrase("says"), "keep": Phrase("exchanges nothing"),
            "take-indicator": Phrase("takes the indicator card"),
            "leave-indicator": Phrase("leaves the indicator card"),
            "maintain": Phrase("maintains the announcement"), "renounce": Phrase("gives up"),
            "no": Phrase("no défi"), "concede": Phrase("concedes"), "accept": Phrase("accepts"),
            "SA": Phrase("sans atout (no trump)"), "atout1": Phrase("trumps, as proposed"),
            "atout2": Phrase("trumps, another suit"), "sans-atout": Phrase("sans atout (no trump)"),
            "misere": Phrase("Misère"), "misere-generale": Phrase("Misère Générale"),
            "none": Phrase("nobody"), "taker": Phrase("the taker"), "opponents": Phrase("the opponents"),
            "suite": Phrase("suite"), "carre": Phrase("carré"), "total": Phrase("points in all"),
            "concedes": Phrase("concedes"), "game-won": Phrase("game won"),
            "game-lost": Phrase("game lost"), "taker-lost": Phrase("the taker's game lost"),
            "caisse-conceded": Phrase("Caisse of a conceded deal"),
            "single-trick": Phrase("a single trick"), "fewer-tricks": Phrase("not the most tricks"),
        }
    )  # fmt: skip

    def thing(self, named: str) -> Phrase:
        """What was said, in words: a contract, `x:game`, `x:clarte@2`, `suite`, `SA`."""
        if not named.startswith("x:"):
            return self.names[named]
        name, at, seat = named[2:].partition("@")
        if not at:
            return Phrase("contre of the game")
        return Phrase("contre of {feat} (seat {seat})", feat=self.names[name], seat=seat)

    def pad(self, options: Settings) -> Pad | None:
        """A Caisse or a Misère that ends before the last card is entered as a sheet."""
        bids = tuple(f"bid:{one}" for one in BID_ORDER)
        taken = (TAKE, *bids)
        contres = (GAME, *(f"x:{one}@{seat + 1}" for seat in range(SEATS) for one in CONTRACTS))
        may = Contracts(words=tuple(CONTRACTS), when=taken, of_trumps=OF_TRUMPS,
                        bars={"clarte": "cent"}, contre="x:", game=GAME,
                        levels=MOST_CONTRES)  # fmt: skip
        with_six = tuple(one for one in CONTRACTS if one != "capot")
        last = Talk(begins="leader", words=contres, verb="say", between="+", passes=2, least=SEATS,
                    contracts=may, when=(*taken, MISERE_BID))  # fmt: skip
        before_card = Talk(words=(*COMBINATIONS, *contres, *CONTRACTS), verb="say", between="+",
                           contracts=may)  # fmt: skip
        tricks = Tricks(cards=SEATS, order=PLAIN_ORDER, trump_order=TRUMP_ORDER, before_words=("bid:SA",),
                        said=before_card, lost=(MISERE_BID,))  # fmt: skip
        return Pad(PACK, (
            Turned(2, names=("proposed", "indicator")),
            Talk(bids=(TAKE,), words=(PASS,), turns=SEATS, closing=(TAKE,), goes_on=True, proposed=True),
            Talk(bids=bids, words=(PASS,), turns=SEATS, trumps=True, goes_on=True, barred=True,
                 unless=(TAKE,)),
            Talk(bids=(MISERE_BID,), words=(PASS,), turns=SEATS, closing=(MISERE_BID,), goes_on=True,
                 unless=taken),
            Talk(begins="taker", words=(*with_six, *contres), verb="say", between="+", passes=2, least=SEATS,
                 contracts=may, when=taken),
            Talk(words=(KEEP, SWAP), turns=SEATS, closing=(SWAP,), when=(TAKE,)),
            Talk(begins="closer", words=(TAKE_IT, LEAVE_IT), turns=1, lifts="A", when=(SWAP,)),
            FaceDown(who="closer", verb="discard", when=(TAKE_IT,)),
            tricks,
            *([last] if options["final_contre_round"] else []),
            Talk(begins="leader", words=tuple(COMBINATIONS), verb="renounce", between="+", nothing="maintain",
                 maintained=True),
            Challenge(raises=(DEFI, CONTRE), refuses=NO, accepts=ACCEPT, concedes=CONCEDE, levels=MOST_DEFI,
                      beside="caisse"),
            replace(tricks, cards=SEATS * (TRICKS - 1), leads="winner", said=None),
        ))  # fmt: skip

    def judged(self, told: dict[str, Any], deal: Deal | None, options: Settings, seats: int) -> Outcome:
        return outcome_of(result_of(told, deal), options)

    def match(self, options: Settings, conditions: Settings) -> Match:
        return CaisseMatch()

    robot = staticmethod(suggestion)


assert set(CONTRACT_NAMES) == set(CONTRACTS)

GAMES: tuple[Game[Any], ...] = (Caisse(),)
