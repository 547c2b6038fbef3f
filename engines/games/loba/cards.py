"""Loba: the cards and the deal (sections 2 and 3); combinations, and what a hand can lay (4)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from ... import sheets
from ...cards import Order, Pack
from ...combinations import Tally, selections
from ...deals import Stocked, seats_dealt
from ...errors import BadDeal
from ...phrases import Phrase

SEATS = (3, 4, 5)
HAND = 11
JOKERS = ("JK1", "JK2")
SUITS = "SHDC"
PACK = Pack(suits=SUITS, ranks="A23456789TJQK", alone=JOKERS, copies=2)
PLACE = Order(PACK.faces)
POSITIONS = "A23456789TJQKA"  # of a run, from 1; the ace is the first and the last
LONGEST = len(POSITIONS)
SET, RUN, SIX = 3, 4, 6  # cards

CONTRACTS = {1: (2, 0), 2: (1, 1), 3: (0, 2), 4: (3, 0), 5: (2, 1), 6: (1, 2)}
"""By mène: how many sets and how many runs the first lay-down has."""


def is_joker(token: str) -> bool:
    return token in JOKERS


def size_of(mene: int) -> int:
    """The cards of a contract."""
    sets, runs = CONTRACTS[mene]
    return SET * sets + RUN * runs


def penalty(token: str, ace: int) -> int:
    """What a card left in the hand costs; `ace`: 1 or 14. `JK` is a joker as well."""
    if token.startswith("JK"):
        return 25
    return ace if token[0] == "A" else 1 + POSITIONS.index(token[0])


MENE_WANTED = Phrase("the mène must be a number from 1 to 6")
SEATS_WANTED = Phrase("there must be three to five players")


@dataclass(frozen=True, slots=True)
class Deal(Stocked):
    """`turned` begins the discard pile."""

    mene: int = 1

    @classmethod
    def of(cls, pack: Sequence[str], dealer: int, seats: int, mene: int, key: str) -> "Deal":
        return replace(cls.one_by_one(pack, dealer, seats, HAND, key), mene=mene)

    @classmethod
    def read(cls, data: Any) -> "Deal":
        seats = seats_dealt(data, SEATS[0])
        if seats not in SEATS:
            raise BadDeal((), SEATS_WANTED)
        deal = cls.read_stocked(data, PACK, seats, HAND, "mene")
        if not sheets.is_whole(data["mene"], 1, len(CONTRACTS)):
            raise BadDeal((), MENE_WANTED)
        return replace(deal, mene=data["mene"])


# ── The combinations ──────────────────────────────────────────────────────────────────────────────

SETS, SIXES, RUNS = "set", "six", "run"
SIZES = {SETS: SET, SIXES: SIX, RUNS: RUN}
COUNTS = {SETS: (1, 0), SIXES: (2, 0), RUNS: (0, 1)}
"""What each counts for in a contract: sets, runs."""
ANY_JOKER = "JK"  # a joker of the hand, whichever
MELD_FORM = re.compile(r"(set|six|run)\(([^()]*)\)")


@dataclass(frozen=True, slots=True)
class Meld:
    """A combination on the table; `start` is the position of a run's first card, 0 for others."""

    kind: str
    cards: tuple[str, ...]
    start: int = 0

    @property
    def has_joker(self) -> bool:
        return any(map(is_joker, self.cards))

    @property
    def rank(self) -> str:
        """Of a set or six."""
        return next(card[0] for card in self.cards if not is_joker(card))

    @property
    def suit(self) -> str:
        """Of a run."""
        return next(card[1] for card in self.cards if not is_joker(card))

    def end(self, side: str) -> tuple[int, str, int]:
        """Of a run: the position of its last card at a side, the card, and the position beyond."""
        if side == "high":
            last = self.start + len(self.cards) - 1
            return last, self.cards[-1], last + 1
        return self.start, self.cards[0], self.start - 1


