"""Cochonnet: four seats in two sides, 52 cards, no trumps; the lowest card of the suit led is what
scores, and a trick is given away. One board is a whole game of up to four rounds.

The parts follow engines/rules/cochonnet.md, whose sections the comments cite.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from .. import sheets
from ..cards import CardSet, Pack, by_bit, chosen, highest, lowest
from ..contract import Fact, Game, Option, Outcome, Settings, Unit
from ..deals import Dealt, JudgedGame, in_packets
from ..errors import BadSheet
from ..forms import Field, Form, Sentence, Step, rule
from ..matches import Match, Row
from ..pads import Pad, Tricks
from ..phases import OVER, Phase
from ..phrases import Phrase
from ..tricks import NEXT, CardPlay, TrickState, total
from ..views import View, by_seat

SEATS = 4
QUOTA = 3  # tricks given to each seat in a round
SIDES = ((1, 3), (2, 4))
SIDE_NAMES = ("NS", "EW")

# ── The cards (section 2) ─────────────────────────────────────────────────────────────────────────

PACK = Pack(suits="SHDC", ranks="23456789TJQKA")
SUIT_OF = PACK.suit_of
LEFT_OF = NEXT[SEATS]
HIGH = {"T": 10, "J": 15, "Q": 20, "K": 25, "A": 30}
VALUE = {PACK.card(token): HIGH.get(token[0]) or int(token[0]) for token in PACK.order}
VALUES = by_bit(VALUE)
BEYOND = len(PACK.order)  # the bits of gifts come after those of cards
GIFTS = {f"give:{seat + 1}": 1 << BEYOND + seat for seat in range(SEATS)}
PLAYS = PACK.plays | GIFTS
ALL_GIFTS = sum(GIFTS.values())
OFFERED = [tuple(one for one, gift in GIFTS.items() if gift & seats << BEYOND) for seats in range(1 << SEATS)]


# ── The deal (section 3) ──────────────────────────────────────────────────────────────────────────


class Deal(Dealt):
    pack, sizes = PACK, (13,) * SEATS

    @classmethod
    def of(cls, pack: Sequence[str], dealer: int) -> "Deal":
        """One card at a time, from the dealer's left."""
        hands = in_packets(pack, dealer, SEATS, *(1,) * 13)
        return cls(dealer, tuple(map(PACK.cards, hands)))


# ── The phases (section 4) ────────────────────────────────────────────────────────────────────────

HAS_QUOTA = Phrase("this player has already been given three tricks")


class CochonnetState(TrickState):
    """A game in progress. Seats are indices from 0 inside. `piles` are the cards of the tricks given
    to each seat in the round, `runts` the lowest of each such trick; `gifts` may still be made."""

    __slots__ = ("deal", "gifts", "history", "options", "piles", "round", "runts")

    leads = False
    seats, next_seat = SEATS, LEFT_OF

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(PACK, deal.hands)
        self.deal, self.options, self.plays = deal, options, PLAYS
        self.history: tuple[tuple[int, int], ...] = ()  # the points of the rounds so far, by side
        self.round = 0
        self.begin_round()

    def begin_round(self) -> None:
        """The dealer's left leads the first round, and each further one the player at the left of the last
        leader."""
        self.round += 1
        self.gifts: CardSet = ALL_GIFTS
        self.piles: list[CardSet] = [0] * SEATS
        self.runts: list[tuple[CardSet, ...]] = [()] * SEATS
        self.now = PLAY
        self.lead((self.deal.dealer + self.round - 1) % SEATS)

    @property
    def tricks(self) -> list[int]:
        """How many of the round each seat has been given."""
        return [len(runts) for runts in self.runts]

    def took(self, winner: int, place: int) -> None:
        """The winner of a trick chooses who gets it; the thirteenth ends the round."""
        if self.now is LAST:
            self.end_round()
        else:
            self.actor, self.now, self.playable = winner, GIVE, self.gifts

    def give(self, gift: CardSet) -> None:
        """The trick goes to a seat with fewer than three, which leads to the next."""
        seat = gift.bit_length() - BEYOND - 1
        self.takers.append(seat)
        cards = sum(self.trick)
        self.piles[seat] += cards
        self.runts[seat] = runts = self.runts[seat] + (lowest(cards & self.asked),)
        if len(runts) == QUOTA:
            self.gifts -= gift
        self.now = PLAY if self.gifts else LAST
        self.lead(seat)

    def end_round(self) -> None:
        """The highest of the suit led is exchanged for the lowest, which scores for its new owner."""
        followers = sum(self.trick) & self.asked
        sow, runt = highest(followers), lowest(followers)
        front = [self.trick[(seat - self.leader) % SEATS] for seat in range(SEATS)]
        winner = front.index(sow)
        self.takers.append(winner)
        points = [total(self.runts[one - 1] + self.runts[two - 1], VALUES) for one, two in SIDES]
        points[winner % 2] += VALUES[runt.bit_length()]
        if self.options["last_swap"] == "kept":
            front[front.index(runt)], front[winner] = sow, runt
        self.history += ((points[0], points[1]),)
        if ending(self.history, self.options) is None:
            self.hands = [pile | card for pile, card in zip(self.piles, front, strict=True)]
            self.begin_round()
        else:
            self.now, self.playable = OVER, 0

    def outcome(self) -> Outcome:
        self.check_over()
        return outcome_of(self.history, self.options)

    def sheet(self) -> dict[str, Any]:
        return {"rounds": [list(points) for points in self.history]}

    # What may be seen (section 11)

    def view(self, seat: int | None) -> "CochonnetView":
        runts = by_seat("runts", ([PACK.token(card) for card in runts] for runts in self.runts))
        seen = self.seen_by(seat, self.deal.dealer, *runts)
        return CochonnetView(**seen, round=self.round, history=self.history)


