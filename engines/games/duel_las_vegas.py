"""Duel à Las Vegas: two seats, each drawing from a pack of 54; poker piles of any size, six of them win.

The parts follow engines/rules/duel-las-vegas.md, whose sections the comments cite.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .. import sheets
from ..contract import Fact, Game, Option, Outcome, Setting, Settings, Unit
from ..dealing import Stream
from ..deals import JudgedGame, Places, numbered
from ..entries import match_entry
from ..errors import BadDeal
from ..forms import Door, Field, Form, Sentence, Step, rule
from ..matches import Match, Row
from ..phases import OVER, Answers, PhasedState
from ..phrases import Phrase
from ..poker import CARD, PART, RANKS, SUITS, Cards, Part, first_part, pile_value, usable
from ..tricks import number_of
from ..views import HAND, Laid, Pile, View, by_seat

# ── The cards and the deal (sections 2 and 3) ─────────────────────────────────────────────────────

SEATS = 2
MAINS = 6  # that win the game
JOKERS = ("JK1", "JK2")
ORDER = (*(rank + suit for suit in SUITS for rank in RANKS), *JOKERS)


@dataclass(frozen=True, slots=True)
class Deal:
    """Each seat's own pack, drawn from the front."""

    decks: tuple[tuple[str, ...], ...]

    @classmethod
    def read(cls, data: Any) -> "Deal":
        """An explicit deal may have shorter packs, even empty ones."""
        if not isinstance(data, dict) or set(data) != {"decks"}:
            raise BadDeal((), Phrase("must have the key decks, and no other"))
        decks = data["decks"]
        if not isinstance(decks, list) or len(decks) != SEATS or not all(isinstance(d, list) for d in decks):
            raise BadDeal((), Phrase("must have two packs, each a list of cards"))
        for deck in decks:
            strange = tuple(str(card) for card in deck if not isinstance(card, str) or card not in ORDER)
            if strange:
                raise BadDeal(strange, Phrase("has cards that are not in the pack"))
            if double := tuple(sorted({card for card in deck if deck.count(card) > 1})):
                raise BadDeal(double, Phrase("has the same card twice"))
        return cls(tuple(map(tuple, decks)))

    def places(self) -> Places:
        return numbered("decks", self.decks)

    def to_json(self) -> dict[str, Any]:
        return {"decks": [list(deck) for deck in self.decks]}


def is_joker(token: str) -> bool:
    return token not in CARD


# ── The phases (section 4) ────────────────────────────────────────────────────────────────────────

DRAW, CONCEDE = "draw", "concede"


