"""The benchmarks measure what they say. `.ci/run` runs them beside their peers, at a small size."""

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from benchmarks import replay, scoring
from engines import registry
from engines.contract import Game
from scoring.entries import Missing
from scoring.methods import METHODS


@pytest.mark.parametrize("game", registry.games().values(), ids=lambda game: game.id)
def test_every_board_that_is_measured_replays_to_its_end(game: Game[Any]) -> None:
    """Also where a seat acted out of turn, as in the talks of Démons."""
    for one in islice(replay.our_replays(game), 12):
        one.run()


def test_a_measurement_is_the_quickest_round_over_all_deals() -> None:
    comon = registry.game("comon")
    measured = replay.measurement("comon", islice(replay.our_replays(comon), 5), 0.0)
    assert (measured.name, measured.deals, measured.actions) == ("comon", 2, 60)
    assert measured.microseconds > 0


@pytest.mark.parametrize(("seats", "boards"), scoring.SHAPES)
def test_exact_numbers_and_floats_make_the_same_percentages(seats: int, boards: int) -> None:
    """Before the late result and after it."""
    held = scoring.a_session(60, boards, seats, missing=scoring.MISSING)
    before = scoring.scored(held)
    at = held[0].entries[0].index(Missing.NOT_PLAYED)
    late = scoring.Late(before.session, at, 9)
    late.compare()
    entries = tuple([*column[:at], 9, *column[at + 1 :]] for column in held[0].entries)
    after = [replace(held[0], entries=entries), *held[1:]]
    for places, results in ((before.places, held), (late.order(), after)):
        floats = {contestant: percent for percent, contestant in scoring.floating(results)}
        assert {place.contestant: place.total.percentage for place in places} == pytest.approx(floats)


def test_every_method_is_measured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in METHODS:
        monkeypatch.setattr("sys.argv", ["", "--method", name, "--tables", "6"])
        scoring.main()
        assert capsys.readouterr().out.startswith(f"{name} ")
    for seats, boards in scoring.SHAPES:
        assert f"{seats * boards * 60:,}" in scoring.of_shape(seats, boards, 60)
