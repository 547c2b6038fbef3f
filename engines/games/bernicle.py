"""Bernicle: three seats, a double pack of 48 cards, an auction, declared combinations and tricks.

The parts follow docs/games/bernicle.md, whose sections the comments cite.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

from .. import sheets
from ..cards import CardSet, Pack, highest, lowest
from ..contract import Fact, Field, Game, Option, Outcome, Settings, Sheet, State, Unit, View, settled
from ..dealing import Stream, dealer_of
from ..errors import BadRecord, BadSheet
from ..phrases import Phrase
from ..tricks import NEXT, on_the_table, strongest
from ..turns import (
    FOLLOW,
    MUST_OVERTRUMP,
    MUST_RUFF,
    NO_SUCH_ACTION,
    NOT_HELD,
    OVER,
    TurnState,
)

SEATS = 3
TRICKS = 13
LEFT_OF = NEXT[SEATS]

# ── The cards (section 2) ─────────────────────────────────────────────────────────────────────────

PACK = Pack(suits="SHDC", ranks="7JQKTA", copies=2)
PLAYS = {f"play:{token}": PACK.card(token) for token in PACK.faces}
TENS_AND_ACES, KINGS = PACK.rank("T") | PACK.rank("A"), PACK.rank("K")
STRENGTH = {card: PACK.rank_letters.index(PACK.token(card)[0]) for card in PACK.suit_of}
TRUMP_STRENGTH = {
    suit: STRENGTH | {card: 10 + STRENGTH[card] for card in STRENGTH if PACK.token(card)[1] == suit}
    for suit in PACK.suit_letters
}
HIGHER = {
    card: sum(c for c in STRENGTH if STRENGTH[c] > STRENGTH[card] and PACK.suit_of[c] == PACK.suit_of[card])
    for card in STRENGTH
}  # the cards of the suit that are strictly stronger


def card_points(cards: CardSet) -> int:
    return 10 * (cards & TENS_AND_ACES).bit_count() + 5 * (cards & KINGS).bit_count()


def held(cards: CardSet, token: str) -> int:
    """How many copies of a card there are among the cards."""
    return (cards & PACK.card(token)).bit_count()


# ── The deal (section 3) ──────────────────────────────────────────────────────────────────────────

LAYOUT = "001122dd" * 2 + "001122pp" + "001122qq" + "001122" * 2 + "012d"
"""Where each card of the shuffled pack goes: the seats in turn, the dog, the two pups."""


@dataclass(frozen=True, slots=True)
class Deal:
    dealer: int
    hands: tuple[CardSet, ...]
    dog: CardSet
    pups: tuple[CardSet, CardSet]


def dealt(pack: Sequence[str], dealer: int) -> Deal:
    heaps = dict.fromkeys("012dpq", 0)
    left = PACK.all
    for place, token in zip(LAYOUT, pack, strict=True):
        card = PACK.picked(left, [token])
        heaps[place] |= card
        left ^= card
    turn = [str((seat - dealer - 1) % SEATS) for seat in (1, 2, 3)]
    return Deal(dealer, tuple(heaps[place] for place in turn), heaps["d"], (heaps["p"], heaps["q"]))


def read_deal(data: Any) -> Deal:
    read = sheets.read_deal(data, SEATS, ("dealer", "hands", "dog", "pups"))
    both = isinstance(read["hands"], list) and isinstance(read["pups"], list)
    lists = [*read["hands"], read["dog"], *read["pups"]] if both else []
    *hands, dog, first, second = PACK.read(lists, sizes=(13, 13, 13, 5, 2, 2))
    return Deal(read["dealer"], tuple(hands), dog, (first, second))


# ── The combinations (section 4) ──────────────────────────────────────────────────────────────────

CODES: Mapping[str, tuple[int, Phrase]] = {
    "MS": (20, Phrase("marriage of spades")),
    "MH": (20, Phrase("marriage of hearts")),
    "MD": (20, Phrase("marriage of diamonds")),
    "MC": (20, Phrase("marriage of clubs")),
    "B": (40, Phrase("Bernicle")),
    "BB": (300, Phrase("Double Bernicle")),
    "GB": (90, Phrase("Grande Bernicle")),
    "4J": (40, Phrase("four jacks")),
    "4Q": (60, Phrase("four queens")),
    "4K": (80, Phrase("four kings")),
    "4A": (100, Phrase("four aces")),
    "8J": (600, Phrase("eight jacks")),
    "8Q": (600, Phrase("eight queens")),
    "8K": (600, Phrase("eight kings")),
    "8A": (600, Phrase("eight aces")),
    "P": (400, Phrase("procession")),
    "FS": (100, Phrase("famille of spades")),
    "FH": (100, Phrase("famille of hearts")),
    "FD": (100, Phrase("famille of diamonds")),
    "FC": (100, Phrase("famille of clubs")),
}
ROYAL = 2  # a marriage or a famille of trumps is worth twice as much
LISTED = {code: place for place, code in enumerate(CODES)}

TOO_MANY_FAMILIES = Phrase("a famille needs jack, queen, king, ten and ace of its suit, each used once")
ONE_PROCESSION = Phrase("a procession needs queen and king of every suit, and is declared once")
TOO_MANY_BERNICLES = Phrase(
    "Bernicles need queens of spades and jacks of diamonds, each used once; the double one stands alone"
)
TOO_MANY_MARRIAGES = Phrase(
    "a marriage needs a queen and a king that serve in no famille, procession or Grande Bernicle"
)
TOO_MANY_FOURS = Phrase("four of a rank need one of each suit, each used once; all eight stand alone")

Counts = Mapping[str, int]


def couples(hand: CardSet, suit: str) -> int:
    return min(held(hand, f"Q{suit}"), held(hand, f"K{suit}"))


def families(hand: CardSet, suit: str) -> int:
    return min(held(hand, rank + suit) for rank in "JQKTA")


def fours(hand: CardSet, rank: str) -> int:
    return min(held(hand, rank + suit) for suit in PACK.suit_letters)


def spare_couples(hand: CardSet, suit: str, declared: Counts) -> int:
    """The marriages that remain beside the larger combinations of the suit."""
    within = (declared["F" + suit], declared["P"], declared["GB"] if suit == "S" else 0)
    return couples(hand, suit) - max(within)


def broken_list(declared: Counts, hand: CardSet) -> Phrase | None:
    """The rule that a list of combinations breaks; None if it breaks none."""
    queens, jacks = held(hand, "QS"), held(hand, "JD")
    if any(declared["F" + suit] > families(hand, suit) for suit in PACK.suit_letters):
        return TOO_MANY_FAMILIES
    if declared["P"] > min(1, *(couples(hand, suit) for suit in PACK.suit_letters)):
        return ONE_PROCESSION
    single = declared["B"] + declared["GB"]
    if declared["GB"] > held(hand, "KS") or single > min(queens, jacks):
        return TOO_MANY_BERNICLES
    if declared["BB"] > 1 or (declared["BB"] and (single or min(queens, jacks) < 2)):
        return TOO_MANY_BERNICLES
    if any(declared["M" + suit] > spare_couples(hand, suit, declared) for suit in PACK.suit_letters):
        return TOO_MANY_MARRIAGES
    for rank in "JQKA":
        eight, four = declared["8" + rank], declared["4" + rank]
        if four > fours(hand, rank) or eight > 1 or (eight and (four or fours(hand, rank) < 2)):
            return TOO_MANY_FOURS
    return None


def bernicles(hand: CardSet) -> Iterator[dict[str, int]]:
    """The choices of Bernicles that a hand has, from none."""
    pairs = min(held(hand, "QS"), held(hand, "JD"))
    for great in range(min(pairs, held(hand, "KS")) + 1):
        for single in range(pairs - great + 1):
            yield {"B": single, "GB": great}
    if pairs == 2:
        yield {"BB": 1}


def rank_choices(hand: CardSet, rank: str) -> list[dict[str, int]]:
    """The choices of fours and eights of a rank, from none."""
    most = fours(hand, rank)
    choices = [{"4" + rank: count} for count in range(most + 1)]
    return [*choices, {"8" + rank: 1}] if most == 2 else choices


def declarations(hand: CardSet) -> Iterator[Counter[str]]:
    """Every legal list, once."""
    suits = PACK.suit_letters
    processions = min(1, *(couples(hand, suit) for suit in suits))
    for chosen in product(*(range(families(hand, suit) + 1) for suit in suits)):
        for procession, birds in product(range(processions + 1), bernicles(hand)):
            families_chosen = dict(zip(("FS", "FH", "FD", "FC"), chosen, strict=True))
            larger = Counter(families_chosen | birds | {"P": procession})
            singles = [range(spare_couples(hand, suit, larger) + 1) for suit in suits]
            ranks = [rank_choices(hand, rank) for rank in "JQKA"]
            for married in product(*singles):
                some = larger + Counter(dict(zip(("MS", "MH", "MD", "MC"), married, strict=True)))
                for choices in product(*ranks):
                    yield sum(map(Counter, choices), some)


def best_declaration(hand: CardSet, trump: str) -> Counter[str]:
    """The list that is worth most: all fours or eights, all familles, the procession; then the best choice
    of Bernicles together with the marriages that remain."""
    suits = PACK.suit_letters
    fixed = Counter({"F" + suit: families(hand, suit) for suit in suits})
    fixed["P"] = min(1, *(couples(hand, suit) for suit in suits))
    for rank in "JQKA":
        fixed.update(rank_choices(hand, rank)[-1])
    found = []
    for birds in bernicles(hand):
        chosen = fixed + Counter(birds)
        chosen.update({"M" + suit: spare_couples(hand, suit, chosen) for suit in suits})
        found.append(+chosen)
    return max(found, key=lambda chosen: worth_of(chosen, trump))


def worth_of(declared: Counts, trump: str) -> int:
    return sum(
        count * CODES[code][0] * (ROYAL if code in {"M" + trump, "F" + trump} else 1)
        for code, count in declared.items()
    )


def in_order(declared: Counts) -> list[str]:
    """The codes of a list in the order of the table."""
    return [code for code in CODES for _ in range(declared[code])]


# ── The phases (section 4) ────────────────────────────────────────────────────────────────────────

AUCTION, TRUMP, EXCHANGE, COMBINATIONS, PLAY = "auction", "trump", "exchange", "combinations", "play"
PASS = "pass"  # noqa: S105
OPENINGS, STEPS = (150, 160), (10, 20)
NONE, BEST = "declare:none", "declare:max"

MUST_OPEN = Phrase("the dealer's left must open, with 150 or 160")
OPEN_SO = Phrase("the first bid is 150 or 160")
BID_SO = Phrase("bid ten or twenty more, or pass")
LAY_ASIDE = Phrase("lay {count} cards of the hand aside")


class BernicleState(TurnState):
    """A deal in progress. Seats are indices from 0 inside."""

    __slots__ = (
        "bids", "contract", "deal", "declared", "declarer", "discards", "gathered", "hands", "leader", "log",
        "options", "passes", "playable", "points", "strength", "taker", "trick", "tricks", "trump",
        "trump_suit",
    )  # fmt: skip

    def __init__(self, deal: Deal, options: Settings) -> None:
        self.deal, self.options = deal, options
        self.log: list[str] = []
        self.hands = list(deal.hands)
        self.discards: list[CardSet] = [0] * SEATS
        self.bids: list[tuple[int, str]] = []
        self.passes = 0  # in a row
        self.contract = 0
        self.declarer: int | None = None
        self.trump: str | None = None
        self.trump_suit: CardSet = 0
        self.strength: Mapping[CardSet, int] = STRENGTH
        self.declared: list[tuple[str, ...] | None] = [None] * SEATS
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
            if not self.must_open():
                yield PASS
            yield from (f"bid:{amount}" for amount in self.next_bids())
        elif self.stage == TRUMP:
            yield from (f"trump:{suit}" for suit in PACK.suit_letters)
        elif self.stage == EXCHANGE:
            for tokens in selections(self.hands[self.actor], self.surplus()):
                yield f"discard:{','.join(tokens)}"
        elif self.stage == COMBINATIONS:
            for declared in declarations(self.hands[self.actor]):
                yield f"declare:{','.join(in_order(declared))}" if declared else NONE
        else:
            yield from (f"play:{token}" for token in PACK.faces_of(self.playable))

    def any_legal(self, seat: int, random: Random) -> str:
        """Thousands of discards are possible: one is drawn card by card."""
        if self.stage != EXCHANGE or seat != self.actor + 1:
            return super().any_legal(seat, random)
        chosen = random.sample(PACK.tokens(self.hands[self.actor]), self.surplus())
        return f"discard:{','.join(sorted(chosen, key=PACK.faces.index))}"

    def broken_rule(self, token: str) -> Phrase | None:
        verb, _colon, rest = token.partition(":")
        if self.stage == PLAY:
            return self.broken_play(token)
        if self.stage == AUCTION:
            return self.broken_bid(token)
        if self.stage == TRUMP:
            return None if verb == "trump" and rest in LETTERS else NO_SUCH_ACTION
        if self.stage == EXCHANGE:
            return self.broken_discard(verb, rest)
        if token in {NONE, BEST}:
            return None
        codes = rest.split(",")
        if verb != "declare" or not all(code in CODES for code in codes):
            return NO_SUCH_ACTION
        return broken_list(Counter(codes), self.hands[self.actor])

    def apply(self, entry: str) -> None:
        cards = PLAYS.get(entry, 0) & self.playable
        if cards:
            self.log.append(entry)
            self.play(lowest(cards))
            return
        token = self.checked(entry)
        rest = token.partition(":")[2]
        if self.stage == PLAY:
            self.apply(token)
        elif self.stage == AUCTION:
            self.log.append(token)
            self.speak(token)
        elif self.stage == TRUMP:
            self.log.append(token)
            self.trump, self.trump_suit = rest, PACK.suit(rest)
            self.strength = TRUMP_STRENGTH[rest]
            self.stage = EXCHANGE
            self.hands[self.actor] |= self.deal.dog
        elif self.stage == EXCHANGE:
            self.exchange(rest.split(","))
        else:
            self.declare(token)

    # The auction

    def next_bids(self) -> tuple[int, ...]:
        return tuple(self.contract + step for step in STEPS) if self.contract else OPENINGS

    def must_open(self) -> bool:
        return self.options["opening"] == "forced" and not self.bids

    def broken_bid(self, token: str) -> Phrase | None:
        if token == PASS:
            return MUST_OPEN if self.must_open() else None
        if token in {f"bid:{amount}" for amount in self.next_bids()}:
            return None
        if not token.startswith("bid:"):
            return NO_SUCH_ACTION
        return BID_SO if self.contract else OPEN_SO

    def speak(self, token: str) -> None:
        """Two passes in a row after a bid end it; three without a bid end the deal."""
        self.bids.append((self.actor, token))
        if token == PASS:
            self.passes += 1
        else:
            self.passes = 0
            self.contract, self.declarer = int(token.removeprefix("bid:")), self.actor
        if self.declarer is None and self.passes == SEATS:
            self.stage = OVER
        elif self.declarer is not None and self.passes == SEATS - 1:
            self.stage = TRUMP
            self.actor = self.declarer
        else:
            self.actor = LEFT_OF[self.actor]

    # The exchange and the combinations: the taker first, then in turn

    def surplus(self) -> int:
        """How many cards the actor lays aside."""
        return self.hands[self.actor].bit_count() - TRICKS

    def broken_discard(self, verb: str, rest: str) -> Phrase | None:
        tokens = rest.split(",")
        if verb != "discard" or not all(token in PACK for token in tokens):
            return NO_SUCH_ACTION
        if len(tokens) != self.surplus():
            return Phrase(LAY_ASIDE.text, count=self.surplus())
        counted = Counter(tokens)
        hand = self.hands[self.actor]
        return NOT_HELD if any(held(hand, token) < count for token, count in counted.items()) else None

    def exchange(self, tokens: Sequence[str]) -> None:
        self.log.append(f"discard:{','.join(sorted(tokens, key=PACK.faces.index))}")
        actor = self.actor
        self.discards[actor] = PACK.picked(self.hands[actor], tokens)
        self.hands[actor] ^= self.discards[actor]
        self.actor = actor = LEFT_OF[actor]
        if actor == self.declarer:
            self.stage = COMBINATIONS
        else:
            second = LEFT_OF[actor] == self.declarer
            self.hands[actor] |= self.deal.pups[second]

    def declare(self, token: str) -> None:
        actor, hand = self.actor, self.hands[self.actor]
        if token == BEST:
            assert self.trump is not None
            codes = in_order(best_declaration(hand, self.trump))
        else:
            codes = (
                [] if token == NONE else sorted(token.partition(":")[2].split(","), key=LISTED.__getitem__)
            )
        self.log.append(f"declare:{','.join(codes)}" if codes else NONE)
        self.declared[actor] = tuple(codes)
        self.actor = actor = LEFT_OF[actor]
        if actor == self.declarer:
            self.stage = PLAY
            self.playable = self.hands[actor]

    def combos(self) -> tuple[int, ...]:
        """The points of the combinations declared so far, by seat."""
        return tuple(worth_of(Counter(codes), self.trump or "") for codes in self.declared)

    # The play

    def broken_play(self, token: str) -> Phrase | None:
        cards = PLAYS.get(token, 0)
        if not cards:
            return NO_SUCH_ACTION
        if cards & self.playable:
            return None
        hand = self.hands[self.actor]
        if not cards & hand:
            return NOT_HELD
        led = PACK.suit_of[self.trick[0]]
        if hand & led:
            return GO_UP if cards & led else FOLLOW
        return MUST_OVERTRUMP if cards & self.trump_suit else MUST_RUFF

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

    def legal_cards(self, hand: CardSet) -> CardSet:
        """Follow suit and go up, unless the suit is trumped; failing that ruff, and overruff; failing that
        any card."""
        trick, trump = self.trick, self.trump_suit
        led = PACK.suit_of[trick[0]]
        following = hand & led
        contended = led
        if following:
            if led != trump and sum(trick) & trump:
                return following
        else:
            following = hand & trump
            if not following:
                return hand
            contended = trump
        played = sum(trick) & contended
        return following & HIGHER[highest(played)] or following if played else following

    def gather(self) -> None:
        """The strongest trump, else the strongest of the suit led; of two equal cards the first."""
        trick = self.trick
        place = strongest(trick, PACK.suit_of[trick[0]] | self.trump_suit, self.strength)
        self.actor = actor = (self.leader + place) % SEATS
        self.points[actor] += card_points(sum(trick))
        self.tricks[actor] += 1
        self.taker = actor
        self.gathered += 1
        self.playable = self.hands[actor]
        if not self.playable:
            self.stage = OVER

    def result(self) -> "Result | None":
        self.check_over()
        if self.declarer is None:
            return None
        niche = niche_points(
            PACK.tokens(sum(self.discards)), natural=self.options["tierce_order"] == "natural"
        )
        return Result(
            self.declarer, self.contract, self.combos(), niche, tuple(self.tricks), tuple(self.points)
        )

    def outcome(self) -> Outcome:
        return outcome_of(self.result(), self.options)

    # What may be seen (section 11)

    def view(self, seat: int | None) -> View:
        """The own hand and discards; bids, trump, declared combinations, the trick; at the end the niche."""
        shown: dict[str, Any] = {
            "phase": self.stage,
            "dealer": self.deal.dealer,
            "actors": list(self.actors()),
            "bids": [{"seat": who + 1, "bid": said} for who, said in self.bids],
            "declarer": None if self.declarer is None or self.stage == AUCTION else self.declarer + 1,
            "contract": self.contract or None,
            "trump": self.trump,
            "combinations": [None if codes is None else list(codes) for codes in self.declared],
            "combos": list(self.combos()),
            "trick": on_the_table(PACK, self.trick, self.leader, SEATS),
            "tricks": list(self.tricks),
            "points": list(self.points),
            "gathered": self.gathered,
            "taker": None if self.taker is None else self.taker + 1,
            "niche": list(PACK.tokens(sum(self.discards))) if self.over else None,
        }
        if seat is not None:
            shown["hand"] = list(PACK.tokens(self.hands[seat - 1]))
            shown["discards"] = list(PACK.tokens(self.discards[seat - 1]))
        return shown


LETTERS = tuple(PACK.suit_letters)
GO_UP = Phrase("play a higher card of the suit while you hold one")


def selections(cards: CardSet, count: int) -> Iterator[tuple[str, ...]]:
    """Every choice of so many cards, once, its tokens in the order of the pack; copies are alike."""

    def chosen(place: int, wanted: int) -> Iterator[tuple[str, ...]]:
        if wanted == 0:
            yield ()
        elif place < len(faces):
            token, copies = faces[place]
            for taken in range(min(copies, wanted), -1, -1):
                for rest in chosen(place + 1, wanted - taken):
                    yield (token,) * taken + rest

    faces = [(token, held(cards, token)) for token in PACK.faces if held(cards, token)]
    return chosen(0, count)


# ── The marks (sections 5 and 7) ──────────────────────────────────────────────────────────────────

ALL_TRICKS = 200
OF_A_RANK = {4: 40, 5: 50, 6: 60, 7: 80, 8: 100}
TIERCE, PETITE_BERNICLE = 30, 100
ORDERS = {False: ("7JQKTA",), True: ("TJQKA", "7")}  # by natural: the runs of ranks


def niche_points(niche: Sequence[str], *, natural: bool = False) -> int:
    """What the cards laid aside are worth to the defence.

    >>> niche_points("7S 7S 7H 7D 7D 7C JH QH JC".split())
    190
    """
    ranks = Counter(token[0] for token in niche)
    points = sum(OF_A_RANK.get(count, 0) for count in ranks.values())
    left = Counter(niche)
    for suit in PACK.suit_letters:
        for run in ORDERS[natural]:
            for low, middle, high in zip(run, run[1:], run[2:], strict=False):
                tokens = (low + suit, middle + suit, high + suit)
                tierces = min(left[token] for token in tokens)
                left.subtract(dict.fromkeys(tokens, tierces))
                points += TIERCE * tierces
    jacks, queens = (Counter(token[1] for token in niche if token[0] == rank) for rank in "JQ")
    a, b = jacks.total(), queens.total()
    crossed = (a - jacks[suit] + b - queens[suit] for suit in PACK.suit_letters)
    return points + PETITE_BERNICLE * min(a, b, *crossed)


@dataclass(frozen=True, slots=True)
class Result:
    """How a deal ended; seats are indices. After a fault of the taker there are no `tricks`, after one of a
    defender no `points` either."""

    taker: int
    contract: int
    combos: tuple[int, ...]
    niche: int
    tricks: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    fault: int | None = None

    @property
    def defenders(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(SEATS) if seat != self.taker)


def capot(points: int, options: Settings) -> int:
    """What all the tricks bring beyond their card points."""
    return 400 - points if options["capot"] == "flat400" else ALL_TRICKS


def facts_of(result: Result, options: Settings) -> list[Fact]:
    taker, contract, fault = result.taker, result.contract, result.fault
    if fault is not None and fault != taker:
        (other,) = (seat for seat in result.defenders if seat != fault)
        return [
            Fact("fault", fault + 1),
            Fact("made", taker + 1, contract),
            Fact("tricks", taker + 1, ALL_TRICKS),
            Fact("combos", taker + 1, result.combos[taker]),
            Fact("combos", other + 1, result.combos[other]),
            Fact("niche", other + 1, result.niche),
        ]
    trickless = [seat for seat in range(SEATS) if fault is None and not result.tricks[seat]]
    extra = [
        capot(result.points[seat], options) if fault is None and result.tricks[seat] == TRICKS else 0
        for seat in range(SEATS)
    ]
    facts = [Fact("fault", taker + 1)] if fault is not None else []
    facts += [Fact("no-trick", seat + 1) for seat in trickless]
    total = result.points[taker] + extra[taker] + result.combos[taker]
    made = fault is None and taker not in trickless and total >= contract
    if fault is None and taker not in trickless:
        if made:
            facts.append(Fact("made", taker + 1, contract, total))
            facts.append(Fact("tricks", taker + 1, result.points[taker]))
            facts.append(Fact("capot", taker + 1, extra[taker]))
        else:
            facts.append(Fact("lost", taker + 1, 0, total))
        facts.append(Fact("combos", taker + 1, result.combos[taker]))
    counted = [
        seat for seat in result.defenders if seat not in trickless or options["trickless_combos"] == "kept"
    ]
    defence = {
        "tricks": sum(result.points[seat] for seat in result.defenders),
        "capot": sum(extra[seat] for seat in result.defenders),
        "combos": sum(result.combos[seat] for seat in counted),
        "niche": result.niche,
        "contract": 0 if made else contract,
    }
    for seat in result.defenders:
        if seat not in trickless:
            facts += [Fact(name, seat + 1, points) for name, points in defence.items()]
    told = {"fault", "no-trick", "lost"}
    return [fact for fact in facts if fact.points or fact.name in told]


def outcome_of(result: Result | None, options: Settings) -> Outcome:
    """The marks of each seat; None is a deal that nobody wanted to play."""
    if result is None:
        return Outcome((0, 0, 0), (Fact("passed-out"),))
    facts = facts_of(result, options)
    scores = tuple(sum(fact.points for fact in facts if fact.seat == seat) for seat in (1, 2, 3))
    return Outcome(scores, tuple(facts))


# ── The result sheet (section 8) ──────────────────────────────────────────────────────────────────

LEAST_POINTS, ALL_POINTS, MOST_IN_A_TRICK = 110, 200, 30


def result_of(fields: tuple[Field, ...], sheet: Any, options: Settings) -> Result | None:
    """What a sheet tells; None for a deal that was passed out."""
    if isinstance(sheet, dict):
        sheet = {name: value for name, value in sheet.items() if value is not None or name == "taker"}
    sheets.check(fields, sheet, seats=SEATS)
    if sheet["taker"] is None:
        if options["opening"] == "forced":
            raise BadSheet("taker", MUST_OPEN)
        for name in sheet:
            if name != "taker":
                raise BadSheet(name, Phrase("must be left out: nobody took"))
        return None
    taker = sheet["taker"] - 1
    fault = sheet["fault"] - 1 if "fault" in sheet else None
    wanted = {"contract", "combos", "niche"}
    wanted |= {"tricks", "points"} if fault is None else {"points"} if fault == taker else set()
    for field in fields:
        if field.name in wanted and field.name not in sheet:
            raise BadSheet(field.name, Phrase("is missing"))
        if field.name in {"tricks", "points"} - wanted and field.name in sheet:
            raise BadSheet(field.name, Phrase("must be left out: a fault stopped the deal"))
    for name, step in (("contract", 10), ("combos", 10), ("points", 5), ("niche", 10)):
        value = sheet.get(name, 0)
        if any(one % step for one in (value if isinstance(value, list) else [value])):
            raise BadSheet(name, Phrase("must be a multiple of {step}", step=step))
    tricks, points = tuple(sheet.get("tricks", ())), tuple(sheet.get("points", ()))
    check_tricks(tricks, points)
    return Result(taker, sheet["contract"], tuple(sheet["combos"]), sheet["niche"], tricks, points, fault)


def check_tricks(tricks: Sequence[int], points: Sequence[int]) -> None:
    if sum(points) > ALL_POINTS:
        raise BadSheet("points", Phrase("add up to {total}; the pack has 200", total=sum(points)))
    if not tricks:
        return
    if sum(tricks) != TRICKS:
        raise BadSheet("tricks", Phrase("add up to {total}; thirteen tricks are played", total=sum(tricks)))
    if sum(points) < LEAST_POINTS:
        raise BadSheet(
            "points",
            Phrase("add up to {total}; nine cards of the niche hold at most 90 of 200", total=sum(points)),
        )
    for seat, (won, scored) in enumerate(zip(tricks, points, strict=True), 1):
        if scored > MOST_IN_A_TRICK * won:
            raise BadSheet("points", Phrase("seat {seat}: a trick has at most 30 points", seat=seat))


# ── The game ──────────────────────────────────────────────────────────────────────────────────────

GOAL, MISDEAL = 2000, 200


class Bernicle(Game[Deal]):
    id = "bernicle"
    name = Phrase("Bernicle")
    seats = (SEATS,)
    pack = Phrase("48 cards, two of each")
    line_score = Phrase("points of contract, tricks and combinations")
    unit = Unit(Phrase("point"))
    options = (
        Option("tierce_order", ("game", "natural"), ("engine",),
               Phrase("which ranks follow each other in a tierce of the niche")),
        Option("capot", ("plus200", "flat400"), ("engine", "sheet", "ledger"),
               Phrase("what all the tricks are worth: 200 more, or 400 in all")),
        Option("trickless_combos", ("kept", "void"), ("engine", "sheet", "ledger"),
               Phrase("whether the combinations of a defender without a trick count for the other one")),
        Option("opening", ("free", "forced"), ("engine", "sheet", "ledger"),
               Phrase("whether the dealer's left must open")),
    )  # fmt: skip
    fields = (
        Field("taker", "seat", Phrase("taker"), nobody=True),
        Field("contract", "whole", Phrase("contract"), least=OPENINGS[0], optional=True),
        Field("trump", "choice", Phrase("trump suit"), choices=LETTERS, optional=True),
        Field("combos", "whole", Phrase("combinations"), per_seat=True, optional=True),
        Field("tricks", "whole", Phrase("tricks"), per_seat=True, most=TRICKS, optional=True),
        Field("points", "whole", Phrase("card points"), per_seat=True, most=ALL_POINTS, optional=True),
        Field("niche", "whole", Phrase("niche"), optional=True),
        Field("fault", "seat", Phrase("fault"), optional=True),
    )
    names = {
        "auction": Phrase("auction"),
        "trump": Phrase("trump suit"),
        "exchange": Phrase("exchange"),
        "combinations": Phrase("combinations"),
        "play": Phrase("play"),
        "over": Phrase("over"),
        "dog": Phrase("dog"),
        "pups": Phrase("pups"),
        "pass": Phrase("passes"),
        "bid": Phrase("bids"),
        "trump:S": Phrase("names spades"),
        "trump:H": Phrase("names hearts"),
        "trump:D": Phrase("names diamonds"),
        "trump:C": Phrase("names clubs"),
        "discard": Phrase("lays aside"),
        "declare": Phrase("declares"),
        NONE: Phrase("declares nothing"),
        "S": Phrase("spades"),
        "H": Phrase("hearts"),
        "D": Phrase("diamonds"),
        "C": Phrase("clubs"),
        "passed-out": Phrase("passed out"),
        "made": Phrase("contract made"),
        "lost": Phrase("contract lost"),
        "tricks": Phrase("tricks"),
        "capot": Phrase("all tricks"),
        "combos": Phrase("combinations"),
        "niche": Phrase("niche"),
        "contract": Phrase("the taker's lost contract"),
        "no-trick": Phrase("no trick: no points"),
        "fault": Phrase("fault"),
    }

    def deal(
        self, stream: Stream, *, number: int, dealer: int, options: Settings, conditions: Settings
    ) -> Deal:
        return dealt(stream.shuffled(PACK.order), dealer)

    def read_deal(self, data: Any, options: Settings | None = None) -> Deal:
        return read_deal(data)

    def show_deal(self, deal: Deal) -> dict[str, Any]:
        return {
            "dealer": deal.dealer,
            "hands": [list(PACK.tokens(hand)) for hand in deal.hands],
            "dog": list(PACK.tokens(deal.dog)),
            "pups": [list(PACK.tokens(pup)) for pup in deal.pups],
        }

    def start(self, deal: Deal, options: Settings) -> BernicleState:
        return BernicleState(deal, options)

    def words(self, action: str) -> Phrase:
        verb, _colon, what = action.partition(":")
        if verb != "declare" or action in self.names:
            return super().words(action)
        first, *others = (CODES[code][1] for code in what.split(","))
        for other in others:
            first = Phrase("{first}, {second}", first=first, second=other)
        return Phrase("{verb}: {what}", verb=self.names[verb], what=first)

    def summarise(self, state: State) -> dict[str, Any]:
        assert isinstance(state, BernicleState)
        result = state.result()
        if result is None:
            return {"taker": None}
        return {
            "taker": result.taker + 1,
            "contract": result.contract,
            "trump": state.trump,
            "combos": list(result.combos),
            "tricks": list(result.tricks),
            "points": list(result.points),
            "niche": result.niche,
        }

    def score(
        self,
        sheet: Sheet,
        *,
        deal: Deal | None = None,
        options: Settings | None = None,
        conditions: Settings | None = None,
    ) -> Outcome:
        settings = settled(self.options, options)
        return outcome_of(result_of(self.fields, sheet, settings), settings)

    # The match (section 6)

    def ledger(
        self, deals: Sequence[Any], *, options: Settings | None = None, conditions: Settings | None = None
    ) -> dict[str, Any]:
        settings = settled(self.options, options)
        totals, played, winner = [0] * SEATS, 0, None
        rows: list[dict[str, Any]] = []
        for number, entry in enumerate(deals):
            if winner is not None:
                raise BadRecord(
                    f"deals[{number}]", Phrase("the match was over after {count} deals", count=played)
                )
            dealer = dealer_of(played + 1, SEATS)
            with sheets.within(f"deals[{number}]"):
                if isinstance(entry, dict) and "misdeal" in entry:
                    scores = misdeal(entry, dealer)
                else:
                    scores = list(outcome_of(result_of(self.fields, entry, settings), settings).scores)
                    played += 1
            totals = [total + score for total, score in zip(totals, scores, strict=True)]
            row: dict[str, Any] = {"dealer": dealer, "scores": scores, "totals": totals}
            if "misdeal" in entry:
                row["misdeal"] = dealer
            elif max(totals) >= GOAL and totals.count(max(totals)) == 1:
                winner = totals.index(max(totals)) + 1
            rows.append(row)
        over = winner is not None
        return {
            "over": over,
            "winner": winner,
            "totals": totals,
            "next_dealer": None if over else dealer_of(played + 1, SEATS),
            "rows": rows,
        }

    def suggest(self, view: View, legal: Sequence[str], random: Random) -> str:
        return suggestion(view, legal)


def misdeal(entry: Mapping[str, Any], dealer: int) -> list[int]:
    """What a misdeal costs who deals the next deal."""
    if set(entry) != {"misdeal"}:
        raise BadSheet("misdeal", Phrase("stands alone: the deal is dealt again"))
    if entry["misdeal"] != dealer or isinstance(entry["misdeal"], bool):
        raise BadSheet("misdeal", Phrase("must be the dealer of the next deal, seat {seat}", seat=dealer))
    return [-MISDEAL if seat == dealer else 0 for seat in (1, 2, 3)]


# ── A sensible robot ──────────────────────────────────────────────────────────────────────────────


def suggestion(view: View, legal: Sequence[str]) -> str:
    """Bids what its combinations and strong cards promise, lays aside what serves in neither, declares
    all it has, and wins dear tricks."""
    hand = PACK.cards(view["hand"])
    if view["phase"] == AUCTION:
        bids = [action for action in legal if action != PASS]
        best = max(promise(hand, suit) for suit in LETTERS)
        return bids[0] if int(bids[0][4:]) <= best or PASS not in legal else PASS
    if view["phase"] == TRUMP:
        return f"trump:{max(LETTERS, key=lambda suit: promise(hand, suit))}"
    if view["phase"] == EXCHANGE:
        order = sorted(view["hand"], key=lambda token: (use_of(token, hand, view["trump"]), token))
        return f"discard:{','.join(order[: len(order) - TRICKS])}"
    if view["phase"] == COMBINATIONS:
        return BEST
    strength = TRUMP_STRENGTH[view["trump"]]
    cards = sorted((lowest(PLAYS[action]) for action in legal), key=strength.__getitem__)
    trick = [lowest(PACK.card(one["card"])) for one in view["trick"]] if len(view["trick"]) < SEATS else []
    if not trick:
        return f"play:{PACK.token(cards[-1])}"
    led = PACK.suit_of[trick[0]]
    contending = led | PACK.suit(view["trump"])
    best_card = max(strength[card] for card in trick if card & contending)
    winning = [card for card in cards if card & contending and strength[card] > best_card]
    if winning:
        return f"play:{PACK.token(winning[-1])}"
    return f"play:{PACK.token(min(cards, key=lambda card: (card_points(card), strength[card])))}"


def promise(hand: CardSet, trump: str) -> int:
    """A rough count of the points that a hand makes with a trump suit."""
    strong = 12 * (hand & TENS_AND_ACES).bit_count() + 8 * (hand & PACK.suit(trump)).bit_count()
    return worth_of(best_declaration(hand, trump), trump) + strong


def use_of(token: str, hand: CardSet, trump: str) -> int:
    """How much a card is missed: in combinations, as a trump, as a strong card."""
    without = hand & ~lowest(hand & PACK.card(token))
    lost = worth_of(best_declaration(hand, trump), trump) - worth_of(best_declaration(without, trump), trump)
    return lost + 15 * (token[1] == trump) + {"A": 30, "T": 20, "J": 12, "Q": 12, "K": 5}.get(token[0], 0)


GAMES: tuple[Game[Any], ...] = (Bernicle(),)
