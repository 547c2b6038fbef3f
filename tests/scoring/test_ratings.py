"""Ratings by the library, and what is added to it: one update an event, teams, ties, provisional ratings."""

import random
from math import log
from typing import Any

import pytest
from openskill.models import PlackettLuce

from scoring.ratings import (
    COIN,
    ELO,
    Forecasts,
    Rating,
    before,
    elos_after,
    forecasts,
    ratings_after,
)
from tests.scoring.refusals import check_refusal

BOARDS = dict.fromkeys(["ana", "bo", "cy", "di"], 24)


def test_one_event_is_one_update_of_the_model() -> None:
    model = PlackettLuce()
    expected = model.rate([[model.rating()], [model.rating()], [model.rating()]], ranks=[0, 1, 1])
    found = ratings_after({}, [("1", ["ana"]), ("2=", ["bo"]), ("2=", ["cy"])], boards=BOARDS)
    assert [(found[k].mean, found[k].spread) for k in ("ana", "bo", "cy")] == [
        (team[0].mu, team[0].sigma) for team in expected
    ]


def test_the_winner_rises_the_last_falls_and_both_are_surer() -> None:
    found = ratings_after({}, [("1", ["ana"]), ("2", ["bo"])], boards=BOARDS)
    new = Rating()
    assert found["ana"].mean > new.mean > found["bo"].mean
    assert max(found["ana"].spread, found["bo"].spread) < new.spread
    assert Rating(25.0, 2.0).interval == (25 - 3.92, 25 + 3.92)
    assert [Rating(boards=boards).is_provisional() for boards in (59, 60)] == [True, False]


def test_partners_rise_together_and_others_keep_their_rating() -> None:
    before = {"ed": Rating(30.0, 2.0, 100)}
    found = ratings_after(before, [("1", ["ana", "bo"]), ("2", ["cy", "di"]), ("", ["ed"])], boards=BOARDS)
    assert found["ana"] == found["bo"] != found["cy"] == found["di"]
    assert found["ed"] is before["ed"]
    assert before == {"ed": Rating(30.0, 2.0, 100)}


def test_a_rating_is_provisional_until_enough_boards() -> None:
    ratings: dict[str, Rating] = {}
    provisional = []
    for _ in range(3):
        ratings = ratings_after(ratings, [("1", ["ana"]), ("2", ["bo"])], boards=BOARDS)
        provisional.append((ratings["ana"].boards, ratings["ana"].is_provisional()))
    assert provisional == [(24, True), (48, True), (72, False)]


def test_an_event_of_one_says_nothing() -> None:
    assert ratings_after({}, [("1", ["ana"])], boards=BOARDS) == {}


def test_the_stronger_players_are_found() -> None:
    """Results of strength and as much luck: after forty events the order is nearly that of strength."""
    chance = random.Random(3)
    ratings: dict[int, Rating] = {}
    for _ in range(40):
        results = sorted(range(12), key=lambda n: -n + chance.gauss(0, 4))
        ratings = ratings_after(
            ratings,
            [(str(rank), [n]) for rank, n in enumerate(results, 1)],
            boards=dict.fromkeys(range(12), 24),
        )
    order = sorted(ratings, key=lambda n: -ratings[n].mean)
    assert sum(abs(n - (11 - place)) for place, n in enumerate(order)) <= 16


@pytest.mark.parametrize(("places", "boards", "field", "constraint"), [
    ([("1", ["ana"]), ("2", ["ana"])], BOARDS, "places", "ana appears twice"),
    ([("1", ["ana"]), ("2", ["zoe"])], BOARDS, "boards", "zoe has not played any"),
])  # fmt: skip
def test_bad_input_names_the_field_and_the_constraint(
    places: Any, boards: Any, field: str, constraint: str
) -> None:
    check_refusal(lambda: ratings_after({}, places, boards=boards), field, constraint)


def test_a_forecast_is_that_of_the_library() -> None:
    model = PlackettLuce()
    first, second = [Rating(28, 3), Rating(22, 5)], [Rating(25, 2), Rating(24, 8)]
    theirs = model.predict_win(
        [[model.rating(one.mean, one.spread) for one in side] for side in (first, second)]
    )
    assert before(first, second) == pytest.approx(theirs[0])
    assert before(second, first) == pytest.approx(1 - theirs[0])


def test_forecasts_count_pairs_whose_players_are_known_and_who_do_not_share_a_place() -> None:
    ratings = {"ana": Rating(30, 2), "bo": Rating(25, 2), "cy": Rating(20, 2)}
    told = forecasts(
        ratings, {}, [("1", ["bo"]), ("2", ["ana"]), ("3=", ["cy"]), ("3=", ["di"]), ("", ["ed"])]
    )
    chances = [
        before([ratings[one]], [ratings[two]]) for one, two in (("bo", "ana"), ("bo", "cy"), ("ana", "cy"))
    ]
    assert told.pairs == 3
    assert told.loss == pytest.approx(-sum(map(log, chances)))
    assert told.elo_loss == pytest.approx(3 * COIN), "Elo knows nobody yet"
    assert sorted(told.bins, reverse=True)[0] == (2, 1), "Bo before Ana was not foreseen, Bo before Cy was"
    assert sum(n for n, _won in told.bins) == 3
    assert forecasts(ratings, {}, [("1=", ["ana"]), ("1=", ["bo"])]).pairs == 0
    assert Forecasts.from_json((told + Forecasts()).to_json()) == told


@pytest.mark.parametrize("count", [2, 3, 4, 5, 50, 51, 60])
def test_each_pair_of_a_field_is_compared_once_and_of_a_large_one_some(count: int) -> None:
    ratings = {n: Rating(25 + n / 100, 5) for n in range(count)}
    told = forecasts(ratings, {}, [(str(n + 1), [n]) for n in range(count)])
    assert told.pairs == (count * (count - 1) // 2 if count <= 51 else count * 25)
    assert sum(won for _n, won in told.bins) == 0, "the weaker has won each time"


def test_elo_moves_by_the_mean_of_what_each_gains_and_keeps_the_sum() -> None:
    after = elos_after({}, [("1", ["ana", "bo"]), ("2", ["cy", "di"])])
    assert after == {"ana": ELO + 16, "bo": ELO + 16, "cy": ELO - 16, "di": ELO - 16}
    after = elos_after({"ana": 1900.0}, [("1=", ["ana"]), ("1=", ["bo"]), ("", ["cy"])])
    assert after["ana"] < 1900
    assert after["ana"] + after["bo"] == pytest.approx(1900 + ELO)
