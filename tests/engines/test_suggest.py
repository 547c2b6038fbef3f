"""The contract about `suggest`, for every game of the registry."""

from itertools import count
from typing import Any

from engines import bots
from engines.contract import Game

from .test_conformance import every_game, started

QUESTIONS = 1000


@every_game
def test_the_sensible_robot_answers_for_every_seat_that_may_act(game: Game[Any]) -> None:
    """Whoever's turn it is, in positions that play by chance comes to: one of the seat's legal actions."""
    asked = 0
    for number in count(1):
        _file, _deal, state, random = started(game, number)
        while not state.over:
            if asked == QUESTIONS:
                return
            for seat in state.actors():
                suggested = bots.action_of(game, state, seat, bots.sensible, random)
                assert state.is_legal(f"{seat} {suggested}"), (seat, suggested)
            seat = random.choice(state.actors())
            state.apply(f"{seat} {state.any_legal(seat, random)}")
            asked += 1
