"""COM'ON!: three seats, 32 cards, two trump suits, ten tricks; finish first or last, never second.

The parts follow docs/games/comon.md, whose sections the comments cite.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random
from typing import Any

from .. import sheets
from ..cards import CardSet, Pack, highest
from ..contract import (
    Fact,
    Game,
    Option,
    Outcome,
    Settings,
    Sheet,
    State,
    Unit,
    View,
    with_defaults,
)
from ..dealing import Stream
from ..errors import BadSheet
from ..forms import Door, Field, Form, Sentence, Step, rule
from ..matches import Match, Row
from ..phrases import Phrase
from ..ranks import shared_ranks
from ..tricks import NEXT, clockwise_from, on_the_table
from ..turns import FOLLOW, NO_SUCH_ACTION, NOT_HELD, OVER, StageState

SEATS = 3
TRICKS = 10

# ── The cards (section 2) ──────────────────────────────────────────────────────────────────────────

PACK = Pack(suits="SHDC", ranks="789TJQKA")  # from low to high, the same in trumps
ACES = PACK.rank("A")
SUIT_OF = PACK.suit_of
RANK_OF = PACK.rank_of
LEFT_OF = NEXT[SEATS]

PLAYS = {f"play:{token}": PACK.card(token) for token in PACK.order}
TRUMPS = {  # by the two turned cards: the cards of their suits that are in the hands
    (a, b): PACK.suits(a[1] + b[1]) & ~PACK.cards([a, b]) for a, b in permutations(PACK.order, 2)
}


# ── The deal (section 3) ───────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Deal:
    """`hands` by seat, ten cards each; the suits of the two `turned` cards are trumps."""

    dealer: int
    hands: tuple[CardSet, ...]
    turned: tuple[str, str]

    @property
    def trumps(self) -> CardSet:
        return TRUMPS[self.turned]

    def holder_of_aces(self) -> int | None:
        """The seat that holds the four Aces, from 1."""
        for seat, hand in enumerate(self.hands, 1):
            if hand & ACES == ACES:
                return seat
        return None


def deal_from(pack: Sequence[str], dealer: int) -> Deal:
    """The deal of a shuffled pack: packets of three, three, two and two, then the turned cards."""
    order = clockwise_from(dealer, SEATS)
    hands = [0] * SEATS
    at = 0
    for packet in (3, 3, 2, 2):
        for seat in order:
            hands[seat - 1] |= PACK.cards(pack[at : at + packet])
            at += packet
    return Deal(dealer, tuple(hands), (pack[30], pack[31]))


def read_deal(data: Any) -> Deal:
    """A deal from JSON, if its cards are the whole pack in three tens and a pair."""
    dealer = sheets.read_deal(data, SEATS, ("dealer", "hands", "turned"))["dealer"]
    hands, turned = data["hands"], data["turned"]
    lists = [*hands, turned] if isinstance(hands, list) else []
    *dealt_hands, _turned = PACK.read(lists, sizes=(10, 10, 10, 2))
    return Deal(dealer, tuple(dealt_hands), (turned[0], turned[1]))


# ── The phases (section 4) ─────────────────────────────────────────────────────────────────────────

ACES_PHASE, VOTE, PLAY = "aces", "vote", "play"
CLAIM, PLAY_ON = "claim-aces", "play-on"
VOTES = ("vote:yes", "vote:no")

FOLLOW_TRUMP = Phrase("a trump was led: play a trump, of either suit, while you hold one")
RUFF = Phrase("you do not hold the suit led: ruff with a trump, of either suit, while you hold one")


class ComonState(StageState):
    """A deal in progress. Seats are indices from 0 inside, numbers from 1 outside."""

    __slots__ = (
        "cards", "claimer", "deal", "first", "hands", "options", "place", "playable", "said", "second",
        "takers", "tricks", "trumps", "wanted",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.said: list[str] = []  # claim and votes
        self.cards: list[CardSet] = []  # played, in order
        self.deal = deal
        self.options = options
        self.hands = list(deal.hands)
        self.trumps = deal.trumps
        self.tricks = [0] * SEATS
        self.takers: list[int] = []  # of the tricks, in order
        self.place = 0  # in the trick: how many cards have been played to it
        self.first: CardSet = 0
        self.second: CardSet = 0
        self.wanted: CardSet = 0  # the suit, or both trump suits, that the lead asks for
        self.claimer = deal.holder_of_aces()
        if self.claimer is None:
            self.begin_play()
        else:
            self.stage = ACES_PHASE
            self.actor = self.claimer - 1
            self.playable: CardSet = 0

    @property
    def entries(self) -> list[str]:
        return self.said + [f"play:{PACK.token(card)}" for card in self.cards]

    def choices(self) -> Iterator[str]:
        if self.stage == ACES_PHASE:
            yield from (CLAIM, PLAY_ON)
        elif self.stage == VOTE:
            yield from VOTES
        else:
            for token in PACK.tokens(self.playable):
                yield f"play:{token}"

    def broken_rule(self, token: str) -> Phrase | None:
        if self.stage == ACES_PHASE:
            return None if token in (CLAIM, PLAY_ON) else NO_SUCH_ACTION
        if self.stage == VOTE:
            return None if token in VOTES else NO_SUCH_ACTION
        card = PLAYS.get(token, 0)
        if not card:
            return NO_SUCH_ACTION
        if card & self.playable:
            return None
        if not card & self.hands[self.actor]:
            return NOT_HELD
        if not self.hands[self.actor] & self.wanted:
            return RUFF
        return FOLLOW_TRUMP if self.wanted & self.trumps else FOLLOW

    def apply(self, entry: str) -> None:
        try:
            card = PLAYS[entry]
        except KeyError:
            card = 0
        if not card & self.playable:  # a claim or a vote, an entry with its seat, or an illegal one
            self.apply_slowly(entry)
            return
        self.cards.append(card)
        actor = self.actor
        hands = self.hands
        hands[actor] ^= card
        trumps = self.trumps
        place = self.place
        if place == 0:
            self.first = card
            self.wanted = wanted = trumps if card & trumps else SUIT_OF[card]
            self.place = 1
        elif place == 1:
            self.second = card
            wanted = self.wanted
            self.place = 2
        else:
            self.gather(card)
            return
        self.actor = actor = LEFT_OF[actor]
        hand = hands[actor]
        self.playable = hand & wanted or hand & trumps or hand

    def apply_slowly(self, entry: str) -> None:
        """Whatever `apply` does not find at once among the legal cards."""
        token = self.checked(entry)
        if self.stage == PLAY:
            self.apply(token)
        else:
            self.said.append(token)
            self.speak(token)

    # Phase A: the four Aces

    def speak(self, token: str) -> None:
        """The holder of the four Aces claims or plays on; after a claim the two others vote."""
        if token == PLAY_ON:
            self.begin_play()
        elif token == CLAIM:
            self.stage = VOTE
            self.actor = LEFT_OF[self.actor]
        elif len(self.votes) < 2:
            self.actor = LEFT_OF[self.actor]
        elif self.options["aces_annulment"] == "voted" and not self.is_granted:
            self.begin_play()
        else:
            self.stage = OVER

    @property
    def votes(self) -> list[str]:
        return [token for token in self.said if token in VOTES]

    @property
    def is_granted(self) -> bool:
        return self.votes == ["vote:yes", "vote:yes"]

    # Phase B: the play

    def begin_play(self) -> None:
        self.stage = PLAY
        self.actor = LEFT_OF[self.deal.dealer - 1]
        self.playable = self.hands[self.actor]

    def count(self) -> int:
        return len(self.said) + len(self.cards)

    def gather(self, third: CardSet) -> None:
        """Give the trick to its taker, who leads the next; after the tenth the deal is over."""
        first = self.first
        best = taker(first | self.second | third, self.wanted, self.trumps)
        self.place = 0
        actor = self.actor  # the third
        if best != third:
            actor = LEFT_OF[actor] if best == first else LEFT_OF[LEFT_OF[actor]]
            self.actor = actor
        self.tricks[actor] += 1
        self.takers.append(actor)
        self.playable = playable = self.hands[actor]
        if not playable:
            self.stage = OVER

    def outcome(self) -> Outcome:
        self.check_over()
        if self.claimer and len(self.votes) == 2 and not self.takers:
            return annulled_outcome(self.claimer, self.is_granted)
        return played_outcome(self.tricks)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """The hand, the cards played by the seat itself, the table, and how many tricks each seat took."""
        lead = self.leader()
        shown: dict[str, Any] = {
            "phase": self.stage,
            "dealer": self.deal.dealer,
            "turned": sorted(self.deal.turned, key=PACK.order.index),
            "actors": list(self.actors()),
            "votes": [vote.removeprefix("vote:") for vote in self.votes],
            "trick": on_the_table(PACK, self.trick, lead, SEATS),
            "tricks": list(self.tricks),
            "takers": [taker + 1 for taker in self.takers],
            "gathered": len(self.takers),
            "taker": self.takers[-1] + 1 if self.takers else None,
        }
        if seat is not None:
            hand, dealt = self.hands[seat - 1], self.deal.hands[seat - 1]
            shown["hand"] = list(PACK.tokens(hand))
            shown["played"] = list(PACK.tokens(dealt ^ hand))
        return shown

    @property
    def trick(self) -> list[CardSet]:
        """The cards on the table; a gathered trick lies there until the next lead."""
        return self.cards[(len(self.cards) - 1) // SEATS * SEATS :] if self.cards else []

    def leader(self) -> int:
        """The leader of the trick on the table (index from 0)."""
        before = (len(self.cards) - 1) // SEATS
        return self.takers[before - 1] if before > 0 else LEFT_OF[self.deal.dealer - 1]


def taker(trick: CardSet, led: CardSet, trumps: CardSet) -> CardSet:
    """The card that takes a trick of three: the highest trump, else the highest of the suit led.

    *Annulate*: two trumps of the same rank cancel each other, and the third card takes it, whatever
    it is. (If it is a higher trump, it is the highest in any case.)
    """
    ruffs = trick & trumps
    if not ruffs:
        return highest(trick & led)
    best = highest(ruffs)
    twins = ruffs & RANK_OF[best]
    return best if twins == best else trick ^ twins


# ── The marks (section 5) ──────────────────────────────────────────────────────────────────────────


def marks(tricks: Sequence[int]) -> tuple[int, ...]:
    """Half lives: the most tricks win one, the second most lose two, the fewest lose nothing.

    >>> marks([5, 3, 2]), marks([4, 3, 3]), marks([4, 4, 2])
    ((1, -2, 0), (1, -2, -2), (1, 1, -2))
    """
    first, second = sorted(set(tricks), reverse=True)[:2]
    return tuple({first: 1, second: -2}.get(count, 0) for count in tricks)


FACT_OF_MARK = {1: "first", -2: "second", 0: "spared"}


def played_outcome(tricks: Sequence[int]) -> Outcome:
    scores = marks(tricks)
    facts = (
        Fact(FACT_OF_MARK[points], seat, points, count)
        for seat, (points, count) in enumerate(zip(scores, tricks, strict=True), 1)
    )
    return Outcome(scores, tuple(facts))


def annulled_outcome(claimer: int, granted: bool) -> Outcome:
    """The holder of the four Aces has the deal annulled, and half a life if both others grant it."""
    points = 1 if granted else 0
    scores = tuple(points if seat == claimer else 0 for seat in (1, 2, 3))
    return Outcome(scores, (Fact("granted" if granted else "annulled", claimer, points),))


def fault_outcome(offender: int, *, averaged: bool) -> Outcome:
    """A fault ends the deal (section 7): a life lost by the offender, half a life for the others."""
    facts = [Fact("fault", offender, -2)]
    others = tuple(seat for seat in (1, 2, 3) if seat != offender)
    facts += [Fact("fault-of-another", seat, 1) for seat in others]
    scores = tuple(-2 if seat == offender else 1 for seat in (1, 2, 3))
    return Outcome(scores, tuple(facts), averaged=others if averaged else ())


# ── The result sheet (section 8) ──────────────────────────────────────────────────────────────────

FORM = Form(
    fields=(
        Field("outcome", "choice", Phrase("end of the deal"), choices=("normal", "fault", "annulled"),
              usual="normal"),
        Field("tricks", "whole", Phrase("tricks"), per_seat=True, most=TRICKS, total=str(TRICKS),
              when="outcome == 'normal'"),
        Field("offender", "seat", Phrase("offender"), when="outcome == 'fault'"),
        Field("claimer", "seat", Phrase("holder of the four Aces"), when="outcome == 'annulled'"),
        Field("granted", "flag", Phrase("half life granted by both others"), when="outcome == 'annulled'"),
        Field("stars", "seats", Phrase("stars"), optional=True),
    ),
    rules=(
        rule("granted", "granted != False or option.aces_annulment == 'of_right'",
             Phrase("without both votes such a deal is played out")),
    ),
    steps=(Step("keys", ("tricks",)),),
    other=(
        Door(Phrase("fault"), {"outcome": "fault"}, ("offender",)),
        Door(Phrase("annulled by the four Aces"), {"outcome": "annulled"}, ("claimer", "granted")),
    ),
    sentences=(
        Sentence(Phrase("Tricks: {one} {a}, {two} {b}, {three} {c}."), "outcome == 'normal'",
                 {"one": "1", "a": "tricks[1]", "two": "2", "b": "tricks[2]", "three": "3", "c": "tricks[3]"},
                 seats=("one", "two", "three")),
        Sentence(Phrase("{seat} committed a fault."), "outcome == 'fault'", {"seat": "offender"}, ("seat",)),
        Sentence(Phrase("{seat} had the four Aces, and the deal was annulled."), "outcome == 'annulled'",
                 {"seat": "claimer"}, ("seat",)),
    ),
    example={"outcome": "normal", "tricks": [5, 3, 2]},
)  # fmt: skip


# ── The whole match (section 6) ────────────────────────────────────────────────────────────────────

START = 12
GROSS_TO_WIN = 16
NET_TO_WIN = START + GROSS_TO_WIN
LABELS = {4: "Mouillé", 3: "Nage", 2: "Coude", 1: "Tuba"}


@dataclass(frozen=True, slots=True)
class MatchLives:
    """The lives of a match after some deals, by seat."""

    half_lives: tuple[int, ...]
    gross: tuple[int, ...]
    dealer: int  # deals next
    stars: tuple[int, ...]

    def winners(self, caveau_gain: str) -> tuple[int, ...]:
        """End 2: the seats that have gained eight lives, gross or net."""
        gains, goal = (self.gross, GROSS_TO_WIN) if caveau_gain == "gross" else (self.half_lives, NET_TO_WIN)
        return tuple(seat for seat, gained in enumerate(gains, 1) if gained >= goal)

    def losers(self) -> tuple[int, ...]:
        """End 1: the seats without a life."""
        return tuple(seat for seat, left in enumerate(self.half_lives, 1) if left <= 0)


def after(account: MatchLives, scores: Sequence[int], stars: Sequence[int], caveau_gain: str) -> MatchLives:
    """The account after one more deal. The loser deals first in the next match."""
    half_lives = tuple(left + score for left, score in zip(account.half_lives, scores, strict=True))
    gross = tuple(gained + max(score, 0) for gained, score in zip(account.gross, scores, strict=True))
    counted = tuple(count + (seat in stars) for seat, count in enumerate(account.stars, 1))
    following = MatchLives(half_lives, gross, account.dealer % SEATS + 1, counted)
    losers = following.losers()
    if not losers:
        return following
    fitil = min(losers, key=lambda seat: (half_lives[seat - 1], seat))
    return MatchLives(half_lives, gross, fitil, counted)


def ranks(half_lives: Sequence[int], winners: Sequence[int]) -> list[int]:
    """By seat: a seat that gained eight lives comes first, then the one with most left; equals share the
    rank."""
    return shared_ranks([(seat in winners, left) for seat, left in enumerate(half_lives, 1)])


def label(left: int) -> str | None:
    return "Fitil" if left <= 0 else LABELS.get(left)


class ComonMatch(Match):
    """Until somebody has no life left, or has gained eight. `scores`: of a sheet."""

    def __init__(self, scores: Callable[[Sheet], tuple[int, ...]], caveau_gain: str, dealer: int) -> None:
        self.scores, self.caveau_gain = scores, caveau_gain
        self.lives = MatchLives((START,) * SEATS, (0,) * SEATS, dealer, (0,) * SEATS)

    @property
    def winners(self) -> tuple[int, ...]:
        return self.lives.winners(self.caveau_gain)

    @property
    def over(self) -> bool:
        return bool(self.winners or self.lives.losers())

    def step(self, entry: Any) -> Row:
        scores, dealer = self.scores(entry), self.lives.dealer
        self.lives = lives = after(self.lives, scores, entry.get("stars", ()), self.caveau_gain)
        if self.over:
            places = ranks(lives.half_lives, self.winners)
            self.winner = places.index(1) + 1 if places.count(1) == 1 else None
        half_lives, gross = list(lives.half_lives), list(lives.gross)
        return {"dealer": dealer, "scores": list(scores), "half_lives": half_lives, "gross": gross}

    def account(self) -> Row:
        lives = self.lives
        return {
            "half_lives": list(lives.half_lives),
            "gross": list(lives.gross),
            "dealer": lives.dealer,
            "stars": list(lives.stars),
            "labels": [label(left) for left in lives.half_lives],
            "losers": list(lives.losers()),
            "ranks": ranks(lives.half_lives, self.winners) if self.over else None,
        }


# ── The game ───────────────────────────────────────────────────────────────────────────────────────


class Comon(Game[Deal]):
    id = "comon"
    name = Phrase("COM'ON!")
    seats = (SEATS,)
    pack = Phrase("32 cards")
    line_score = Phrase("half lives won or lost, from −2 to +1")
    unit = Unit(Phrase("half life"), 2)
    options = (
        Option("four_aces", ("redraw", "allow"), ("generator",),
               Phrase("whether boards are drawn again until no hand holds the four Aces")),
        Option("aces_annulment", ("of_right", "voted"), ("engine", "sheet"),
               Phrase("whether the holder of the four Aces has the deal annulled by right, or by vote")),
        Option("caveau_gain", ("gross", "net"), ("ledger",),
               Phrase("whether losses are deducted from the eight lives that win a match")),
        Option("fault_line", ("score", "adjusted"), ("comparison",),
               Phrase("whether the seats without a fault keep the score of a deal with a fault, or get an "
                      "average")),
    )  # fmt: skip
    conditions = (Option("dealer", (1, 2, 3), ("ledger",), Phrase("who deals first in the match")),)
    form = FORM
    names = {
        "turned": Phrase("turned cards"),
        "aces": Phrase("the four Aces"),
        "vote": Phrase("vote"),
        "play": Phrase("play"),
        "over": Phrase("over"),
        "claim-aces": Phrase("claim the four Aces"),
        "play-on": Phrase("play on"),
        "vote:yes": Phrase("grant half a life"),
        "vote:no": Phrase("refuse half a life"),
        "normal": Phrase("played out"),
        "fault": Phrase("fault"),
        "annulled": Phrase("annulled by the four Aces"),
        "first": Phrase("most tricks"),
        "second": Phrase("second in tricks"),
        "spared": Phrase("fewest tricks, spared"),
        "granted": Phrase("four Aces, half a life granted"),
        "fault-of-another": Phrase("another player's fault"),
    }

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        while True:
            deal = deal_from(stream.permutation(PACK.order), dealer)
            if options["four_aces"] == "allow" or deal.holder_of_aces() is None:
                return deal

    def read_deal(self, data: Any, options: Settings | None = None) -> Deal:
        return read_deal(data)

    def show_deal(self, deal: Deal) -> dict[str, Any]:
        hands = [list(PACK.tokens(hand)) for hand in deal.hands]
        return {"dealer": deal.dealer, "hands": hands, "turned": list(deal.turned)}

    def start(self, deal: Deal, options: Settings) -> ComonState:
        return ComonState(deal, options)

    # The result sheet (section 8)

    def summarise(self, state: State) -> dict[str, Any]:
        assert isinstance(state, ComonState)
        state.check_over()
        if state.takers:
            return {"outcome": "normal", "tricks": list(state.tricks)}
        return {"outcome": "annulled", "claimer": state.claimer, "granted": state.is_granted}

    def score(
        self,
        sheet: Sheet,
        *,
        deal: Deal | None = None,
        options: Settings | None = None,
        conditions: Settings | None = None,
    ) -> Outcome:
        settings = with_defaults(self.options, options)
        told = sheets.check(self.form, sheet, seats=SEATS, options=settings)
        if told["outcome"] == "normal":
            return played_outcome(told["tricks"])
        if told["outcome"] == "fault":
            return fault_outcome(told["offender"], averaged=settings["fault_line"] == "adjusted")
        if deal is not None and deal.holder_of_aces() != told["claimer"]:
            raise BadSheet("claimer", Phrase("does not hold the four Aces on this board"))
        return annulled_outcome(told["claimer"], told["granted"])

    def match(self, options: Settings, conditions: Settings) -> Match:
        def scores(sheet: Sheet) -> tuple[int, ...]:
            return self.score(sheet, options=options).scores

        return ComonMatch(scores, str(options["caveau_gain"]), int(conditions.get("dealer", 1)))

    def suggest(self, view: View, legal: Sequence[str], random: Random) -> str:
        return suggestion(view, legal)


# ── A sensible robot ───────────────────────────────────────────────────────────────────────────────


def suggestion(view: Mapping[str, Any], legal: Sequence[str]) -> str:
    """Go for many tricks with a strong hand and for few with a weak one: win cheaply, or duck high.
    Claims the four Aces, and grants nothing."""
    if not legal[0].startswith("play:"):
        return legal[0] if legal[0] == CLAIM else legal[-1]
    trumps = PACK.suits("".join(card[1] for card in view["turned"]))
    trick = [PACK.card(play["card"]) for play in view["trick"]] if len(view["trick"]) < SEATS else []
    cards = sorted((PLAYS[action] for action in legal), key=lambda card: (bool(card & trumps), card))
    winning = [card for card in cards if wins_so_far(card, trick, trumps)]
    losing = [card for card in cards if card not in winning]
    if wants_tricks(view, trumps):
        cheap = winning[:1] if len(trick) == SEATS - 1 else winning[-1:]
        chosen = (cheap or cards[:1])[0]
    else:
        chosen = cards[0] if not trick else (losing[-1:] or cards[:1])[0]
    return f"play:{PACK.token(chosen)}"


def wants_tricks(view: Mapping[str, Any], trumps: CardSet) -> bool:
    """Whether the tricks made, and those that the hand promises, make a first place likely."""
    seat = view["actors"][0] - 1
    hand = PACK.cards(view["hand"])
    high = PACK.cards("AS KS QS AH KH QH AD KD QD AC KC QC")
    promised = (hand & trumps & high).bit_count() + (hand & trumps & ~high).bit_count() / 2
    promised += (hand & ACES & ~trumps).bit_count() * 0.6
    mine = view["tricks"][seat]
    best = max(count for other, count in enumerate(view["tricks"]) if other != seat)
    return bool(mine + promised >= 2.5 and best < 5)


def wins_so_far(card: CardSet, trick: Sequence[CardSet], trumps: CardSet) -> bool:
    """Whether a card is winning the trick (as the last of three: takes it, annulment included)."""
    if len(trick) == SEATS - 1:
        return taker(trick[0] | trick[1] | card, SUIT_OF[trick[0]], trumps) == card
    if not trick:
        return True
    led = trick[0]
    if card & trumps:
        return not led & trumps or card > led
    return not led & trumps and bool(card & SUIT_OF[led]) and card > led


GAMES: tuple[Game[Any], ...] = (Comon(),)