@dataclass(frozen=True, slots=True, kw_only=True)
class CochonnetView(View):
    """`history`: the points of the rounds so far. The piles `runts`: the cards on top of each trick given."""

    round: int
    history: tuple[tuple[int, ...], ...]


class Play(CardPlay[CochonnetState]):
    """Follow the suit led, failing that play any card: no suit ruffs."""

    def read(self, state: CochonnetState, token: str) -> CardSet | None:
        return PACK.plays.get(token)


class Last(Play):
    name = "last"


class Give(Phase[CochonnetState, CardSet]):
    """The winner of a trick names a seat with fewer than three."""

    name = "give"

    def offers(self, state: CochonnetState) -> Iterator[str]:
        return iter(OFFERED[state.playable >> BEYOND])

    def draw(self, state: CochonnetState, random: Random) -> str:
        return chosen(OFFERED[state.playable >> BEYOND], random)

    def read(self, state: CochonnetState, token: str) -> CardSet | None:
        return GIFTS.get(token)

    def rule(self, state: CochonnetState, action: CardSet) -> Phrase | None:
        return None if action & state.playable else HAS_QUOTA

    def take(self, state: CochonnetState, action: CardSet) -> None:
        state.play((action,))


PLAY, GIVE, LAST = Play(), Give(), Last()


# ── The marks (sections 5, 6 and 9) ───────────────────────────────────────────────────────────────


def ending(history: Sequence[Sequence[int]], options: Settings) -> str | None:
    """What ends a game after these rounds: "rounds", "sudden_death", or None while it goes on."""
    if len(history) == options["rounds_per_board"]:
        return "rounds"
    totals = totals_of(history)
    reached = [total >= 60 * len(history) for total in totals]
    if options["sudden_death"] == "on" and any(reached) and (not all(reached) or totals[0] != totals[1]):
        return "sudden_death"
    return None


def totals_of(history: Sequence[Sequence[int]]) -> tuple[int, int]:
    return sum(ns for ns, _ in history), sum(ew for _, ew in history)


def projection(difference: int, rounds: int, of: int) -> int:
    """The difference after some rounds as it would be after all, rounded with halves away from zero.

    >>> projection(33, 1, 4), projection(-95, 3, 4)
    (132, -127)
    """
    size = (2 * abs(difference) * of + rounds) // (2 * rounds)
    return size if difference >= 0 else -size


def outcome_of(history: Sequence[Sequence[int]], options: Settings) -> Outcome:
    """By seat the difference of the two sides, brought to a full game where it ended earlier."""
    totals = totals_of(history)
    score = difference = totals[0] - totals[1]
    if options["sudden_death_scoring"] == "projected":
        score = projection(difference, len(history), int(options["rounds_per_board"]))
    facts = []
    for seat in range(1, SEATS + 1):
        own, other = (0, 1) if seat % 2 else (1, 0)
        sign = 1 if seat % 2 else -1
        facts += [
            Fact("round", seat, points[own] - points[other], f"{points[own]}–{points[other]}")
            for points in history
        ]
        if score != difference:
            facts.append(Fact("projection", seat, sign * (score - difference)))
    return Outcome((score, -score, score, -score), tuple(facts))


