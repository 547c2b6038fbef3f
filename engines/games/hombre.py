"""L'Hombre: three seats, anticlockwise, 40 cards; one plays alone for the pot against two, after an
auction and an exchange of cards with the stock.

The parts follow docs/games/hombre.md, whose sections the comments cite.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import Any

from .. import sheets
from ..cards import CardSet, Pack
from ..contract import Fact, Field, Game, Option, Outcome, Settings, Sheet, State, Unit, View, settled
from ..dealing import Stream
from ..errors import BadDeal, BadRecord, BadSheet
from ..phrases import Phrase
from ..ranks import shared_ranks
from ..tricks import on_the_table, strongest
from ..turns import FOLLOW, MUST_FOLLOW_TRUMP, MUST_RUFF, NO_SUCH_ACTION, NOT_HELD, OVER, TurnState

SEATS = 3
TRICKS = 9
POT = 18  # half jetons: three jetons from each
RIGHT_OF = (2, 0, 1)  # the game turns to the right

# ── The cards (section 2) ─────────────────────────────────────────────────────────────────────────

PACK = Pack(suits="SHDC", ranks="A234567JQK")
PLAYS = {f"play:{token}": PACK.card(token) for token in PACK.order}
ESPADILLE, BASTE = PACK.card("AS"), PACK.card("AC")
PLAIN_RANKS = {"black": "234567JQK", "red": "765432AJQK"}  # from low to high
TRUMP_RANKS = {"black": "34567JQK", "red": "65432JQKA"}  # the manille, above them, left out
MANILLE_RANK = {"black": "2", "red": "7"}


def colour(suit: str) -> str:
    return "black" if suit in "SC" else "red"


@dataclass(frozen=True, slots=True)
class Trumps:
    """The pack with one suit as trumps: the order of all cards, from which everything is read."""

    all: CardSet
    matadors: tuple[CardSet, ...]  # the highest first
    strength: dict[CardSet, int]  # trumps above all others
    follows: dict[CardSet, CardSet]  # by the card led: the cards that follow it


def with_trumps(suit: str) -> Trumps:
    manille = PACK.card(MANILLE_RANK[colour(suit)] + suit)
    matadors = (ESPADILLE, manille, BASTE)
    lower = [PACK.card(rank + suit) for rank in TRUMP_RANKS[colour(suit)]]
    ordered = [*lower, *reversed(matadors)]
    trumps = sum(ordered)
    strength = {card: 100 + place for place, card in enumerate(ordered)}
    follows = dict.fromkeys(ordered, trumps)
    for plain in PACK.suit_letters:
        cards = PACK.suit(plain) & ~trumps
        for place, rank in enumerate(PLAIN_RANKS[colour(plain)]):
            card = PACK.card(rank + plain)
            if card & cards:
                strength[card] = place
                follows[card] = cards
    return Trumps(trumps, matadors, strength, follows)


TRUMPS = {suit: with_trumps(suit) for suit in PACK.suit_letters}


# ── The deal (section 3) ──────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Deal:
    """`stock` in drawing order; `pot` in half jetons, a third of it from each."""

    dealer: int
    hands: tuple[CardSet, ...]
    stock: tuple[str, ...]
    pot: int = POT


def order_from(dealer: int) -> tuple[int, ...]:
    """The seats (indices) in turn: the dealer's right first, the dealer last."""
    first = RIGHT_OF[dealer - 1]
    return first, RIGHT_OF[first], dealer - 1


def dealt(pack: Sequence[str], dealer: int) -> Deal:
    """Nine cards each in packets of three; the rest is the stock."""
    hands = [0] * SEATS
    for packet in range(9):
        hands[order_from(dealer)[packet % 3]] |= PACK.cards(pack[3 * packet : 3 * packet + 3])
    return Deal(dealer, tuple(hands), tuple(pack[27:]))


