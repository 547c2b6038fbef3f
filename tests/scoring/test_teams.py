"""Teams: what members bring with them counts once, and on the boards that they played."""

from fractions import Fraction
from typing import Any

import pytest

from scoring.combined import teams
from scoring.entries import AVERAGE_MINUS, AVERAGE_PLUS
from scoring.lines import Award
from scoring.totals import Sum, Total, total_of


def total(points: int, top: int, boards: int, **more: Any) -> Total:
    return Total(Sum(Fraction(points), top, boards), **{name: Fraction(n) for name, n in more.items()})


@pytest.mark.parametrize(("members", "value"), [
    ([total(10, 20, 2, handicap=6), total(10, 20, 2, handicap=6)], 56),  # both 56 %, and so their team
    ([total(10, 20, 2, handicap=6), total(10, 20, 2)], 53),
    ([total(10, 20, 2, handicap=6), total(20, 40, 4)], 52),  # a third of the boards
    ([total(10, 20, 2, handicap=-5), total(10, 20, 2)], Fraction(95, 2)),
    ([total(10, 20, 2), Total(handicap=Fraction(50))], 50),  # somebody who has not played adds nothing
    ([total(7, 0, 2, handicap=3), total(5, 0, 2, handicap=1)], 16),  # points, where there are no per cents
    ([total(7, 0, 2), Total(handicap=Fraction(50))], 7),
])  # fmt: skip
def test_a_handicap_is_worth_to_a_team_what_it_is_worth_to_its_member(
    members: list[Total], value: Any
) -> None:
    found = teams(dict(enumerate(members)), {"reds": range(len(members))})
    assert found["reds"].value == value


@pytest.mark.parametrize("one", [
    total(10, 20, 2, handicap=6),
    total(7, 0, 2, handicap=3, extra=4, lost=1),
    total(10, 20, 2, extra=4, lost=1),
    total(9, 10, 1) + total_of(Award(Fraction(6), Fraction(5), 10, AVERAGE_PLUS)),
    total(1, 10, 1) + total_of(Award(Fraction(4), Fraction(5), 10, AVERAGE_MINUS)),
    total(0, 0, 0, extra=4),
    Total(),
])  # fmt: skip
def test_a_team_of_one_is_worth_what_its_member_is(one: Total) -> None:
    final = teams({"ana": one}, {"reds": ["ana"]})["reds"]
    assert (final.value, final.top, final.boards) == (one.value, one.top, one.boards)


def test_what_a_member_without_a_board_carries_over_or_has_lost_is_the_teams() -> None:
    totals = {"ana": total(7, 0, 2), "bo": total(0, 0, 0, extra=4), "cy": total(0, 0, 0, lost=1)}
    assert teams(totals, {"reds": ["ana", "bo", "cy"]})["reds"].value == 10


def test_each_member_is_judged_by_its_own_other_boards() -> None:
    """Ana has 90 % besides her average plus, Bo 10 %: she gets 9 for it, he the 6 that were ruled."""
    plus = total_of(Award(Fraction(6), Fraction(5), 10, AVERAGE_PLUS))
    totals = {"ana": total(9, 10, 1) + plus, "bo": total(1, 10, 1) + plus}
    assert teams(totals, {"reds": ["ana", "bo"]})["reds"].points == 9 + 9 + 1 + 6