def meld(kind: str, cards: Sequence[str], *, multicolour: bool) -> Meld | None:
    """The combination of these cards in this order, if they are one."""
    naturals = [card for card in cards if not is_joker(card)]
    if len(cards) != SIZES[kind] or len(naturals) < len(cards) - 1:
        return None
    if kind != RUNS:
        return Meld(kind, tuple(cards)) if len({card[0] for card in naturals}) == 1 else None
    if not multicolour and len({card[1] for card in naturals}) > 1:
        return None
    for start in range(1, LONGEST - RUN + 2):
        window = POSITIONS[start - 1 : start - 1 + RUN]
        if all(is_joker(card) or card[0] == rank for card, rank in zip(cards, window, strict=True)):
            return Meld(RUNS, tuple(cards), start)
    return None


@lru_cache(1 << 12)
def fitting(meld: Meld, side: str, *, multicolour: bool) -> frozenset[str]:
    """The cards that can be added to a combination (`side`: high or low for a run). One with the rank of a
    joker at the end of a run takes its place, and the joker moves outwards."""
    jokers = () if meld.has_joker else JOKERS
    if meld.kind != RUNS:
        return frozenset((*jokers, *(meld.rank + suit for suit in SUITS)))
    at, end, beyond = meld.end(side)
    if not 1 <= beyond <= LONGEST:
        return frozenset()
    ranks = POSITIONS[beyond - 1] + (POSITIONS[at - 1] if is_joker(end) else "")
    return frozenset(
        (*jokers, *(rank + suit for rank in ranks for suit in (SUITS if multicolour else meld.suit)))
    )


def extension(meld: Meld, side: str, card: str, *, multicolour: bool) -> Meld | None:
    """The combination with one more card; None if it does not fit there."""
    if card not in fitting(meld, side, multicolour=multicolour):
        return None
    cards = meld.cards
    if meld.kind != RUNS:
        return replace(meld, cards=(*cards, card))
    at, end, _beyond = meld.end(side)
    added = (card, end) if is_joker(end) and card[0] == POSITIONS[at - 1] else (end, card)
    if side == "high":
        return replace(meld, cards=(*cards[:-1], *added))
    return replace(meld, cards=(*added[::-1], *cards[1:]), start=meld.start - 1)


# ── What a hand can lay ───────────────────────────────────────────────────────────────────────────

TALLY = Tally([*(rank + suit for rank in POSITIONS[:-1] for suit in SUITS), ANY_JOKER])
ONE_JOKER = TALLY.one[ANY_JOKER]
COPY = TALLY.one | dict.fromkeys(JOKERS, ONE_JOKER)
OF_A_RANK = [sum(7 * TALLY.one[rank + suit] for suit in SUITS) for rank in POSITIONS[:-1]]
OF_A_SUIT = [sum(TALLY.one[rank + suit] for rank in POSITIONS[:-1]) for suit in SUITS]
WINDOWS = [
    sum(TALLY.one[rank + suit] for rank in POSITIONS[start : start + RUN] for suit in SUITS)
    for start in range(LONGEST - RUN + 1)
]
"""The cards of runs, by their first position from 1 on."""


class Shape(NamedTuple):
    """A combination with every joker written JK. Sets and sixes are sorted before runs, then card by card in
    the order of the pack, jokers last (`place`). `wanted`: its cards as a tally."""

    place: tuple[bool, tuple[int, ...]]
    kind: str
    cards: tuple[str, ...]
    wanted: int

    @classmethod
    def of(cls, kind: str, cards: tuple[str, ...]) -> "Shape":
        places = tuple(PLACE.get(card, len(PLACE)) for card in cards)
        return cls((kind == RUNS, places), kind, cards, TALLY.of(cards))


def copies(hand: Sequence[str]) -> int:
    """A hand as a tally, all jokers as `JK`."""
    return sum([COPY[card] for card in hand])


