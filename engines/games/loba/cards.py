"""Loba: the cards and the deal (sections 2 and 3); combinations, and what a hand can lay (4)."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from ... import sheets
from ...cards import Pack
from ...combinations import selections
from ...deals import Stocked, seats_dealt
from ...errors import BadDeal
from ...phrases import Phrase

SEATS = (3, 4, 5)
HAND = 11
JOKERS = ("JK1", "JK2")
PACK = Pack(suits="SHDC", ranks="A23456789TJQK", alone=JOKERS, copies=2)
PLACE = {token: place for place, token in enumerate(PACK.faces)}
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


def extension(meld: Meld, side: str, card: str, *, multicolour: bool) -> Meld | None:
    """The combination with one more card (`side`: high or low for a run); None if it does not fit there."""
    if meld.kind != RUNS:
        if is_joker(card):
            return None if meld.has_joker else replace(meld, cards=(*meld.cards, card))
        return replace(meld, cards=(*meld.cards, card)) if card[0] == meld.rank else None
    high = side == "high"
    end = meld.cards[-1] if high else meld.cards[0]
    at = meld.start + len(meld.cards) - 1 if high else meld.start
    beyond = at + 1 if high else at - 1
    room = 1 <= beyond <= LONGEST
    if is_joker(card):
        return grown(meld, card, high) if room and not meld.has_joker else None
    if not multicolour and card[1] != meld.suit:
        return None
    if is_joker(end) and card[0] == POSITIONS[at - 1]:  # it takes the joker's place, the joker moves outwards
        if not room:
            return None
        inner = meld.cards[:-1] if high else meld.cards[1:]
        bare = replace(meld, cards=inner, start=meld.start if high else meld.start + 1)
        return grown(grown(bare, card, high), end, high)
    return grown(meld, card, high) if room and card[0] == POSITIONS[beyond - 1] else None


def grown(meld: Meld, card: str, high: bool) -> Meld:
    if high:
        return replace(meld, cards=(*meld.cards, card))
    return replace(meld, cards=(card, *meld.cards), start=meld.start - 1)


# ── What a hand can lay ───────────────────────────────────────────────────────────────────────────

Shape = tuple[str, tuple[str, ...]]  # kind and cards, every joker written JK


def shapes(hand: Mapping[str, int], kinds: Sequence[str], *, multicolour: bool) -> Iterator[Shape]:
    """Every combination of these kinds that a hand holds, once, jokers being alike. `hand`: copies by face,
    jokers under `JK`."""
    joker = (ANY_JOKER,) if hand.get(ANY_JOKER) else ()
    for kind in kinds:
        if kind == RUNS:
            yield from run_shapes(hand, joker, multicolour=multicolour)
            continue
        size = SIZES[kind]
        for rank in POSITIONS[:-1]:
            held = [(rank + suit, hand[rank + suit]) for suit in "SHDC" if hand.get(rank + suit)]
            total = sum(copies for _, copies in held)
            if total >= size:
                yield from ((kind, chosen) for chosen in selections(held, size))
            if joker and total >= size - 1:
                yield from ((kind, (*chosen, ANY_JOKER)) for chosen in selections(held, size - 1))


def run_shapes(hand: Mapping[str, int], joker: tuple[str, ...], *, multicolour: bool) -> Iterator[Shape]:
    for suits in ["SHDC"] if multicolour else list("SHDC"):
        by_position = [[rank + suit for suit in suits if hand.get(rank + suit)] for rank in POSITIONS]
        for start in range(LONGEST - RUN + 1):
            window = by_position[start : start + RUN]
            gaps = [place for place, cards in enumerate(window) if not cards]
            if len(gaps) > len(joker):
                continue
            if not gaps:
                yield from ((RUNS, cards) for cards in product(*window))
            for gap in (gaps or range(RUN)) if joker else ():
                yield from ((RUNS, cards) for cards in product(*window[:gap], joker, *window[gap + 1 :]))


def in_order(shape: Shape) -> tuple[bool, tuple[int, ...]]:
    """Sets and sixes before runs; then card by card in the order of the pack, jokers last."""
    kind, cards = shape
    return kind == RUNS, tuple(PLACE.get(card, len(PLACE)) for card in cards)


def lay_downs(
    hand: Mapping[str, int], sets: int, runs: int, shapes_held: Sequence[Shape]
) -> Iterator[tuple[Shape, ...]]:
    """Every collection of the shapes found that a hand holds together and that has exactly so many sets (a
    six is two) and runs. One after the other: nothing is kept but the collection in hand."""
    left = Counter(hand)
    chosen: list[Shape] = []

    def further(place: int, sets: int, runs: int) -> Iterator[tuple[Shape, ...]]:
        if sets == runs == 0:
            yield tuple(chosen)
            return
        for at in range(place, len(shapes_held)):
            kind, cards = shapes_held[at]
            is_run = kind == RUNS
            counts = 0 if is_run else 2 if kind == SIXES else 1
            if counts > sets or (is_run and not runs):
                continue
            wanted = Counter(cards)
            if any(left[card] < count for card, count in wanted.items()):
                continue
            left.subtract(wanted)
            chosen.append(shapes_held[at])
            yield from further(at, sets - counts, runs - is_run)
            chosen.pop()
            left.update(wanted)

    return further(0, sets, runs)


def copies(hand: Sequence[str]) -> dict[str, int]:
    """Copies by face, all jokers under `JK`."""
    return dict(Counter(ANY_JOKER if is_joker(card) else card for card in hand))


def lay_down_token(shapes: Sequence[Shape], hand: Sequence[str]) -> str:
    """The token of a lay-down: its jokers taken from the hand in their order."""
    jokers = iter([joker for joker in JOKERS for _ in range(hand.count(joker))])
    texts = []
    for kind, cards in shapes:
        named = [next(jokers) if card == ANY_JOKER else card for card in cards]
        texts.append(f"{kind}({','.join(named)})")
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
