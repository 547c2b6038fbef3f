"""Belote Noisette: three seats, 24 cards of three suits, trumps proposed by turned cards, and a pot of
nuts.

The parts follow docs/games/belote-noisette.md, whose sections the comments cite.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from .. import sheets
from ..cards import CardSet, Pack
from ..contract import Fact, Field, Game, Option, Outcome, Settings, Sheet, State, Unit, View, settled
from ..dealing import Stream
from ..errors import BadDeal, BadRecord, BadSheet
from ..phrases import Phrase
from ..tricks import NEXT, clockwise_from, on_the_table, strongest
from ..turns import FOLLOW, MUST_OVERTRUMP, MUST_RUFF, NO_SUCH_ACTION, NOT_HELD, OVER, TurnState

SEATS = 3
NUTS = 30
LEFT_OF = NEXT[SEATS]

# ── The cards (section 2) ─────────────────────────────────────────────────────────────────────────

RANKS = "789JQKTA"
SUITS = "SHDC"
TRUMP_ORDER = "78QKTA9J"
PLAIN_ORDER = {"belote": RANKS, "literal": "789TJQKA"}
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
TRUMP_POINTS = POINTS | {"J": 20, "9": 14}
BELOTE = "!belote"
BELOTE_POINTS = LAST_TRICK_POINTS = 10
TOTAL = 132


@cache
def pack_without(removed: str) -> Pack:
    return Pack(suits=SUITS.replace(removed, ""), ranks=RANKS)


@cache
def plays_of(removed: str) -> Mapping[str, CardSet]:
    pack = pack_without(removed)
    return {f"play:{token}": pack.card(token) for token in pack.order}


@dataclass(frozen=True, slots=True)
class Trumps:
    """The pack with one suit as trumps: strengths (trumps above all), points, and higher trumps."""

    all: CardSet
    strength: Mapping[CardSet, int]
    points: Mapping[CardSet, int]
    higher: Mapping[CardSet, CardSet]
    couple: CardSet  # queen and king


@cache
def with_trumps(removed: str, rank_order: str, suit: str) -> Trumps:
    pack = pack_without(removed)
    strength, points, higher = {}, {}, {}
    for token in pack.order:
        card = pack.card(token)
        if token[1] == suit:
            place = TRUMP_ORDER.index(token[0])
            strength[card] = 100 + place
            points[card] = TRUMP_POINTS.get(token[0], 0)
            higher[card] = pack.cards([rank + suit for rank in TRUMP_ORDER[place + 1 :]])
        else:
            strength[card] = PLAIN_ORDER[rank_order].index(token[0])
            points[card] = POINTS.get(token[0], 0)
    return Trumps(pack.suit(suit), strength, points, higher, pack.cards([f"Q{suit}", f"K{suit}"]))


# ── The deal (section 3) ──────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Deal:
    """`hands` of five; `stock` in order, of which the fourth may come to be turned; holdings before the
    antes."""

    removed: str
    dealer: int
    hands: tuple[CardSet, ...]
    turned: str
    stock: tuple[str, ...]
    nuts: tuple[int, ...] = (10, 10, 10)
    pot: int = 0


def dealt(pack: Sequence[str], dealer: int, removed: str) -> tuple[tuple[CardSet, ...], str, tuple[str, ...]]:
    """Packets of two, then of three, from the dealer's left; a card turned; the stock."""
    hands = [0] * SEATS
    cards = pack_without(removed).cards
    for place, seat in enumerate(clockwise_from(dealer, SEATS)):
        hands[seat - 1] = cards([*pack[2 * place : 2 * place + 2], *pack[6 + 3 * place : 9 + 3 * place]])
    return tuple(hands), pack[15], tuple(pack[16:])


HOLDINGS_WANTED = Phrase("each seat has 1 to 20 nuts before the antes, and all of them with the pot make 30")


def are_holdings(nuts: object, pot: object) -> bool:
    if not isinstance(nuts, list | tuple) or len(nuts) != SEATS or not sheets.is_whole(pot, 0, NUTS):
        return False
    return all(sheets.is_whole(held, 1, 20) for held in nuts) and sum(nuts) + int(str(pot)) == NUTS


