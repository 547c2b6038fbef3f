"""Bridgette: two seats, 55 cards with three Colons, an exchange, an auction and thirteen tricks.

The parts follow engines/rules/bridgette.md, whose sections the comments cite.
"""

from typing import Any

from ...contract import Game, Option, Outcome, Settings, Sheet, Unit
from ...deals import DealtGame
from ...matches import Match
from ...pads import FaceDown, Pad, Talk, Tricks
from ...phrases import Phrase
from ...words import SUIT_NAMES, words
from .cards import CALLED, GROUPS, PACK, SEATS, TRICKS, Deal
from .marks import outcome_of
from .match import BridgetteMatch
from .play import CONTRE, PASS, SURCONTRE, BridgetteState
from .robot import suggestion
from .sheet import FORM, result_of


class Bridgette(DealtGame[Deal, BridgetteState]):
    deal_type, state_type = Deal, BridgetteState
    id = "bridgette"
    name = Phrase("Bridgette")
    seats = (SEATS,)
    pack = Phrase("55 cards: 52 and three Colons")
    line_score = Phrase("marks won or lost")
    unit = Unit(Phrase("point"))
    options = (
        Option("passed_out", ("counts", "redeal"), ("ledger",),
               Phrase("whether a deal that was passed out counts in a match")),
    )  # fmt: skip
    form = FORM
    names = words(
        f"exchange auction play over stock discard pass bid contre passed-out tricks {SUIT_NAMES}"
    ) | {
        "turned": Phrase("turned card"), "surcontre": Phrase("surcontre"), "none": Phrase("neither"),
        "SA": Phrase("sans atout (no trump)"), "contract": Phrase("contract"),
        "minimum": Phrase("minimum contract"), "partiel": Phrase("partial contract"),
        "complet": Phrase("full contract"), "petit-chelem": Phrase("small slam"),
        "sous-chelem": Phrase("slam at five sans atout"), "chelem-geant": Phrase("giant slam"),
        "grand-chelem": Phrase("grand slam"), "super-chelem": Phrase("super slam"),
        "contre-made": Phrase("made under contre"), "surcontre-made": Phrase("made under surcontre"),
        "overtricks": Phrase("overtricks"), "missing": Phrase("the taker's undertricks"),
        "opponent": Phrase("the other player's marks"),
        "sa_sans_couleurs": Phrase("sans atout without a card of each suit"), "autre": Phrase("fault"),
    }  # fmt: skip

    def words(self, action: str) -> Phrase:
        verb, _colon, what = action.partition(":")
        if verb != "bid":
            return super().words(action)
        bid = Phrase("{level} {denomination}", level=what[0], denomination=self.names[what[1:]])
        return Phrase("{verb}: {what}", verb=self.names[verb], what=bid)

    def pad(self, options: Settings) -> Pad | None:
        laid = FaceDown(who="left", verb="discard")
        said = Talk(bids=tuple(CALLED), words=(CONTRE, SURCONTRE, PASS), closing=(SURCONTRE,), own=True,
                    without=SEATS, answers={CONTRE: "bid:", SURCONTRE: CONTRE}, trumps=True)  # fmt: skip
        alone = {PACK.token(colon): "".join(token[0] for token in PACK.tokens(group & PACK.suit("S")))
                 for colon, group in GROUPS.items()}  # fmt: skip
        order = PACK.rank_letters
        tricks = Tricks(cards=SEATS * TRICKS, order=order, alone=alone, leads="taker")
        return Pad(PACK, (laid, said, tricks))

    def scored(self, sheet: Sheet, deal: Deal | None, options: Settings, conditions: Settings) -> Outcome:
        return outcome_of(result_of(sheet))

    def match(self, options: Settings, conditions: Settings) -> Match:
        return BridgetteMatch(redealt=options["passed_out"] == "redeal")

    robot = staticmethod(suggestion)


GAMES: tuple[Game[Any], ...] = (Bridgette(),)