def is_pot(value: object) -> bool:
    return sheets.is_whole(value, 6, None) and isinstance(value, int) and value % 6 == 0


def read_deal(data: Any) -> Deal:
    read = sheets.read_deal(data, SEATS, ("dealer", "hands", "stock"), optional=("pot",))
    lists = [*read["hands"], read["stock"]] if isinstance(read["hands"], list) else []
    *hands, _stock = PACK.read(lists, sizes=(9, 9, 9, 13))
    pot = read.get("pot", POT)
    if not is_pot(pot):
        raise BadDeal((), POT_WANTED)
    return Deal(read["dealer"], tuple(hands), tuple(read["stock"]), pot)


POT_WANTED = Phrase("the pot is a positive multiple of six half jetons")

# ── The phases (section 4) ────────────────────────────────────────────────────────────────────────

BID, TRUMP, EXCHANGE, PLAY = "bid", "trump", "exchange", "play"
CONTRACTS = ("prendre", "sans-prendre", "vole")  # from low to high
PASS = "pass"  # noqa: S105 - a word of the auction
BIDS = {f"bid:{contract}": level for level, contract in enumerate(CONTRACTS)}
NAMINGS = {f"trump:{suit}": suit for suit in PACK.suit_letters}
NONE = "exchange:none"

BID_HIGHER = Phrase("bid higher than the last bid, or pass")
TOO_MANY = Phrase("no more cards may be laid aside than the stock has left")
TWICE = Phrase("the same card is laid aside twice")


