"""Rounding: to the nearest, and which way a half goes."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rounding import AWAY, HALVES, TOWARDS, UP, decimals, nearest


@given(st.fractions(-100, 100), st.integers(0, 4))
def test_a_number_is_shown_with_halves_away_from_zero(value: Fraction, places: int) -> None:
    number = Fraction(decimals(value, places))
    unit = Fraction(1, 10**places)
    assert abs(number - value) <= unit / 2
    if abs(number - value) == unit / 2:
        assert abs(number) > abs(value)


@given(
    st.fractions(-100, 100), st.fractions(Fraction(1, 9), 20), st.sampled_from(HALVES), st.integers(-60, 60)
)
def test_only_a_half_depends_on_the_rule(value: Any, step: Any, halves: str, middle: int) -> None:
    found = nearest(value, step, halves=halves, middle=middle)
    assert (found / step).denominator == 1
    assert abs(found - value) <= step / 2
    if abs(found - value) < step / 2:
        assert found == nearest(value, step)


@pytest.mark.parametrize(("percent", "halves", "text"), [
    ("54.125", AWAY, "54.13"), ("45.875", AWAY, "45.87"),
    ("54.125", TOWARDS, "54.12"), ("45.875", TOWARDS, "45.88"),
    ("54.125", UP, "54.13"), ("45.875", UP, "45.88"),
    ("54.126", TOWARDS, "54.13"), ("45.874", TOWARDS, "45.87"),
])  # fmt: skip
def test_half_a_hundredth_of_a_per_cent_seen_from_average(percent: str, halves: str, text: str) -> None:
    """The English Bridge Union rounds towards average: N. Doe, “Scoring of fouled boards”, ebu.co.uk."""
    assert decimals(Fraction(percent), halves=halves, middle=50) == text


@pytest.mark.parametrize(("value", "halves", "rounded"), [
    (Fraction(605, 2), AWAY, 300), (305, AWAY, 310), (305, TOWARDS, 300), (305, UP, 310),
    (-305, AWAY, -310), (-305, TOWARDS, -300), (-305, UP, -300),
])  # fmt: skip
def test_to_the_nearest_ten(value: Any, halves: str, rounded: int) -> None:
    assert nearest(value, 10, halves=halves) == rounded


@given(st.integers(0, 20_000))
def test_two_opponents_still_share_a_hundred_where_halves_go_towards_average(thousandths: int) -> None:
    percent = Fraction(thousandths, 200)
    shared = [decimals(p, halves=TOWARDS, middle=50) for p in (percent, 100 - percent)]
    assert sum(map(Fraction, shared)) == 100
