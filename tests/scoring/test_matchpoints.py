"""Matchpoints: against the obvious pairwise count, published figures, and what must always hold."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.matchpoints import matchpoints, neuberg, top
from scoring.methods import METHODS

scores = st.lists(st.integers(-5, 5), min_size=1, max_size=30)


def pairwise(line: Sequence[int]) -> list[int]:
    """The slow, obvious way: two for each other score that is lower, one for each equal one."""
    return [sum((s > t) * 2 + (s == t) for t in line) - 1 for s in line]


@given(scores)
def test_they_are_the_pairwise_count(line: list[int]) -> None:
    assert list(matchpoints(line)) == pairwise(line)


@given(scores, st.integers(0, 10))
def test_a_line_shares_out_the_same_sum_however_often_it_is_played(line: list[int], missing: int) -> None:
    plays = len(line) + missing
    assert sum(matchpoints(line, plays=plays)) == len(line) * (plays - 1)


@given(scores, st.randoms(use_true_random=False), st.integers(0, 5))
def test_who_sits_where_does_not_matter(line: list[int], random: object, missing: int) -> None:
    order = list(range(len(line)))
    random.shuffle(order)  # type: ignore[attr-defined]
    plays = len(line) + missing
    straight = matchpoints(line, plays=plays)
    assert list(matchpoints([line[i] for i in order], plays=plays)) == [straight[i] for i in order]


@given(scores, st.integers(0, 10))
def test_awards_stay_between_nothing_and_the_top(line: list[int], missing: int) -> None:
    plays = len(line) + missing
    assert all(0 <= award <= top(plays) for award in matchpoints(line, plays=plays))


@pytest.mark.parametrize(
    ("points", "actual", "expected", "brought_to"),
    [
        (12, 7, 10, Fraction(123, 7)),  # 17.571…, a top of seven among ten
        (0, 7, 10, Fraction(3, 7)),  # 0.428…
        (6, 7, 10, 9),  # the middle stays the middle
        (0, 1, 10, 9),  # one play alone: half of the top
        (5, 8, 8, 5),
    ],
)
def test_neubergs_formula(points: int, actual: int, expected: int, brought_to: Fraction) -> None:
    assert neuberg(points, actual, expected) == brought_to


def test_a_play_that_cannot_be_compared_gets_half_and_leaves_the_others_alone() -> None:
    assert matchpoints([3, None, 1, None]) == (neuberg(2, 2, 4), 3, neuberg(0, 2, 4), 3)
    assert matchpoints([None, None]) == (1, 1)


def test_a_missing_score_is_not_a_zero() -> None:
    assert matchpoints([0, -1, None]) != matchpoints([0, -1, 0])


def test_more_scores_than_plays_are_refused() -> None:
    with pytest.raises(ValueError, match="3 scores in a line of 2 plays"):
        matchpoints([1, 2, 3], plays=2)


def test_an_empty_line_and_a_single_one() -> None:
    assert matchpoints([]) == ()
    assert matchpoints([7]) == (0,)
    assert top(1) == 0


def test_awards_are_exact() -> None:
    assert all(isinstance(award, Fraction) for award in matchpoints([1, 2, None], plays=7))
    assert METHODS["matchpoints"].awards([1, 1, 0], 3) == (3, 3, 0)


def test_thirty_thousand_plays_need_no_pairs() -> None:
    """Nine hundred million comparisons would not end within this test's time."""
    line = [n % 97 for n in range(30_000)]
    assert sum(matchpoints(line)) == 30_000 * 29_999
