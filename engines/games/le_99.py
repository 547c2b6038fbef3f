"""Le 99: three seats to seven, packs without jokers; a total grows card by card, and a player who is
stuck has lost.

The parts follow engines/rules/le-99.md, whose sections the comments cite.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from .. import sheets
from ..cards import Pack, without
from ..contract import Fact, Game, Option, Outcome, Settings, Unit
from ..dealing import Stream, new_key, new_stock
from ..deals import JudgedGame, Stocked, seats_dealt
from ..errors import BadDeal, BadSheet
from ..forms import Door, Field, Form, Sentence, Step, rule
from ..matches import Match, Row, best_alone
from ..pads import Counting, Pad
from ..phases import OVER, Phase, PhasedState
from ..phrases import Phrase
from ..ranks import shared_ranks
from ..tricks import number_of
from ..turns import NO_SUCH_ACTION, NOT_HELD
from ..views import Pile, View, in_hand, latest
from ..words import words

FEWEST = 3
HAND = 3

# ── The cards (section 2) ─────────────────────────────────────────────────────────────────────────

GOAL = 99
ADDS = {"A": 1, "9": 0, "T": -10, "J": 0, "Q": 10} | {str(n): n for n in range(2, 9)}
RESCUES = "KJT9"


@cache
def packs_for(seats: int) -> Pack:
    """One pack more whenever the number of players becomes even."""
    return Pack(suits="SHDC", ranks="A23456789TJQK", copies=seats // 2 + 1)


PACK = packs_for(FEWEST)
PLACE = {token: place for place, token in enumerate(PACK.faces)}


def total_after(total: int, token: str) -> int:
    return GOAL if token[0] == "K" else total + ADDS[token[0]]


# ── The deal (section 3) ──────────────────────────────────────────────────────────────────────────


class Deal(Stocked):
    __slots__ = ()

    @classmethod
    def of(cls, pack: Sequence[str], dealer: int, seats: int, key: str) -> "Deal":
        return cls.one_by_one(pack, dealer, seats, HAND, key)

    @classmethod
    def read(cls, data: Any) -> "Deal":
        seats = seats_dealt(data, FEWEST)
        if seats < FEWEST:
            raise BadDeal((), Phrase("there must be at least three players"))
        return cls.read_stocked(data, packs_for(seats), seats, HAND)


# ── The phases (section 4) ────────────────────────────────────────────────────────────────────────

EARLY, UNDRAWN = "early-pickup", "!nodraw"
ANNOUNCED = re.compile(r"play:([A2-9TJQK][SHDC])(?:=(-?[1-9][0-9]*|0))?(!nodraw)?")

PASSES_99 = Phrase("this card would take the total past 99")
NOT_AT_99 = Phrase("at 99 only a king, a jack, a ten or a nine may be played")
TOO_LATE = Phrase("a hand can be picked up too early only before the first card")
ONCE = Phrase("this seat has already been noted")
WHOSE = Phrase("say which seat, as in “2 early-pickup”")


class NinetyNineState(PhasedState):
    """A deal in progress. Seats are indices from 0 inside. `noted`: the irregularities so far, each with its
    seat; `last`: who played which card."""

    __slots__ = (
        "deal", "direction", "hands", "last", "left", "limits", "loser", "noted", "options", "pile", "plays",
        "reshuffles", "seats", "stock", "total",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.deal, self.options = deal, options
        self.seats = len(deal.hands)
        self.log = []
        self.hands = list(deal.hands)
        self.limits = [HAND] * self.seats
        self.stock = deal.stock[::-1]  # the next card last of those that are left
        self.left = len(self.stock)
        self.pile = [deal.turned]
        self.total = total_after(0, deal.turned)
        self.direction = 1
        self.reshuffles = 0
        self.noted: list[tuple[int, str]] = []
        self.plays = 0
        self.last: tuple[int, str] | None = None
        self.loser: int | None = None
        self.actor = deal.dealer % self.seats
        if options["retourne_effects"] == "on":
            self.turn_effect(deal.turned)
        self.now = PLAY
        self.look_for_a_loser()

    def turn_effect(self, turned: str) -> None:
        """A jack skips the first player; a nine lets the dealer's right begin, the other way round."""
        if turned[0] == "J":
            self.actor = (self.actor + 1) % self.seats
        elif turned[0] == "9":
            self.direction = -1
            self.actor = (self.deal.dealer - 2) % self.seats

    def is_playable(self, token: str) -> bool:
        if token[0] in RESCUES:
            return True
        if self.options["overshoot"] == "stuck_only_at_99":
            return self.total < GOAL
        return self.total + ADDS[token[0]] <= GOAL

    def look_for_a_loser(self) -> None:
        """A player whose turn it is and who cannot play is stuck: the deal is over."""
        if not any(map(self.is_playable, self.hands[self.actor])):
            self.loser = self.actor
            self.now = OVER
        elif self.plays >= int(self.options["max_plays"]):
            self.now = OVER

    def rule_against(self, seat: int | None, token: str) -> Phrase | None:
        if token != EARLY or self.now is OVER:
            return super().rule_against(seat, token)
        if seat is None:
            return WHOSE
        if not 1 <= seat <= self.seats:
            return NO_SUCH_ACTION
        if self.plays:
            return TOO_LATE
        return ONCE if (seat - 1, EARLY) in self.noted else None

    def apply(self, entry: str) -> None:
        if entry.endswith(EARLY):
            self.checked(entry)
            self.log.append(entry)
            self.pick_up_early(int(entry.partition(" ")[0]) - 1)
        else:
            super().apply(entry)

    def play(self, card: str, *, draws: bool) -> None:
        actor = self.actor
        hand = without(self.hands[actor], card)
        self.pile.append(card)
        self.plays += 1
        self.last = (actor, card)
        self.total = min(total_after(self.total, card), GOAL)
        if not draws:
            self.limits[actor] -= 1
            self.noted.append((actor, UNDRAWN[1:]))
        while len(hand) < self.limits[actor]:
            hand += (self.draw(),)
        self.hands[actor] = hand
        if card[0] == "9":
            self.direction = -self.direction
        self.actor = (actor + self.direction * (2 if card[0] == "J" else 1)) % self.seats
        self.look_for_a_loser()

    def draw(self) -> str:
        """The next card; where none is left the whole pile is shuffled, the total remembered."""
        if not self.left:
            self.reshuffles += 1
            self.stock = tuple(new_stock(self.deal.key, self.reshuffles, self.pile)[::-1])
            self.left = len(self.stock)
            self.pile = []
        self.left -= 1
        return self.stock[self.left]

    def pick_up_early(self, seat: int) -> None:
        """The third card goes to the bottom of the stock, and from then on this seat holds two."""
        self.noted.append((seat, EARLY))
        *kept, third = self.hands[seat]
        self.hands[seat] = tuple(kept)
        self.stock = (third, *self.stock)
        self.left += 1
        self.limits[seat] = HAND - 1
        self.look_for_a_loser()

    def outcome(self) -> Outcome:
        self.check_over()
        return outcome_of(self.loser, self.seats)

    def sheet(self) -> dict[str, Any]:
        sheet: dict[str, Any] = {"void": True} if self.loser is None else {"loser": self.loser + 1}
        noted = [{"seat": seat + 1, "kind": kind} for seat, kind in self.noted]
        return sheet | {"plays": self.plays} | ({"irregularities": noted} if noted else {})

    # What may be seen (section 11)

    def view(self, seat: int | None) -> "NinetyNineView":
        held = in_hand([sorted(hand, key=PLACE.__getitem__) for hand in self.hands], seat)
        stock = Pile("stock", hidden=self.left)
        return NinetyNineView(
            **self.common(seat, self.deal.dealer, *held, Pile("turned", (self.deal.turned,)), stock),
            trick=latest(self.last),
            total=self.total,
            direction=self.direction,
            plays=self.plays,
            limits=tuple(self.limits),
            loser=number_of(self.loser),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NinetyNineView(View):
    """The `total` so far; `limits`: by seat, how many cards it may hold."""

    total: int
    direction: int
    plays: int
    limits: tuple[int, ...]
    loser: int | None


Played = tuple[str, int | None, bool]  # a card, the total announced, and whether its player draws


@lru_cache(1024)
def played(token: str) -> Played | None:
    match = ANNOUNCED.fullmatch(token)
    if not match:
        return None
    card, announced, undrawn = match.groups()
    return card, None if announced is None else int(announced), undrawn is None


class Play(Phase[NinetyNineState, Played]):
    name = "play"

    def offers(self, state: NinetyNineState) -> Iterator[str]:
        playable = {token for token in state.hands[state.actor] if state.is_playable(token)}
        return (f"play:{token}" for token in sorted(playable, key=PLACE.__getitem__))

    def read(self, state: NinetyNineState, token: str) -> Played | None:
        return played(token)

    def rule(self, state: NinetyNineState, action: Played) -> Phrase | None:
        card, announced, _draws = action
        if card not in state.hands[state.actor]:
            return NOT_HELD
        if not state.is_playable(card):
            return NOT_AT_99 if state.total == GOAL else PASSES_99
        if announced is None:
            return None
        total = min(total_after(state.total, card), GOAL)
        return None if announced == total else Phrase("the total is {total}", total=total)

    def take(self, state: NinetyNineState, action: Played) -> None:
        card, _announced, draws = action
        state.play(card, draws=draws)


PLAY = Play()


# ── The marks (section 5) and the result sheet (section 8) ────────────────────────────────────────


def outcome_of(loser: int | None, seats: int) -> Outcome:
    """A lost deal for the player who was stuck; None: the deal is void."""
    scores = tuple(-1 if seat == loser else 0 for seat in range(seats))
    return Outcome(scores, (Fact("void"),) if loser is None else (Fact("stuck", loser + 1, -1),))


FORM = Form(
    fields=(
        Field("loser", "seat", Phrase("the player who was stuck"), optional=True),
        Field("void", "flag", Phrase("void deal"), optional=True),
        Field("plays", "whole", Phrase("cards played"), optional=True),
        Field("irregularities", "list", Phrase("irregularities"), optional=True, of=(
            Field("seat", "seat", Phrase("seat")),
            Field("kind", "text", Phrase("kind")),
        )),
    ),
    rules=(
        rule("void", "void != False", Phrase("can only be true: leave it out otherwise")),
        rule("loser", "(loser == None) != (void == None)",
             Phrase("there is either a loser or a void deal, and not both")),
    ),
    steps=(Step("seats", ("loser",), when="void == None"),),
    other=(Door(Phrase("void deal"), {"void": True}),),
    sentences=(
        Sentence(Phrase("{seat} was stuck and loses the deal."), "loser != None", {"seat": "loser"},
                 ("seat",)),
        Sentence(Phrase("The deal is void."), "void"),
    ),
    example={"loser": 2},
)  # fmt: skip


# ── A sensible robot ──────────────────────────────────────────────────────────────────────────────


def suggestion(view: View, legal: Sequence[str]) -> str:
    """Keeps the cards that save it, and otherwise brings the total as near to 99 as it can."""

    def merit(action: str) -> tuple[bool, int]:
        rank = action[5]
        return rank not in RESCUES, "K9JT".find(rank) if rank in RESCUES else ADDS[rank]

    return max(legal, key=merit)


# ── The game ──────────────────────────────────────────────────────────────────────────────────────


def any_from_one(value: object) -> bool:
    return sheets.is_whole(value, 1, None)


FROM_ONE = Phrase("another whole number, 1 or more")


class NinetyNine(JudgedGame[Deal, NinetyNineState]):
    id = "le-99"
    name = Phrase("Le 99")
    seats = (3, 4, 5, 6, 7)
    pack = Phrase("2 to 4 times 52 cards")
    line_score = Phrase("−1 for a lost deal")
    unit = Unit(Phrase("lost deal"))
    options = (
        Option("overshoot", ("illegal", "stuck_only_at_99"), ("engine",),
               Phrase("whether a card may take a total below 99 past 99")),
        Option("retourne_effects", ("off", "on"), ("engine",),
               Phrase("whether the card turned up can skip a player or reverse the direction")),
        Option("losses_to_end", (5,), ("ledger",), Phrase("how many lost deals lose the match"),
               more=any_from_one, which=FROM_ONE),
        Option("max_plays", (1000,), ("engine",), Phrase("after how many cards a deal is void"),
               more=any_from_one, which=FROM_ONE),
    )  # fmt: skip
    conditions = (
        Option("seats", seats, ("generator", "engine", "sheet", "ledger"), Phrase("how many players")),
    )
    form = FORM
    deal_type, state_type = Deal, NinetyNineState
    names = words("play over stock") | {
        "turned": Phrase("turned card"), "reshuffle_key": Phrase("key of the reshuffle"),
        "early-pickup": Phrase("picks up the hand too early"), "stuck": Phrase("stuck"),
        "void": Phrase("void deal"),
    }  # fmt: skip

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        seats = self.seat_count(conditions)
        pack = stream.permutation(packs_for(seats).order)
        return Deal.of(pack, dealer, seats, new_key(stream))

    def pad(self, options: Settings) -> Pad | None:
        counted = Counting(order=PACK.rank_letters, adds=ADDS, goal=GOAL, fills="K", skips="J", reverses="9",
                           saves=RESCUES, effects=options["retourne_effects"] == "on",
                           late=options["overshoot"] == "stuck_only_at_99")  # fmt: skip
        return Pad(PACK, (counted,))

    def judged(self, told: dict[str, Any], deal: Deal | None, options: Settings, seats: int) -> Outcome:
        return outcome_of(None if told["loser"] is None else told["loser"] - 1, seats)

    def match(self, options: Settings, conditions: Settings) -> Match:
        return NinetyNineMatch(self.seat_count(conditions), int(options["losses_to_end"]))

    robot = staticmethod(suggestion)


class NinetyNineMatch(Match):
    """Until somebody has lost so many deals."""

    def __init__(self, seats: int, limit: int) -> None:
        self.seats, self.limit = seats, limit
        self.marks: list[int] = []
        self.loser: int | None = None

    @property
    def over(self) -> bool:
        return self.loser is not None

    def step(self, entry: Any) -> Row:
        scores = scores_of(entry, len(self.marks) or None)
        self.marks = [mark - one for mark, one in zip(self.marks or [0] * len(scores), scores, strict=True)]
        lost = scores.index(-1) + 1 if -1 in scores else None
        if lost is not None and self.marks[lost - 1] == self.limit:
            self.loser = lost
            self.winner = best_alone([-mark for mark in self.marks])
        return {"loser": lost, "marks": self.marks}

    def account(self) -> Row:
        marks = self.marks or [0] * self.seats
        ranks = shared_ranks([-mark for mark in marks]) if self.over else None
        return {"loser": self.loser, "marks": marks, "coups": self.count, "ranks": ranks}


def scores_of(entry: Any, seats: int | None) -> list[int]:
    """The scores of a deal of a match: nobody has lost it, or one player."""
    scores = entry.get("scores") if isinstance(entry, Mapping) else None
    if not isinstance(scores, list) or len(scores) < FEWEST or len(scores) != (seats or len(scores)):
        raise BadSheet(
            "scores", Phrase("must have the score of every player, and as many scores in every deal")
        )
    if not all(sheets.is_whole(score, -1, 0) for score in scores) or scores.count(-1) > 1:
        raise BadSheet("scores", Phrase("must be −1 for one player at most, and 0 for the others"))
    return list(scores)


GAMES: tuple[Game[Any], ...] = (NinetyNine(),)
