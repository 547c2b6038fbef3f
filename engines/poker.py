"""Poker: what a pile of any size is worth, jokers included.

A pile is an integer of 52 bits, thirteen for each suit, the two lowest and the ace highest, and a number of
jokers. A part is worth a tuple, its category and then numbers of ranks (2 to 14): tuples compare as parts do,
a missing card being less than any.
"""

from collections.abc import Iterator
from itertools import combinations, product

Cards = int
Part = tuple[int, ...]

SUITS, RANKS = "SHDC", "23456789TJQKA"
CARD = {rank + suit: 1 << 13 * s + r for s, suit in enumerate(SUITS) for r, rank in enumerate(RANKS)}
ALL = (1 << 52) - 1
ONE_SUIT = (1 << 13) - 1
PART = 5  # cards

STRAIGHT_FLUSH, CARRE, FULL, FLUSH, STRAIGHT, BRELAN, TWO_PAIRS, PAIR, HIGH = range(9, 0, -1)
WINDOWS = tuple((top, 0b11111 << top - 6) for top in range(14, 5, -1))  # five ranks that follow each other
WHEEL = (5, 0b1000000001111)  # ace, 2, 3, 4, 5
STRAIGHTS = {True: (*WINDOWS, WHEEL), False: WINDOWS}  # by whether the ace may lie low


def top_of(ranks: int) -> int:
    """The number of the highest rank of a mask, 0 if it is empty."""
    return ranks.bit_length() + 1 if ranks else 0


def highest(ranks: int, count: int) -> Part:
    """The numbers of so many ranks of a mask, or of all that there are, from the highest."""
    top: list[int] = []
    while ranks and len(top) < count:
        bits = ranks.bit_length()
        top.append(bits + 1)
        ranks ^= 1 << bits - 1
    return tuple(top)


def straight_top(ranks: int, jokers: int, low: bool) -> int:
    """The top of the best straight of a mask, jokers in its gaps; 0 if there is none."""
    least = PART - jokers
    return next((top for top, window in STRAIGHTS[low] if (ranks & window).bit_count() >= least), 0)


def window_of(top: int, low: bool) -> int:
    return next(window for number, window in STRAIGHTS[low] if number == top)


def best_ranks(suit: int, jokers: int) -> Part:
    """The five highest ranks that a suit shows with jokers in its gaps."""
    ranks = []
    for number in range(14, 1, -1):
        if suit >> number - 2 & 1:
            ranks.append(number)
        elif jokers:
            jokers -= 1
            ranks.append(number)
        if len(ranks) == PART:
            break
    return tuple(ranks)


def first_part(cards: Cards, jokers: int = 0, *, low: bool = True) -> Part:
    """What the best five cards of a pile are worth, or all of them if there are no five.

    Category by category from the highest: as one is reached only when those above cannot be had, little is
    left to choose (with a joker there is no natural three when a full is looked for, and so on).
    """
    a, b = cards & ONE_SUIT, cards >> 13 & ONE_SUIT
    c, d = cards >> 26 & ONE_SUIT, cards >> 39
    size = cards.bit_count() + jokers
    whole = size >= PART
    flushes = [s for s in (a, b, c, d) if s.bit_count() + jokers >= PART] if whole else []
    if flushes and (top := max(straight_top(s, jokers, low) for s in flushes)):
        return STRAIGHT_FLUSH, top
    a_b, ab, c_d, cd = a | b, a & b, c | d, c & d
    shown, two, three, four = a_b | c_d, ab | cd | a_b & c_d, ab & c_d | cd & a_b, ab & cd
    if carres := (four, three, two)[jokers]:
        rank = top_of(carres)
        if size == PART - 1:
            return CARRE, rank
        bit = 1 << rank - 2
        held = 4 if four & bit else 3 if three & bit else 2
        free = (13 if rank == 14 else 14) if jokers > 4 - held else 0
        return CARRE, rank, max(top_of(shown & ~bit), free)
    if whole:
        trips = three if jokers == 0 else two if jokers == 1 else 0
        if trips:
            rank = top_of(trips)
            if pairs := two & ~(1 << rank - 2):
                return FULL, rank, top_of(pairs)
        if flushes:
            return FLUSH, *max(best_ranks(s, jokers) for s in flushes)
        if top := straight_top(shown, jokers, low):
            return STRAIGHT, top
    if trips := (three, two, shown)[jokers]:
        rank = top_of(trips)
        return BRELAN, rank, *highest(shown & ~(1 << rank - 2), 2)
    if jokers == 2:
        return PAIR, 14
    if jokers == 1:
        return (PAIR, *highest(shown, 4)) if shown else (HIGH, 14)
    if two:
        rank = top_of(two)
        rest = shown & ~(1 << rank - 2)
        if other := top_of(two & ~(1 << rank - 2)):
            return TWO_PAIRS, rank, other, *highest(rest & ~(1 << other - 2), 1)
        return PAIR, rank, *highest(rest, 3)
    return HIGH, *highest(shown, PART)


def of_rank(cards: Cards, number: int) -> list[Cards]:
    """The cards of a rank, one by one."""
    return [card for suit in range(4) if (card := 1 << 13 * suit + number - 2) & cards]


def rests(cards: Cards, part: Part, *, low: bool) -> Iterator[Cards]:
    """What may be left of natural cards when their first part, worth `part`, is taken away."""
    if cards.bit_count() <= PART:
        yield 0
        return
    category, *numbers = part
    if category in (STRAIGHT_FLUSH, FLUSH):
        window = (
            next(w for top, w in STRAIGHTS[low] if top == numbers[0]) if category == STRAIGHT_FLUSH else 0
        )
        for number in numbers if category == FLUSH else ():
            window |= 1 << number - 2
        for suit in range(4):
            ranks = cards >> 13 * suit & ONE_SUIT
            taken = ranks & window
            if taken == window and (category == STRAIGHT_FLUSH or highest(ranks, PART) == part[1:]):
                yield cards & ~(window << 13 * suit)
        return
    if category == STRAIGHT:
        numbers = list(highest(window_of(numbers[0], low), PART))
    sizes = {CARRE: (4, 1), FULL: (3, 2), BRELAN: (3, 1, 1), TWO_PAIRS: (2, 2, 1), PAIR: (2, 1, 1, 1)}
    wanted = sizes.get(category, (1,) * PART)
    choices = (combinations(of_rank(cards, n), size) for n, size in zip(numbers, wanted, strict=True))
    for chosen in product(*choices):
        yield cards & ~sum(card for group in chosen for card in group)


def usable(cards: Cards, jokers: int) -> int:
    """How many of the jokers have a card left to stand for."""
    return min(jokers, 52 - cards.bit_count())


def pile_value(cards: Cards, jokers: int = 0, *, low: bool = True) -> tuple[Part, ...]:
    """The parts of a pile, the first as high as it can be, then the second…, over all divisions and all cards
    that its jokers may stand for."""
    free = [1 << bit for bit in range(52) if not cards >> bit & 1]
    piles = {cards | sum(chosen) for chosen in combinations(free, usable(cards, jokers))}
    value = []
    while any(piles):
        firsts = {pile: first_part(pile, low=low) for pile in piles}
        best = max(firsts.values())
        value.append(best)
        piles = {
            rest for pile, first in firsts.items() if first == best for rest in rests(pile, best, low=low)
        }
    return tuple(value)
