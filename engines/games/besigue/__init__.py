"""The Bésigues of the Rubicon: Japonais (four packs) and Chinois (six), two seats; combinations laid on the
table stay in the hand.

The parts follow engines/rules/besigue-japonais.md and besigue-chinois.md, whose sections the comments cite.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from ...contract import Game, Option, Outcome, Settings, Sheet, Unit
from ...deals import DealtGame
from ...matches import Match
from ...pads import Melding, Pad
from ...phrases import Phrase, enumeration
from ...words import words
from .cards import CHINOIS, JAPONAIS, RANKS, SEATS, ChinoisDeal, Deal, JaponaisDeal, Rules
from .marks import outcome_of
from .match import BesigueMatch
from .melds import BESIGUES, CARRES, KINDS, MARIAGES, OF_A_SUITE, PAIR, REFUSALS, SUITES, TRUMP_CARRES
from .play import ASK, PASS, SHOW, BesigueState
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

    def pad(self, options: Settings) -> Pad | None:
        """Who does not show cartes blanches says nothing, and a record leaves it out. Where the cut is played
        for points, the sheet serves."""
        if options["coupe"] == "on":
            return None
        rules = self.rules
        tricks = Melding(
            cards=rules.cards, hand=rules.hand, order=RANKS, announces=KINDS, mariages=MARIAGES, pair=PAIR,
            besigues=BESIGUES, carres=CARRES, suites=SUITES, suite=OF_A_SUITE, refusals=REFUSALS,
            trump_carres=TRUMP_CARRES if rules.trump_carres else {},
            needs_new=options["new_card_required"] == "on", connected=options["crossing"] == "connected",
            apart=options["mariage_with_suite"] == "refused", shows=SHOW, shown=rules.blanches,
            any_time=options["blanches"] == "any", last=rules.last_trick, under=rules.rubicon,
            asked=(ASK, PASS),
        )  # fmt: skip
        return Pad(rules.pack, (tricks,))

    def whole(self, deal: Deal, options: Settings, actions: Sequence[str]) -> Sequence[str]:
        state = self.start(deal, options)
        state.apply_all(actions)
        return state.entries

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
