"""Robots that play anything: what is drawn without a list is what would be chosen from it."""

from itertools import islice
from random import Random

import pytest

from benchmarks.boards import our_replays
from engines import registry


@pytest.mark.parametrize("game", ["belote-noisette", "cochonnet", "comon", "hombre", "mille", "sept"])
def test_what_a_phase_draws_is_what_chance_would_choose_from_its_list(game: str) -> None:
    one = registry.game(game)
    options = registry.options_of(one, {})
    for number in range(1, 13):
        state = one.start(registry.deal_board(one, bytes(32), number, options, {}), options)
        dice, others = Random(number), Random(number)
        while not state.over:
            drawn = state.any_legal(state.turn, dice)
            assert drawn == others.choice(list(state.legal(state.turn)))
            state.apply(drawn)


@pytest.mark.parametrize("name", registry.games())
def test_a_state_weighs_about_a_kilobyte_at_most_without_its_entries(name: str) -> None:
    """Tables that all states of a game share are tuples: a copy would take lists along."""
    assert all(
        replay.bytes and replay.bytes <= 1100 for replay in islice(our_replays(registry.game(name)), 2)
    )
