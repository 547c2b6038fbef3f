"""Sept: two seats, 32 cards without rank or trump; a card is beaten by its own rank or by a seven.

The parts follow engines/rules/sept.md, whose sections the comments cite.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from .. import sheets
from ..cards import CardSet, Pack, below, by_bit
from ..contract import Fact, Game, Option, Outcome, Settings, Unit
from ..deals import Dealt, JudgedGame, in_packets
from ..entries import match_entry
from ..forms import Field, Form, Sentence, Step, rule
from ..matches import Match, Row, plus
from ..pads import Matching, Pad
from ..phases import OVER
from ..phrases import Phrase
from ..tricks import CardPlay, CardState
from ..views import Pile, View

SEATS = 2
HAND = 4

# ── The cards (section 2) ─────────────────────────────────────────────────────────────────────────

PACK = Pack(suits="SHDC", ranks="789TJQKA")
CARD_OF = {token: PACK.card(token) for token in PACK.order}
STOP, STOPPED = "stop", PACK.all + 1  # that the leader stops is played like a card, which is in no hand
PLAYS = PACK.plays | {STOP: STOPPED}
SEVENS, DEAR = PACK.rank("7"), PACK.rank("T") | PACK.rank("A")
MATCHING = by_bit({card: rank | SEVENS for card, rank in PACK.rank_of.items()})  # what takes after each lead
LAST_TRICK, ALL_POINTS = 10, 90


# ── The deal (section 3) ──────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Deal(Dealt):
    """`stock`: the first drawn first."""

    pack, sizes, piles = PACK, (HAND, HAND), {"stock": 24}

    stock: tuple[str, ...]

    @classmethod
    def of(cls, pack: Sequence[str], dealer: int) -> "Deal":
        hands = in_packets(pack, dealer, SEATS, 2, 2)
        return cls(dealer, tuple(map(PACK.cards, hands)), tuple(pack[8:]))


# ── The phases (section 4) ────────────────────────────────────────────────────────────────────────

CONTINUE_SO = Phrase("go on with the rank that was led or with a seven, or stop")


class SeptState(CardState):
    """A deal in progress. Seats are indices from 0 inside."""

    __slots__ = ("deal", "drawn", "matching", "options", "stock", "winning", "won")

    seats = SEATS

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(PACK, deal.hands)
        self.plays = PLAYS
        self.deal, self.options = deal, options
        self.stock = tuple(map(CARD_OF.__getitem__, deal.stock))
        self.drawn = 0  # cards of the stock
        self.matching: CardSet = 0  # the rank led, and the sevens
        self.winning = 0  # the seat that has played the last such card
        self.won: list[CardSet] = [0] * SEATS
        self.now = LEAD
        self.leader = 2 - deal.dealer
        self.lead(self.leader)

    def play(self, cards: Iterable[Any]) -> bool:
        """Leads; answers, to each of which the leader may go on, or stop; and the cards that go on, each to
        be answered too."""
        actor, leader, playable, matching = self.actor, self.leader, self.playable, self.matching
        winning, all_played = self.winning, True
        hands, trick, is_lead = self.hands, self.trick, self.now is LEAD
        hand = hands[actor]
        for kept in cards:
            card: CardSet = kept
            if not card & playable:
                all_played = False
                break
            if is_lead:
                is_lead = False
                hands[actor] = hand - card
                self.trick = trick = [kept]
                leader = winning = actor
                matching = MATCHING[card.bit_length()]
            elif card != STOPPED:
                hands[actor] = hand - card
                trick.append(kept)
                if card & matching:
                    winning = actor
            else:
                self.gather(winning)
                actor, is_lead = winning, True
                playable = hand = hands[actor]
                continue
            if actor == leader:
                actor = 1 - actor
                playable = hand = hands[actor]
                continue
            hand = hands[leader]
            if hand:
                actor = leader
                playable = hand & matching | STOPPED
            else:
                self.gather(winning)
                actor, is_lead = winning, True
                playable = hand = hands[actor]
        self.actor, self.leader, self.playable, self.matching = actor, leader, playable, matching
        self.winning = winning
        if not playable:
            self.now = OVER
        else:
            self.now = LEAD if is_lead else CHOICE if actor == leader else RESPOND
        return all_played

    def gather(self, winner: int) -> None:
        """The player of the last card that has the rank led, or is a seven, takes the cards; both draw in
        turn, the winner first, who leads."""
        self.takers.append(winner)
        cards = 0
        for card in self.trick:
            cards += card
        self.won[winner] += cards
        if self.drawn < len(self.stock):
            drawn = self.stock[self.drawn : self.drawn + len(self.trick)]
            self.drawn += len(drawn)
            seat = winner
            for card in drawn:
                self.hands[seat] += card
                seat = 1 - seat

    def points(self) -> tuple[int, ...]:
        """The card points so far, and those of the last trick."""
        last = self.taker if self.over else None
        return tuple(
            10 * (won & DEAR).bit_count() + LAST_TRICK * (s == last) for s, won in enumerate(self.won)
        )

    def outcome(self) -> Outcome:
        self.check_over()
        return outcome_of(self.points(), PACK.all in self.won, self.options)

    def sheet(self) -> dict[str, Any]:
        return {"points": list(self.points()), "all_cards": PACK.all in self.won}

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        won = (Pile("won", hidden=cards.bit_count(), seat=who) for who, cards in enumerate(self.won, 1))
        stock = Pile("stock", hidden=len(self.deal.stock) - self.drawn)
        return View(**self.seen_by(seat, self.deal.dealer, stock, *won), points=tuple(self.points()))


class Lead(CardPlay[SeptState]):
    """Any card of the hand, which also answers."""

    name = "lead"

    def read(self, state: SeptState, token: str) -> CardSet | None:
        return None if token == STOP else super().read(state, token)

    def reason(self, state: SeptState, hand: CardSet, card: CardSet) -> Phrase:
        return CONTINUE_SO


class Respond(Lead):
    name = "respond"


class Choice(Lead):
    """The leader goes on (with a card of the rank led or a seven), or stops."""

    name = "choice"

    def offers(self, state: SeptState) -> Iterator[str]:
        yield STOP
        yield from super().offers(state)

    def draw(self, state: SeptState, random: Random) -> str:
        at = below(state.playable.bit_count(), random)
        return PACK.plays_of(state.playable)[at - 1] if at else STOP

    def read(self, state: SeptState, token: str) -> CardSet | None:
        return state.plays.get(token)


LEAD, RESPOND, CHOICE = Lead(), Respond(), Choice()


# ── The marks (section 5) ─────────────────────────────────────────────────────────────────────────


def marks_of(points: Sequence[int], all_cards: bool) -> tuple[int, ...]:
    """What each seat writes down: one for more points, two for all of them, three for all cards."""
    most = 3 if all_cards else 2 if max(points) == ALL_POINTS else 1
    return tuple(most if own == max(points) else 0 for own in points)


def outcome_of(points: Sequence[int], all_cards: bool, options: Settings) -> Outcome:
    """The marks of a seat minus those of the other; or the points, by the option."""
    marks = marks_of(points, all_cards)
    by_points = options["line_basis"] == "points"
    compared = points if by_points else marks
    scores = tuple(own - other for own, other in zip(compared, compared[::-1], strict=True))
    winner = marks.index(max(marks))
    name = {1: "won", 2: "all-points", 3: "all-cards"}[marks[winner]]
    facts = tuple(
        Fact(name if seat == winner else "lost", seat + 1, scores[seat], points[seat])
        for seat in range(SEATS)
    )
    return Outcome(scores, facts)


# ── The result sheet (section 8) ──────────────────────────────────────────────────────────────────


FORM = Form(
    fields=(
        Field("points", "whole", Phrase("card points"), per_seat=True, most=ALL_POINTS, step=10,
              total=str(ALL_POINTS)),
        Field("all_cards", "flag", Phrase("all cards won"), optional=True, usual=False),
    ),
    rules=(
        rule("all_cards", f"not all_cards or max(points) == {ALL_POINTS}",
             Phrase("a player with all the cards has 90 points")),
    ),
    steps=(
        Step("keys", ("points", "all_cards"), shapes=(
            {"points": [ALL_POINTS, 0], "all_cards": True},
            *({"points": [ALL_POINTS - other, other], "all_cards": False}
              for other in range(0, ALL_POINTS + 1, 10)),
            {"points": [0, ALL_POINTS], "all_cards": True},
        )),
    ),
    sentences=(
        Sentence(Phrase("{one} {a}, {two} {b}."), "not all_cards",
                 {"one": "1", "a": "points[1]", "two": "2", "b": "points[2]"}, seats=("one", "two")),
        Sentence(Phrase("{seat} won all the cards."), "all_cards", {"seat": "1 if points[1] > 0 else 2"},
                 ("seat",)),
    ),
    example={"points": [60, 30], "all_cards": False},
)  # fmt: skip


class SeptMatch(Match):
    """To the target; the loser of a deal deals the next."""

    def __init__(self) -> None:
        self.totals = [0] * SEATS
        self.due: int | None = None

    def step(self, entry: Any) -> Row:
        details = match_entry(entry, SEATS, self.due, LOSER_DEALS)
        dealer, board = details.pop("dealer", self.due or 1), details.pop("board", None)
        told = sheets.check(FORM, details, seats=SEATS)
        marks = list(marks_of(told["points"], told["all_cards"]))
        self.totals = plus(self.totals, marks)
        self.due = marks.index(0) + 1
        if max(self.totals) >= TARGET:
            self.winner = self.totals.index(max(self.totals)) + 1
        return {
            "board": board,
            "dealer": dealer,
            "marks": marks,
            "totals": self.totals,
            "pts": told["points"],
        }

    def account(self) -> Row:
        next_dealer = None if self.over else self.due or 1
        return {"target": TARGET, "totals": self.totals, "next_dealer": next_dealer}


# ── A sensible robot ──────────────────────────────────────────────────────────────────────────────


def suggestion(view: View, legal: Sequence[str]) -> str:
    """Leads ranks that it holds twice, takes valuable cards, and goes on only for those."""
    hand = view.hand

    def spending(token: str) -> tuple[bool, bool, int]:
        """The cards that the robot parts with most easily come first."""
        return token[0] == "7", token[0] in "TA", -sum(other[0] == token[0] for other in hand)

    cards = sorted((action[5:] for action in legal if action != STOP), key=spending)
    if view.phase == LEAD.name:
        return f"play:{cards[0]}"
    trick = [one.card for one in view.trick]
    matching = {trick[0][0], "7"}
    dear = any(card[0] in "TA" for card in trick) or view.pile("stock").hidden == 0
    winner = max(place for place, card in enumerate(trick) if card[0] in matching) % SEATS
    if view.phase == CHOICE.name:
        return f"play:{cards[0]}" if cards and winner == 1 and dear else STOP
    beating = [card for card in cards if card[0] in matching]
    if beating and dear:
        return f"play:{beating[0]}"
    return f"play:{cards[0]}"


# ── The game ──────────────────────────────────────────────────────────────────────────────────────

TARGET = 10
LOSER_DEALS = Phrase("the loser of a deal deals the next one")


class Sept(JudgedGame[Deal, SeptState]):
    id = "sept"
    name = Phrase("Sept")
    seats = (SEATS,)
    pack = Phrase("32 cards")
    line_score = Phrase("marks won or lost, −3 to +3")
    unit = Unit(Phrase("game point"))
    options = (
        Option("line_basis", ("marque", "points"), ("engine", "sheet"),
               Phrase("whether marks are compared, or card points")),
    )  # fmt: skip
    form = FORM
    deal_type, state_type = Deal, SeptState
    names = {
        "lead": Phrase("lead"), "respond": Phrase("answer"), "choice": Phrase("going on or not"),
        "over": Phrase("over"), "stock": Phrase("stock"), "stop": Phrase("ends the trick"),
        "won": Phrase("more points"), "all-points": Phrase("all 90 points"),
        "all-cards": Phrase("all cards"), "lost": Phrase("fewer points"),
    }  # fmt: skip

    def unit_of(self, options: Settings) -> Unit:
        return CARD_POINT if options["line_basis"] == "points" else self.unit

    def pad(self, options: Settings) -> Pad | None:
        laid = Matching(cards=len(PACK.order), order=PACK.rank_letters, hand=HAND, wild="7", stop=STOP)
        return Pad(PACK, (laid,))

    def judged(self, told: dict[str, Any], deal: Deal | None, options: Settings, seats: int) -> Outcome:
        return outcome_of(told["points"], told["all_cards"], options)

    def match(self, options: Settings, conditions: Settings) -> Match:
        return SeptMatch()

    robot = staticmethod(suggestion)


CARD_POINT = Unit(Phrase("card point"))


GAMES: tuple[Game[Any], ...] = (Sept(),)
