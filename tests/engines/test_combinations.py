"""Combinations that several games know: tables of cases, and counting by trying everything."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from engines.combinations import Tally, complete, couples, nth, runs, selections


@pytest.mark.parametrize(
    ("cards", "found"),
    [("", 0), ("QS", 0), ("QS KS", 1), ("QS QS KS", 1), ("QS QS KS KS", 2), ("QH KS", 0)],
)
def test_couples(cards: str, found: int) -> None:
    assert couples(cards.split().count, "QS", "KS") == found


@pytest.mark.parametrize(
    ("cards", "found"),
    [("JS JH JD", 0), ("JS JH JD JC", 1), ("JS JS JH JH JD JD JC JC", 2), ("JS JS JS JS", 0)],
)
def test_all_of_some_cards(cards: str, found: int) -> None:
    assert complete(cards.split().count, ["JS", "JH", "JD", "JC"]) == found


@pytest.mark.parametrize(
    ("cards", "length", "found"),
    [
        ("7S JS QS", 3, 1),
        ("7S JS QS KS", 3, 1),
        ("7S JS QS KS TS AS", 3, 2),
        ("7S JS KS", 3, 0),
        ("7H JH QH", 3, 0),
        ("JS QS QS KS KS TS", 3, 2),
        ("7S JS QS KS TS", 5, 1),
    ],
)
def test_runs(cards: str, length: int, found: int) -> None:
    assert runs(cards.split().count, "S", "7JQKTA", length) == found


def test_selections_are_all_choices_once() -> None:
    random = Random(3)
    for _ in range(200):
        cards = sorted(random.choices("ABCDE", k=random.randint(0, 7)))
        for count in range(len(cards) + 1):
            listed = list(selections(list(Counter(cards).items()), count))
            assert len(set(listed)) == len(listed)
            assert set(listed) == set(combinations(cards, count))
    assert list(selections([("A", 1)], 2)) == []


def test_a_choice_is_found_by_its_place_among_all() -> None:
    for count in range(7):
        listed = list(combinations("ABCDEF", count))
        assert [nth("ABCDEF", count, at) for at in range(len(listed))] == listed


@pytest.mark.parametrize("bits", [3, 5])
def test_a_tally_holds_what_the_cards_do(bits: int) -> None:
    random, most = Random(bits), (1 << bits) - 1
    tally = Tally("ABCD", bits=bits)
    for _ in range(500):
        held, wanted = (
            Counter({card: random.randint(0, random.choice((1, 3, most))) for card in "ABCD"}) for _ in "12"
        )
        assert tally.faces(tally.of(held.elements())) == tally.of(+Counter(set(held.elements())))
        left = tally.without(tally.of(held.elements()), tally.of(wanted.elements()))
        assert left == (-1 if wanted - held else tally.of((held - wanted).elements()))
