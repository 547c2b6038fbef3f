"""What is added up: boards, artificial scores, penalties, carry-over, handicaps."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.entries import AVERAGE_MINUS, AVERAGE_PLUS, Artificial, Own
from scoring.lines import Award, awards
from scoring.methods import method, top_of
from scoring.ranking import ranking
from scoring.rulings import Penalty, with_carry_over, with_handicaps, with_penalties
from scoring.totals import Sum, Total, sums, total_of
from tests.scoring.refusals import check_refusal


def award(points: Any, top: int | None = 10, ruling: Artificial | None = None) -> Award:
    return Award(Fraction(points), Fraction(top or 0, 2), top, ruling)


def total(*held: Award | None) -> Total:
    return sums(("", total_of(one)) for one in held if one is not None)[""]


def test_totals_add_up() -> None:
    parts = [("a", Total(Sum(Fraction(1, 3), 4, 1))), ("b", Total(Sum(Fraction(2), 4, 1)))]
    parts.append(("a", Total(Sum(Fraction(1), 4, 1))))
    assert (Total(handicap=Fraction(3)) + Total(handicap=Fraction(5))).handicap == 8
    assert sums(parts) == {"a": Total(Sum(Fraction(4, 3), 8, 2)), "b": Total(Sum(Fraction(2), 4, 1))}


@pytest.mark.parametrize(("others", "ruling", "percent"), [
    ([9, 9, 9], AVERAGE_PLUS, 90),  # 90 % on the other boards are better than 60 %
    ([5, 5, 5], AVERAGE_PLUS, Fraction(105, 2)),  # 5 5 5 6 of 40
    ([6, 6, 6], AVERAGE_PLUS, 60),
    ([1, 1, 1], AVERAGE_MINUS, 10),  # 10 % on the other boards are worse than 40 %
    ([5, 5, 5], AVERAGE_MINUS, Fraction(95, 2)),
    ([9, 9, 9], Artificial(60), Fraction(165, 2)),
    ([], AVERAGE_PLUS, 60),  # no other board: what was ruled
    ([], AVERAGE_MINUS, 40),
])  # fmt: skip
def test_average_plus_and_minus_look_at_the_other_boards(
    others: list[int], ruling: Artificial, percent: Any
) -> None:
    ruled = award(Fraction(ruling.percent, 10), 10, ruling)
    assert total(*map(award, others), ruled).percentage == percent


def test_in_imps_average_plus_follows_the_rate_on_the_other_boards() -> None:
    plus, minus = award(3, None, AVERAGE_PLUS), award(-3, None, AVERAGE_MINUS)
    assert total(award(5, None), award(7, None), plus).value == 5 + 7 + 6
    assert total(award(1, None), award(-1, None), plus).value == 3
    assert total(award(-5, None), award(-7, None), minus).value == -5 - 7 - 6


@given(st.lists(st.fractions(0, 10), min_size=1), st.lists(st.sampled_from([*Own])))
def test_the_other_boards_never_harm_a_player_not_at_fault_nor_help_one_at_fault(
    points: list[Any], owns: list[Own]
) -> None:
    plus = [award(6, 10, Artificial(60, Own.IF_BETTER)) for own in owns if own is Own.IF_BETTER]
    minus = [award(4, 10, Artificial(40, Own.IF_WORSE)) for own in owns if own is Own.IF_WORSE]
    plain = total(*map(award, points))
    assert total(*map(award, points), *plus).points >= plain.points + 6 * len(plus)
    assert total(*map(award, points), *minus).points <= plain.points + 4 * len(minus)


def test_a_penalty_costs_its_contestant_and_gives_nobody_anything() -> None:
    totals = {"ana": total(award(8), award(6)), "bo": total(award(2), award(4))}
    after = with_penalties(
        totals,
        [Penalty("ana", 2, "matchpoints"), Penalty("ana", 10, "percent")],
        unit="matchpoints",
        top=10,
    )
    assert after["ana"].points == 14 - 2 - 1  # ten per cent of a board of 10
    assert after["ana"].percentage == 55
    assert after["bo"] == totals["bo"]
    half = Penalty("ana", Fraction(1, 2), "imps")
    imps = with_penalties({"ana": total(award(8, None))}, [half], unit="imps", top=None)
    assert imps["ana"].value == Fraction(15, 2)


def test_per_cents_are_of_one_board_before_any_was_played_too() -> None:
    after = with_penalties({"ana": Total()}, [Penalty("ana", 10, "percent")], unit="matchpoints", top=10)
    assert after["ana"].points == -1


def test_at_a_single_table_a_penalty_in_per_cent_costs_nothing_and_one_in_matchpoints_does() -> None:
    matchpoints = method("matchpoints")
    alone = {"ana": total(*awards([7], matchpoints)), "bo": total(*awards([3], matchpoints))}
    assert (alone["ana"].points, alone["ana"].top) == (0, 0)
    penalties = [Penalty("ana", 10, "percent"), Penalty("bo", 1, "matchpoints")]
    after = with_penalties(alone, penalties, unit="matchpoints", top=top_of(matchpoints, 1))
    assert {k: t.value for k, t in after.items()} == {"ana": 0, "bo": -1}


def test_a_carry_over_is_a_part_of_what_was_won_up_to_a_limit() -> None:
    totals = {k: total(award(n, None)) for k, n in {"ana": 1, "bo": 2, "cy": 3}.items()}
    after = with_carry_over(totals, {"ana": 50, "bo": -60}, fraction=Fraction(1, 3), clamp=18)
    assert [after[k].value for k in after] == [1 + Fraction(50, 3), 2 - 18, 3]


def test_previous_results_and_handicaps_of_others_are_no_matter() -> None:
    totals = {"ana": total(award(1))}
    assert with_carry_over(totals, {"zoe": 50}, fraction=1) == totals
    assert with_handicaps(totals, {"zoe": 5}) == totals


def test_scratch_and_handicap_lists_stand_side_by_side() -> None:
    totals = {"ana": total(award(6)), "bo": total(award(5))}
    scratch, handicap = ranking(totals), ranking(with_handicaps(totals, {"bo": 11}))
    assert [(p.rank, p.contestant, p.total.percentage) for p in scratch] == [
        ("1", "ana", 60),
        ("2", "bo", 50),
    ]
    assert [(p.rank, p.contestant, p.total.percentage) for p in handicap] == [
        ("1", "bo", 61),
        ("2", "ana", 60),
    ]


@pytest.mark.parametrize(("call", "field", "constraint"), [
    (lambda: Penalty("ana", 2, "euros"), "unit", "must be one of: matchpoints, percent, imps, vps, points"),
    (lambda: Penalty("ana", 0, "imps"), "amount", "above 0"),
    (lambda: Penalty("ana", 0.5, "imps"), "amount", "exact number above 0, not 0.5"),
    (lambda: with_penalties({}, [Penalty("ana", 1, "imps")], unit="imps", top=None),
     "contestant", "there is no ana"),
    (lambda: with_penalties({"ana": Total()}, [Penalty("ana", 1, "vps")], unit="imps", top=None),
     "unit", "the totals are in imps"),
    (lambda: with_penalties({"ana": Total()}, [Penalty("ana", 1, "percent")], unit="imps", top=None),
     "unit", "the totals are in imps"),
    (lambda: with_carry_over({}, {}, fraction=2), "fraction", "from 0 to 1, not 2"),
    (lambda: with_carry_over({}, {}, fraction=1, clamp=-1), "clamp", "must be 0 or more"),
])  # fmt: skip
def test_bad_input_names_the_field_and_the_constraint(call: Any, field: str, constraint: str) -> None:
    check_refusal(call, field, constraint)