# ── The result sheet (section 8) ──────────────────────────────────────────────────────────────────


TOTALS = "sum(one[1] for one in rounds)", "sum(one[2] for one in rounds)"
ENDED = (
    f"option.sudden_death == 'on' and max(({TOTALS[0]}, {TOTALS[1]})) >= 60 * len(rounds) and "
    f"{TOTALS[0]} != {TOTALS[1]}"
)
ROUND = Field(
    "rounds", "list", Phrase("points of NS and EW, round by round"), optional=True,
    needed="cochonnets == None",
    of=(Field("it", "whole", Phrase("points of the round"), per_side=True, least=14, most=195),),
    rules=(
        rule("it", "sum(it) >= 41 and sum(it) <= 315",
             Phrase("the points of a round add up to at least 41 and at most 315")),
    ),
)  # fmt: skip

FORM = Form(
    fields=(
        ROUND,
        Field("cochonnets", "list", Phrase("runts of NS and EW, round by round"), optional=True, of=(
            Field("it", "list", Phrase("runts"), per_side=True, of=(Field("it", "card", Phrase("card")),)),
        )),
    ),
    rules=(
        rule("rounds", "rounds == None or len(rounds) >= 1 and len(rounds) <= option.rounds_per_board",
             Phrase("must be a list of 1 to {most} rounds"), most="option.rounds_per_board"),
    ),
    steps=(
        Step("blocks", ("rounds",), steps=(Step("square", ("it",)),),
             blocks="option.rounds_per_board", until=ENDED, called=Phrase("round {n}")),
    ),
    sentences=(
        Sentence(Phrase("North–South {ns}, East–West {ew} in one round."), "len(rounds) == 1",
                 {"ns": TOTALS[0], "ew": TOTALS[1]}),
        Sentence(Phrase("North–South {ns}, East–West {ew} in {rounds} rounds."), "len(rounds) > 1",
                 {"ns": TOTALS[0], "ew": TOTALS[1], "rounds": "len(rounds)"}),
    ),
    example={"rounds": [[41, 30], [45, 33], [38, 29], [35, 40]]},
)  # fmt: skip

ONE_ROUND = Form((ROUND,), {})


def rounds_of(told: dict[str, Any], options: Settings) -> list[tuple[int, int]]:
    """The points of each round, from `rounds`, from `cochonnets`, or from both where they agree."""
    history = [(ns, ew) for ns, ew in told["rounds"] or ()]
    counted = [counted_pair(pair) for pair in told["cochonnets"] or ()]
    if told["rounds"] is not None and told["cochonnets"] is not None and history != counted:
        raise BadSheet("cochonnets", Phrase("do not give the points of the rounds"))
    history = history or counted
    most = options["rounds_per_board"]
    if not 1 <= len(history) <= most:
        raise BadSheet("rounds", Phrase("must be a list of 1 to {most} rounds", most=most))
    for count in range(1, len(history)):
        if ending(history[:count], options) is not None:
            most = max(totals_of(history[:count]))
            over = Phrase(
                "the game was over after round {count}: a side had {points} points, 60 a round or more",
                count=count,
                points=most,
            )
            raise BadSheet("rounds", over)
    if ending(history, options) is None:
        raise BadSheet("rounds", Phrase("the game is not over after round {count}", count=len(history)))
    return history


def checked_pair(place: str, pair: Any) -> tuple[int, int]:
    """The points of a round, if a round can have them (section 5)."""
    try:
        told = sheets.check(ONE_ROUND, {"rounds": [pair]}, seats=SEATS)
    except BadSheet as error:
        raise BadSheet(place, error.constraint) from None
    ns, ew = told["rounds"][0]
    return ns, ew


def counted_pair(pair: Sequence[Sequence[str]]) -> tuple[int, int]:
    """The points of a round from its thirteen runts."""
    if sorted(map(len, pair)) != [6, 7]:
        raise BadSheet(
            "cochonnets", Phrase("each round must have six runts of one side and seven of the other")
        )
    tokens = [token for cards in pair for token in cards]
    if not all(token in PACK for token in tokens) or len(set(tokens)) < 13:
        raise BadSheet("cochonnets", Phrase("the runts of a round must be thirteen different cards"))
    ns, ew = (sum(VALUE[PACK.card(token)] for token in cards) for cards in pair)
    return int(ns), int(ew)


