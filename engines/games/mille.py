"""Mille: three seats, 24 cards, an auction for points, marriages that make trumps; one thousand wins.

The parts follow docs/games/mille.md, whose sections the comments cite.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from random import Random
from typing import Any

from .. import sheets
from ..cards import CardSet, Pack, highest
from ..contract import Fact, Field, Game, Option, Outcome, Settings, Sheet, State, Unit, View, settled
from ..dealing import Stream
from ..errors import BadDeal, BadRecord, BadSheet
from ..phrases import Phrase
from ..tricks import NEXT, clockwise_from, on_the_table
from ..turns import FOLLOW, MUST_RUFF, NO_SUCH_ACTION, NOT_HELD, OVER, TurnState

SEATS = 3
LEFT_OF = NEXT[SEATS]

# ── The cards (section 2) ─────────────────────────────────────────────────────────────────────────

PACK = Pack(suits="SHDC", ranks="9JQKTA")
PACKS = {"points": PACK, "literal": Pack(suits="SHDC", ranks="9TJQKA")}
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
MARRIAGE = {"S": 40, "C": 60, "D": 80, "H": 100}
MARRIED = "!marriage"
PLAYS = {order: {f"play:{token}": pack.card(token) for token in pack.order} for order, pack in PACKS.items()}
VALUES = {
    order: {pack.card(token): POINTS[token[0]] for token in pack.order} for order, pack in PACKS.items()
}


def has_marriage(pack: Pack, hand: CardSet) -> bool:
    return any(hand & couple(pack, suit) == couple(pack, suit) for suit in MARRIAGE)


def couple(pack: Pack, suit: str) -> CardSet:
    return pack.cards([f"Q{suit}", f"K{suit}"])


# ── The deal (section 3) ──────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Deal:
    """`bombs`: the seats that hold one, in order."""

    dealer: int
    hands: tuple[CardSet, ...]
    dog: tuple[str, ...]
    bombs: tuple[int, ...] = ()


def dealt(pack: Sequence[str], dealer: int) -> Deal:
    """One card at a time from the dealer's left, the fourth of the first three rounds to the dog."""
    order = clockwise_from(dealer, SEATS)
    hands = [0] * SEATS
    for place, token in enumerate(pack):
        column = place % 4 if place < 12 else (place - 12) % 3
        if column < 3:
            hands[order[column] - 1] |= PACK.card(token)
    return Deal(dealer, tuple(hands), (pack[3], pack[7], pack[11]))


def are_seats(value: object) -> bool:
    seats = value if isinstance(value, list) else [0]
    return all(sheets.is_whole(seat, 1, SEATS) for seat in seats) and len(set(seats)) == len(seats)


BOMBS_WANTED = Phrase("the bombs are a list of different seats from 1 to 3")


def read_deal(data: Any) -> Deal:
    read = sheets.read_deal(data, SEATS, ("dealer", "hands", "dog"), optional=("bombs",))
    lists = [*read["hands"], read["dog"]] if isinstance(read["hands"], list) else []
    *hands, _dog = PACK.read(lists, sizes=(7, 7, 7, 3))
    bombs = read.get("bombs", [])
    if not are_seats(bombs):
        raise BadDeal((), BOMBS_WANTED)
    return Deal(read["dealer"], tuple(hands), tuple(read["dog"]), tuple(sorted(bombs)))


# ── The phases (section 4) ────────────────────────────────────────────────────────────────────────

AUCTION, EXCHANGE, PLAY = "auction", "exchange", "play"
PASS, BOMB = "pass", "bomb"
LEAST_BID, MOST_BID, WITHOUT_MARRIAGE = 100, 400, 120

