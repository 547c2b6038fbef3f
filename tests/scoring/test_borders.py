"""Where a rule begins and ends: the least number of sessions, the first place of a division."""

from fractions import Fraction

import pytest

from scoring.combined import combined_ranking
from scoring.divisions import next_divisions
from scoring.seasons import standings
from tests.scoring.refusals import check_refusal

EVENTS = {
    "May": {"ana": 9, "bo": 5, "cy": 7},
    "June": {"ana": 4, "bo": 5, "di": 8},
    "July": {"bo": 5, "di": 1},
}
"""Two events of ana and of di, three of bo, one of cy."""


# Ranked contestants


@pytest.mark.parametrize(("least", "ranked", "unranked"), [
    (1, ["ana", "di", "cy", "bo"], []),
    (2, ["ana", "di", "bo"], ["cy"]),
    (3, ["bo"], ["ana", "cy", "di"]),
    (4, [], ["ana", "bo", "cy", "di"]),
])  # fmt: skip
def test_events_that_do_not_count_are_events_played(
    least: int, ranked: list[str], unranked: list[str]
) -> None:
    """The best one counts; `least` asks how many were played, those left out among them."""
    places = standings(EVENTS, best=1, least=least)
    assert [place.contestant for place in places if place.rank] == ranked
    assert [place.contestant for place in places if not place.rank] == unranked
    assert places == combined_ranking(EVENTS, rule="best", best=1, least=least)


def test_an_unranked_contestant_keeps_its_value_and_what_it_is_made_of() -> None:
    places = {place.contestant: place for place in combined_ranking(EVENTS, rule="best", best=1, least=3)}
    assert (places["ana"].rank, places["ana"].value) == ("", 9)
    assert places["ana"].parts == (("May", Fraction(9), Fraction(1)),)
    assert places["ana"].rest == (("June", Fraction(4)),)


# Contestants who move

UPPER = [("1", "ana"), ("2", "bo"), ("3", "cy")]


def test_one_place_at_the_border_must_be_one_contestant() -> None:
    tied_first = [("1=", "di"), ("1=", "ed"), ("3", "fa")]
    tied_last = [("1", "ana"), ("2=", "bo"), ("2=", "cy")]
    lower = [("1", "di"), ("2", "ed"), ("3", "fa")]
    said = "in division 2 the tie at 1= must be broken"
    check_refusal(lambda: next_divisions({"1": UPPER, "2": tied_first}, up=1, down=1), "divisions", said)
    said = "in division 1 the tie at 2= must be broken"
    check_refusal(lambda: next_divisions({"1": tied_last, "2": lower}, up=1, down=1), "divisions", said)


def test_a_tie_that_moves_together_or_stays_together_is_no_matter() -> None:
    tied = [("1=", "di"), ("1=", "ed"), ("3", "fa")]
    assert next_divisions({"1": UPPER, "2": tied}, up=2, down=2) == {
        "1": ("ana", "di", "ed"),
        "2": ("bo", "cy", "fa"),
    }
    assert next_divisions({"1": tied, "2": UPPER}, up=1, down=1) == {
        "1": ("di", "ed", "ana"),
        "2": ("fa", "bo", "cy"),
    }


@pytest.mark.parametrize("count", [0, 3])
def test_a_border_outside_the_division_divides_nobody(count: int) -> None:
    """Nobody moves, or everybody does: a division of equals has no border then."""
    equal = [("1=", "di"), ("1=", "ed"), ("1=", "fa")]
    following = next_divisions({"1": UPPER, "2": equal}, up=count, down=count)
    assert following == ({"1": ("ana", "bo", "cy"), "2": ("di", "ed", "fa")} if not count else
                         {"1": ("di", "ed", "fa"), "2": ("ana", "bo", "cy")})  # fmt: skip