class DuelState(PhasedState):
    """A game in progress. Seats are indices from 0 inside; `drawn`: how many cards of each pack, and how many
    before the piles `began`, which are out of play; `first` are the values of the first parts."""

    __slots__ = (
        "began", "cards", "deal", "drawn", "first", "gathered", "jokers", "low", "options", "taker", "wins",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.deal, self.options = deal, options
        self.low = options["ace_low_straight"] == "on"
        self.log = []
        self.drawn, self.began = [0] * SEATS, [0] * SEATS
        self.cards: list[Cards] = [0] * SEATS
        self.jokers = [0] * SEATS
        self.first: list[Part] = [(), ()]
        self.wins = [0] * SEATS
        self.gathered = 0
        self.taker: int | None = None
        self.actor = 0
        self.now = DECISION
        self.begin_main()

    def is_empty(self, seat: int) -> bool:
        return self.drawn[seat] == len(self.deal.decks[seat])

    def draw(self, seat: int) -> None:
        token = self.deal.decks[seat][self.drawn[seat]]
        self.drawn[seat] += 1
        if is_joker(token):
            self.jokers[seat] += 1
        else:
            self.cards[seat] |= CARD[token]
        self.first[seat] = first_part(
            self.cards[seat], usable(self.cards[seat], self.jokers[seat]), low=self.low
        )

    # A main: each is begun, compared and ended until somebody has to decide

    def begin_main(self) -> None:
        """Both draw; where one pack is empty the other draws a card and has won the main."""
        while max(self.wins) < MAINS:
            empty = [self.is_empty(seat) for seat in range(SEATS)]
            if all(empty):
                break
            if not any(empty):
                for seat in range(SEATS):
                    self.draw(seat)
                self.compare()
                return
            seat = empty.index(False)
            self.draw(seat)
            self.end_main(seat)
        self.now = OVER

    def compare(self) -> None:
        """Until the piles differ both draw; then the weaker decides, if it has a card to draw."""
        while (order := self.order()) == 0:
            empty = [self.is_empty(seat) for seat in range(SEATS)]
            if all(empty):
                self.clear()
                self.now = OVER
                return
            if any(empty):
                self.end_main(empty.index(False))
                self.begin_main()
                return
            for seat in range(SEATS):
                self.draw(seat)
        weaker = 0 if order < 0 else 1
        self.actor = weaker
        if self.is_empty(weaker):
            self.end_main(1 - weaker)
            self.begin_main()

    def order(self) -> int:
        """1 if the first pile is the stronger, −1 if the second is, 0 if they are worth the same."""
        one, other = self.first
        if one != other:
            return 1 if one > other else -1
        longer = [c.bit_count() + usable(c, j) > PART for c, j in zip(self.cards, self.jokers, strict=True)]
        if not all(longer):
            return longer[0] - longer[1]  # a second part is more than none
        values = [pile_value(c, j, low=self.low) for c, j in zip(self.cards, self.jokers, strict=True)]
        return (values[0] > values[1]) - (values[0] < values[1])

    def end_main(self, winner: int) -> None:
        self.wins[winner] += 1
        self.taker = winner
        self.gathered += 1
        self.clear()

    def clear(self) -> None:
        self.began = self.drawn[:]
        self.cards, self.jokers, self.first = [0] * SEATS, [0] * SEATS, [(), ()]

    def outcome(self) -> Outcome:
        self.check_over()
        return outcome_of(self.wins, self.options)

    def sheet(self) -> dict[str, Any]:
        return {"mains": list(self.wins), "packs_exhausted": max(self.wins) < MAINS}

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """The order of the packs is nobody's."""
        packs = list(zip(self.deal.decks, self.began, self.drawn, strict=True))
        piles = [deck[began:drawn] for deck, began, drawn in packs]
        gone = [deck[:began] for deck, began, _drawn in packs]
        left = [len(deck) - drawn for deck, _began, drawn in packs]
        return View(
            **self.common(
                seat,
                None,
                *by_seat(HAND, piles),
                *by_seat("gone", gone),
                *(Pile("pack", hidden=count, seat=who) for who, count in enumerate(left, 1)),
            ),
            trick=tuple(Laid(who, pile[-1]) for who, pile in enumerate(piles, 1) if pile),
            tricks=tuple(self.wins),
            gathered=self.gathered,
            taker=number_of(self.taker),
        )


class Decision(Answers[DuelState]):
    """The player of the weaker pile draws a card, or concedes the main."""

    name = "decision"
    words = (CONCEDE, DRAW)

    def take(self, state: DuelState, action: str) -> None:
        if action == CONCEDE:
            state.end_main(1 - state.actor)
            state.begin_main()
        else:
            state.draw(state.actor)
            state.compare()


DECISION = Decision()


# ── The score (section 5) ─────────────────────────────────────────────────────────────────────────

NONE = "none"


def winner_of(wins: Sequence[int]) -> int | None:
    """The seat (index) with more mains, if there is one."""
    return None if wins[0] == wins[1] else wins.index(max(wins))


def outcome_of(wins: Sequence[int], options: Settings) -> Outcome:
    """The seat's own mains minus the other's; or a victory."""
    winner = winner_of(wins)
    if options["line_basis"] == "victory":
        scores = tuple(0 if winner is None else 1 if seat == winner else -1 for seat in range(SEATS))
        names = {1: "victory", 0: "no-winner", -1: "defeat"}
        facts = [Fact(names[score], seat, score, wins[seat - 1]) for seat, score in enumerate(scores, 1)]
        return Outcome(scores, tuple(facts))
    facts = []
    for seat in range(SEATS):
        facts.append(Fact("mains", seat + 1, wins[seat]))
        facts.append(Fact("opponent", seat + 1, -wins[1 - seat]))
    return Outcome((wins[0] - wins[1], wins[1] - wins[0]), tuple(facts))


# ── The result sheet (section 8) ──────────────────────────────────────────────────────────────────

FORM = Form(
    fields=(
        Field("mains", "whole", Phrase("hands won"), per_seat=True, most=MAINS),
        Field("packs_exhausted", "flag", Phrase("both packs ran out"), optional=True, usual=False),
    ),
    rules=(
        rule("mains", f"min(mains) < {MAINS}", Phrase("the game is over with the sixth main of one seat")),
        rule("packs_exhausted", f"packs_exhausted == (max(mains) < {MAINS})",
             Phrase("must be true where nobody has six mains, and only there")),
    ),
    steps=(
        Step("grid", ("mains",), when="not packs_exhausted", shapes=tuple(
            {"mains": mains} for other in range(MAINS) for mains in ([MAINS, other], [other, MAINS])
        )),
        Step("keys", ("mains",), when="packs_exhausted", most=MAINS - 1),
    ),
    other=(Door(Phrase("both packs ran out"), {"packs_exhausted": True}),),
    sentences=(
        Sentence(Phrase("{one} won {a} hands, {two} {b}."), "",
                 {"one": "1", "a": "mains[1]", "two": "2", "b": "mains[2]"}, seats=("one", "two")),
    ),
    example={"mains": [6, 3], "packs_exhausted": False},
)  # fmt: skip


# ── The match (section 6) ─────────────────────────────────────────────────────────────────────────

NO_DEALER = Phrase("nobody deals")


class DuelMatch(Match):
    """The games won; a match has an end only with a target, a number."""

    def __init__(self, target: Setting) -> None:
        self.target, self.totals = target, [0] * SEATS

    def step(self, entry: Any) -> Row:
        details = match_entry(entry, SEATS, None, NO_DEALER)
        row: Row = {"board": details.pop("board")} if "board" in details else {}
        wins = sheets.check(FORM, details, seats=SEATS)["mains"]
        won = winner_of(wins)
        if won is not None:
            self.totals[won] += 1
            if self.totals[won] == self.target:
                self.winner = won + 1
        return row | {"wins": list(wins), "winner": None if won is None else won + 1}

    def account(self) -> Row:
        return {"totals": self.totals}


# ── A sensible robot ──────────────────────────────────────────────────────────────────────────────


def suggestion(view: View, legal: Sequence[str]) -> str:
    """Goes on while its pile is hardly longer than the other's, and cards are left."""
    own, other = view.held[view.index], view.held[1 - view.index]
    pack_of_other = view.pile("pack", 3 - (view.seat or 0))
    return DRAW if own < other + 3 or pack_of_other.hidden == 0 else CONCEDE


# ── The game ──────────────────────────────────────────────────────────────────────────────────────

WIN = Unit(Phrase("win"))


class Duel(JudgedGame[Deal, DuelState]):
    id = "duel-las-vegas"
    name = Phrase("Duel à Las Vegas")
    seats = (SEATS,)
    pack = Phrase("two packs of 54 cards")
    board = Phrase("a whole game")
    line_score = Phrase("hands won minus hands lost, −6 to +6")
    unit = Unit(Phrase("hand won"))
    options = (
        Option("ace_low_straight", ("on", "off"), ("engine",),
               Phrase("whether ace, 2, 3, 4, 5 is a straight")),
        Option("line_basis", ("mains", "victory"), ("engine", "sheet"),
               Phrase("whether hands are compared, or the game's victory")),
        Option("target_games", (NONE,), ("ledger",), Phrase("how many games win a match"),
               more=lambda value: sheets.is_whole(value, 1, None),
               which=Phrase("a whole number, 1 or more")),
    )  # fmt: skip
    form = FORM
    deal_type, state_type = Deal, DuelState
    names = {
        "decision": Phrase("draw or concede"), "over": Phrase("over"), "decks": Phrase("packs"),
        "one of decks": Phrase("pack"),
        "draw": Phrase("draws a card"), "concede": Phrase("concedes the hand"),
        "mains": Phrase("hands won"), "opponent": Phrase("the other player's hands"),
        "victory": Phrase("victory"), "defeat": Phrase("defeat"), "no-winner": Phrase("no winner"),
    }  # fmt: skip

    def unit_of(self, options: Settings) -> Unit:
        return WIN if options["line_basis"] == "victory" else self.unit

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        return Deal((tuple(stream.permutation(ORDER)), tuple(stream.permutation(ORDER))))

    def judged(self, told: dict[str, Any], deal: Deal | None, options: Settings, seats: int) -> Outcome:
        return outcome_of(told["mains"], options)

    def match(self, options: Settings, conditions: Settings) -> Match:
        return DuelMatch(options["target_games"])

    robot = staticmethod(suggestion)


GAMES: tuple[Game[Any], ...] = (Duel(),)
