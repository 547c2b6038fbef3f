"""Loba: three seats to five, two packs with jokers; six rounds, each with a contract for the first lay-down.

The parts follow engines/rules/loba.md, whose sections the comments cite.
"""

from typing import Any

from ... import sheets
from ...cards import Pack
from ...contract import Game, Option, Outcome, Settings, Sheet, Unit
from ...dealing import Stream, new_key
from ...deals import DealtGame
from ...matches import Match
from ...pads import Pad, Rummy, Turned
from ...phrases import Phrase, enumeration
from .cards import ANY_JOKER, CONTRACTS, HAND, JOKERS, MELD_FORM, PACK, SEATS, SIZES, SUITS, Deal
from .marks import outcome_of
from .match import LobaMatch
from .play import DRAW, TAKE, LobaState
from .robot import suggestion
from .sheet import FORM, result_of

KINDS = {"set": Phrase("set"), "six": Phrase("six of a rank"), "run": Phrase("run")}
ON_THE_TABLE = Pack(
    suits=SUITS, ranks=PACK.rank_letters, alone=(ANY_JOKER,), copies=2
)  # as a table sees them


class Loba(DealtGame[Deal, LobaState]):
    id = "loba"
    name = Phrase("Loba")
    seats = SEATS
    pack = Phrase("two times 54 cards")
    board = Phrase("one mène (a deal)")
    line_score = Phrase("points of the cards left, as a loss")
    unit = Unit(Phrase("point"))
    options = (
        Option("ace_points", (1, 14), ("engine", "sheet", "ledger"),
               Phrase("what an ace left in the hand costs")),
        Option("final_discard", ("free", "required"), ("engine",),
               Phrase("whether the last card must be discarded")),
        Option("may_return", ("on", "off"), ("engine",),
               Phrase("whether a card just taken may be discarded again")),
        Option("runs", ("same_suit", "multicolour"), ("engine",), Phrase("whether runs may mix suits")),
        Option("max_reshuffles", (2,), ("engine",), Phrase("how often the discards become a new stock"),
               more=lambda value: sheets.is_whole(value, 0, None),
               which=Phrase("another whole number, 0 or more")),
        Option("max_turns", (1000,), ("engine",), Phrase("after how many turns a mène stops"),
               more=lambda value: sheets.is_whole(value, 1, None),
               which=Phrase("another whole number, 1 or more")),
    )  # fmt: skip
    conditions = (
        Option("seats", SEATS, ("generator", "engine", "sheet", "ledger"), Phrase("how many players")),
        Option("mene", tuple(CONTRACTS), ("generator", "engine", "sheet"), Phrase("which mène is played")),
    )
    form = FORM
    deal_type, state_type = Deal, LobaState
    names = {
        "draw": Phrase("draws a card"), "table": Phrase("laying and discarding"), "over": Phrase("over"),
        "turned": Phrase("turned card"), "stock": Phrase("stock"), "take": Phrase("takes the last discard"),
        "lay": Phrase("lays down"), "add": Phrase("adds"), "discard": Phrase("discards"),
        "finisher": Phrase("finished"), "left": Phrase("cards left"),
        "no-finisher": Phrase("nobody finished"), **KINDS,
    }  # fmt: skip

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        mene = self.conditions_of(number, conditions)["mene"]
        pack = stream.permutation(PACK.order)
        return Deal.of(pack, dealer, self.seat_count(conditions), mene, new_key(stream))

    def conditions_of(self, number: int, conditions: Settings) -> dict[str, Any]:
        """And which mène it is: the boards take turns where the session has no other one."""
        mene = int(conditions.get("mene", (number - 1) % len(CONTRACTS) + 1))
        return {**super().conditions_of(number, conditions), "mene": mene}

    def show_deal(self, deal: Deal) -> dict[str, Any]:
        return {"dealer": deal.dealer, "mene": deal.mene} | deal.to_json()

    def words(self, action: str) -> Phrase:
        verb, _colon, what = action.partition(":")
        if verb == "add":
            return self.names[verb]
        if verb != "lay":
            return super().words(action)
        laid = [KINDS[part[1]] for part in MELD_FORM.finditer(what)]
        return Phrase("{verb}: {what}", verb=self.names[verb], what=enumeration(laid))

    def known(self, deal: Deal | None, conditions: Settings | None) -> dict[str, Any]:
        mene = deal.mene if deal is not None else (conditions or {}).get("mene")
        return dict(conditions or {}) | {"mene": mene}

    def pad(self, options: Settings) -> Pad | None:
        turns = Rummy(order=PACK.rank_letters, whole=len(PACK.order), hand=HAND, draws=(DRAW, TAKE),
                      throws="discard:", joker=ANY_JOKER, sizes=SIZES, contracts=CONTRACTS, by="mene",
                      reshuffles=int(options["max_reshuffles"]), turns=int(options["max_turns"]),
                      multicolour=options["runs"] == "multicolour",
                      keeps=options["final_discard"] == "required")  # fmt: skip
        jokers = {ANY_JOKER: PACK.copies * len(JOKERS)}
        return Pad(ON_THE_TABLE, (Turned(1, names=("turned",)), turns), counts=jokers)

    def scored(self, sheet: Sheet, deal: Deal | None, options: Settings, conditions: Settings) -> Outcome:
        seats = self.seat_count(conditions) if deal is None else len(deal.hands)
        return outcome_of(result_of(sheet, seats, options, self.known(deal, conditions)))

    def match(self, options: Settings, conditions: Settings) -> Match:
        return LobaMatch(self.seat_count(conditions), options)

    robot = staticmethod(suggestion)


GAMES: tuple[Game[Any], ...] = (Loba(),)
