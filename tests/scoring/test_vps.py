"""Victory points: published figures, and what must always hold."""

from fractions import Fraction
from math import sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.vps import table, victory_points
from tests.scoring.refusals import check_refusal


@pytest.mark.parametrize(("margin", "boards", "winner"), [
    (10, 16, "12.80"),
    (20, 16, "15.00"),
    (0, 16, "10.00"),
    (60, 16, "20.00"),  # 15 · √16
    (59, 16, "19.92"),
    (600, 16, "20.00"),
    (1, 7, "10.47"),
])  # fmt: skip
def test_the_continuous_scale(margin: int, boards: int, winner: str) -> None:
    assert victory_points(margin, boards) == (Fraction(winner), 20 - Fraction(winner))
    assert victory_points(-margin, boards) == (20 - Fraction(winner), Fraction(winner))


@given(st.fractions(-200, 200, max_denominator=50), st.integers(1, 100))
def test_the_two_sides_share_twenty_by_the_formula(margin: Fraction, boards: int) -> None:
    ours, theirs = victory_points(margin, boards)
    assert ours + theirs == 20
    assert (ours * 100).denominator == 1
    ratio = ((sqrt(5) - 1) / 2) ** 3
    share = min(abs(float(margin)) / (15 * sqrt(boards)), 1)
    assert float(max(ours, theirs)) == pytest.approx(10 + 10 * (1 - ratio**share) / (1 - ratio), abs=0.0051)


@given(st.integers(0, 100), st.integers(0, 100), st.integers(1, 40))
def test_a_larger_margin_is_never_worth_less(one: int, more: int, boards: int) -> None:
    assert victory_points(one + more, boards)[0] >= victory_points(one, boards)[0]


def test_a_table_of_its_own() -> None:
    steps = [(0, 3), (1, 4), (10, 6)]
    assert [table(steps, margin, whole=6) for margin in (0, 1, 9, 10, 99, -1, -10)] == [
        (3, 3), (4, 2), (4, 2), (6, 0), (6, 0), (2, 4), (0, 6),
    ]  # fmt: skip


@pytest.mark.parametrize(("call", "field", "constraint"), [
    (lambda: victory_points(10, 0), "boards", "a whole number above 0, not 0"),
    (lambda: victory_points(10, 1.5), "boards", "not 1.5"),  # type: ignore[arg-type]
    (lambda: table([], 1), "steps", "start at 0"),
    (lambda: table([(1, 10)], 1), "steps", "start at 0"),
    (lambda: table([(0, 10), (0, 11)], 1), "steps", "and rise"),
    (lambda: table([(0, 10), (5, 9)], 1), "steps", "half of 20 or more and not fall"),
    (lambda: table([(0, 9), (5, 10)], 1), "steps", "half of 20"),
    (lambda: table([(0, 10), (5, 21)], 1), "steps", "must not pass 20"),
])  # fmt: skip
def test_bad_input_names_the_field_and_the_constraint(call: Any, field: str, constraint: str) -> None:
    check_refusal(call, field, constraint)
