"""Tarot double détente (three seats, two parts) and Triple-Détente (two seats, three parts): everyone bids
the number of tricks that he will make, with a tarot pack of which each part uses its share.

The parts follow docs/games/tarot-double-detente.md, whose sections the comments cite.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random
from typing import Any

from .. import sheets
from ..cards import CardSet, Pack, highest
from ..contract import Fact, Field, Game, Option, Outcome, Settings, Sheet, State, Unit, View, settled
from ..dealing import Stream
from ..errors import BadDeal, BadRecord, BadSheet
from ..phrases import Phrase
from ..ranks import shared_ranks
from ..tricks import NEXT, on_the_table, strongest
from ..turns import (
    FOLLOW,
    MUST_FOLLOW_TRUMP,
    MUST_OVERTRUMP,
    MUST_RUFF,
    NO_SUCH_ACTION,
    NOT_HELD,
    OVER,
    TurnState,
)

TRICKS = 13
PARTS = {3: 2, 2: 3}  # by the number of seats
RED = 100  # from here on one can be named

# ── The cards (section 2) ─────────────────────────────────────────────────────────────────────────

PACK = Pack(suits="SHDC", ranks="123456789TJCQK", trumps=21, excuse=True)
PLAYS = {f"play:{token}": PACK.card(token) for token in PACK.order}
TRUMPS, EXCUSE, PETIT = PACK.suit("T"), PACK.card("EX"), PACK.card("1T")
KNIGHTS, ACES = PACK.cards("CS CH CD CC"), PACK.cards("1S 1H 1D 1C")


@cache
def strength_with(reversed_suit: str) -> Mapping[CardSet, int]:
    """The strength of every card, one suit perhaps turned upside down; trumps above all, the Excuse below."""
    strength = {EXCUSE: 0}
    for token in PACK.order[:-1]:
        if token[-1] == "T":
            strength[PACK.card(token)] = 100 + int(token[:-1])
        else:
            place = 1 + PACK.rank_letters.index(token[0])
            strength[PACK.card(token)] = 15 - place if token[-1] == reversed_suit else place
    return strength


# ── The deal (section 3) ──────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Deal:
    """`hands` of the first part; the `stock` gives those of the others; `start_scores` by seat."""

    dealer: int
    hands: tuple[CardSet, ...]
    stock: tuple[str, ...]
    start_scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """What a part begins with: the hands, and the cards turned (none, one, or two after an Excuse)."""

    hands: tuple[CardSet, ...]
    turned: tuple[str, ...] = ()

    @property
    def effect(self) -> str:
        """exact, doubled, the letter of a reversed suit, or nothing (section 4)."""
        if not self.turned:
            return ""
        card = self.turned[-1]
        if card[-1] == "T":
            return "exact"
        return "doubled" if card[0] == "C" else card[-1]


def handed_out(cards: Sequence[str], dealer: int, seats: int) -> tuple[CardSet, ...]:
    """Thirteen cards each, one at a time from the dealer's left."""
    hands = [0] * seats
    for place, token in enumerate(cards):
        hands[(dealer + place) % seats] |= PACK.card(token)
    return tuple(hands)


@lru_cache(maxsize=1024)
def parts_of(deal: Deal, modifications: bool) -> tuple[Part, ...]:
    """All parts, each from what the one before has left."""
    seats, stock = len(deal.hands), list(deal.stock)
    parts, hands = [], deal.hands
    for number in range(PARTS[seats]):
        last = number + 1 == PARTS[seats]
        if number:
            hands, stock = handed_out(stock[: TRICKS * seats], deal.dealer, seats), stock[TRICKS * seats :]
        turned: tuple[str, ...] = ()
        if modifications and not last:
            turned = tuple(stock[: 2 if stock[0] == "EX" else 1])
            stock = stock[len(turned) :] + list(turned)
        parts.append(Part(hands, turned))
    return tuple(parts)


def are_scores(value: object, seats: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) == seats
        and all(sheets.is_whole(v, -10_000, 10_000) for v in value)
    )


SCORES_WANTED = Phrase("the scores before the deal are a list of whole numbers, one per seat")


