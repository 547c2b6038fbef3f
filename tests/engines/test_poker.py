"""The worth of piles against a slow and obvious evaluator: all divisions, all cards for the jokers.

ETUI_HANDS is the step through all 2,598,960 hands of five (1: every one), ETUI_PILES the number of random
piles with jokers; `make campaign-tests` takes every hand.
"""

import os
from collections import Counter
from functools import cache
from itertools import combinations, islice
from random import Random

import pytest

from engines.poker import CARD, first_part, pile_value, usable

HANDS, PILES = int(os.environ.get("ETUI_HANDS", "51")), int(os.environ.get("ETUI_PILES", "200"))
NUMBER = {token: "..23456789TJQKA".index(token[0]) for token in CARD}
NAMES = tuple(CARD)


def mask(tokens: str | tuple[str, ...]) -> int:
    return sum(CARD[token] for token in (tokens.split() if isinstance(tokens, str) else tokens))


# ── The obvious evaluator ─────────────────────────────────────────────────────────────────────────


@cache
def worth(cards: tuple[str, ...]) -> tuple[int, ...]:
    """A part of five cards or fewer: groups by size, then by rank; straights and flushes of five."""
    groups = Counter(NUMBER[card] for card in cards)
    ranks = sorted(groups, key=lambda rank: (groups[rank], rank), reverse=True)
    shape = tuple(sorted(groups.values(), reverse=True))
    flush = len(cards) == 5 and len({card[1] for card in cards}) == 1
    tops = sorted(groups, reverse=True)
    top = 0
    if shape == (1, 1, 1, 1, 1):
        top = tops[0] if tops[0] - tops[4] == 4 else 5 if tops == [14, 5, 4, 3, 2] else 0
    if top:
        return (9, top) if flush else (5, top)
    if flush:
        return 6, *tops
    kinds = {(4,): 8, (4, 1): 8, (3, 2): 7, (3,): 4, (3, 1): 4, (3, 1, 1): 4, (2, 2): 3, (2, 2, 1): 3}
    kind = kinds.get(shape, 2 if shape[0] == 2 else 1)
    return kind, *ranks


@cache
def parts(cards: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """The best list of parts over all divisions."""
    if len(cards) <= 5:
        return (worth(cards),) if cards else ()
    best = max(worth(chosen) for chosen in combinations(cards, 5))
    return max(
        (best, *parts(tuple(card for card in cards if card not in chosen)))
        for chosen in combinations(cards, 5)
        if worth(chosen) == best
    )


def obvious(cards: tuple[str, ...], jokers: int) -> tuple[tuple[int, ...], ...]:
    free = [token for token in NAMES if token not in cards]
    return max(parts(tuple(sorted(cards + chosen))) for chosen in combinations(free, jokers))


# ── The comparison ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("quarter", range(4))
def test_hands_of_five(quarter: int) -> None:
    hands = islice(combinations(NAMES, 5), quarter * HANDS, None, 4 * HANDS)
    for hand in hands:
        value = first_part(mask(hand))
        groups = worth.__wrapped__(hand)
        assert value == groups, hand


def test_as_many_hands_of_each_category_as_books_say() -> None:
    """The 1,287 flushes and straight flushes of one suit, and the hands of all categories by ranks."""
    counts = Counter(first_part(mask(hand))[0] for hand in combinations([c for c in NAMES if c[1] == "S"], 5))
    assert counts == {9: 10, 6: 1277}


@pytest.mark.parametrize(("jokers", "largest", "share"), [(0, 9, 1.0), (1, 7, 1.0), (2, 6, 0.1)])
def test_random_piles(jokers: int, largest: int, share: float) -> None:
    random = Random(jokers)
    for _ in range(int(PILES * share)):
        names = random.choice([NAMES, NAMES[7:13] + NAMES[20:26] + NAMES[33:39], NAMES[:18]])
        cards = tuple(random.sample(names, random.randint(0 if jokers else 1, largest - jokers)))
        parts.cache_clear()
        worth.cache_clear()
        expected = obvious(cards, jokers)
        assert pile_value(mask(cards), jokers) == expected, cards
        assert first_part(mask(cards), jokers) == expected[0], cards


def test_the_first_part_of_large_piles_with_jokers() -> None:
    """Found category by category, and among all cards that the jokers may stand for."""
    random = Random(9)
    for _ in range(PILES // 4):
        cards = mask(tuple(random.sample(NAMES, random.randint(6, 40))))
        free = [1 << bit for bit in range(52) if not cards >> bit & 1]
        assert first_part(cards, 1) == max(first_part(cards | one) for one in free)
    for _ in range(PILES // 40):
        cards = mask(tuple(random.sample(NAMES, random.randint(1, 30))))
        free = [1 << bit for bit in range(52) if not cards >> bit & 1]
        assert first_part(cards, 2) == max(first_part(cards | a | b) for a, b in combinations(free, 2))


@pytest.mark.parametrize(
    ("cards", "jokers", "value"),
    [
        ("7D 7C 2S", 0, ((2, 7, 2),)),  # worked examples 1 to 7
        ("KH", 1, ((2, 13),)),
        ("", 1, ((1, 14),)),
        ("", 2, ((2, 14),)),
        ("AS AH AD AC", 1, ((8, 14, 13),)),
        ("KS QS JS TS 2S", 1, ((9, 14), (1, 2))),
        ("AS AH KD KC QS QH", 0, ((3, 14, 13, 12), (1, 12))),
        ("AD AC KS KH QD JC", 0, ((3, 14, 13, 12), (1, 11))),
        ("6C 6H 4S 4H 4C", 1, ((8, 4, 6), (1, 6))),
        ("AS 2H 3D 4C 5S", 0, ((5, 5),)),
        ("QS KH AD 2C 3S", 0, ((1, 14, 13, 12, 3, 2),)),
        ("9S 9H 9D 9C", 0, ((8, 9),)),
        ("9S 9H 9D 8C", 0, ((4, 9, 8),)),
        ("9S 9H 8D 8C", 0, ((3, 9, 8),)),
        ("9S 9H", 2, ((8, 9),)),
        ("9S 8H", 2, ((4, 9, 8),)),
        ("2S 4S 6S", 2, ((9, 6),)),
        ("2S 7S 9S", 2, ((6, 14, 13, 9, 7, 2),)),
    ],
)
def test_worked_piles(cards: str, jokers: int, value: tuple[tuple[int, ...], ...]) -> None:
    assert pile_value(mask(cards), jokers) == value


def test_an_ace_may_lie_low_or_not() -> None:
    assert first_part(mask("AS 2H 3D 4C 5S"), low=False) == (1, 14, 5, 4, 3, 2)
    assert first_part(mask("AS 2S 3S 4S 5S"), low=False) == (6, 14, 5, 4, 3, 2)
    assert first_part(mask("AS 2S 3S 4S 5S")) == (9, 5)


def test_jokers_without_a_card_left_count_for_nothing() -> None:
    everything = sum(CARD.values())
    assert usable(everything, 2) == 0
    assert usable(everything ^ CARD["2S"], 2) == 1
    assert pile_value(everything, 2) == pile_value(everything)
    assert pile_value(everything ^ CARD["2S"], 2) == pile_value(everything)
    assert len(pile_value(everything)) == 11
    assert pile_value(everything)[:4] == ((9, 14),) * 4
