"""Victory points: published figures, and what must always hold."""

from fractions import Fraction
from itertools import pairwise
from math import floor, sqrt
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
    (59, 16, "19.93"),  # 19.92 by the formula
    (600, 16, "20.00"),
    (1, 7, "10.47"),
    (14, 16, "13.75"),  # 13.74 by the formula: the IMP before is worth 0.23, this one would be worth 0.22
])  # fmt: skip
def test_the_continuous_scale(margin: int, boards: int, winner: str) -> None:
    assert victory_points(margin, boards) == (Fraction(winner), 20 - Fraction(winner))
    assert victory_points(-margin, boards) == (20 - Fraction(winner), Fraction(winner))


def test_the_published_scale_of_four_boards() -> None:
    """Source: the World Bridge Federation's table (WBF_VPScales.pdf), 0 to 30 IMPs."""
    published = (
        "10.00 10.61 11.20 11.76 12.29 12.80 13.28 13.74 14.18 14.60 15.00 15.38 15.74 16.09 16.42 16.73 "
        "17.03 17.31 17.59 17.84 18.09 18.33 18.55 18.76 18.97 19.16 19.34 19.52 19.69 19.85 20.00"
    )
    assert [victory_points(margin, 4)[0] for margin in range(31)] == [
        Fraction(vps) for vps in published.split(" ")
    ]


def by_formula(margin: float, boards: int) -> float:
    ratio = ((sqrt(5) - 1) / 2) ** 3
    return 10 + 10 * (1 - ratio ** min(margin / (15 * sqrt(boards)), 1)) / (1 - ratio)


@pytest.mark.parametrize("boards", range(1, 65))
def test_no_imp_is_worth_more_than_the_one_before(boards: int) -> None:
    """The property that the scale promises. It is the lowest scale with it that is not below the formula:
    wherever it is above the rounded formula, one hundredth less would break the property."""
    points = [int(victory_points(margin, boards)[0] * 100) for margin in range(int(15 * sqrt(boards)) + 3)]
    gains = [after - before for before, after in pairwise(points)]
    assert all(later <= earlier for earlier, later in pairwise(gains))
    rounded = [floor(100 * by_formula(margin, boards) + 0.5) for margin in range(len(points))]
    assert all(0 <= ours - theirs <= 3 for ours, theirs in zip(points, rounded, strict=True))
    raised = [i for i, (ours, theirs) in enumerate(zip(points, rounded, strict=True)) if ours > theirs]
    for at in raised:
        assert 2 * (points[at] - 1) < points[at - 1] + points[at + 1]


def test_a_margin_between_two_imps_is_worth_what_lies_between_them() -> None:
    assert victory_points(Fraction(27, 2), 16)[0] == Fraction("13.64")  # half of the way from 13.52 to 13.75
    assert victory_points(Fraction(-241, 4), 16) == (0, 20)


@given(st.fractions(-200, 200, max_denominator=50), st.integers(1, 64))
def test_the_two_sides_share_twenty_near_the_formula(margin: Fraction, boards: int) -> None:
    ours, theirs = victory_points(margin, boards)
    assert ours + theirs == 20
    assert (ours * 100).denominator == 1
    size = min(abs(float(margin)), 15 * sqrt(boards))
    assert float(max(ours, theirs)) == pytest.approx(by_formula(size, boards), abs=0.04)


@given(st.fractions(0, 100), st.fractions(0, 100), st.integers(1, 40))
def test_a_larger_margin_is_never_worth_less(one: Fraction, more: Fraction, boards: int) -> None:
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
