from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.ranking import Total, ranking, ranks, shown, summed


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


def test_percentages_are_compared_exactly_and_not_as_shown() -> None:
    a, b = Total(Fraction(10**9), 2 * 10**9 + 1), Total(Fraction(10**9 - 1), 2 * 10**9 + 1)
    places = ranking({"b": b, "a": a})
    assert [(place.contestant, place.rank) for place in places] == [("a", "1"), ("b", "2")]
    assert shown(a.percentage or Fraction(0)) == shown(b.percentage or Fraction(0)) == "50.00"


def test_who_played_fewer_boards_is_compared_by_percentage() -> None:
    places = ranking({"many": Total(Fraction(60), 120, 15), "few": Total(Fraction(9), 16, 2)})
    assert [place.contestant for place in places] == ["few", "many"]


def test_who_has_not_played_comes_last_without_a_rank() -> None:
    places = ranking({"absent": Total(), "last": Total(Fraction(0), 8, 1)})
    assert [(place.contestant, place.rank) for place in places] == [("last", "1"), ("absent", "")]


def test_equals_stay_in_the_order_of_their_numbers() -> None:
    totals = {number: Total(Fraction(1), 2, 1) for number in range(9)}
    assert [place.contestant for place in ranking(totals)] == list(range(9))


@given(st.fractions(-100, 100), st.integers(0, 4))
def test_a_number_is_rounded_once_halves_away_from_zero(value: Fraction, places: int) -> None:
    number = Fraction(shown(value, places))
    unit = Fraction(1, 10**places)
    assert abs(number - value) <= unit / 2
    if abs(number - value) == unit / 2:
        assert abs(number) > abs(value)


def test_totals_add_up() -> None:
    parts = [
        ("a", Total(Fraction(1, 3), 4, 1)),
        ("b", Total(Fraction(2), 4, 1)),
        ("a", Total(Fraction(1), 4, 1)),
    ]
    assert summed(parts) == {"a": Total(Fraction(4, 3), 8, 2), "b": Total(Fraction(2), 4, 1)}
