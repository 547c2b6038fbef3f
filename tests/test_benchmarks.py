"""The benchmarks measure what they say. `.ci/run` runs them beside their peers, at a small size."""

from itertools import islice
from typing import Any

import pytest

from benchmarks import replay
from engines import registry
from engines.contract import Game


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