class CochonnetMatch(Match):
    """One game: the deals are the pairs of points of its rounds."""

    def __init__(self, options: Settings) -> None:
        self.options = options
        self.history: list[tuple[int, int]] = []

    @property
    def ended_by(self) -> str | None:
        return ending(self.history, self.options)

    @property
    def over(self) -> bool:
        return self.ended_by is not None

    def too_late(self) -> Phrase:
        return Phrase("the game was over after round {count}", count=self.count)

    def step(self, entry: Any) -> Row:
        self.history.append(checked_pair("", entry))
        points, totals = list(self.history[-1]), list(totals_of(self.history))
        return {"round": self.count + 1, "points": points, "totals": totals}

    def account(self) -> Row:
        ns, ew = totals_of(self.history)
        leader = "draw" if ns == ew else SIDE_NAMES[ew > ns]
        return {
            "round": len(self.history),
            "totals": [ns, ew],
            "history": [list(points) for points in self.history],
            "winner": leader if self.over else None,
            "ended_by": self.ended_by,
        }


# ── A sensible robot ──────────────────────────────────────────────────────────────────────────────


def suggestion(view: View, legal: Sequence[str]) -> str:
    """Keeps a valuable trick in the side and gives a cheap one away; plays low on a cheap trick of the
    others, and leads high."""
    trick = [PACK.card(one.card) for one in view.trick]
    if legal[0].startswith("give:"):
        suit = SUIT_OF[trick[0]]
        dear = VALUE[lowest(sum(trick) & suit)] >= 9
        ours = [gift for gift in legal if int(gift[-1]) in SIDES[view.index % 2]]
        theirs = [gift for gift in legal if gift not in ours]
        return ((ours if dear else theirs) or list(legal))[0]
    cards = sorted((PACK.plays[action] for action in legal), key=lambda card: VALUE[card])
    leading = not 0 < len(trick) < SEATS
    return f"play:{PACK.token(cards[-1] if leading or cards[-1] > max(trick) else cards[0])}"


# ── The game ──────────────────────────────────────────────────────────────────────────────────────


class Cochonnet(JudgedGame[Deal, CochonnetState]):
    id = "cochonnet"
    name = Phrase("Cochonnet")
    seats = (SEATS,)
    sides = SIDES
    pack = Phrase("52 cards")
    board = Phrase("a game of up to four rounds")
    line_score = Phrase("difference of the two sides' points")
    unit = Unit(Phrase("point"))
    options = (
        Option("sudden_death", ("on", "off"), ("engine", "sheet", "ledger"),
               Phrase("whether a side with 60 points a round wins before the last")),
        Option("rounds_per_board", (4, 1, 2, 3), ("engine", "sheet", "ledger"),
               Phrase("how many rounds are played on a board")),
        Option("sudden_death_scoring", ("projected", "actual"), ("engine", "sheet"),
               Phrase("whether a game that ended early counts as if it had gone on")),
        Option("last_swap", ("kept", "returned"), ("engine",),
               Phrase("whether the cards exchanged in the thirteenth trick stay with their new owners")),
    )  # fmt: skip
    form = FORM
    deal_type, state_type = Deal, CochonnetState
    names = {
        "play": Phrase("play of the cards"),
        "give": Phrase("gift of the trick"),
        "last": Phrase("last trick"),
        "over": Phrase("over"),
        "round": Phrase("points of a round"),
        "projection": Phrase("brought to a full game"),
    } | {f"give:{seat}": Phrase("gives the trick to seat {seat}", seat=seat) for seat in (1, 2, 3, 4)}

    def pad(self, options: Settings) -> Pad | None:
        rounds = int(options["rounds_per_board"])
        tricks = Tricks(cards=len(PACK.order), order=PACK.rank_letters, gives="give:", quota=QUOTA)
        return Pad(PACK, (tricks,), rounds)

    def judged(self, told: dict[str, Any], deal: Deal | None, options: Settings, seats: int) -> Outcome:
        return outcome_of(rounds_of(told, options), options)

    def match(self, options: Settings, conditions: Settings) -> Match:
        return CochonnetMatch(options)

    robot = staticmethod(suggestion)


GAMES: tuple[Game[Any], ...] = (Cochonnet(),)