MUST_OPEN = Phrase("the dealer's left must open, with 100 at least")
BID_HIGHER = Phrase("bid a higher multiple of five, 400 at most, or pass")
NEEDS_MARRIAGE = Phrase("a bid above 120 needs a marriage in the hand")
NO_BOMB = Phrase("this seat holds no bomb on this board")
GIVE_TWO = Phrase("give two different cards of the hand")
NO_MARRIAGE = Phrase("a marriage is led by who has just won a trick and holds its queen and king")


class MilleState(TurnState):
    """A deal in progress. Seats are indices from 0 inside; cards are those of the order's own pack."""

    __slots__ = (
        "bids", "contract", "deal", "declarer", "gathered", "hands", "leader", "log", "marriages",
        "options", "order", "pack", "passed", "passes", "playable", "points", "received", "taker", "trick",
        "tricks", "trump",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.deal, self.options = deal, options
        self.order = str(options["rank_order"])
        self.pack = PACKS[self.order]
        self.log: list[str] = []
        self.hands = [self.pack.cards(PACK.tokens(hand)) for hand in deal.hands]
        self.bids: list[tuple[int, str]] = []
        self.passed: list[int] = []
        self.passes = 0  # in a row
        self.contract = 0
        self.declarer: int | None = None
        self.received: tuple[str, str] | None = None  # given to the left, and to the seat after it
        self.trump: CardSet = 0
        self.marriages: list[tuple[int, str]] = []
        self.points = [0] * SEATS
        self.trick: list[CardSet] = []
        self.tricks = [0] * SEATS
        self.gathered = 0
        self.leader = 0
        self.taker: int | None = None
        self.playable: CardSet = 0
        self.stage = AUCTION
        self.actor = LEFT_OF[deal.dealer - 1]

    @property
    def entries(self) -> list[str]:
        return self.log

    def choices(self) -> Iterator[str]:
        if self.stage == AUCTION:
            if self.bids:
                yield PASS
            most = MOST_BID if has_marriage(self.pack, self.hands[self.actor]) else WITHOUT_MARRIAGE
            for amount in range(max(LEAST_BID, self.contract + 5), most + 1, 5):
                yield f"bid:{amount}"
        elif self.stage == EXCHANGE:
            if self.actor + 1 in self.deal.bombs:
                yield BOMB
            for left, right in permutations(self.pack.tokens(self.hands[self.actor]), 2):
                yield f"give:{left},{right}"
        else:
            for token in self.pack.tokens(self.playable):
                yield f"play:{token}"
                if self.may_marry(token):
                    yield f"play:{token}{MARRIED}"

    def broken_rule(self, token: str) -> Phrase | None:
        if self.stage == AUCTION:
            return self.broken_bid(token)
        if self.stage == EXCHANGE:
            return self.broken_exchange(token)
        plain = token.removesuffix(MARRIED)
        card = PLAYS[self.order].get(plain, 0)
        if not card:
            return NO_SUCH_ACTION
        if not card & self.playable:
            hand = self.hands[self.actor]
            if not card & hand:
                return NOT_HELD
            return FOLLOW if hand & self.pack.suit_of[self.trick[0]] else MUST_RUFF
        if plain != token and not self.may_marry(self.pack.token(card)):
            return NO_MARRIAGE
        return None

    def broken_bid(self, token: str) -> Phrase | None:
        if token == PASS:
            return None if self.bids else MUST_OPEN
        verb, _colon, number = token.partition(":")
        if verb != "bid" or not (number.isascii() and number.isdigit()) or str(int(number)) != number:
            return NO_SUCH_ACTION
        amount = int(number)
        if amount % 5 or not max(LEAST_BID, self.contract + 5) <= amount <= MOST_BID:
            return BID_HIGHER if self.bids else MUST_OPEN
        if amount > WITHOUT_MARRIAGE and not has_marriage(self.pack, self.hands[self.actor]):
            return NEEDS_MARRIAGE
        return None

    def broken_exchange(self, token: str) -> Phrase | None:
        if token == BOMB:
            return None if self.actor + 1 in self.deal.bombs else NO_BOMB
        verb, _colon, rest = token.partition(":")
        cards = rest.split(",")
        if verb != "give" or not all(card in self.pack for card in cards):
            return NO_SUCH_ACTION
        held = self.pack.cards(set(cards)) & self.hands[self.actor]
        return None if len(cards) == 2 and held.bit_count() == 2 else GIVE_TWO

    def may_marry(self, token: str) -> bool:
        """Whether a card may be led with its marriage: by a leader who has just won a trick."""
        if self.taker is None or 0 < len(self.trick) < SEATS or token[0] not in "QK":
            return False
        both = couple(self.pack, token[1])
        return self.hands[self.actor] & both == both

    def apply(self, entry: str) -> None:
        card = PLAYS[self.order].get(entry, 0)
        if card & self.playable:
            self.log.append(entry)
            self.play(card)
            return
        token = self.checked(entry)
        if self.stage == PLAY and not token.endswith(MARRIED):
            self.apply(token)
            return
        self.log.append(token)
        if self.stage == AUCTION:
            self.speak(token)
        elif self.stage == EXCHANGE:
            self.exchange(token)
        else:
            suit = token.removesuffix(MARRIED)[-1]
            self.marriages.append((self.actor, suit))
            self.trump = self.pack.suit(suit)
            self.play(PLAYS[self.order][token.removesuffix(MARRIED)])

    # The auction

    def speak(self, token: str) -> None:
        """Two passes in a row end it; with `reentry=false` two players who have passed do."""
        self.bids.append((self.actor, token))
        if token == PASS:
            self.passes += 1
            self.passed.append(self.actor)
        else:
            self.passes = 0
            self.contract, self.declarer = int(token.removeprefix("bid:")), self.actor
        skips = not self.options["reentry"]
        if (len(self.passed) if skips else self.passes) == 2:
            assert self.declarer is not None
            self.stage = EXCHANGE
            self.actor = self.declarer
            self.hands[self.actor] |= self.pack.cards(self.deal.dog)
            return
        self.actor = LEFT_OF[self.actor]
        while skips and self.actor in self.passed:
            self.actor = LEFT_OF[self.actor]

    def exchange(self, token: str) -> None:
        """A card for each opponent, or the bomb that ends the deal."""
        if token == BOMB:
            self.stage = OVER
            return
        left, right = token.removeprefix("give:").split(",")
        self.received = (left, right)
        first, second = LEFT_OF[self.actor], LEFT_OF[LEFT_OF[self.actor]]
        self.hands[self.actor] &= ~self.pack.cards([left, right])
        self.hands[first] |= self.pack.card(left)
        self.hands[second] |= self.pack.card(right)
        self.stage = PLAY
        self.playable = self.hands[self.actor]

    # The play

    def play(self, card: CardSet) -> None:
        actor = self.actor
        self.hands[actor] ^= card
        if len(self.trick) % SEATS == 0:
            self.trick = []
            self.leader = actor
        trick = self.trick
        trick.append(card)
        if len(trick) == SEATS:
            self.gather()
            return
        self.actor = actor = LEFT_OF[actor]
        hand = self.hands[actor]
        self.playable = hand & self.pack.suit_of[trick[0]] or hand & self.trump or hand

    def gather(self) -> None:
        """The highest trump, else the highest of the suit led; its player leads the next."""
        cards = sum(self.trick)
        best = highest(cards & self.trump or cards & self.pack.suit_of[self.trick[0]])
        self.actor = actor = (self.leader + self.trick.index(best)) % SEATS
        value = VALUES[self.order]
        self.points[actor] += sum(value[card] for card in self.trick)
        self.tricks[actor] += 1
        self.taker = actor
        self.gathered += 1
        self.playable = self.hands[actor]
        if not self.playable:
            self.stage = OVER

    def result(self) -> "Result":
        self.check_over()
        assert self.declarer is not None
        if self.received is None:
            return Result(self.declarer, self.contract, end="bomb")
        return Result(self.declarer, self.contract, "played", tuple(self.points), tuple(self.marriages))

    def outcome(self) -> Outcome:
        return outcome_of(self.result(), self.options)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """The own hand and the cards given or received; bids, dog, trump, marriages, points, the trick."""
        shown: dict[str, Any] = {
            "phase": self.stage,
            "dealer": self.deal.dealer,
            "bombs": list(self.deal.bombs),
            "actors": list(self.actors()),
            "bids": [{"seat": who + 1, "bid": said} for who, said in self.bids],
            "declarer": None if self.declarer is None or self.stage == AUCTION else self.declarer + 1,
            "contract": self.contract or None,
            "dog": list(self.deal.dog) if self.stage != AUCTION else None,
            "trump": self.marriages[-1][1] if self.marriages else None,
            "marriages": [{"suit": suit, "seat": who + 1} for who, suit in self.marriages],
            "trick": on_the_table(self.pack, self.trick, self.leader, SEATS),
            "tricks": list(self.tricks),
            "points": list(self.points),
            "gathered": self.gathered,
            "taker": None if self.taker is None else self.taker + 1,
        }
        if seat is not None:
            shown["hand"] = list(self.pack.tokens(self.hands[seat - 1]))
            shown["exchanged"] = self.exchanged_with(seat - 1)
        return shown

    def exchanged_with(self, seat: int) -> list[str]:
        """The cards that a seat knows from the exchange: both for the declarer, its own for another."""
        if self.received is None or self.declarer is None:
            return []
        if seat == self.declarer:
            return list(self.received)
        return [self.received[0 if seat == LEFT_OF[self.declarer] else 1]]


# ── The marks (sections 5 and 7) ──────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Result:
    """How a deal ended: `end` is played, bomb or fault; `marriages` as (seat, suit); seats are indices."""

    declarer: int
    contract: int
    end: str
    points: tuple[int, ...] = (0, 0, 0)
    marriages: tuple[tuple[int, str], ...] = ()
    offender: int | None = None

    @property
    def annulled(self) -> bool:
        """By a fault of a defender."""
        return self.end == "fault" and self.offender != self.declarer

    def total(self, seat: int) -> int:
        """Card points and marriages of a seat, unrounded."""
        return self.points[seat] + sum(MARRIAGE[suit] for who, suit in self.marriages if who == seat)

    def bars(self) -> tuple[int, ...]:
        """The defenders without a card point in a deal that was played."""
        played = self.end == "played"
        return tuple(int(played and s != self.declarer and not self.points[s]) for s in range(SEATS))


def rounded(points: int) -> int:
    """To the nearest multiple of five.

    >>> [rounded(points) for points in (31, 13, 2, 3)]
    [30, 15, 0, 5]
    """
    return 5 * ((points + 2) // 5)


def bomb_points(contract: int) -> int:
    """Half of the contract, up to a multiple of ten."""
    return -(-contract // 20) * 10


def facts_of(result: Result) -> list[Fact]:
    """The deal points line by line, without the charge for bars."""
    declarer, contract = result.declarer, result.contract
    others = [seat for seat in range(SEATS) if seat != declarer]
    if result.end == "bomb":
        facts = [Fact("bomb", declarer + 1, 0, contract)]
        return facts + [Fact("bomb-points", seat + 1, bomb_points(contract)) for seat in others]
    if result.annulled:
        assert result.offender is not None
        facts = [Fact("fault", result.offender + 1, -120)]
        return facts + [Fact("annulled", seat + 1) for seat in range(SEATS) if seat != result.offender]
    facts = [Fact("marriage", who + 1, 0, suit) for who, suit in result.marriages]
    total = result.total(declarer)
    if result.end == "fault":
        facts.append(Fact("fault", declarer + 1, -contract, contract))
    elif total >= contract:
        facts.append(Fact("made", declarer + 1, contract, total))
    else:
        facts.append(Fact("lost", declarer + 1, -contract, total))
    return facts + [
        Fact("points", seat + 1, rounded(result.total(seat)), result.total(seat)) for seat in others
    ]


def deal_points(result: Result) -> tuple[int, ...]:
    """What each seat writes down in a match."""
    facts = facts_of(result)
    return tuple(sum(fact.points for fact in facts if fact.seat == seat) for seat in (1, 2, 3))


def outcome_of(result: Result, options: Settings) -> Outcome:
    """The deal points, less a charge for each bar."""
    facts, bar_value = facts_of(result), int(options["bar_value"])
    facts += [Fact("bar", seat, -bar_value) for seat, bar in enumerate(result.bars(), 1) if bar]
    scores = tuple(sum(fact.points for fact in facts if fact.seat == seat) for seat in (1, 2, 3))
    averaged = tuple(s + 1 for s in range(SEATS) if s != result.offender) if result.annulled else ()
    return Outcome(scores, tuple(facts), averaged)


# ── The result sheet (section 8) ──────────────────────────────────────────────────────────────────

FAULTS = ("revoke", "no_trump", "trumped", "false_marriage")


def result_of(
    fields: tuple[Field, ...],
    sheet: Any,
    *,
    dealer: int | None,
    bombs: Sequence[int] | None,
    deal: Deal | None,
) -> Result:
    """What a sheet tells, checked against what is known of the board."""
    if isinstance(sheet, dict):
        sheet = {name: value for name, value in sheet.items() if value is not None}
    sheets.check(fields, sheet, seats=SEATS)
    declarer, contract, end = sheet["taker"] - 1, sheet["contract"], sheet.get("end", "played")
    if contract % 5:
        raise BadSheet("contract", Phrase("must be a multiple of five"))
    if contract == LEAST_BID and dealer is not None and declarer != LEFT_OF[dealer - 1]:
        raise BadSheet("contract", Phrase("only the dealer's left can take for 100"))
    if contract > WITHOUT_MARRIAGE and deal is not None and not has_marriage(PACK, deal.hands[declarer]):
        raise BadSheet("contract", Phrase("the taker was dealt no marriage: 120 at most"))
    if end == "bomb" and bombs is not None and declarer + 1 not in bombs:
        raise BadSheet("end", NO_BOMB)
    offender = offender_of(sheet, end)
    counted = end == "played" or offender == declarer
    for name in ("points", "marriages"):
        if name in sheet and not counted:
            raise BadSheet(name, Phrase("must be left out: nothing is counted in this deal"))
    if not counted:
        return Result(declarer, contract, end, offender=offender)
    points = points_of(sheet, end)
    marriages = marriages_of(sheet.get("marriages", []), points)
    return Result(declarer, contract, end, points, marriages, offender)


def offender_of(sheet: Sheet, end: str) -> int | None:
    fault = sheet.get("fault")
    if (fault is not None) != (end == "fault"):
        raise BadSheet("fault", Phrase("belongs to the end “fault”, and to no other"))
    if fault is None:
        return None
    if set(fault) != {"seat", "kind"} or not sheets.is_whole(fault["seat"], 1, SEATS):
        raise BadSheet("fault", Phrase("must have a seat and a kind"))
    if fault["kind"] not in FAULTS:
        raise BadSheet("fault", Phrase("its kind must be one of: {values}", values=", ".join(FAULTS)))
    return int(fault["seat"]) - 1


def points_of(sheet: Sheet, end: str) -> tuple[int, ...]:
    if "points" not in sheet:
        raise BadSheet("points", Phrase("is missing"))
    points = tuple(sheet["points"])
    if set(points) & {1, 119}:
        raise BadSheet("points", Phrase("no seat can have 1 point, or 119"))
    if sum(points) > 120 or (end == "played" and sum(points) != 120):
        raise BadSheet("points", Phrase("add up to {total}; the pack has 120", total=sum(points)))
    return points


def marriages_of(given: Any, points: Sequence[int]) -> tuple[tuple[int, str], ...]:
    marriages = []
    for one in given:
        if not isinstance(one, dict) or set(one) != {"suit", "seat"} or one["suit"] not in list(MARRIAGE):
            raise BadSheet("marriages", Phrase("each has a suit (S, H, D or C) and a seat"))
        if not sheets.is_whole(one["seat"], 1, SEATS):
            raise BadSheet("marriages", Phrase("must be a seat from 1 to {seats}", seats=SEATS))
        marriages.append((one["seat"] - 1, one["suit"]))
    if len({suit for _, suit in marriages}) < len(marriages):
        raise BadSheet("marriages", Phrase("each suit has one marriage"))
    seats = [seat for seat, _ in marriages]
    if any(seats.count(seat) > 3 for seat in seats):
        raise BadSheet("marriages", Phrase("a seat can announce three at most: a trick must be won first"))
    pointless = [seat for seat in seats if not points[seat]]
    if len(pointless) > 1:
        raise BadSheet(
            "marriages", Phrase("without a point only a single marriage can be announced, after three nines")
        )
    return tuple(marriages)


# ── The match (section 6) ─────────────────────────────────────────────────────────────────────────

BARREL, GOAL, FALL = 880, 1000, 760


@dataclass(frozen=True, slots=True)
class Account:
    """A player's account in a match; `barrel` counts the deals spent on it, None when off it."""

    score: int = 0
    bars: int = 0
    bomb_used: bool = False
    barrel: int | None = None


def after(account: Account, gain: int, bar: int, limit: int, *, counts: bool) -> tuple[Account, list[str]]:
    """The account after a deal, and what happened to it; `counts`: whether the deal moves the barrel."""
    events = []
    score, bars, barrel = account.score + gain, account.bars + bar, account.barrel
    if bars == 3:
        score, bars = score - 120, 0
        events.append("three_bars")
    if not BARREL <= score < GOAL:
        return replace(account, score=score, bars=bars, barrel=None), events
    score = BARREL
    if barrel is None:
        barrel = 0
        events.append("barrel_up")
    elif counts:
        barrel += 1
        if barrel == limit:
            score, barrel = FALL, None
            events.append("barrel_fall")
    return replace(account, score=score, bars=bars, barrel=barrel), events


def winners_of(accounts: Sequence[Account], declarer: int) -> list[int]:
    """The seats that have won, from 1: the most points; of equals the taker, or all of them."""
    best = max(account.score for account in accounts)
    if best < GOAL:
        return []
    seats = [seat for seat, account in enumerate(accounts, 1) if account.score == best]
    return [declarer + 1] if declarer + 1 in seats else seats


# ── The game ──────────────────────────────────────────────────────────────────────────────────────


class Mille(Game[Deal]):
    id = "mille"
    name = Phrase("Mille")
    seats = (SEATS,)
    pack = Phrase("24 cards")
    line_score = Phrase("points, less a charge for a bar")
    unit = Unit(Phrase("point"))
    options = (
        Option("rank_order", ("points", "literal"), ("engine",),
               Phrase("whether the ten ranks by its points, or below the jack")),
        Option("reentry", (True, False), ("engine",), Phrase("whether who has passed may bid again")),
        Option("bombs", ("third", "always", "never"), ("generator",), Phrase("which boards offer the bomb")),
        Option("bar_value", (40, 0), ("engine", "sheet"), Phrase("what a bar costs on a board")),
        Option("barrel_limit", (3, 4), ("ledger",), Phrase("how many deals one may spend on the barrel")),
    )  # fmt: skip
    conditions = (
        Option(
            "bombs",
            (),
            ("engine", "sheet"),
            Phrase("the seats that hold a bomb"),
            more=are_seats,
            which=BOMBS_WANTED,
        ),
        Option("dealer", (1, 2, 3), ("sheet",), Phrase("who deals")),
    )
    fields = (
        Field("taker", "seat", Phrase("taker")),
        Field("contract", "whole", Phrase("contract"), least=LEAST_BID, most=MOST_BID),
        Field("end", "choice", Phrase("end of the deal"), choices=("played", "bomb", "fault"), optional=True),
        Field("points", "whole", Phrase("card points"), per_seat=True, most=120, optional=True),
        Field("marriages", "list", Phrase("marriages"), optional=True),
        Field("fault", "object", Phrase("fault"), optional=True),
    )
    names = {
        "auction": Phrase("auction"),
        "exchange": Phrase("exchange"),
        "play": Phrase("play"),
        "over": Phrase("over"),
        "dog": Phrase("dog"),
        "bombs": Phrase("bombs"),
        "pass": Phrase("passes"),
        "bid": Phrase("bids"),
        "give": Phrase("gives"),
        "bomb": Phrase("bomb"),
        "played": Phrase("played out"),
        "bomb-points": Phrase("half of the contract"),
        "marriage": Phrase("marriage"),
        "made": Phrase("contract made"),
        "lost": Phrase("contract lost"),
        "points": Phrase("points in defence"),
        "bar": Phrase("bar"),
        "fault": Phrase("fault"),
        "annulled": Phrase("annulled by another's fault"),
    }

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        everyone = options["bombs"] == "always" or (options["bombs"] == "third" and number % 9 in {3, 5, 7})
        bombs = conditions.get("bombs", [1, 2, 3] if everyone else [])
        return replace(dealt(stream.shuffled(PACK.order), dealer), bombs=tuple(sorted(bombs)))

    def read_deal(self, data: Any, options: Settings | None = None) -> Deal:
        return read_deal(data)

    def show_deal(self, deal: Deal) -> dict[str, Any]:
        hands = [list(PACK.tokens(hand)) for hand in deal.hands]
        return {"dealer": deal.dealer, "hands": hands, "dog": list(deal.dog), "bombs": list(deal.bombs)}

    def start(self, deal: Deal, options: Settings) -> MilleState:
        return MilleState(deal, options)

    def summarise(self, state: State) -> dict[str, Any]:
        assert isinstance(state, MilleState)
        result = state.result()
        sheet: dict[str, Any] = {"taker": result.declarer + 1, "contract": result.contract, "end": result.end}
        if result.end == "played":
            sheet["points"] = list(result.points)
            sheet["marriages"] = [{"suit": suit, "seat": seat + 1} for seat, suit in result.marriages]
        return sheet

    def score(
        self,
        sheet: Sheet,
        *,
        deal: Deal | None = None,
        options: Settings | None = None,
        conditions: Settings | None = None,
    ) -> Outcome:
        known = conditions or {}
        dealer = deal.dealer if deal is not None else known.get("dealer")
        bombs = deal.bombs if deal is not None else known.get("bombs")
        result = result_of(self.fields, sheet, dealer=dealer, bombs=bombs, deal=deal)
        return outcome_of(result, settled(self.options, options))

    def ledger(
        self, deals: Sequence[Any], *, options: Settings | None = None, conditions: Settings | None = None
    ) -> dict[str, Any]:
        limit = int(settled(self.options, options)["barrel_limit"])
        accounts = [Account()] * SEATS
        winners: list[int] = []
        rows: list[dict[str, Any]] = []
        for number, sheet in enumerate(deals):
            if winners:
                raise BadRecord(
                    f"deals[{number}]", Phrase("the match was over after {count} deals", count=number)
                )
            dealer = number % SEATS + 1
            bombs = [seat for seat, account in enumerate(accounts, 1) if not account.bomb_used]
            with sheets.within(f"deals[{number}]"):
                result = result_of(self.fields, sheet, dealer=dealer, bombs=bombs, deal=None)
            gains, events = self.gains(result, accounts), []
            if result.end == "bomb":
                events.append({"event": "bomb", "seat": result.declarer + 1})
                accounts[result.declarer] = replace(accounts[result.declarer], bomb_used=True)
            for seat, (gain, bar) in enumerate(zip(gains, result.bars(), strict=True)):
                accounts[seat], happened = after(accounts[seat], gain, bar, limit, counts=not result.annulled)
                events += [{"event": event, "seat": seat + 1} for event in happened]
            winners = winners_of(accounts, result.declarer)
            rows.append({"dealer": dealer, "gains": gains, "events": events} | shown(accounts))
        return {
            "over": bool(winners),
            "winner": winners[0] if len(winners) == 1 else None,
            "winners": winners,
            **shown(accounts),
            "rows": rows,
        }

    def gains(self, result: Result, accounts: Sequence[Account]) -> list[int]:
        """The deal points, of which those made in defence on the barrel do not count."""
        return [
            min(points, 0) if seat != result.declarer and accounts[seat].barrel is not None else points
            for seat, points in enumerate(deal_points(result))
        ]

    def suggest(self, view: View, legal: Sequence[str], random: Random) -> str:
        return suggestion(view, legal)


def shown(accounts: Sequence[Account]) -> dict[str, Any]:
    return {
        "scores": [account.score for account in accounts],
        "bars": [account.bars for account in accounts],
        "barrel": [account.barrel for account in accounts],
    }


# ── A sensible robot ──────────────────────────────────────────────────────────────────────────────


def suggestion(view: View, legal: Sequence[str]) -> str:
    """Bids what aces, tens and marriages promise; gives away its least; announces marriages; wins
    dear tricks and throws cheap cards under lost ones."""
    hand = PACK.cards(view["hand"])
    if view["phase"] == AUCTION:
        bids = [action for action in legal if action.startswith("bid:")]
        if PASS not in legal:
            return bids[0]
        return bids[0] if bids and int(bids[0][4:]) <= worth(hand) else PASS
    if view["phase"] == EXCHANGE:
        single = [token for token in view["hand"] if not in_couple(hand, token)] or view["hand"]
        low = sorted(single, key=lambda token: POINTS[token[0]])
        return f"give:{low[0]},{low[1]}" if len(low) > 1 else str(legal[-1])
    married = [action for action in legal if action.endswith(MARRIED)]
    if married:
        return max(married, key=lambda action: MARRIAGE[action.removesuffix(MARRIED)[-1]])
    trick = view["trick"] if len(view["trick"]) < SEATS else []
    cards = sorted((action[5:] for action in legal), key=lambda token: POINTS[token[0]])
    if not trick:
        return f"play:{cards[-1]}"
    winning = [card for card in cards if wins_so_far(card, [one["card"] for one in trick], view["trump"])]
    return f"play:{winning[-1] if winning else cards[0]}"


def in_couple(hand: CardSet, token: str) -> bool:
    both = couple(PACK, token[1])
    return token[0] in "QK" and hand & both == both


def worth(hand: CardSet) -> int:
    promised = sum(18 * bool(hand & PACK.card(f"A{suit}")) for suit in MARRIAGE)
    promised += sum(
        value for suit, value in MARRIAGE.items() if hand & couple(PACK, suit) == couple(PACK, suit)
    )
    return promised + 5 * (hand & PACK.rank("T")).bit_count()


def wins_so_far(card: str, trick: Sequence[str], trump: str | None) -> bool:
    def power(token: str) -> tuple[int, int]:
        kind = 2 if token[1] == trump else 1 if token[1] == trick[0][1] else 0
        return kind, PACK.rank_letters.index(token[0])

    return power(card) > max(power(other) for other in trick)


GAMES: tuple[Game[Any], ...] = (Mille(),)