def read_deal(data: Any, seats: int) -> Deal:
    read = sheets.read_deal(data, seats, ("dealer", "hands", "stock"), optional=("start_scores",))
    lists = [*read["hands"], read["stock"]] if isinstance(read["hands"], list) else []
    *hands, _stock = PACK.read(lists, sizes=(*[TRICKS] * seats, 78 - TRICKS * seats))
    scores = read.get("start_scores", [0] * seats)
    if not are_scores(scores, seats):
        raise BadDeal((), SCORES_WANTED)
    return Deal(read["dealer"], tuple(hands), tuple(read["stock"]), tuple(scores))


# ── The phases (section 4) ────────────────────────────────────────────────────────────────────────

CONTRACTS, PLAY = "contracts", "play"
ALL = "!all:"

NOT_THIRTEEN = Phrase("the two contracts may not add up to thirteen")
NOBODY_IN_THE_RED = Phrase("only an opponent with 100 points or more can be named, where the option is on")


class DetenteState(TurnState):
    """A board in progress. Seats are indices from 0 inside; lists by seat are of the current part."""

    __slots__ = (
        "aces", "contracts", "deal", "excuse_last", "gathered", "hands", "knights", "leader", "log", "marked",
        "options", "part", "parts", "petit", "petit_last", "playable", "results", "seats", "strength",
        "taker", "targets", "trick", "tricks", "wanted",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.deal, self.options = deal, options
        self.seats = len(deal.hands)
        self.wanted: CardSet = 0  # what the first card but the Excuse asks for
        self.parts = parts_of(deal, bool(options["modifications"]))
        self.log: list[str] = []
        self.results: list[PartResult] = []
        self.marked: list[tuple[int, ...]] = []  # the marks of the parts so far
        self.trick: list[CardSet] = []
        self.leader = 0
        self.gathered = 0
        self.taker: int | None = None
        self.part = -1
        self.begin_part()

    @property
    def entries(self) -> list[str]:
        return self.log

    def begin_part(self) -> None:
        seats = self.seats
        self.part += 1
        part = self.parts[self.part]
        self.hands = list(part.hands)
        self.contracts: list[int | None] = [None] * seats
        self.targets: list[int | None] = [None] * seats
        self.tricks = [0] * seats
        self.knights = [0] * seats
        self.aces = [0] * seats
        self.petit: int | None = None
        self.petit_last = False
        self.excuse_last: int | None = None
        effect = part.effect
        self.strength = strength_with(effect if len(effect) == 1 else "")
        self.stage = CONTRACTS
        self.actor = NEXT[seats][self.deal.dealer - 1]
        self.playable: CardSet = 0

    # The contracts

    def scores(self) -> tuple[int, ...]:
        """The points of each seat so far, those before the board included."""
        return tuple(sum(points) for points in zip(self.deal.start_scores, *self.marked, strict=True))

    def may_name(self, target: int) -> bool:
        if not self.options["all_or_nothing"] or target == self.actor or not 0 <= target < self.seats:
            return False
        return self.scores()[target] >= RED

    def forbidden(self) -> int | None:
        """The contract that the second of two speakers may not choose."""
        told = [contract for contract in self.contracts if contract is not None]
        return TRICKS - told[0] if self.seats == 2 and told else None

    def choices(self) -> Iterator[str]:
        if self.stage == CONTRACTS:
            targets = [target for target in range(self.seats) if self.may_name(target)]
            for count in range(TRICKS + 1):
                if count != self.forbidden():
                    yield f"bid:{count}"
                    yield from (f"bid:{count}{ALL}{target + 1}" for target in targets)
        else:
            for token in PACK.tokens(self.playable):
                yield f"play:{token}"

    def broken_rule(self, token: str) -> Phrase | None:
        if self.stage == CONTRACTS:
            return self.broken_bid(token)
        card = PLAYS.get(token, 0)
        if not card:
            return NO_SUCH_ACTION
        if card & self.playable:
            return None
        hand = self.hands[self.actor]
        if not card & hand:
            return NOT_HELD
        demanded = self.wanted
        if hand & demanded and demanded != TRUMPS:
            return FOLLOW
        if not card & TRUMPS:
            return MUST_FOLLOW_TRUMP if demanded == TRUMPS else MUST_RUFF
        return MUST_OVERTRUMP

    def broken_bid(self, token: str) -> Phrase | None:
        if token not in BIDS:
            return NO_SUCH_ACTION
        count, target = BIDS[token]
        if target is not None and not self.may_name(target):
            return NOBODY_IN_THE_RED
        return NOT_THIRTEEN if count == self.forbidden() else None

    def apply(self, entry: str) -> None:
        card = PLAYS.get(entry, 0)
        if card & self.playable:
            self.log.append(entry)
            self.play(card)
            return
        token = self.checked(entry)
        if self.stage == PLAY:
            self.apply(token)
            return
        self.log.append(token)
        self.contracts[self.actor], self.targets[self.actor] = BIDS[token]
        self.actor = NEXT[self.seats][self.actor]
        if None not in self.contracts:
            self.stage = PLAY
            self.playable = self.hands[self.actor]

    # The play

    def play(self, card: CardSet) -> None:
        actor = self.actor
        self.hands[actor] ^= card
        if len(self.trick) % self.seats == 0:
            self.trick = []
            self.leader = actor
            self.wanted = 0
        if not self.wanted and card != EXCUSE:
            self.wanted = PACK.suit_of[card]
        self.trick.append(card)
        if card == EXCUSE and not self.hands[actor]:
            self.excuse_last = actor
        if len(self.trick) == self.seats:
            self.gather()
        else:
            self.actor = NEXT[self.seats][actor]
            self.playable = self.legal_cards(self.hands[self.actor])

    def legal_cards(self, hand: CardSet) -> CardSet:
        """Follow suit; failing that ruff, going up in trumps; failing that any card. The Excuse always."""
        demanded = self.wanted
        following = hand & demanded
        if demanded != TRUMPS and following:
            return following | hand & EXCUSE
        held = hand & TRUMPS
        if not demanded or not held:
            return hand
        played = sum(self.trick) & TRUMPS
        higher = held & -2 * highest(played) if played else held
        return (higher or held) | hand & EXCUSE

    def gather(self) -> None:
        trick = self.trick
        place = strongest(trick, self.wanted | TRUMPS, self.strength)
        self.actor = actor = (self.leader + place) % self.seats
        cards = sum(trick)
        self.tricks[actor] += 1
        self.taker = actor
        self.gathered += 1
        self.knights[actor] += (cards & KNIGHTS).bit_count()
        self.aces[actor] += bool(trick[place] & ACES)
        self.playable = self.hands[actor]
        if cards & PETIT:
            self.petit, self.petit_last = actor, not self.playable
        if not self.playable:
            self.end_part()

    def end_part(self) -> None:
        contracts = tuple(contract or 0 for contract in self.contracts)
        result = PartResult(
            contracts, tuple(self.tricks), self.petit, self.petit_last, self.excuse_last,
            tuple(self.knights), tuple(self.aces), tuple(self.targets),
        )  # fmt: skip
        self.results.append(result)
        self.marked.append(marks(result, self.part, self.parts[self.part].effect, self.options))
        if self.part + 1 < len(self.parts):
            self.begin_part()
        else:
            self.stage = OVER

    def outcome(self) -> Outcome:
        self.check_over()
        return outcome_of(self.results, [part.effect for part in self.parts], self.options)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """The own hand; contracts, cards turned so far, marks of earlier parts, the trick, the tricks."""
        turned = self.parts[self.part].turned
        shown: dict[str, Any] = {
            "phase": self.stage,
            "part": self.part + 1,
            "dealer": self.deal.dealer,
            "start_scores": list(self.deal.start_scores),
            "marks": [list(points) for points in self.marked],
            "actors": list(self.actors()),
            "turned": list(turned[:1] if self.stage == CONTRACTS else turned),
            "contracts": list(self.contracts),
            "all_or_nothing": [None if target is None else target + 1 for target in self.targets],
            "trick": on_the_table(PACK, self.trick, self.leader, self.seats),
            "tricks": list(self.tricks),
            "gathered": self.gathered,
            "taker": None if self.taker is None else self.taker + 1,
        }
        if seat is not None:
            shown["hand"] = list(PACK.tokens(self.hands[seat - 1]))
        return shown


BIDS: dict[str, tuple[int, int | None]] = {f"bid:{count}": (count, None) for count in range(TRICKS + 1)} | {
    f"bid:{count}{ALL}{target}": (count, target - 1) for count in range(TRICKS + 1) for target in (1, 2, 3)
}


# ── The marks (section 5) ─────────────────────────────────────────────────────────────────────────

BONUS = ((10, 5, 2), (20, 10, 5), (30, 20, 10))  # by part: exact, one off, two off
PENALTY = (20, 30, 40)  # for a fault, by part


@dataclass(frozen=True, slots=True)
class PartResult:
    """How a part was played; seats are indices. A part stopped by a fault has only its `fault`."""

    contracts: tuple[int, ...]
    tricks: tuple[int, ...]
    petit: int | None = None
    petit_last: bool = False
    excuse_last: int | None = None
    knights: tuple[int, ...] = ()
    aces: tuple[int, ...] = ()
    targets: tuple[int | None, ...] = ()
    fault: int | None = None


def bonus(contract: int, tricks: int, part: int, effect: str) -> int:
    off = abs(tricks - contract)
    if off > 2 or (off and effect == "exact"):
        return 0
    return BONUS[part][off] * (2 if effect == "doubled" else 1)


def facts_of(result: PartResult, part: int, effect: str, options: Settings, seats: int) -> list[Fact]:
    """The marks of a part line by line; `value` is the part's number."""
    number = part + 1
    if result.fault is not None:
        return [
            Fact("fault", seat + 1, -PENALTY[part], number) if seat == result.fault
            else Fact("annulled_part", seat + 1, 0, number)
            for seat in range(seats)
        ]  # fmt: skip
    facts = []
    earned = [bonus(c, t, part, effect) for c, t in zip(result.contracts, result.tricks, strict=True)]
    exact = [c == t for c, t in zip(result.contracts, result.tricks, strict=True)]
    for seat in range(seats):
        gains = [("bonus", earned[seat]), ("tricks", result.tricks[seat])]
        if result.petit == seat:
            gains += [("petit", 2), ("petit-last", 5 if result.petit_last else 0)]
        if options["cavalry"]:
            gains.append(("knights", 2 * result.knights[seat]))
        if result.targets[seat] is not None and not exact[seat]:
            gains = []
            facts.append(Fact("all-or-nothing-failed", seat + 1, 0, number))
        if result.excuse_last == seat:
            gains.append(("excuse-last", -5))
        if options["winning_ace"]:
            gains.append(("aces", -10 * (sum(result.aces) - result.aces[seat])))
        gains += [
            ("all-or-nothing", -earned[other])
            for other in range(seats)
            if result.targets[other] == seat and exact[other]
        ]
        facts += [Fact(name, seat + 1, points, number) for name, points in gains if points]
    return facts


def marks(result: PartResult, part: int, effect: str, options: Settings) -> tuple[int, ...]:
    seats = len(result.tricks) or len(result.contracts)
    facts = facts_of(result, part, effect, options, seats)
    return tuple(sum(fact.points for fact in facts if fact.seat == seat) for seat in range(1, seats + 1))


def outcome_of(results: Sequence[PartResult], effects: Sequence[str], options: Settings) -> Outcome:
    """The sum of the parts. Where a part was stopped by a fault, the others' lines cannot be compared."""
    seats = len(results[0].contracts)
    facts = [
        fact
        for part, (result, effect) in enumerate(zip(results, effects, strict=True))
        for fact in facts_of(result, part, effect, options, seats)
    ]
    scores = tuple(sum(fact.points for fact in facts if fact.seat == seat) for seat in range(1, seats + 1))
    stopped = {fact.seat for fact in facts if fact.name == "annulled_part" and fact.seat is not None}
    return Outcome(scores, tuple(facts), tuple(sorted(stopped)))


# ── The result sheet (section 8) ──────────────────────────────────────────────────────────────────

KEYS = (
    "contracts",
    "tricks",
    "petit",
    "petit_last",
    "excuse_last",
    "knights",
    "aces",
    "all_or_nothing",
    "fault",
)


class PartReader:
    """Reads the block of one part; errors name its place: `parts[1].tricks`."""

    def __init__(self, place: str, block: Any, seats: int, options: Settings) -> None:
        if not isinstance(block, dict):
            raise BadSheet(place, Phrase("must be an object of names and values"))
        self.place, self.seats, self.options = place, seats, options
        self.block = {name: value for name, value in block.items() if value is not None}
        for name in self.block:
            if name not in KEYS:
                names = ", ".join(KEYS)
                self.refuse(str(name), Phrase("is no field of this game; there are: {names}", names=names))

    def refuse(self, name: str, constraint: Phrase) -> None:
        raise BadSheet(f"{self.place}.{name}", constraint)

    def seat(self, name: str) -> int | None:
        value = self.block.get(name)
        if value is not None and not sheets.is_whole(value, 1, self.seats):
            self.refuse(name, Phrase("must be a seat from 1 to {seats}", seats=self.seats))
        return None if value is None else int(value) - 1

    def numbers(self, name: str, most: int) -> tuple[int, ...]:
        value = self.block.get(name)
        if not isinstance(value, list) or len(value) != self.seats:
            self.refuse(name, Phrase("must be a list of {seats} values, one per seat", seats=self.seats))
        elif not all(sheets.is_whole(one, 0, most) for one in value):
            self.refuse(name, Phrase("must be a whole number from {least} to {most}", least=0, most=most))
        return tuple(value or ())

    def optional_numbers(self, name: str, option: str) -> tuple[int, ...]:
        """Numbers that are there with an option, and only then."""
        if self.options[option]:
            return self.numbers(name, TRICKS)
        if name in self.block:
            self.refuse(name, Phrase("belongs to the option {option} alone", option=option))
        return (0,) * self.seats

    def read(self, eligible: Sequence[bool]) -> PartResult:
        fault = self.seat("fault")
        if fault is not None:
            for name in self.block:
                if name != "fault":
                    self.refuse(name, Phrase("must be left out: a fault stopped this part"))
            return PartResult((0,) * self.seats, (), fault=fault)
        contracts, tricks = self.numbers("contracts", TRICKS), self.numbers("tricks", TRICKS)
        if self.seats == 2 and sum(contracts) == TRICKS:
            self.refuse("contracts", NOT_THIRTEEN)
        if sum(tricks) != TRICKS:
            self.refuse("tricks", Phrase("add up to {total}; thirteen tricks are played", total=sum(tricks)))
        petit, excuse = self.seat("petit"), self.seat("excuse_last")
        petit_last = self.block.get("petit_last", False)
        if not isinstance(petit_last, bool) or (petit_last and petit is None):
            self.refuse("petit_last", Phrase("is true or false, and true only with a winner of the Petit"))
        if petit is not None and not tricks[petit]:
            self.refuse("petit", Phrase("this seat has won no trick"))
        if excuse is not None and tricks[excuse] == TRICKS:
            self.refuse("excuse_last", Phrase("who plays the Excuse does not win that trick"))
        if petit_last and petit == excuse:
            self.refuse("excuse_last", Phrase("who plays the Excuse does not win that trick"))
        knights = self.optional_numbers("knights", "cavalry")
        if any(count and not won for count, won in zip(knights, tricks, strict=True)):
            self.refuse("knights", Phrase("this seat has won no trick"))
        aces = self.optional_numbers("aces", "winning_ace")
        if any(count > won for count, won in zip(aces, tricks, strict=True)):
            self.refuse("aces", Phrase("no seat wins more tricks with aces than it wins"))
        targets = self.targets(eligible)
        return PartResult(contracts, tricks, petit, petit_last, excuse, knights, aces, targets)

    def targets(self, eligible: Sequence[bool]) -> tuple[int | None, ...]:
        given = self.block.get("all_or_nothing", [None] * self.seats)
        if not isinstance(given, list) or len(given) != self.seats:
            self.refuse(
                "all_or_nothing", Phrase("must be a list of {seats} values, one per seat", seats=self.seats)
            )
        for seat, target in enumerate(given):
            if target is None:
                continue
            named = self.options["all_or_nothing"] and sheets.is_whole(target, 1, self.seats)
            if not named or target - 1 == seat or not eligible[target - 1]:
                self.refuse("all_or_nothing", NOBODY_IN_THE_RED)
        return tuple(None if target is None else target - 1 for target in given)

    def check_against(self, result: PartResult, part: Part) -> None:
        """What the dealt cards of the part say of its result."""
        if result.fault is not None:
            return
        together = sum(part.hands)
        if (result.petit is not None) != bool(together & PETIT):
            self.refuse("petit", Phrase("is won in the part in which it is dealt, and in no other"))
        holder = next((seat for seat, hand in enumerate(part.hands) if hand & EXCUSE), None)
        if result.excuse_last is not None and result.excuse_last != holder:
            self.refuse("excuse_last", Phrase("this seat was not dealt the Excuse in this part"))
        if holder is not None and result.tricks[holder] == TRICKS:
            self.refuse("tricks", Phrase("who holds the Excuse wins twelve tricks at most"))
        if self.options["cavalry"] and sum(result.knights) != (together & KNIGHTS).bit_count():
            self.refuse(
                "knights",
                Phrase("{count} knights were dealt in this part", count=(together & KNIGHTS).bit_count()),
            )
        if self.options["winning_ace"] and sum(result.aces) > (together & ACES).bit_count():
            self.refuse(
                "aces", Phrase("{count} aces were dealt in this part", count=(together & ACES).bit_count())
            )


def check_whole(results: Sequence[PartResult], options: Settings) -> None:
    """What is true of every board, whatever was dealt."""
    stopped = any(result.fault is not None for result in results)
    petits = sum(result.petit is not None for result in results)
    if petits > 1 or (petits == 0 and not stopped):
        raise BadSheet("parts", Phrase("the Petit is won in exactly one part"))
    if sum(result.excuse_last is not None for result in results) > 1:
        raise BadSheet("parts", Phrase("the Excuse is dealt in one part only"))
    knights = sum(sum(result.knights) for result in results)
    if options["cavalry"] and (knights > 4 or (knights < 4 and not stopped)):
        raise BadSheet("parts", Phrase("there are four knights"))
    if sum(sum(result.aces) for result in results) > 4:
        raise BadSheet("parts", Phrase("there are four aces"))


# ── The games ─────────────────────────────────────────────────────────────────────────────────────


class Detente(Game[Deal]):
    """What the two games share; they differ in their seats and parts."""

    pack = Phrase("78 tarot cards")
    line_score = Phrase("points of all parts")
    unit = Unit(Phrase("point"))
    options = (
        Option("cavalry", (False, True), ("engine", "sheet"),
               Phrase("whether each knight won brings two points")),
        Option("modifications", (False, True), ("engine", "sheet"),
               Phrase("whether a turned card changes a part")),
        Option("winning_ace", (False, True), ("engine", "sheet"),
               Phrase("whether a trick won with an ace costs the others ten")),
        Option("all_or_nothing", (False, True), ("generator", "engine", "sheet", "ledger"),
               Phrase("whether one may stake all on the exact contract against an opponent with 100 points")),
    )  # fmt: skip
    fields = (Field("parts", "list", Phrase("the parts, one block each")),)
    names = {
        "contracts": Phrase("contracts"),
        "play": Phrase("play"),
        "over": Phrase("over"),
        "stock": Phrase("stock"),
        "start_scores": Phrase("scores before the deal"),
        "bid": Phrase("contract"),
        "bonus": Phrase("bonus of the contract"),
        "tricks": Phrase("tricks"),
        "petit": Phrase("the Petit won"),
        "petit-last": Phrase("the Petit in the last trick"),
        "knights": Phrase("knights"),
        "excuse-last": Phrase("the Excuse played to the last trick"),
        "aces": Phrase("tricks that others won with an ace"),
        "all-or-nothing": Phrase("an opponent's all or nothing"),
        "all-or-nothing-failed": Phrase("all or nothing failed"),
        "fault": Phrase("fault"),
        "annulled_part": Phrase("part stopped by another's fault"),
    }

    @property
    def part_count(self) -> int:
        return PARTS[self.seats[0]]

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        seats = self.seats[0]
        cards = stream.shuffled(PACK.order)
        red = number % 2 == 0 if seats == 3 else number % 4 in {3, 0}
        preset = [RED if options["all_or_nothing"] and red else 0] * seats
        scores = tuple(conditions.get("start_scores", preset))
        return Deal(
            dealer, handed_out(cards[: TRICKS * seats], dealer, seats), tuple(cards[TRICKS * seats :]), scores
        )

    def read_deal(self, data: Any, options: Settings | None = None) -> Deal:
        return read_deal(data, self.seats[0])

    def show_deal(self, deal: Deal) -> dict[str, Any]:
        return {
            "dealer": deal.dealer,
            "hands": [list(PACK.tokens(hand)) for hand in deal.hands],
            "stock": list(deal.stock),
            "start_scores": list(deal.start_scores),
        }

    def start(self, deal: Deal, options: Settings) -> DetenteState:
        return DetenteState(deal, options)

    def summarise(self, state: State) -> dict[str, Any]:
        assert isinstance(state, DetenteState)
        state.check_over()
        return {"parts": [self.block(result, state.options) for result in state.results]}

    def block(self, result: PartResult, options: Settings) -> dict[str, Any]:
        block: dict[str, Any] = {
            "contracts": list(result.contracts),
            "tricks": list(result.tricks),
            "petit": None if result.petit is None else result.petit + 1,
            "petit_last": result.petit_last,
            "excuse_last": None if result.excuse_last is None else result.excuse_last + 1,
        }
        if options["cavalry"]:
            block["knights"] = list(result.knights)
        if options["winning_ace"]:
            block["aces"] = list(result.aces)
        if options["all_or_nothing"]:
            block["all_or_nothing"] = [None if target is None else target + 1 for target in result.targets]
        return block

    def score(
        self,
        sheet: Sheet,
        *,
        deal: Deal | None = None,
        options: Settings | None = None,
        conditions: Settings | None = None,
    ) -> Outcome:
        settings, seats = settled(self.options, options), self.seats[0]
        sheets.check(self.fields, sheet, seats=seats)
        if len(sheet["parts"]) != self.part_count:
            raise BadSheet("parts", Phrase("a board has {count} parts", count=self.part_count))
        if settings["modifications"] and deal is None:
            raise BadSheet("parts", Phrase("with modifications a sheet needs its deal"))
        parts = parts_of(deal, bool(settings["modifications"])) if deal is not None else None
        effects = [part.effect for part in parts] if parts else [""] * self.part_count
        running = list(
            deal.start_scores if deal is not None else (conditions or {}).get("start_scores", [0] * seats)
        )
        results = []
        for number, block in enumerate(sheet["parts"]):
            reader = PartReader(f"parts[{number}]", block, seats, settings)
            result = reader.read([score >= RED for score in running])
            if parts is not None:
                reader.check_against(result, parts[number])
            results.append(result)
            running = [
                a + b for a, b in zip(running, marks(result, number, effects[number], settings), strict=True)
            ]
        check_whole(results, settings)
        return outcome_of(results, effects, settings)

    def ledger(
        self, deals: Sequence[Any], *, options: Settings | None = None, conditions: Settings | None = None
    ) -> dict[str, Any]:
        """Each entry is a round: its dealer, the marks of its parts, and who was named in each."""
        settings, seats = settled(self.options, options), self.seats[0]
        scores, winner = [0] * seats, None
        rows = []
        for number, given in enumerate(deals):
            place = f"deals[{number}]"
            if winner is not None:
                raise BadRecord(place, Phrase("the match was over after {count} deals", count=number))
            dealer, parts, named = self.round_of(place, given, number, settings)
            shown = []
            for part, points in enumerate(parts):
                for target in named[part] or []:
                    if target is not None and scores[target - 1] < RED:
                        raise BadSheet(f"{place}.all_or_nothing", NOBODY_IN_THE_RED)
                scores = [a + b for a, b in zip(scores, points, strict=True)]
                eligible = [score >= RED for score in scores]
                shown.append({"marks": points, "scores": scores, "eligible": eligible})
            rows.append({"dealer": dealer, "parts": shown, "scores": scores})
            if max(scores) >= 200 and shared_ranks(scores).count(1) == 1:
                winner = scores.index(max(scores)) + 1
        return {"over": winner is not None, "winner": winner, "scores": scores, "rows": rows}

    def round_of(
        self, place: str, given: Any, number: int, options: Settings
    ) -> tuple[int, list[list[int]], list[list[int | None] | None]]:
        seats, count = self.seats[0], self.part_count
        if not isinstance(given, dict) or not {"dealer", "marks"} <= set(given) <= {
            "dealer",
            "marks",
            "all_or_nothing",
        }:
            raise BadSheet(place, Phrase("a round has a dealer, the marks of its parts, and who was named"))
        if given["dealer"] != number % seats + 1 or isinstance(given["dealer"], bool):
            raise BadSheet(
                f"{place}.dealer",
                Phrase("deal {number} is dealt by seat {seat}", number=number + 1, seat=number % seats + 1),
            )
        parts = given["marks"]
        if (
            not isinstance(parts, list)
            or len(parts) != count
            or not all(are_scores(part, seats) for part in parts)
        ):
            raise BadSheet(
                f"{place}.marks", Phrase("a round has the marks of {count} parts, by seat", count=count)
            )
        named = given.get("all_or_nothing") or [None] * count
        good = isinstance(named, list) and len(named) == count and all(is_naming(one, seats) for one in named)
        if not good or (any(any(one or []) for one in named) and not options["all_or_nothing"]):
            raise BadSheet(f"{place}.all_or_nothing", NOBODY_IN_THE_RED)
        return given["dealer"], parts, named

    def suggest(self, view: View, legal: Sequence[str], random: Random) -> str:
        return suggestion(view, legal, self.seats[0])


def is_naming(value: object, seats: int) -> bool:
    """Who was named in a part, by seat: another seat, or nobody."""
    if value is None:
        return True
    if not isinstance(value, list) or len(value) != seats:
        return False
    return all(t is None or (sheets.is_whole(t, 1, seats) and t != seat) for seat, t in enumerate(value, 1))


def scores_condition(seats: int) -> tuple[Option, ...]:
    return (
        Option("start_scores", (), ("engine", "sheet"), Phrase("scores before the deal"),
               more=lambda value: are_scores(value, seats), which=SCORES_WANTED),
    )  # fmt: skip


class DoubleDetente(Detente):
    id = "tarot-double-detente"
    name = Phrase("Tarot double détente")
    seats = (3,)
    board = Phrase("a round of two parts")
    conditions = scores_condition(3)


class TripleDetente(Detente):
    id = "tarot-triple-detente"
    name = Phrase("Triple-Détente")
    seats = (2,)
    board = Phrase("a round of three parts")
    conditions = scores_condition(2)


# ── A sensible robot ──────────────────────────────────────────────────────────────────────────────


def suggestion(view: View, legal: Sequence[str], seats: int) -> str:
    """Bids its likely tricks; then wins while it needs tricks, and ducks when it has enough."""
    hand = view["hand"]
    if view["phase"] == CONTRACTS:
        bids = {int(action[4:]): action for action in legal if ALL not in action}
        likely = promised(hand, seats)
        return bids[min(bids, key=lambda count: abs(count - likely))]
    seat = view["actors"][0] - 1
    needs = view["contracts"][seat] - view["tricks"][seat]
    effect = Part((), tuple(view["turned"])).effect
    strength = strength_with(effect if len(effect) == 1 else "")
    cards = sorted((PLAYS[action] for action in legal), key=strength.__getitem__)
    trick = [PACK.card(one["card"]) for one in view["trick"]] if len(view["trick"]) < seats else []
    led = next((PACK.suit_of[card] for card in trick if card != EXCUSE), 0)
    best = max((strength[card] for card in trick if card & (led | TRUMPS)), default=-1)
    if not trick:
        return f"play:{PACK.token(cards[-1] if needs > 0 else cards[0])}"
    winning = [card for card in cards if card & (led | TRUMPS) and strength[card] > best]
    losing = [card for card in cards if card not in winning]
    if needs > 0:
        return f"play:{PACK.token(winning[0] if winning else cards[0])}"
    return f"play:{PACK.token(losing[-1] if losing else cards[0])}"


def promised(hand: Sequence[str], seats: int) -> int:
    trumps = sum(0.6 for card in hand if card[-1] == "T" and card != "EX" and int(card[:-1]) > 7)
    kings = sum(0.6 for card in hand if card[0] == "K" and card[-1] in PACK.suit_letters)
    return round(trumps + kings + (1 if seats == 2 else 0))


GAMES: tuple[Game[Any], ...] = (DoubleDetente(), TripleDetente())
