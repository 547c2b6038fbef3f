"""The Bésigues of the Rubicon: Japonais (four packs) and Chinois (six), two seats; combinations laid on the
table stay in the hand.

The parts follow engines/rules/besigue-japonais.md and besigue-chinois.md, whose sections the comments cite.
"""

from typing import Any, ClassVar

from ...contract import Game, Option, Outcome, Settings, Sheet, Unit
from ...deals import DealtGame
from ...matches import Match
from ...phrases import Phrase, enumeration
from ...words import words
from .cards import CHINOIS, JAPONAIS, SEATS, ChinoisDeal, Deal, JaponaisDeal, Rules
from .marks import outcome_of
from .match import BesigueMatch
from .play import BesigueState
from .robot import suggestion
from .sheet import form_of, result_of

KIND_NAMES = {
    "mariage": Phrase("mariage"), "besigue": Phrase("bésigue"), "carre": Phrase("carré"),
    "suite": Phrase("suite"),
}  # fmt: skip


class Besigue(DealtGame[Deal, BesigueState]):
    """What the two games share; they differ in their rules' numbers."""

    deal_type: ClassVar[type[Deal]]
    state_type = BesigueState
    seats = (SEATS,)
    line_score = Phrase("what the winner marks, won or lost")
    unit = Unit(Phrase("point"))
    options = (
        Option("coupe", ("off", "on"), ("engine",), Phrase("whether the cut is played for points")),
        Option("blanches", ("chain", "any"), ("engine",),
               Phrase("whether cartes blanches count in an unbroken chain, or after any draw")),
        Option("new_card_required", ("off", "on"), ("engine",),
               Phrase("whether an announcement needs a new card")),
        Option("crossing", ("pairwise", "connected"), ("engine",),
               Phrase("whether any two combinations announced together share a card, or all are merely "
                      "connected")),
        Option("mariage_with_suite", ("crossed", "refused"), ("engine",),
               Phrase("whether a mariage and a suite may be announced together")),
    )  # fmt: skip
    names = (
        words("over stock pass")
        | KIND_NAMES
        | {
            "lift": Phrase("cut"), "guess": Phrase("estimate of the cut"),
            "blanche": Phrase("cartes blanches"), "lead": Phrase("lead"), "answer": Phrase("answer"),
            "meld": Phrase("announces"), "mark": Phrase("scores what was pending"),
            "final": Phrase("final phase"), "brisques": Phrase("brisques"), "coupe": Phrase("cut"),
            "points": Phrase("points of combinations"), "last-trick": Phrase("last trick"),
            "total": Phrase("total"), "rubicon": Phrase("marked over the Rubicon"),
            "difference": Phrase("marked for the difference"),
            "opponent": Phrase("marked by the other player"),
            "trop_de_cartes": Phrase("too many cards in the hand"),
            "oubli_de_pioche": Phrase("card not drawn"),
            "erreur_finale": Phrase("error in the final phase"),
        }
    )  # fmt: skip

    @property
    def rules(self) -> Rules:
        return self.deal_type.rules

    def words(self, action: str) -> Phrase:
        verb, _colon, what = action.partition(":")
        if verb not in {"meld", "mark"}:
            return super().words(action)
        text = what.partition(">")[2] if verb == "meld" else what
        kinds = [KIND_NAMES[part.partition(":")[0]] for part in text.split("+")]
        return Phrase("{verb}: {what}", verb=self.names[verb], what=enumeration(kinds))

    def scored(self, sheet: Sheet, deal: Deal | None, options: Settings, conditions: Settings) -> Outcome:
        return outcome_of(result_of(self.form, sheet), self.rules)

    def match(self, options: Settings, conditions: Settings) -> Match:
        return BesigueMatch(self.rules.target)

    robot = staticmethod(suggestion)


class Japonais(Besigue):
    id = "besigue-japonais"
    name = Phrase("Bésigue japonais")
    pack = Phrase("four times 32 cards")
    deal_type = JaponaisDeal
    form = form_of(JAPONAIS)


class Chinois(Besigue):
    id = "besigue-chinois"
    name = Phrase("Bésigue chinois")
    pack = Phrase("six times 32 cards")
    deal_type = ChinoisDeal
    form = form_of(CHINOIS)


GAMES: tuple[Game[Any], ...] = (Japonais(), Chinois())