def holdings_of(conditions: Settings, *, carried: bool) -> tuple[tuple[int, ...], int]:
    """The nuts and the pot that conditions preset; what they leave out makes thirty."""
    nuts = conditions.get("nuts", [9, 9, 9] if carried else [10, 10, 10])
    pot = conditions.get("pot", NUTS - sum(nuts))
    if not are_holdings(nuts, pot):
        raise BadRecord("conditions.nuts", HOLDINGS_WANTED)
    return tuple(nuts), pot


def read_deal(data: Any, removed: str) -> Deal:
    keys = ("dealer", "hands", "turned", "stock")
    read = sheets.read_deal(data, SEATS, keys, optional=("nuts", "pot"))
    lists = [*read["hands"], [read["turned"]], read["stock"]] if isinstance(read["hands"], list) else []
    *hands, _turned, _stock = pack_without(removed).read(lists, sizes=(5, 5, 5, 1, 8))
    nuts, pot = read.get("nuts", [10, 10, 10]), read.get("pot", 0)
    if not are_holdings(nuts, pot):
        raise BadDeal((), HOLDINGS_WANTED)
    return Deal(removed, read["dealer"], tuple(hands), read["turned"], tuple(read["stock"]), tuple(nuts), pot)


# ── The phases (section 4) ────────────────────────────────────────────────────────────────────────

ROUND1, ROUND2, FORCED, PLAY = "round1", "round2", "forced", "play"
STAGE = {ROUND1: "1", ROUND2: "2", FORCED: "forced"}
PASS = "pass"  # noqa: S105 - a word of the auction

NOT_PROPOSED = Phrase("only the suit of a turned card can be trumps")
MUST_TAKE = Phrase("all have passed twice: the dealer's left must take")
NO_BELOTE = Phrase("a belote is said with the first of queen and king of trumps, both in hand")


