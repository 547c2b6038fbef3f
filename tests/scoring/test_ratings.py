"""Ratings by the library, and what is added to it: one update an event, teams, ties, provisional ratings."""

import random
from typing import Any

import pytest
from openskill.models import PlackettLuce

from scoring.ratings import Rating, ratings_after
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