def shapes(held: int, kinds: Sequence[str], *, multicolour: bool) -> list[Shape]:
    """Every combination of these kinds that a hand (a tally) holds, once and in order, jokers being alike."""
    joker = held >= ONE_JOKER
    faces, least = TALLY.faces(held), RUN - joker
    found: list[Shape] = []
    for kind in kinds:
        if kind != RUNS:
            for rank in OF_A_RANK:
                if (held & rank).bit_count() > 1 - joker:
                    found += sets_of(held & rank, kind, joker)
            continue
        for suit in [sum(OF_A_SUIT)] if multicolour else OF_A_SUIT:
            if (faces & suit).bit_count() >= least:
                for start, window in enumerate(WINDOWS, 1):
                    if (faces & suit & window).bit_count() >= least:
                        found += runs_of(start, faces & suit & window, joker)
    found.sort()
    return found


@lru_cache(1 << 13)
def sets_of(held: int, kind: str, joker: bool) -> tuple[Shape, ...]:
    """Those of the cards of one rank, with a joker or without."""
    size = SIZES[kind]
    cards = [(card, held // one & 7) for card, one in TALLY.one.items() if held // one & 7]
    with_joker = [(*chosen, ANY_JOKER) for chosen in selections(cards, size - 1)] if joker else []
    return tuple(Shape.of(kind, chosen) for chosen in (*selections(cards, size), *with_joker))


@lru_cache(1 << 13)
def runs_of(start: int, faces: int, joker: bool) -> tuple[Shape, ...]:
    """Those that begin at a position, of such cards, with a joker or without."""
    ranks = POSITIONS[start - 1 : start - 1 + RUN]
    window = [[rank + suit for suit in SUITS if TALLY.one[rank + suit] & faces] for rank in ranks]
    gaps = [place for place, cards in enumerate(window) if not cards]
    found = list(product(*window))
    if joker and len(gaps) <= 1:
        for gap in gaps or range(RUN):
            found += product(*window[:gap], (ANY_JOKER,), *window[gap + 1 :])
    return tuple(Shape.of(RUNS, cards) for cards in found)


def lay_downs(held: int, sets: int, runs: int, shapes_held: Sequence[Shape]) -> Iterator[tuple[Shape, ...]]:
    """Every collection of the shapes found that a hand holds together and that has exactly so many sets (a
    six is two) and runs. One after the other: nothing is kept but the collection in hand."""
    kinds = {shape.kind == RUNS for shape in shapes_held}
    if (sets and False not in kinds) or (runs and True not in kinds):
        return iter(())
    chosen: list[Shape] = []

    def further(place: int, held: int, sets: int, runs: int) -> Iterator[tuple[Shape, ...]]:
        if sets == runs == 0:
            yield tuple(chosen)
            return
        for at in range(place, len(shapes_held)):
            shape = shapes_held[at]
            of_sets, of_runs = COUNTS[shape.kind]
            if of_sets <= sets and of_runs <= runs:
                left = TALLY.without(held, shape.wanted)
                if left >= 0:
                    chosen.append(shape)
                    yield from further(at, left, sets - of_sets, runs - of_runs)
                    chosen.pop()

    return further(0, held, sets, runs)


def lay_down_token(shapes: Sequence[Shape], hand: Sequence[str]) -> str:
    """The token of a lay-down: its jokers taken from the hand in their order."""
    jokers = iter([joker for joker in JOKERS for _ in range(hand.count(joker))])
    texts = []
    for shape in shapes:
        named = [next(jokers) if card == ANY_JOKER else card for card in shape.cards]
        texts.append(f"{shape.kind}({','.join(named)})")
    return "lay:" + "+".join(texts)


def with_jokers(cards: Sequence[str], hand: Sequence[str]) -> list[str] | None:
    """The cards with each `JK` made a joker of the hand that they do not name themselves; None if it holds
    too few."""
    free = [joker for joker in JOKERS for _ in range(hand.count(joker) - cards.count(joker))]
    named = []
    for card in cards:
        if card == ANY_JOKER:
            if not free:
                return None
            card = free.pop(0)
        named.append(card)
    return named
