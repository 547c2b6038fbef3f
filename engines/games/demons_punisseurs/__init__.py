"""Démons punisseurs: three seats, 33 cards, Démons that pose as any card, and three objectives, each with its
own bets.

The parts follow engines/rules/demons-punisseurs.md, whose sections the comments cite.
"""

from typing import Any

from ... import sheets
from ...cards import Pack
from ...contract import Game, Option, Outcome, Settings, Unit
from ...dealing import Stream
from ...deals import JudgedGame
from ...entries import FIRST_DEALER, WHOLE_ROUNDS
from ...matches import Match
from ...pads import Costumes, Objectives, Pad, Trading, Turned
from ...phrases import Phrase
from ...words import words
from .cards import GAME, PACK, RANKS, SEATS, STRENGTH, SUITS, TRICKS, Deal
from .marks import BET, CONCEDE, ENOUGH, GOOD, HOLD, PUSH, SILENT, Ending, outcome_of
from .match import PunisseursMatch
from .play import DONE, OBJECTIVES, PunisseursState
from .robot import suggestion
from .sheet import FORM

ALL = Pack(suits=SUITS, ranks=RANKS)  # but for three sixes
DEMONS = {
    trump: tuple(sorted((card for card in PACK if strengths[card]), key=strengths.__getitem__))
    for trump, strengths in STRENGTH.items()
}
TURNED_AT_MOST = 9


class DemonsPunisseurs(JudgedGame[Deal, PunisseursState]):
    id = "demons-punisseurs"
    name = Phrase("Démons punisseurs")
    seats = (SEATS,)
    pack = Phrase("33 cards: 32 and the six of diamonds")
    line_score = Phrase("points of the three objectives, −9 to +9")
    unit = Unit(Phrase("point"))
    options = (
        Option("demon_possession", ("printed", "ordinary-only"), ("engine",),
               Phrase("whether a Démon in the hand obliges its holder to follow its printed suit")),
        Option("rob_limit", ("one-each", "all"), ("engine",),
               Phrase("whether the dealer takes one Démon of clubs and one of trumps, or all")),
        Option("dispute_equal", ("allowed", "refused"), ("engine",),
               Phrase("whether a player may dispute with a combination equal to the best shown")),
        Option("target", ("none",), ("ledger",), Phrase("points that end a match"),
               more=lambda value: sheets.is_whole(value, 1, None), which=Phrase("a positive whole number")),
        WHOLE_ROUNDS,
    )  # fmt: skip
    conditions = (FIRST_DEALER,)
    form = FORM
    deal_type, state_type = Deal, PunisseursState
    names = words("play over tricks") | {
        "rob": Phrase("the dealer's exchange"), "exposition": Phrase("exposition"), "talk": Phrase("bet"),
        "turned": Phrase("cards turned up"), "unused": Phrase("cards out of play"),
        "done": Phrase("has exchanged"), "bet:pareil": Phrase("bets on the Pareil"),
        "bet:suite": Phrase("bets on the Suite"), "bet:jeu": Phrase("bets on the Jeu"),
        "push:pareil": Phrase("pushes the Pareil to 3"), "push:suite": Phrase("pushes the Suite to 3"),
        "push:jeu": Phrase("pushes the Jeu to 3"), "concede:pareil": Phrase("concedes the Pareil"),
        "concede:suite": Phrase("concedes the Suite"), "concede:jeu": Phrase("concedes the Jeu"),
        "dispute:pareil": Phrase("disputes the Pareil"), "dispute:suite": Phrase("disputes the Suite"),
        "hold": Phrase("holds"), "good": Phrase("says that it is good"), "push": Phrase("pushes to 3"),
        "silent": Phrase("says nothing"), "pareil": Phrase("Pareil"), "suite": Phrase("Suite"),
        "jeu": Phrase("Jeu"), "pareil-lost": Phrase("bet on the Pareil lost"),
        "suite-lost": Phrase("bet on the Suite lost"), "jeu-lost": Phrase("bet on the Jeu lost"),
        "pareil-nobody": Phrase("nobody wins the Pareil"), "suite-nobody": Phrase("nobody wins the Suite"),
        "jeu-nobody": Phrase("nobody wins the Jeu"),
    }  # fmt: skip

    def pad(self, options: Settings) -> Pad | None:
        """A jeu that is conceded before anybody can have four tricks is entered as a sheet."""
        talk = Objectives(
            names=OBJECTIVES, verbs=(BET, PUSH, CONCEDE), answers=(HOLD, GOOD, PUSH, SILENT), decided=GAME,
            exposes="dispute",
        )  # fmt: skip
        tricks = Costumes(
            cards=SEATS * TRICKS, order=RANKS, demons=DEMONS, talk=talk, enough=ENOUGH,
        )  # fmt: skip
        turned = Turned(TURNED_AT_MOST, names=("turned",) * TURNED_AT_MOST, stay=True, until="C")
        rob = Trading(verb="rob", nothing=DONE, always="C", again=options["rob_limit"] == "all")
        return Pad(ALL, (turned, rob, tricks), without=tuple(set(ALL.faces) - set(PACK)))

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        return Deal.of(stream.permutation(PACK), dealer)

    def words(self, action: str) -> Phrase:
        if action in self.names:
            return self.names[action]
        verb, _colon, rest = action.partition(":")
        return self.names[f"dispute:{rest.partition(':')[0]}" if verb == "dispute" else verb]

    def judged(self, told: dict[str, Any], deal: Deal | None, options: Settings, seats: int) -> Outcome:
        return outcome_of(Ending.from_sheet(FORM, told))

    def match(self, options: Settings, conditions: Settings) -> Match:
        target = None if options["target"] == "none" else int(options["target"])
        dealer = int(conditions.get("dealer", 1))
        return PunisseursMatch(dealer, int(options["deals"]), target)

    robot = staticmethod(suggestion)


GAMES: tuple[Game[Any], ...] = (DemonsPunisseurs(),)