class NoisetteState(TurnState):
    """A deal in progress. Seats are indices from 0 inside."""

    __slots__ = (
        "belote", "bids", "deal", "declarer", "gathered", "hands", "leader", "log", "options", "pack",
        "playable", "plays", "points", "taken_in", "taker", "trick", "tricks", "trump", "trumps", "turned",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.deal, self.options = deal, options
        self.pack, self.plays = pack_without(deal.removed), plays_of(deal.removed)
        self.log: list[str] = []
        self.hands = list(deal.hands)
        self.bids: list[tuple[int, str]] = []
        self.turned: tuple[str, ...] = (deal.turned,)
        self.declarer: int | None = None
        self.taken_in = ""  # the stage, as sheets write it
        self.trump: str | None = None
        self.trumps: Trumps | None = None
        self.belote: int | None = None
        self.points = [0] * SEATS
        self.trick: list[CardSet] = []
        self.tricks = [0] * SEATS
        self.gathered = 0
        self.leader = 0
        self.taker: int | None = None
        self.playable: CardSet = 0
        self.stage = ROUND1
        self.actor = LEFT_OF[deal.dealer - 1]

    @property
    def entries(self) -> list[str]:
        return self.log

    def choices(self) -> Iterator[str]:
        if self.stage == PLAY:
            for token in self.pack.tokens(self.playable):
                yield f"play:{token}"
                if self.may_say_belote(self.pack.card(token)):
                    yield f"play:{token}{BELOTE}"
            return
        if self.stage != FORCED:
            yield PASS
        for suit in dict.fromkeys(card[1] for card in self.turned):
            yield f"take:{suit}"

    def broken_rule(self, token: str) -> Phrase | None:
        if self.stage == PLAY:
            return self.broken_play(token)
        if token == PASS:
            return MUST_TAKE if self.stage == FORCED else None
        if token not in {f"take:{suit}" for suit in self.pack.suit_letters}:
            return NO_SUCH_ACTION
        return None if token[-1] in [card[1] for card in self.turned] else NOT_PROPOSED

    def broken_play(self, token: str) -> Phrase | None:
        plain = token.removesuffix(BELOTE)
        card = self.plays.get(plain, 0)
        if not card:
            return NO_SUCH_ACTION
        if card & self.playable:
            return NO_BELOTE if plain != token and not self.may_say_belote(card) else None
        hand = self.hands[self.actor]
        if not card & hand:
            return NOT_HELD
        assert self.trumps is not None
        if hand & self.pack.suit_of[self.trick[0]] and not card & self.pack.suit_of[self.trick[0]]:
            return FOLLOW
        return MUST_OVERTRUMP if card & self.trumps.all else MUST_RUFF

    def may_say_belote(self, card: CardSet) -> bool:
        assert self.trumps is not None
        couple = self.trumps.couple
        return bool(card & couple) and self.hands[self.actor] & couple == couple

    def apply(self, entry: str) -> None:
        card = self.plays.get(entry, 0)
        if card & self.playable:
            self.log.append(entry)
            self.play(card)
            return
        token = self.checked(entry)
        if self.stage != PLAY:
            self.log.append(token)
            self.speak(token)
        elif token.endswith(BELOTE):
            self.log.append(token)
            self.belote = self.actor
            self.play(self.plays[token.removesuffix(BELOTE)])
        else:
            self.apply(token)

    # The auction

    def speak(self, token: str) -> None:
        self.bids.append((self.actor, token))
        if token != PASS:
            self.take(token[-1])
        elif self.actor != self.deal.dealer - 1:
            self.actor = LEFT_OF[self.actor]
        else:
            self.actor = LEFT_OF[self.actor]
            if self.stage == ROUND1:
                self.turn_second()
            self.stage = ROUND2 if self.stage == ROUND1 else FORCED

    def turn_second(self) -> None:
        """Nobody has taken: a card more for everyone, and a second one turned."""
        for seat, token in zip(clockwise_from(self.deal.dealer, SEATS), self.deal.stock, strict=False):
            self.hands[seat - 1] |= self.pack.card(token)
        self.turned = (self.deal.turned, self.deal.stock[3])

    def take(self, suit: str) -> None:
        """The taker gets the turned cards; the stock fills all hands to eight, from the dealer's left."""
        taker = self.actor
        self.declarer, self.trump, self.taken_in = taker, suit, STAGE[self.stage]
        self.trumps = with_trumps(self.deal.removed, str(self.options["rank_order"]), suit)
        self.hands[taker] |= self.pack.cards(self.turned)
        at = 0 if self.stage == ROUND1 else 4
        for seat in clockwise_from(self.deal.dealer, SEATS):
            count = 8 - self.hands[seat - 1].bit_count()
            self.hands[seat - 1] |= self.pack.cards(self.deal.stock[at : at + count])
            at += count
        self.stage = PLAY
        self.playable = self.hands[taker]

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
        else:
            self.actor = actor = LEFT_OF[actor]
            self.playable = self.legal_cards(self.hands[actor])

    def winning(self) -> int:
        """The place in the trick of the card that wins it as it lies."""
        assert self.trumps is not None
        led, trumps = self.pack.suit_of[self.trick[0]], self.trumps
        return strongest(self.trick, led | trumps.all, trumps.strength)

    def legal_cards(self, hand: CardSet) -> CardSet:
        """Follow suit, going up in trumps; failing that ruff and overruff, unless the partner wins."""
        assert self.trumps is not None
        trumps, led = self.trumps, self.pack.suit_of[self.trick[0]]
        following = hand & led
        if led != trumps.all:
            if following:
                return following
            held = hand & trumps.all
            up = self.upwards(held)
            return up | hand & ~trumps.all if not held or self.partner_wins() else up
        if not following:
            return hand
        return self.upwards(following) if self.options["beat_led_trump"] else following

    def upwards(self, held: CardSet) -> CardSet:
        """The trumps held above those of the trick, if there are any; else all held."""
        assert self.trumps is not None
        played = [card for card in self.trick if card & self.trumps.all]
        if not played:
            return held
        top = max(played, key=self.trumps.strength.__getitem__)
        return held & self.trumps.higher[top] or held

    def partner_wins(self) -> bool:
        """Whether the other adversary of the taker wins the trick as it lies."""
        if self.options["partners"] == "none" or self.actor == self.declarer:
            return False
        return (self.leader + self.winning()) % SEATS != self.declarer

    def gather(self) -> None:
        assert self.trumps is not None
        self.actor = actor = (self.leader + self.winning()) % SEATS
        self.points[actor] += sum(self.trumps.points[card] for card in self.trick)
        self.tricks[actor] += 1
        self.taker = actor
        self.gathered += 1
        self.playable = self.hands[actor]
        if not self.playable:
            self.points[actor] += LAST_TRICK_POINTS
            if self.belote is not None:
                self.points[self.belote] += BELOTE_POINTS
            self.stage = OVER

    def result(self) -> "Result":
        self.check_over()
        assert self.declarer is not None
        return Result(self.declarer, self.taken_in, self.belote, tuple(self.points))

    def outcome(self) -> Outcome:
        return outcome_of(self.result(), self.deal.nuts, self.deal.pot)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """The own hand; turned cards, what was said, holdings, trumps, the trick, the tricks."""
        shown: dict[str, Any] = {
            "phase": self.stage,
            "dealer": self.deal.dealer,
            "nuts": list(self.deal.nuts),
            "pot": self.deal.pot,
            "actors": list(self.actors()),
            "turned": list(self.turned),
            "bids": [{"seat": who + 1, "bid": said} for who, said in self.bids],
            "declarer": None if self.declarer is None else self.declarer + 1,
            "stage": self.taken_in or None,
            "trump": self.trump,
            "belote": None if self.belote is None else self.belote + 1,
            "trick": on_the_table(self.pack, self.trick, self.leader, SEATS),
            "tricks": list(self.tricks),
            "gathered": self.gathered,
            "taker": None if self.taker is None else self.taker + 1,
        }
        if seat is not None:
            shown["hand"] = list(self.pack.tokens(self.hands[seat - 1]))
        return shown


# ── The marks (section 5) ─────────────────────────────────────────────────────────────────────────

STAKE = {"1": 1, "2": 2, "forced": 0}


@dataclass(frozen=True, slots=True)
class Result:
    """`points` by seat, last trick and belote included; `stage` as sheets write it; seats are indices."""

    declarer: int
    stage: str
    belote: int | None
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shares:
    """What moves by seat: the taker's stake, and what each takes from the pot; `left` stays there."""

    end: str  # over-half, ahead, beaten
    stake: int
    taken: tuple[int, ...]
    left: int


def shares(result: Result, nuts: Sequence[int], pot: int) -> Shares:
    """The pot after the antes and the stake, and who takes what of it."""
    declarer, points = result.declarer, result.points
    others = [seat for seat in range(SEATS) if seat != declarer]
    stake = min(STAKE[result.stage], nuts[declarer] - 1)
    held = pot + SEATS + stake
    small = held < 4
    taken = [0] * SEATS
    total = TOTAL + (BELOTE_POINTS if result.belote is not None else 0)
    if points[declarer] * 2 > total:
        end = "over-half"
        taken[declarer] = held
    elif all(points[declarer] > points[seat] for seat in others):
        end = "ahead"
        taken[declarer] = 2 if small else 3
        first, second = sorted(others, key=lambda seat: -points[seat])
        if points[first] > points[second]:
            taken[first] = 1
    else:
        end = "beaten"
        for seat in others:
            taken[seat] = 1 if small else 2
    return Shares(end, stake, tuple(taken), held - sum(taken))


def outcome_of(result: Result, nuts: Sequence[int], pot: int) -> Outcome:
    moved = shares(result, nuts, pot)
    facts = [Fact("points", seat, 0, count) for seat, count in enumerate(result.points, 1)]
    if result.belote is not None:
        facts.append(Fact("belote", result.belote + 1, 0, BELOTE_POINTS))
    facts += [Fact("ante", seat, -1) for seat in (1, 2, 3)]
    if moved.stake:
        facts.append(Fact("stake", result.declarer + 1, -moved.stake, result.stage))
    facts.append(Fact(moved.end, result.declarer + 1, moved.taken[result.declarer]))
    facts += [
        Fact("share", seat + 1, won)
        for seat, won in enumerate(moved.taken)
        if won and seat != result.declarer
    ]
    scores = tuple(sum(fact.points for fact in facts if fact.seat == seat) for seat in (1, 2, 3))
    return Outcome(scores, tuple(facts))


# ── The result sheet (section 8) ──────────────────────────────────────────────────────────────────


def result_of(
    fields: tuple[Field, ...], sheet: Any, *, dealer: int | None, deal: Deal | None, removed: str
) -> Result:
    """What a sheet tells, checked against what is known of the board."""
    if isinstance(sheet, dict):
        sheet = {name: value for name, value in sheet.items() if value is not None}
    sheets.check(fields, sheet, seats=SEATS)
    declarer, stage, points = sheet["taker"] - 1, sheet["stage"], tuple(sheet["points"])
    belote = sheet["belote"] - 1 if "belote" in sheet else None
    if stage == "forced" and dealer is not None and declarer != LEFT_OF[dealer - 1]:
        raise BadSheet("stage", Phrase("only the dealer's left is forced to take"))
    wanted = TOTAL + (BELOTE_POINTS if belote is not None else 0)
    if sum(points) != wanted:
        raise BadSheet(
            "points",
            Phrase("add up to {total}; here they must make {wanted}", total=sum(points), wanted=wanted),
        )
    if 1 in points:
        raise BadSheet("points", Phrase("no seat can have 1 point"))
    if belote is not None and (points[belote] < BELOTE_POINTS or points[belote] == BELOTE_POINTS + 1):
        raise BadSheet(
            "points", Phrase("seat {seat} has the ten of its belote among its points", seat=belote + 1)
        )
    if "trump" in sheet:
        check_trump(sheet["trump"], stage, deal, removed)
    check_faults(sheet.get("faults", []))
    return Result(declarer, stage, belote, points)


def check_trump(suit: str, stage: str, deal: Deal | None, removed: str) -> None:
    if suit == removed:
        raise BadSheet("trump", Phrase("this suit is not in the pack"))
    if deal is not None:
        turned = [deal.turned] if stage == "1" else [deal.turned, deal.stock[3]]
        if suit not in [card[1] for card in turned]:
            raise BadSheet("trump", NOT_PROPOSED)


def check_faults(faults: Any) -> None:
    wanted = Phrase("each has a seat, and what moved: a list of “to” (a seat) and “points”")
    for fault in faults:
        good = (
            isinstance(fault, dict) and set(fault) == {"seat", "moved"} and isinstance(fault["moved"], list)
        )
        if not good or not sheets.is_whole(fault["seat"], 1, SEATS):
            raise BadSheet("faults", wanted)
        for move in fault["moved"]:
            if not isinstance(move, dict) or set(move) != {"to", "points"}:
                raise BadSheet("faults", wanted)
            if not sheets.is_whole(move["to"], 1, SEATS) or not sheets.is_whole(move["points"], 0, TOTAL):
                raise BadSheet("faults", wanted)


# ── The match (section 6) ─────────────────────────────────────────────────────────────────────────


def manche_points(nuts: Sequence[int]) -> tuple[str | None, tuple[int, ...]]:
    """Whether a manche has ended with these holdings, and what it brings each."""
    best = max(nuts)
    if best >= 21:
        return "complete", tuple(3 if held == best else 0 for held in nuts)
    if min(nuts) > 0:
        return None, (0, 0, 0)
    if nuts.count(best) > 1:
        return "partial", tuple(int(held == best) for held in nuts)
    second = sorted(nuts)[1]
    alone = second > 0 and nuts.count(second) == 1
    return "partial", tuple(2 if held == best else int(held == second and alone) for held in nuts)


def goal_after(match_points: Sequence[int], goal: int) -> int:
    """Raised by two as long as it is reached by several at once."""
    best = max(match_points)
    while best >= goal and list(match_points).count(best) > 1:
        goal += 2
    return goal


# ── The game ──────────────────────────────────────────────────────────────────────────────────────


class BeloteNoisette(Game[Deal]):
    id = "belote-noisette"
    name = Phrase("Belote Noisette")
    seats = (SEATS,)
    pack = Phrase("24 cards, three suits")
    line_score = Phrase("nuts won or lost")
    unit = Unit(Phrase("nut"))
    options = (
        Option("rank_order", ("belote", "literal"), ("engine",),
               Phrase("where the ten ranks in plain suits")),
        Option("removed_suit", ("C", "S", "H", "D"), ("generator", "engine", "sheet"),
               Phrase("the suit that is taken out of the pack")),
        Option("partners", ("defenders", "none"), ("engine",),
               Phrase("whether the adversaries of the taker are partners when they ruff")),
        Option("beat_led_trump", (True, False), ("engine",),
               Phrase("whether one must go up when a trump is led")),
        Option("pot_carry", ("neutral", "cycle"), ("generator",),
               Phrase("whether every second board begins with nuts in the pot")),
    )  # fmt: skip
    conditions = (
        Option("nuts", (), ("engine", "sheet"), Phrase("the nuts of each seat before the antes"),
               more=lambda value: are_holdings(value, NUTS - sum(value) if are_whole(value) else -1),
               which=HOLDINGS_WANTED),
        Option("pot", (0,), ("engine", "sheet"), Phrase("the nuts in the pot before the antes"),
               more=lambda value: sheets.is_whole(value, 0, 27), which=HOLDINGS_WANTED),
        Option("dealer", (1, 2, 3), ("sheet",), Phrase("who deals")),
    )  # fmt: skip
    fields = (
        Field("taker", "seat", Phrase("taker")),
        Field("stage", "choice", Phrase("taken in round"), choices=("1", "2", "forced")),
        Field("belote", "seat", Phrase("belote"), optional=True),
        Field("points", "whole", Phrase("card points"), per_seat=True),
        Field("trump", "choice", Phrase("trump suit"), choices=tuple(SUITS), optional=True),
        Field("faults", "list", Phrase("faults"), optional=True),
    )
    names = {
        "round1": Phrase("first round of the auction"),
        "round2": Phrase("second round of the auction"),
        "forced": Phrase("forced to take"),
        "play": Phrase("play"),
        "over": Phrase("over"),
        "turned": Phrase("turned cards"),
        "stock": Phrase("stock"),
        "pass": Phrase("passes"),
        "take:S": Phrase("takes in spades"),
        "take:H": Phrase("takes in hearts"),
        "take:D": Phrase("takes in diamonds"),
        "take:C": Phrase("takes in clubs"),
        "1": Phrase("first round of the auction"),
        "2": Phrase("second round of the auction"),
        "S": Phrase("spades"),
        "H": Phrase("hearts"),
        "D": Phrase("diamonds"),
        "C": Phrase("clubs"),
        "points": Phrase("card points"),
        "belote": Phrase("belote"),
        "ante": Phrase("ante"),
        "stake": Phrase("stake of the taker"),
        "over-half": Phrase("more than half: the whole pot"),
        "ahead": Phrase("ahead of each adversary"),
        "beaten": Phrase("taker beaten"),
        "share": Phrase("share of the pot"),
    }

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        removed = str(options["removed_suit"])
        carried = options["pot_carry"] == "cycle" and number % 2 == 0
        nuts, pot = holdings_of(conditions, carried=carried)
        shuffled = stream.shuffled(pack_without(removed).order)
        return Deal(removed, dealer, *dealt(shuffled, dealer, removed), nuts, pot)

    def read_deal(self, data: Any, options: Settings | None = None) -> Deal:
        return read_deal(data, str(settled(self.options, options)["removed_suit"]))

    def show_deal(self, deal: Deal) -> dict[str, Any]:
        pack = pack_without(deal.removed)
        return {
            "dealer": deal.dealer,
            "hands": [list(pack.tokens(hand)) for hand in deal.hands],
            "turned": deal.turned,
            "stock": list(deal.stock),
            "nuts": list(deal.nuts),
            "pot": deal.pot,
        }

    def start(self, deal: Deal, options: Settings) -> NoisetteState:
        return NoisetteState(deal, options)

    def summarise(self, state: State) -> dict[str, Any]:
        assert isinstance(state, NoisetteState)
        result = state.result()
        return {
            "taker": result.declarer + 1,
            "stage": result.stage,
            "belote": None if result.belote is None else result.belote + 1,
            "points": list(result.points),
            "trump": state.trump,
        }

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
        removed = str(settled(self.options, options)["removed_suit"])
        result = result_of(self.fields, sheet, dealer=dealer, deal=deal, removed=removed)
        if deal is not None:
            return outcome_of(result, deal.nuts, deal.pot)
        return outcome_of(result, *holdings_of(known, carried=False))

    def ledger(
        self, deals: Sequence[Any], *, options: Settings | None = None, conditions: Settings | None = None
    ) -> dict[str, Any]:
        """Each deal is its sheet, with its `dealer` and, if wanted, the `scores` that were written down."""
        removed = str(settled(self.options, options)["removed_suit"])
        nuts, pot, match_points, goal = [10] * SEATS, 0, [0] * SEATS, 6
        winner: int | None = None
        rows = []
        for number, given in enumerate(deals):
            key = f"deals[{number}]"
            if winner is not None:
                raise BadRecord(key, Phrase("the match was over after {count} deals", count=number))
            sheet = dict(given) if isinstance(given, dict) else {}
            dealer, scores = sheet.pop("dealer", None), sheet.pop("scores", None)
            if dealer != number % SEATS + 1 or isinstance(dealer, bool):
                raise BadSheet(
                    f"{key}.dealer",
                    Phrase(
                        "deal {number} is dealt by seat {seat}", number=number + 1, seat=number % SEATS + 1
                    ),
                )
            with sheets.within(f"deals[{number}]"):
                result = result_of(self.fields, sheet, dealer=dealer, deal=None, removed=removed)
            outcome, left = outcome_of(result, nuts, pot), shares(result, nuts, pot).left
            if scores is not None and scores != list(outcome.scores):
                right = ", ".join(str(score) for score in outcome.scores)
                raise BadSheet(f"{key}.scores", Phrase("from these holdings they are {right}", right=right))
            nuts = [held + score for held, score in zip(nuts, outcome.scores, strict=True)]
            manche, won = manche_points(nuts)
            match_points = [total + more for total, more in zip(match_points, won, strict=True)]
            goal = goal_after(match_points, goal)
            if manche and max(match_points) >= goal:
                winner = match_points.index(max(match_points)) + 1
            rows.append({
                "dealer": dealer, "scores": list(outcome.scores), "nuts": nuts, "pot": left, "manche": manche,
                "manche_points": list(won), "match_points": list(match_points), "goal": goal,
            })  # fmt: skip
            nuts, pot = ([10] * SEATS, 0) if manche else (nuts, left)
        return {
            "over": winner is not None,
            "winner": winner,
            "match_points": match_points,
            "goal": goal,
            "nuts": nuts,
            "pot": pot,
            "rows": rows,
        }

    def suggest(self, view: View, legal: Sequence[str], random: Random) -> str:
        return suggestion(view, legal)


def are_whole(value: object) -> bool:
    return isinstance(value, list) and all(sheets.is_whole(part, 0, None) for part in value)


# ── A sensible robot ──────────────────────────────────────────────────────────────────────────────


def suggestion(view: View, legal: Sequence[str]) -> str:
    """Takes with a strong suit of trumps, says every belote, wins dear tricks, throws cheap cards."""
    if view["phase"] != PLAY:
        takes = [action for action in legal if action != PASS]
        best = max(takes, key=lambda action: worth(view["hand"] + view["turned"], action[-1]))
        return best if PASS not in legal or worth(view["hand"] + view["turned"], best[-1]) >= 44 else PASS
    said = [action for action in legal if action.endswith(BELOTE)]
    if said:
        return said[0]

    def power(card: str) -> int:
        if card[1] == view["trump"]:
            return 100 + TRUMP_ORDER.index(card[0])
        return RANKS.index(card[0])

    cards = sorted((action[5:] for action in legal), key=power)
    trick = [one["card"] for one in view["trick"]] if len(view["trick"]) < SEATS else []
    if not trick:
        return f"play:{cards[-1]}"
    contending = [card for card in trick if card[1] in (trick[0][1], view["trump"])]
    best_power = max(power(card) for card in contending)
    winning = [card for card in cards if card[1] in (trick[0][1], view["trump"]) and power(card) > best_power]
    return f"play:{winning[-1] if winning else cards[0]}"


def worth(cards: Sequence[str], suit: str) -> int:
    trumps = [card for card in cards if card[1] == suit]
    points = sum(TRUMP_POINTS.get(card[0], 0) for card in trumps) + 4 * len(trumps)
    return points + sum(7 for card in cards if card[0] == "A" and card[1] != suit)


GAMES: tuple[Game[Any], ...] = (BeloteNoisette(),)
