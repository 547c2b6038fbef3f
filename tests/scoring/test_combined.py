"""Teams, sessions combined, seasons, divisions, master points."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.combined import combined_ranking, teams
from scoring.divisions import next_divisions
from scoring.entries import AVERAGE_PLUS
from scoring.lines import Award
from scoring.masterpoints import master_points
from scoring.ranking import ranking
from scoring.seasons import standings
from scoring.totals import Sum, Total, total_of
from tests.scoring.refusals import check_refusal

SESSIONS = {
    "morning": {"ana": 60, "bo": 50, "cy": 55},
    "noon": {"ana": 40, "bo": Fraction(101, 2)},
    "night": {"ana": 56, "bo": 50, "cy": 57},
}

LATE_COUNTS_DOUBLE = {"morning": Fraction(1, 4), "noon": Fraction(1, 4), "night": Fraction(1, 2)}


def test_a_team_has_what_its_members_have() -> None:
    plus = total_of(Award(Fraction(6), Fraction(5), 10, AVERAGE_PLUS))
    totals = {
        "ana": Total(Sum(Fraction(18), 20, 2)) + plus,  # 90 % on the other boards, and so on this one
        "bo": Total(Sum(Fraction(5), 20, 2)),
        "cy": Total(Sum(Fraction(11), 20, 2)),
    }
    found = teams(totals, {"reds": ["ana", "bo"], "blues": ["cy", "di"], "greens": []})
    assert {name: (t.points, t.top, t.boards) for name, t in found.items()} == {
        "reds": (32, 50, 5), "blues": (11, 20, 2), "greens": (0, 0, 0),
    }  # fmt: skip
    assert [(p.rank, p.contestant) for p in ranking(found)] == [("1", "reds"), ("2", "blues"), ("", "greens")]


@pytest.mark.parametrize(("arguments", "expected"), [
    ({"rule": "sum"}, [("1", "ana", 156), ("2", "bo", Fraction(301, 2)), ("3", "cy", 112)]),
    ({"rule": "average"}, [("1", "cy", 56), ("2", "ana", 52), ("3", "bo", Fraction(301, 6))]),
    ({"rule": "best", "best": 2}, [("1", "ana", 116), ("2", "cy", 112), ("3", "bo", Fraction(201, 2))]),
    ({"rule": "average", "least": 3}, [("1", "ana", 52), ("2", "bo", Fraction(301, 6)), ("", "cy", 56)]),
    ({"rule": "weighted", "weights": LATE_COUNTS_DOUBLE},
     [("1", "cy", Fraction(169, 3)), ("2", "ana", 53), ("3", "bo", Fraction(401, 8))]),
])  # fmt: skip
def test_sessions_are_combined_by_a_rule(arguments: dict[str, Any], expected: Any) -> None:
    assert [(p.rank, p.contestant, p.value) for p in combined_ranking(SESSIONS, **arguments)] == expected


def test_a_combined_ranking_says_which_sessions_counted() -> None:
    ana = next(p for p in combined_ranking(SESSIONS, rule="best", best=2) if p.contestant == "ana")
    assert ana.parts == (("morning", 60, 1), ("night", 56, 1))
    assert ana.rest == (("noon", 40),)


@given(st.dictionaries(st.sampled_from("abcd"), st.dictionaries(st.sampled_from("xyz"), st.integers(0, 9))))
def test_every_value_is_the_sum_of_what_counted(sessions: Any) -> None:
    for arguments in ({"rule": "sum"}, {"rule": "average"}, {"rule": "best", "best": 2}):
        for place in combined_ranking(sessions, **arguments):
            assert place.value == sum(value * weight for _, value, weight in place.parts)
            played = sum(place.contestant in values for values in sessions.values())
            assert len(place.parts) + len(place.rest) == played


def test_a_season_counts_the_best_events_and_shares_ranks() -> None:
    events = {"May": {"ana": 3, "bo": 5}, "June": {"ana": 4, "cy": 8}, "July": {"ana": 4, "bo": 3}}
    assert [(p.rank, p.contestant, p.value) for p in standings(events, best=2)] == [
        ("1=", "ana", 8), ("1=", "bo", 8), ("1=", "cy", 8),
    ]  # fmt: skip
    assert [(p.rank, p.contestant) for p in standings(events, least=2)] == [
        ("1", "ana"),
        ("2", "bo"),
        ("", "cy"),
    ]


FIRST = [("1", "ana"), ("2", "bo"), ("3", "cy"), ("4", "di")]
SECOND = [("1", "ed"), ("2", "fa"), ("3", "gus"), ("4", "hal")]
THIRD = [("1", "ida"), ("2", "jo"), ("3", "kim")]


def test_the_first_of_a_division_change_places_with_the_last_of_the_one_above() -> None:
    assert next_divisions({"1": FIRST, "2": SECOND, "3": THIRD}, up=1, down=2) == {
        "1": ("ana", "bo", "ed"),
        "2": ("cy", "di", "fa", "ida"),
        "3": ("gus", "hal", "jo", "kim"),
    }
    assert next_divisions({"1": FIRST}, up=2, down=2) == {"1": ("ana", "bo", "cy", "di")}


def test_master_points_fall_in_equal_steps_over_the_top_third() -> None:
    places = [(str(n), n) for n in range(1, 17)]
    assert master_points(places, tables=4, factor=Fraction(3)) == {
        1: 6, 2: 5, 3: 4, 4: 3, 5: 2, 6: 1,
    }  # fmt: skip
    assert master_points([("1", "ana"), ("2", "bo")], tables=2) == {
        "ana": Fraction(141, 100)
    }  # √2, rounded down


def test_contestants_who_share_a_place_share_its_master_points() -> None:
    places = [("1", "ana"), ("2=", "bo"), ("2=", "cy"), ("4", "di"), ("5", "ed"), ("", "fa")]
    assert master_points(places, tables=9) == {"ana": 3, "bo": Fraction(3, 4), "cy": Fraction(3, 4)}


@pytest.mark.parametrize(("call", "field", "constraint"), [
    (lambda: teams({}, {"reds": ["ana"], "blues": ["ana"]}), "members", "ana is a member more than once"),
    (lambda: combined_ranking(SESSIONS, rule="mean"), "rule", "must be one of: sum, average, weighted, best"),
    (lambda: combined_ranking(SESSIONS, rule="best"), "best", "how many sessions count"),
    (lambda: combined_ranking(SESSIONS, rule="sum", best=2), "best", "only there"),
    (lambda: combined_ranking(SESSIONS, rule="best", best=0), "best", "a whole number above 0"),
    (lambda: combined_ranking(SESSIONS, rule="weighted"), "weights", "belong to the rule weighted"),
    (lambda: combined_ranking(SESSIONS, rule="weighted", weights={"noon": 1}),
     "weights", "morning, noon, night"),
    (lambda: combined_ranking(SESSIONS, rule="weighted", weights=dict.fromkeys(SESSIONS, Fraction(1, 2))),
     "weights", "must sum to 1, not to 3/2"),
    (lambda: combined_ranking(SESSIONS, rule="weighted", weights=dict.fromkeys(SESSIONS, 0)),
     "weights", "above 0"),
    (lambda: standings(SESSIONS, best=-1), "best", "a whole number above 0"),
    (lambda: next_divisions({"1": FIRST, "2": FIRST}, up=1, down=1), "divisions", "ana appears twice"),
    (lambda: next_divisions({"1": FIRST, "2": THIRD, "3": SECOND}, up=2, down=2), "divisions",
     "division 2 has 3 contestants, and 4 would leave"),
    (lambda: next_divisions({"1": FIRST}, up=-1, down=1), "up", "0 or more"),
    (lambda: next_divisions({"1": [("1", "ana"), ("2=", "bo"), ("2=", "cy")], "2": SECOND}, up=1, down=1),
     "divisions", "in division 1 the tie at 2= must be broken"),
    (lambda: master_points([], tables=0), "tables", "a whole number above 0"),
    (lambda: master_points([], tables=3, factor=0.5), "factor", "exact number above 0"),
])  # fmt: skip
def test_bad_input_names_the_field_and_the_constraint(call: Any, field: str, constraint: str) -> None:
    check_refusal(call, field, constraint)