class HombreState(TurnState):
    """A deal in progress. Seats are indices from 0 inside."""

    __slots__ = (
        "bids", "contract", "deal", "discards", "drawn", "exchanged", "gathered", "hands", "hombre", "log",
        "matadors", "options", "passed", "playable", "taker", "trick", "tricks", "trump", "trumps",
        "waiting",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.deal, self.options = deal, options
        self.log: list[str] = []
        self.hands = list(deal.hands)
        self.bids: list[tuple[int, str]] = []  # who said what
        self.passed: list[int] = []
        self.contract: int | None = None  # the level
        self.hombre: int | None = None
        self.trump: str | None = None
        self.trumps = TRUMPS["S"]
        self.waiting: list[int] = []  # who still exchanges
        self.exchanged: list[int | None] = [None] * SEATS
        self.discards = [0] * SEATS
        self.drawn = 0  # cards taken from the stock
        self.matadors = [0] * SEATS
        self.trick: list[CardSet] = []
        self.tricks = [0] * SEATS
        self.gathered = 0
        self.taker: int | None = None
        self.playable: CardSet = 0
        self.stage = BID
        self.actor = order_from(deal.dealer)[0]

    @property
    def entries(self) -> list[str]:
        return self.log

    def choices(self) -> Iterator[str]:
        if self.stage == BID:
            yield PASS
            yield from (bid for bid, level in BIDS.items() if self.may_bid(level))
        elif self.stage == TRUMP:
            yield from NAMINGS
        elif self.stage == EXCHANGE:
            yield NONE
            cards = [token for token in PACK.order if PACK.card(token) & self.hands[self.actor]]
            for count in range(1, min(len(cards), self.left()) + 1):
                for chosen in combinations(cards, count):
                    yield f"exchange:{','.join(chosen)}"
        else:
            for token in PACK.tokens(self.playable):
                yield f"play:{token}"

    def broken_rule(self, token: str) -> Phrase | None:
        if self.stage == BID:
            if token == PASS:
                return None
            if token not in BIDS:
                return NO_SUCH_ACTION
            return None if self.may_bid(BIDS[token]) else BID_HIGHER
        if self.stage == TRUMP:
            return None if token in NAMINGS else NO_SUCH_ACTION
        if self.stage == EXCHANGE:
            return self.broken_exchange(token)
        card = PLAYS.get(token, 0)
        if not card:
            return NO_SUCH_ACTION
        hand = self.hands[self.actor]
        if card & self.playable:
            return None
        if not card & hand:
            return NOT_HELD
        led = self.trumps.follows[self.trick[0]]
        if not hand & led:
            return MUST_RUFF
        return MUST_FOLLOW_TRUMP if led == self.trumps.all else FOLLOW

    def apply(self, entry: str) -> None:
        card = PLAYS.get(entry, 0)
        if card & self.playable:
            self.log.append(entry)
            self.play(card)
            return
        token = self.checked(entry)
        if self.stage == PLAY:
            self.apply(token)
        elif self.stage == EXCHANGE:
            self.exchange(laid_aside(token))
        elif self.stage == TRUMP:
            self.log.append(token)
            self.name_trump(NAMINGS[token])
        else:
            self.log.append(token)
            self.speak(token)

    # The auction

    def may_bid(self, level: int) -> bool:
        """Strictly higher; with `elder_hold` who was to speak before the last bidder may take it over."""
        if self.contract is None or level > self.contract:
            return True
        assert self.hombre is not None
        order = order_from(self.deal.dealer)
        elder = order.index(self.actor) < order.index(self.hombre)
        return self.options["elder_hold"] == "on" and level == self.contract and elder

    def speak(self, token: str) -> None:
        self.bids.append((self.actor, token))
        if token == PASS:
            self.passed.append(self.actor)
        else:
            self.contract, self.hombre = BIDS[token], self.actor
        if len(self.passed) == SEATS:
            self.stage = OVER
        elif self.hombre is not None and (len(self.passed) == 2 or self.contract == BIDS["bid:vole"]):
            self.stage = TRUMP
            self.actor = self.hombre
        else:
            self.actor = RIGHT_OF[self.actor]
            while self.actor in self.passed:
                self.actor = RIGHT_OF[self.actor]

    def name_trump(self, suit: str) -> None:
        """Before the exchange; the hombre exchanges only where he has asked for it."""
        assert self.hombre is not None
        self.trump, self.trumps = suit, TRUMPS[suit]
        opponents = [RIGHT_OF[self.hombre], RIGHT_OF[RIGHT_OF[self.hombre]]]
        contract = CONTRACTS[self.contract or 0]
        if contract == "prendre":
            self.waiting = [self.hombre, *opponents]
        elif contract == "vole" and self.options["vole_exchange"] == "none":
            self.waiting = []
        else:
            self.waiting = opponents
        self.stage = EXCHANGE
        self.next_exchange()

    # The exchange

    def left(self) -> int:
        return len(self.deal.stock) - self.drawn

    def broken_exchange(self, token: str) -> Phrase | None:
        verb, _colon, rest = token.partition(":")
        if verb != "exchange":
            return NO_SUCH_ACTION
        tokens = rest.split(",") if rest != "none" else []
        if not all(card in PACK for card in tokens):
            return NO_SUCH_ACTION
        if len(set(tokens)) < len(tokens):
            return TWICE
        if PACK.cards(tokens) & ~self.hands[self.actor]:
            return NOT_HELD
        return TOO_MANY if len(tokens) > self.left() else None

    def exchange(self, cards: CardSet) -> None:
        """Lay cards aside face down, and take as many from the stock."""
        actor, count = self.actor, cards.bit_count()
        tokens = [token for token in PACK.order if PACK.card(token) & cards]
        self.log.append(f"exchange:{','.join(tokens)}" if tokens else NONE)
        taken = self.deal.stock[self.drawn : self.drawn + count]
        self.hands[actor] = self.hands[actor] ^ cards | PACK.cards(taken)
        self.discards[actor] = cards
        self.exchanged[actor] = count
        self.drawn += count
        self.next_exchange()

    def next_exchange(self) -> None:
        if self.waiting:
            self.actor = self.waiting.pop(0)
            return
        self.stage = PLAY
        self.matadors = [sum(bool(matador & hand) for matador in self.trumps.matadors) for hand in self.hands]
        self.actor = order_from(self.deal.dealer)[0]
        self.playable = self.hands[self.actor]

    # The play

    def play(self, card: CardSet) -> None:
        actor = self.actor
        self.hands[actor] ^= card
        if len(self.trick) == SEATS:
            self.trick = []
        trick = self.trick
        trick.append(card)
        if len(trick) == SEATS:
            self.gather()
        else:
            self.actor = RIGHT_OF[actor]
            self.playable = self.legal_cards(self.hands[self.actor])

    def legal_cards(self, hand: CardSet) -> CardSet:
        """Follow suit; failing that ruff; failing that any card. A dry matador need not be played."""
        trumps = self.trumps
        led = trumps.follows[self.trick[0]]
        following = hand & led
        held = hand & trumps.all
        if led == trumps.all:
            return hand if not following or self.is_free(held, trump_led=True) else following
        if following or not held or self.options["must_trump"] == "off":
            return following or hand
        ruffed = any(card & trumps.all for card in self.trick)
        return hand if ruffed and self.is_free(held, trump_led=False) else held

    def is_free(self, held: CardSet, *, trump_led: bool) -> bool:
        """Whether the matadors held, and no other trump, are free of the duty to play them."""
        matadors = self.trumps.matadors
        rule = self.options["dry_matador"]
        if rule == "parent":
            if not trump_led or held & ~sum(matadors):
                return False
            led = self.trick[0]
            return led not in matadors or not any(m & held for m in matadors[matadors.index(led) + 1 :])
        return held in matadors and (trump_led or rule == "any_trump")

    def gather(self) -> None:
        """The highest trump, else the highest of the suit led; its player leads the next."""
        trick, trumps = self.trick, self.trumps
        led = trumps.follows[trick[0]]
        best = strongest(trick, led | trumps.all, trumps.strength)
        leader = RIGHT_OF[self.actor]  # the third seat of the turn sits left of the leader
        self.actor = actor = (leader, RIGHT_OF[leader], self.actor)[best]
        self.tricks[actor] += 1
        self.taker = actor
        self.gathered += 1
        self.playable = self.hands[actor]
        if not self.playable:
            self.stage = OVER

    def outcome(self) -> Outcome:
        self.check_over()
        if self.contract is None or self.hombre is None:
            return PASSED_OUT
        result = result_of(CONTRACTS[self.contract], self.hombre, self.tricks, None, self.options)
        collected = self.matadors[result.collector] if result.collector is not None else 0
        return outcome_of(replace(result, matadors=collected), self.deal.pot)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """The own hand and discards; bids, trump, how many cards each exchanged, the trick, the tricks."""
        leader = self.actor
        for _ in range(len(self.trick) if len(self.trick) < SEATS else 0):
            leader = (leader + 1) % SEATS
        if len(self.trick) == SEATS:
            leader = self.led_last()
        shown: dict[str, Any] = {
            "phase": self.stage,
            "dealer": self.deal.dealer,
            "pot": self.deal.pot,
            "actors": list(self.actors()),
            "bids": [{"seat": who + 1, "bid": said} for who, said in self.bids],
            "hombre": None if self.hombre is None or self.stage == BID else self.hombre + 1,
            "contract": None if self.contract is None else CONTRACTS[self.contract],
            "trump": self.trump,
            "exchanged": list(self.exchanged),
            "stock": self.left(),
            "trick": on_the_table(PACK, self.trick, leader, SEATS, -1),
            "tricks": list(self.tricks),
            "gathered": self.gathered,
            "taker": None if self.taker is None else self.taker + 1,
        }
        if seat is not None:
            shown["hand"] = list(PACK.tokens(self.hands[seat - 1]))
            shown["discards"] = list(PACK.tokens(self.discards[seat - 1]))
        return shown

    def led_last(self) -> int:
        """Who led the trick that lies gathered on the table."""
        led = self.trumps.follows[self.trick[0]]
        return (self.actor + strongest(self.trick, led | self.trumps.all, self.trumps.strength)) % SEATS


def laid_aside(token: str) -> CardSet:
    rest = token.partition(":")[2]
    return 0 if rest == "none" else PACK.cards(rest.split(","))


# ── The payments (section 5) ──────────────────────────────────────────────────────────────────────

TARIFF = {"prendre": 6, "sans-prendre": 8, "vole": 80}  # half jetons, from each opponent


@dataclass(frozen=True, slots=True)
class Result:
    """How a contract ended: `end` is made, lost, codille, remise or bete; `collector` is who takes the
    pot alone (index), `matadors` how many matadors that player held at the first lead."""

    contract: str
    hombre: int
    tricks: tuple[int, ...]
    end: str
    collector: int | None
    matadors: int = 0


def result_of(
    contract: str, hombre: int, tricks: Sequence[int], made: bool | None, options: Settings
) -> Result:
    """`made` stands for the tricks of a vole where only that is known."""
    told = tuple(tricks)
    if made is None:
        made = is_made(contract, hombre, told, options)
    if made:
        return Result(contract, hombre, told, "made", hombre)
    if contract == "prendre":
        winner = next((seat for seat in range(SEATS) if seat != hombre and told[seat] >= 5), None)
        if winner is not None:
            return Result(contract, hombre, told, "codille", winner)
        if options["failed_take"] != "pay":
            return Result(contract, hombre, told, str(options["failed_take"]), None)
    return Result(contract, hombre, told, "lost", None)


def is_made(contract: str, hombre: int, tricks: Sequence[int], options: Settings) -> bool:
    """More tricks than each other player to take, five without taking, all nine for the vole."""
    own = tricks[hombre]
    if contract == "prendre" and options["prendre_goal"] == "plurality":
        return all(own > count for seat, count in enumerate(tricks) if seat != hombre)
    return own >= (TRICKS if contract == "vole" else 5)


PASSED_OUT = Outcome((0, 0, 0), (Fact("passed-out"),))


def payments(result: Result, pot: int) -> list[tuple[str, list[int]]]:
    """What goes from hand to hand, line by line, by seat; the stakes in the pot are not among it."""
    tariff, collector, hombre = TARIFF[result.contract], result.collector, result.hombre
    if collector is not None:

        def to_collector(each: int) -> list[int]:
            return [2 * each if seat == collector else -each for seat in range(SEATS)]

        return [
            ("pot", [pot if seat == collector else 0 for seat in range(SEATS)]),
            ("tariff", to_collector(tariff)),
            ("matadors", to_collector(2 * result.matadors)),
        ]
    if result.end == "lost":
        return [
            ("pot", [0 if seat == hombre else pot // 2 for seat in range(SEATS)]),
            ("tariff", [-2 * tariff if seat == hombre else tariff for seat in range(SEATS)]),
        ]
    if result.end == "bete":
        return [("bete", [-pot if seat == hombre else 0 for seat in range(SEATS)])]
    return []


def outcome_of(result: Result, pot: int) -> Outcome:
    """Each seat's net: what it receives, less what it pays and its third of the pot."""
    lines = payments(result, pot)
    if result.end == "remise":
        lines.append(("returned", [pot // 3] * SEATS))
    elif result.end == "bete":
        lines.append(("returned", [2 * pot // 3] * SEATS))
    lines.insert(0, ("stake", [-pot // 3] * SEATS))
    scores = tuple(sum(points[seat] for _, points in lines) for seat in range(SEATS))
    facts = [Fact(result.end, result.hombre + 1, 0, result.contract)]
    facts += [Fact("tricks", seat, 0, count) for seat, count in enumerate(result.tricks, 1)]
    facts += [
        Fact(name, seat, points, result.matadors if name == "matadors" else None)
        for name, by_seat in lines
        for seat, points in enumerate(by_seat, 1)
        if points
    ]
    return Outcome(scores, tuple(facts))


# ── The game ──────────────────────────────────────────────────────────────────────────────────────

PLAYED = CONTRACTS


class Hombre(Game[Deal]):
    id = "hombre"
    name = Phrase("L'Hombre")
    seats = (SEATS,)
    pack = Phrase("40 cards")
    line_score = Phrase("half jetons won or lost")
    unit = Unit(Phrase("half jeton"), 2)
    options = (
        Option("elder_hold", ("off", "on"), ("engine",),
               Phrase("whether who was to speak earlier may take over a bid at its level")),
        Option("prendre_goal", ("plurality", "five"), ("engine", "sheet", "ledger"),
               Phrase("what makes a prendre: more tricks than each other player, or five")),
        Option("failed_take", ("pay", "remise", "bete"), ("engine", "sheet", "ledger"),
               Phrase("what a prendre lost without codille costs")),
        Option("vole_exchange", ("opponents", "none"), ("engine",),
               Phrase("whether the opponents of a vole exchange cards")),
        Option("must_trump", ("on", "off"), ("engine",),
               Phrase("whether who cannot follow a plain suit must ruff")),
        Option("dry_matador", ("any_trump", "trump_led", "parent"), ("engine",),
               Phrase("when a matador without other trumps need not be played")),
        Option("pot_cycle", ("fixed", "relance"), ("generator",),
               Phrase("whether the pot grows from board to board in a cycle")),
        Option("deals", (12,), ("ledger",), Phrase("how many deals a match has"),
               more=lambda value: sheets.is_whole(value, 3, None) and value % 3 == 0,
               which=Phrase("another positive multiple of three")),
    )  # fmt: skip
    conditions = (
        Option(
            "pot",
            (POT,),
            ("engine", "sheet"),
            Phrase("the pot, in half jetons"),
            more=is_pot,
            which=POT_WANTED,
        ),
        Option("dealer", (1, 2, 3), ("ledger",), Phrase("who deals first in the match")),
    )
    fields = (
        Field("contract", "choice", Phrase("contract"), choices=("none", *CONTRACTS)),
        Field("hombre", "seat", Phrase("hombre"), when=PLAYED),
        Field("tricks", "whole", Phrase("tricks"), per_seat=True, most=TRICKS, when=PLAYED, optional=True),
        Field("made", "flag", Phrase("vole made"), when=("vole",), optional=True),
        Field(
            "matadors", "whole", Phrase("matadors of who takes the pot"), most=3, when=PLAYED, optional=True
        ),
        Field("trump", "choice", Phrase("trump suit"), choices=tuple("SHDC"), when=PLAYED, optional=True),
    )
    names = {
        "bid": Phrase("auction"),
        "trump": Phrase("trump suit"),
        "exchange": Phrase("exchange"),
        "play": Phrase("play"),
        "over": Phrase("over"),
        "stock": Phrase("stock"),
        "pass": Phrase("passes"),
        "bid:prendre": Phrase("prendre (with exchange)"),
        "bid:sans-prendre": Phrase("sans prendre (without exchange)"),
        "bid:vole": Phrase("vole (all tricks)"),
        "trump:S": Phrase("names spades"),
        "trump:H": Phrase("names hearts"),
        "trump:D": Phrase("names diamonds"),
        "trump:C": Phrase("names clubs"),
        "none": Phrase("passed out"),
        "prendre": Phrase("prendre (with exchange)"),
        "sans-prendre": Phrase("sans prendre (without exchange)"),
        "vole": Phrase("vole (all tricks)"),
        "S": Phrase("spades"),
        "H": Phrase("hearts"),
        "D": Phrase("diamonds"),
        "C": Phrase("clubs"),
        "passed-out": Phrase("passed out"),
        "made": Phrase("contract made"),
        "lost": Phrase("contract lost"),
        "codille": Phrase("codille"),
        "remise": Phrase("remise"),
        "bete": Phrase("bête"),
        "tricks": Phrase("tricks"),
        "stake": Phrase("stake"),
        "pot": Phrase("pot"),
        "tariff": Phrase("tariff of the contract"),
        "matadors": Phrase("matadors"),
        "returned": Phrase("returned from the pot"),
    }

    def dealer_of(self, number: int, conditions: Settings) -> int:
        """The deal passes to the right: 1, 3, 2, 1…"""
        return SEATS - (number + 1) % SEATS

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        steps = (number - 1) // 3 % 3 if options["pot_cycle"] == "relance" else 0
        pot = conditions.get("pot", POT + 12 * steps)
        return replace(dealt(stream.shuffled(PACK.order), dealer), pot=pot)

    def read_deal(self, data: Any, options: Settings | None = None) -> Deal:
        return read_deal(data)

    def show_deal(self, deal: Deal) -> dict[str, Any]:
        hands = [list(PACK.tokens(hand)) for hand in deal.hands]
        return {"dealer": deal.dealer, "hands": hands, "stock": list(deal.stock), "pot": deal.pot}

    def start(self, deal: Deal, options: Settings) -> HombreState:
        return HombreState(deal, options)

    # The result sheet (section 8)

    def summarise(self, state: State) -> dict[str, Any]:
        assert isinstance(state, HombreState)
        state.check_over()
        if state.contract is None or state.hombre is None:
            return {"contract": "none"}
        contract = CONTRACTS[state.contract]
        sheet: dict[str, Any] = {
            "contract": contract,
            "hombre": state.hombre + 1,
            "tricks": list(state.tricks),
        }
        result = result_of(contract, state.hombre, state.tricks, None, state.options)
        if result.collector is not None:
            sheet["matadors"] = state.matadors[result.collector]
        return sheet | {"trump": state.trump}

    def score(
        self,
        sheet: Sheet,
        *,
        deal: Deal | None = None,
        options: Settings | None = None,
        conditions: Settings | None = None,
    ) -> Outcome:
        result = self.result(sheet, settled(self.options, options))
        pot = deal.pot if deal is not None else (conditions or {}).get("pot", POT)
        return PASSED_OUT if result is None else outcome_of(result, pot)

    def result(self, sheet: Sheet, options: Settings) -> Result | None:
        """What a sheet tells; None for a deal that was passed out."""
        sheets.check(self.fields, sheet, seats=SEATS)
        if sheet["contract"] == "none":
            return None
        tricks, made, hombre = sheet.get("tricks"), sheet.get("made"), sheet["hombre"] - 1
        if tricks is None and made is None:
            raise BadSheet("tricks", Phrase("is missing"))
        if tricks is not None and sum(tricks) != TRICKS:
            raise BadSheet("tricks", Phrase("add up to {total}; nine tricks are played", total=sum(tricks)))
        if tricks is not None and made is not None and made != (tricks[hombre] == TRICKS):
            raise BadSheet("made", Phrase("does not agree with the tricks"))
        result = result_of(sheet["contract"], hombre, tricks or (), made, options)
        if result.collector is None:
            if sheet.get("matadors"):
                raise BadSheet("matadors", Phrase("nobody takes the pot alone: leave it empty"))
            return result
        if "matadors" not in sheet:
            raise BadSheet(
                "matadors", Phrase("is missing: how many did seat {seat} hold", seat=result.collector + 1)
            )
        return replace(result, matadors=sheet["matadors"])

    # The match (section 6)

    def ledger(
        self, deals: Sequence[Any], *, options: Settings | None = None, conditions: Settings | None = None
    ) -> dict[str, Any]:
        settings = settled(self.options, options)
        most = int(settings["deals"])
        capital, pot, passes = [160] * SEATS, 0, 0
        dealer = int((conditions or {}).get("dealer", 1))
        rows = []
        for number, sheet in enumerate(deals):
            if number == most:
                raise BadRecord(
                    f"deals[{number}]", Phrase("the match was over after {count} deals", count=most)
                )
            with sheets.within(f"deals[{number}]"):
                result = self.result(sheet, settings)
            if not passes:
                capital = [left - POT // 3 for left in capital]
                pot += POT
            played_for, last = pot, number + 1 == most
            if result is None:
                passes += 1
                if not last:
                    capital = [left - 4 for left in capital]
                    pot += 12
            else:
                passes = 0
                moved = [sum(by_seat) for by_seat in zip(*(p for _, p in payments(result, pot)), strict=True)]
                capital = [left + more for left, more in zip(capital, moved or [0] * SEATS, strict=True)]
                pot = {"remise": pot, "bete": 2 * pot}.get(result.end, 0)
            if last:
                capital, pot = [left + pot // 3 for left in capital], 0
            rows.append({"dealer": dealer, "played_for": played_for, "capital": list(capital), "pot": pot})
            dealer = RIGHT_OF[dealer - 1] + 1
        over = len(deals) == most
        places = shared_ranks(capital)
        return {
            "over": over,
            "winner": places.index(1) + 1 if over and places.count(1) == 1 else None,
            "capital": capital,
            "pot": pot,
            "passes": passes,
            "dealer": dealer,
            "deal_no": len(deals),
            "ranks": places if over else None,
            "rows": rows,
        }

    def suggest(self, view: View, legal: Sequence[str], random: Random) -> str:
        return suggestion(view, legal)


# ── A sensible robot ──────────────────────────────────────────────────────────────────────────────


def suggestion(view: View, legal: Sequence[str]) -> str:
    """Bids on five good trumps, keeps trumps and kings, and wins tricks as cheaply as it can."""
    hand = PACK.cards(view["hand"])
    if view["phase"] == BID:
        best = max(worth(hand, suit) for suit in TRUMPS)
        if best >= 9 and "bid:sans-prendre" in legal:
            return "bid:sans-prendre"
        return "bid:prendre" if best >= 5.5 and "bid:prendre" in legal else PASS
    if view["phase"] == TRUMP:
        return f"trump:{max(TRUMPS, key=lambda suit: worth(hand, suit))}"
    trumps = TRUMPS[view["trump"]]
    if view["phase"] == EXCHANGE:
        weak = [t for t in PACK.order if PACK.card(t) & hand & ~trumps.all and t[0] not in "K"]
        chosen = weak[: view["stock"] if view["actors"][0] == view["hombre"] else min(view["stock"], 5)]
        return f"exchange:{','.join(chosen)}" if chosen else NONE
    trick = [PACK.card(one["card"]) for one in view["trick"]]
    cards = sorted((PLAYS[action] for action in legal), key=trumps.strength.__getitem__)
    if not 0 < len(trick) < SEATS:
        return f"play:{PACK.token(cards[-1])}"
    led = trumps.follows[trick[0]]
    best_card = max((c for c in trick if c & (led | trumps.all)), key=trumps.strength.__getitem__)
    winning = [
        card
        for card in cards
        if card & (led | trumps.all) and trumps.strength[card] > trumps.strength[best_card]
    ]
    return f"play:{PACK.token((winning or cards)[0])}"


def worth(hand: CardSet, suit: str) -> float:
    """A rough count of what a hand is worth with a trump suit: trumps, matadors twice, kings half."""
    trumps = TRUMPS[suit]
    matadors = sum(bool(matador & hand) for matador in trumps.matadors)
    kings = (hand & PACK.rank("K") & ~trumps.all).bit_count()
    return (hand & trumps.all).bit_count() + matadors + kings / 2


GAMES: tuple[Game[Any], ...] = (Hombre(),)
