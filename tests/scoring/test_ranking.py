"""Places, shared ranks, and what separates equals."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.amounts import comparable
from scoring.ranking import ranking, ranks
from scoring.rounding import decimals
from scoring.totals import Sum, Total


def won(points: Any, top: int = 0, boards: int = 1) -> Total:
    return Total(Sum(Fraction(points), top, boards))


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([], []),
        ([5], ["1"]),
        ([5, 5], ["1=", "1="]),
        ([9, 7, 7, 7, 3], ["1", "2=", "2=", "2=", "5"]),
    ],
)
def test_equal_values_share_their_rank(values: list[int], labels: list[str]) -> None:
    assert ranks(values) == labels
    places = ranking({n: won(value) for n, value in enumerate(values)})
    assert [place.rank for place in places] == labels


def test_percentages_are_compared_exactly_and_not_as_shown() -> None:
    a, b = won(10**9, 2 * 10**9 + 1), won(10**9 - 1, 2 * 10**9 + 1)
    places = ranking({"b": b, "a": a})
    assert [(place.contestant, place.rank) for place in places] == [("a", "1"), ("b", "2")]
    assert decimals(a.percentage or Fraction(0)) == decimals(b.percentage or Fraction(0)) == "50.00"


@given(st.lists(st.fractions(-3, 3), max_size=20))
def test_fractions_become_whole_numbers_in_the_same_order(values: list[Fraction]) -> None:
    keys = comparable([value.as_integer_ratio() for value in values])
    for a, x in zip(values, keys, strict=True):
        assert all((a < b, a == b) == (x < y, x == y) for b, y in zip(values, keys, strict=True))


def test_a_contestant_with_fewer_boards_is_compared_by_percentage() -> None:
    places = ranking({"many": won(60, 120, 15), "few": won(9, 16, 2)})
    assert [place.contestant for place in places] == ["few", "many"]


def test_without_a_top_points_are_compared() -> None:
    places = ranking({"a": won(-3), "b": won(Fraction(1, 2)), "c": won(0)})
    assert [(place.contestant, place.rank) for place in places] == [("b", "1"), ("c", "2"), ("a", "3")]


def test_a_contestant_who_has_not_played_comes_last_without_a_rank() -> None:
    places = ranking({"absent": Total(), "last": won(0, 8)})
    assert [(place.contestant, place.rank) for place in places] == [("last", "1"), ("absent", "")]


def test_a_contestant_who_has_played_too_few_boards_is_not_ranked() -> None:
    places = ranking({"guest": won(9, 10, 2), "a": won(50, 120, 12), "b": won(70, 120, 12)}, min_boards=10)
    assert [(place.contestant, place.rank) for place in places] == [("b", "1"), ("a", "2"), ("guest", "")]
    assert places[1].before_next is None


def test_equals_stay_in_the_order_of_their_numbers() -> None:
    totals = {number: won(1, 2) for number in range(9)}
    assert [place.contestant for place in ranking(totals)] == list(range(9))


def test_tie_breaks_are_asked_in_their_order_and_only_about_those_still_equal() -> None:
    asked = []

    def age(equal: Sequence[str]) -> dict[str, int]:
        asked.append(("age", *equal))
        return {"ana": 30, "bo": 30, "cy": 20, "di": 30}

    def luck(equal: Sequence[str]) -> dict[str, int]:
        asked.append(("luck", *equal))
        return {"ana": 1, "bo": 2, "di": 1}

    totals = {"ana": won(5), "bo": won(5), "cy": won(5), "di": won(5), "ed": won(7), "fa": won(1)}
    places = ranking(totals, tie_breaks=[("age", age), ("luck", luck)])
    assert asked == [("age", "ana", "bo", "cy", "di"), ("luck", "ana", "bo", "di")]
    assert [(p.rank, p.contestant, p.before_next) for p in places] == [
        ("1", "ed", "score"),
        ("2", "bo", "luck"),
        ("3=", "ana", None),
        ("3=", "di", "age"),
        ("5", "cy", "score"),
        ("6", "fa", None),
    ]
