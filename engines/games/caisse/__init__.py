"""Caisse: three seats, 32 cards, three rounds of declaration, contracts at six and at nine cards, contres on
each, a défi before the second trick.

The parts follow engines/rules/caisse.md, whose sections the comments cite.
"""

from typing import Any

from ...contract import Game, Option, Outcome, Settings, Unit
from ...deals import JudgedGame
from ...matches import Match
from ...phrases import Phrase
from ...words import contracts, words
from .cards import SEATS, Deal
from .marks import CONTRACTS, outcome_of
from .match import CaisseMatch
from .play import CaisseState
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
            "reserves": Phrase("reserves"), "indicator": Phrase("indicator card"), "talon": Phrase("talon"),
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

    def judged(self, told: dict[str, Any], deal: Deal | None, options: Settings, seats: int) -> Outcome:
        return outcome_of(result_of(told, deal), options)

    def match(self, options: Settings, conditions: Settings) -> Match:
        return CaisseMatch()

    robot = staticmethod(suggestion)


assert set(CONTRACT_NAMES) == set(CONTRACTS)

GAMES: tuple[Game[Any], ...] = (Caisse(),)
