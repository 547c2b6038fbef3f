"""Démons, and Les Héritiers, which have the same rules: three seats, 33 cards, one player secretly the
Diable; Démons that possess cards, combinations built trick by trick, bets on the tricks.

The parts follow engines/rules/demons.md, whose sections the comments cite.
"""

from typing import Any

from ...contract import Game, Option, Outcome, Settings, Sheet, Unit
from ...dealing import Stream
from ...deals import DealtGame
from ...entries import FIRST_DEALER
from ...matches import Match
from ...pads import Costumes, Pad, Showing, Turned, Wagers
from ...phrases import Phrase
from ...words import words
from .cards import DEMONS, HAND, MIXED, PACK, POOL, SEATS, SINGLE, TRICK_ORDER, Deal
from .marks import CONCEDE, HOLD, LAST_PLAY, PARTIAL, RAISE, RAISES, outcome_of
from .match import DemonsMatch
from .play import ANNOUNCED, KEEP, MORE, STAY, DemonsState
from .robot import suggestion
from .sheet import FORM, result_of


class Demons(DealtGame[Deal, DemonsState]):
    id = "demons"
    name = Phrase("Démons")
    seats = (SEATS,)
    pack = Phrase("33 cards of two tarot packs")
    line_score = Phrase("points of cards, combinations and bets")
    unit = Unit(Phrase("point"))
    options = (
        Option("possession_obligation", (False, True), ("engine",),
               Phrase("whether a player without the suit led must possess a card of it")),
        Option("combination_continuity", ("consecutive", "free"), ("engine",),
               Phrase("whether the cards of a combination follow each other at once")),
    )  # fmt: skip
    conditions = (FIRST_DEALER,)
    form = FORM
    deal_type, state_type = Deal, DemonsState
    names = words("exchange play over tricks annulled") | {
        "bet": Phrase("bet"), "devil": Phrase("the Diable"), "markers": Phrase("markers"),
        "pool": Phrase("cards turned up"), "keep": Phrase("exchanges nothing"), "swap": Phrase("exchanges"),
        "devil:keep": Phrase("the Diable exchanges nothing"),
        "bet:partial": Phrase("bets on the partial gain"),
        "bet:complete": Phrase("bets on the complete gain"), "hold": Phrase("holds"),
        "raise": Phrase("raises"), "pareil:new": Phrase("new pareil"), "pareil:more": Phrase("pareil +1"),
        "suite:new": Phrase("new suite"), "suite:more": Phrase("suite +1"),
        "concede": Phrase("concedes"), "cards": Phrase("card points"),
        "suite": Phrase("best suite"), "pareil": Phrase("best pareil"),
        "most-tricks": Phrase("most tricks"), "partial-bet": Phrase("bet on the partial gain"),
        "complete-bet": Phrase("bet on the complete gain"), "failed": Phrase("failed combinations"),
        "signal": Phrase("showed who the Diable is"),
        "pure-demon-revoke": Phrase("pure Démon in place of the suit led"),
        "K": Phrase("king"), "Q": Phrase("queen"), "C": Phrase("knight"), "J": Phrase("jack"),
    }  # fmt: skip

    def pad(self, options: Settings) -> Pad | None:
        """What was given for cards of the pool lies face down, and is told at the end."""
        bets = Wagers(
            opens={f"bet:{kind}": last for kind, last in LAST_PLAY.items()}, first=f"bet:{PARTIAL}",
            answers=(CONCEDE, HOLD, RAISE), levels=1 + RAISES,
        )  # fmt: skip
        tricks = Costumes(
            cards=SEATS * HAND, order=TRICK_ORDER, demons={"": DEMONS[::-1]}, talk=bets, borrows=True,
            marks=ANNOUNCED[1:], more=MORE, apart=options["combination_continuity"] == "free",
            trades="devil:swap", stays=STAY,
        )  # fmt: skip
        lying = Turned(POOL, names=("pool",) * POOL, stay=True)
        return Pad(MIXED, (lying, Showing(rank="6", verb="swap", nothing=KEEP), tricks), once=SINGLE)

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        while (deal := Deal.of(stream.permutation(PACK), dealer)).is_void:
            pass
        return deal

    def words(self, action: str) -> Phrase:
        if action in self.names:
            return self.names[action]
        return self.names[action.partition(":")[0]]

    def known(self, deal: Deal | None, conditions: Settings | None) -> dict[str, Any]:
        return dict(conditions or {}) | ({} if deal is None else {"devil": deal.devil + 1})

    def scored(self, sheet: Sheet, deal: Deal | None, options: Settings, conditions: Settings) -> Outcome:
        return outcome_of(result_of(sheet, deal))

    def match(self, options: Settings, conditions: Settings) -> Match:
        return DemonsMatch(int(conditions.get("dealer", 1)))

    robot = staticmethod(suggestion)


GAMES: tuple[Game[Any], ...] = (Demons(),)
