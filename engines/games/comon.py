"""COM'ON!: three seats, 32 cards, two trump suits, ten tricks; finish first or last, never second.

The parts follow engines/rules/comon.md, whose sections the comments cite.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..cards import ByBit, CardSet, Pack, by_bit
from ..contract import Fact, Game, Option, Outcome, Settings, Sheet, Unit
from ..deals import Dealt, JudgedGame, in_packets
from ..entries import FIRST_DEALER
from ..errors import BadSheet
from ..forms import Door, Field, Form, Sentence, Step, rule
from ..matches import Match, Row
from ..pads import Pad, Tricks, Turned
from ..phases import OVER, Answers
from ..phrases import Phrase
from ..ranks import shared_ranks
from ..tricks import NEXT, CardPlay, Powers, TrickState, powers
from ..turns import FOLLOW
from ..views import Pile, View
from ..words import words

SEATS = 3
TRICKS = 10

# ── The cards (section 2) ──────────────────────────────────────────────────────────────────────────

RANKS = "789TJQKA"
PACK = Pack(suits="SHDC", ranks=RANKS)  # from low to high, the same in trumps
ACES = PACK.rank("A")
SUIT_OF = PACK.suit_of
LEFT_OF = NEXT[SEATS]

PAD = Pad(PACK, (Turned(2), Tricks(cards=SEATS * TRICKS, order=RANKS, cancelling=True)))


@dataclass(frozen=True, slots=True)
class Trumps:
    """The cards of both trump suits; what each card `asks` for when it is led (by bit), any trump or its
    suit; and the `powers` that follow."""

    cards: CardSet
    asks: ByBit
    powers: Powers

    @classmethod
    def of(cls, suits: str) -> "Trumps":
        cards = PACK.suits(suits)
        asks = by_bit({card: cards if card & cards else suit for card, suit in SUIT_OF.items()})
        ranks = {card: rank + len(RANKS) * bool(card & cards) for rank, letter in enumerate(RANKS)
                 for card in SUIT_OF if card & PACK.rank(letter)}  # fmt: skip
        return cls(cards, asks, powers(ranks, asks, cards))


TRUMPS = {a + b: Trumps.of(a + b) for a in "SHDC" for b in "SHDC"}


def trumps_of(turned: Sequence[str]) -> Trumps:
    """Those of the suits of the two turned cards."""
    return TRUMPS[turned[0][1] + turned[1][1]]


# ── The deal (section 3) ───────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Deal(Dealt):
    """The suits of the two `turned` cards are trumps."""

    pack, sizes, piles = PACK, (TRICKS,) * SEATS, {"turned": 2}

    turned: tuple[str, ...]

    @classmethod
    def of(cls, pack: Sequence[str], dealer: int) -> "Deal":
        hands = in_packets(pack, dealer, SEATS, 3, 3, 2, 2)
        return cls(dealer, tuple(map(PACK.cards, hands)), tuple(pack[30:]))

    def holder_of_aces(self) -> int | None:
        """The seat that holds the four Aces, from 1."""
        for seat, hand in enumerate(self.hands, 1):
            if hand & ACES == ACES:
                return seat
        return None


# ── The phases (section 4) ─────────────────────────────────────────────────────────────────────────

CLAIM, PLAY_ON = "claim-aces", "play-on"

FOLLOW_TRUMP = Phrase("a trump was led: play a trump, of either suit, while you hold one")
RUFF = Phrase("you do not hold the suit led: ruff with a trump, of either suit, while you hold one")


class ComonState(TrickState):
    """A deal in progress. Seats are indices from 0 inside, numbers from 1 outside."""

    __slots__ = ("claimer", "deal", "options", "powers", "votes")

    seats, next_seat = SEATS, LEFT_OF
    counts = False

    def __init__(self, deal: Deal, options: Settings) -> None:
        super().__init__(PACK, deal.hands)
        self.deal, self.options = deal, options
        trumps = trumps_of(deal.turned)
        self.trumps, self.asks, self.powers = trumps.cards, trumps.asks, trumps.powers
        self.votes: list[str] = []
        self.claimer = deal.holder_of_aces()
        if self.claimer is None:
            self.begin_play()
        else:
            self.now, self.actor = ACES_PHASE, self.claimer - 1

    def begin_play(self) -> None:
        self.now = PLAY
        self.leader = LEFT_OF[self.deal.dealer - 1]
        self.lead(self.leader)

    @property
    def is_granted(self) -> bool:
        return self.votes == ["vote:yes", "vote:yes"]

    def winning(self) -> int:
        first, second, third = self.trick
        led = first.bit_length()
        power = self.powers[led]
        return PLACES[power[led]][power[second.bit_length()]][power[third.bit_length()]]

    def outcome(self) -> Outcome:
        self.check_over()
        if not self.takers and self.claimer:
            return annulled_outcome(self.claimer, self.is_granted)
        return played_outcome(self.tricks)

    def sheet(self) -> dict[str, Any]:
        if self.takers:
            return {"outcome": "normal", "tricks": list(self.tricks)}
        return {"outcome": "annulled", "claimer": self.claimer, "granted": self.is_granted}

    # What may be seen (section 11)

    def view(self, seat: int | None) -> "ComonView":
        played = self.deal.hands[seat - 1] ^ self.hands[seat - 1] if seat else 0
        turned = sorted(self.deal.turned, key=PACK.order.index)
        return ComonView(
            **self.seen_by(
                seat,
                self.deal.dealer,
                Pile("turned", tuple(turned)),
                Pile("played", tuple(PACK.tokens(played))),
            ),
            votes=tuple(vote.removeprefix("vote:") for vote in self.votes),
            takers=tuple(taker + 1 for taker in self.takers),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ComonView(View):
    """`votes` on the claim of the four Aces, `takers` of the tricks so far. The pile `played` is the seat's
    own."""

    votes: tuple[str, ...]
    takers: tuple[int, ...]


def place_of_strongest(one: int, two: int, three: int) -> int:
    """The place in a trick of three of the card that takes it, from their powers: the highest trump, else the
    highest of the suit led.

    *Annulate*: two trumps of the same rank cancel each other, and the third card takes it, whatever it is.
    (If it is a higher trump, it is the highest in any case.)
    """
    if one > two:
        return 0 if one > three else 1 if one == three else 2
    if one == two:
        return 2
    return 1 if two > three else 0 if two == three else 2


POWERS = (*range(2 * len(RANKS)), -1)  # what neither follows nor ruffs comes last, at the index −1
PLACES = [[[place_of_strongest(one, two, three) for three in POWERS] for two in POWERS] for one in POWERS]


def place_taking(trick: Sequence[CardSet], power: ByBit) -> int:
    """The place in a trick of three of the card that takes it."""
    one, two, three = (power[card.bit_length()] for card in trick)
    return PLACES[one][two][three]


class Aces(Answers[ComonState]):
    """The holder of the four Aces claims them, or plays on."""

    name = "aces"
    words = (CLAIM, PLAY_ON)

    def take(self, state: ComonState, action: str) -> None:
        if action == PLAY_ON:
            state.begin_play()
        else:
            state.now, state.actor = VOTE, LEFT_OF[state.actor]


class Vote(Answers[ComonState]):
    """After a claim the two others vote whether it is worth half a life."""

    name = "vote"
    words = ("vote:yes", "vote:no")

    def take(self, state: ComonState, action: str) -> None:
        state.votes.append(action)
        if len(state.votes) < SEATS - 1:
            state.actor = LEFT_OF[state.actor]
        elif state.options["aces_annulment"] == "voted" and not state.is_granted:
            state.begin_play()
        else:
            state.now = OVER


class Play(CardPlay[ComonState]):
    def reason(self, state: ComonState, hand: CardSet, card: CardSet) -> Phrase:
        if not hand & state.asked:
            return RUFF
        return FOLLOW_TRUMP if state.asked & state.trumps else FOLLOW


ACES_PHASE, VOTE, PLAY = Aces(), Vote(), Play()


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
    """Until somebody has no life left, or has gained eight. `judge`: the outcome of a sheet."""

    def __init__(self, judge: Callable[[Sheet], Outcome], caveau_gain: str, dealer: int) -> None:
        self.judge, self.caveau_gain = judge, caveau_gain
        self.lives = MatchLives((START,) * SEATS, (0,) * SEATS, dealer, (0,) * SEATS)

    @property
    def winners(self) -> tuple[int, ...]:
        return self.lives.winners(self.caveau_gain)

    @property
    def over(self) -> bool:
        return bool(self.winners or self.lives.losers())

    def step(self, entry: Any) -> Row:
        scores, dealer = self.judge(entry).scores, self.lives.dealer
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


# ── A sensible robot ───────────────────────────────────────────────────────────────────────────────


def suggestion(view: View, legal: Sequence[str]) -> str:
    """Go for many tricks with a strong hand and for few with a weak one: win cheaply, or duck high.
    Claims the four Aces, and grants nothing."""
    if not legal[0].startswith("play:"):
        return legal[0] if legal[0] == CLAIM else legal[-1]
    trumps = trumps_of(view.pile("turned").shown)
    trick = [PACK.card(one.card) for one in view.unfinished]
    cards = sorted(
        (PACK.plays[action] for action in legal), key=lambda card: (bool(card & trumps.cards), card)
    )
    winning = [card for card in cards if wins_so_far(card, trick, trumps)]
    losing = [card for card in cards if card not in winning]
    if wants_tricks(view, trumps.cards):
        cheap = winning[:1] if len(trick) == SEATS - 1 else winning[-1:]
        chosen = (cheap or cards[:1])[0]
    else:
        chosen = cards[0] if not trick else (losing[-1:] or cards[:1])[0]
    return f"play:{PACK.token(chosen)}"


def wants_tricks(view: View, trumps: CardSet) -> bool:
    """Whether the tricks made, and those that the hand promises, make a first place likely."""
    hand = PACK.cards(view.hand)
    high = PACK.cards("AS KS QS AH KH QH AD KD QD AC KC QC")
    promised = (hand & trumps & high).bit_count() + (hand & trumps & ~high).bit_count() / 2
    promised += (hand & ACES & ~trumps).bit_count() * 0.6
    mine = view.tricks[view.index]
    best = max(count for other, count in enumerate(view.tricks) if other != view.index)
    return bool(mine + promised >= 2.5 and best < 5)


def wins_so_far(card: CardSet, trick: Sequence[CardSet], trumps: Trumps) -> bool:
    """Whether a card is winning the trick (as the last of three: takes it, annulment included)."""
    if not trick:
        return True
    power = trumps.powers[trick[0].bit_length()]
    if len(trick) == SEATS - 1:
        return place_taking([*trick, card], power) == SEATS - 1
    return (power[card.bit_length()], card) > (power[trick[0].bit_length()], trick[0])


# ── The game ───────────────────────────────────────────────────────────────────────────────────────


class Comon(JudgedGame[Deal, ComonState]):
    id = "comon"
    name = Phrase("COM’ON!")
    seats = (SEATS,)
    pack = Phrase("32 cards")
    line_score = Phrase("half lives won or lost, from −2 to +1")
    unit = Unit(Phrase("half life"), 2, Phrase("lives"))
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
    conditions = (FIRST_DEALER,)
    form = FORM
    deal_type, state_type = Deal, ComonState
    names = words("play over fault") | {
        "turned": Phrase("turned cards"), "aces": Phrase("the four Aces"), "vote": Phrase("vote"),
        "claim-aces": Phrase("claim the four Aces"), "play-on": Phrase("play on"),
        "vote:yes": Phrase("grant half a life"), "vote:no": Phrase("refuse half a life"),
        "normal": Phrase("played out"), "annulled": Phrase("annulled by the four Aces"),
        "first": Phrase("most tricks"), "second": Phrase("second in tricks"),
        "spared": Phrase("fewest tricks, spared"), "granted": Phrase("four Aces, half a life granted"),
        "fault-of-another": Phrase("another player's fault"),
    }  # fmt: skip

    def accepts(self, deal: Deal, options: Settings) -> bool:
        return options["four_aces"] == "allow" or deal.holder_of_aces() is None

    def pad(self, options: Settings) -> Pad | None:
        """Where nobody can hold the four Aces: only their holder knows who speaks first."""
        return PAD if options["four_aces"] == "redraw" else None

    def judged(self, told: dict[str, Any], deal: Deal | None, options: Settings, seats: int) -> Outcome:
        if told["outcome"] == "normal":
            return played_outcome(told["tricks"])
        if told["outcome"] == "fault":
            return fault_outcome(told["offender"], averaged=options["fault_line"] == "adjusted")
        if deal is not None and deal.holder_of_aces() != told["claimer"]:
            raise BadSheet("claimer", Phrase("does not hold the four Aces on this board"))
        return annulled_outcome(told["claimer"], told["granted"])

    def match(self, options: Settings, conditions: Settings) -> Match:
        judge = partial(self.score, options=options)
        return ComonMatch(judge, str(options["caveau_gain"]), int(conditions.get("dealer", 1)))

    robot = staticmethod(suggestion)


GAMES: tuple[Game[Any], ...] = (Comon(),)
