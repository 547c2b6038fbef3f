"""IMPs: the published scale, the obvious pairwise sum, and what must always hold."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.imps import DIVISORS, SCALE, cross_imps, imps

lines = st.lists(st.none() | st.integers(-60, 60).map(lambda score: 10 * score), max_size=40)


def test_the_scale() -> None:
    assert len(SCALE) == 24
    for award, least in enumerate(SCALE, 1):
        assert [imps(least - 10), imps(least), imps(-least)] == [award - 1, award, -award]
    assert imps(0) == imps(10) == imps(Fraction(199, 10)) == 0


@given(lines, st.sampled_from(DIVISORS), st.fractions(Fraction(1, 10), 20, max_denominator=10))
def test_cross_imps_are_the_pairwise_sum(line: list[int | None], divisor: str, unit: Fraction) -> None:
    found = cross_imps(line, unit=unit, divisor=divisor)
    played = [score for score in line if score is not None]
    by = {"comparisons": len(played) - 1, "plays": len(played), "none": 1}[divisor]
    for score, award in zip(line, found, strict=True):
        pairs = 0 if score is None else sum(imps((score - other) * unit) for other in played)
        assert award * (by or 1) == pairs
    assert sum(found) == 0


@given(lines, st.integers(-1000, 1000))
def test_a_constant_changes_nothing(line: list[int | None], more: int) -> None:
    moved = [None if score is None else score + more for score in line]
    assert cross_imps(moved) == cross_imps(line)


def test_an_unknown_divisor_is_refused() -> None:
    with pytest.raises(ValueError, match="divisor: must be one of comparisons, plays, none, not half"):
        cross_imps([1, 2], divisor="half")


def test_thirty_thousand_plays_need_no_pairs() -> None:
    assert sum(cross_imps([10 * (n % 97) for n in range(30_000)])) == 0
