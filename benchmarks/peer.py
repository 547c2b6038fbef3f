"""open_spiel's card games, replayed beside ours: from the cards as they were dealt to the end, auction or
passing of cards included, as our games have theirs."""

import random
import time
from collections.abc import Iterator
from typing import Any

import pyspiel

from benchmarks.boards import Replay, copying

GAMES: dict[
    str, dict[str, Any]
] = {  # their bridge would end with a double-dummy analysis instead of the play
    "bridge": {"use_double_dummy_result": False},
    "hearts": {},
    "spades": {},
}


def replays(name: str) -> Iterator[Replay]:
    game = pyspiel.load_game(name, GAMES[name])
    dice = random.Random(1)
    while True:
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(dice.choice(state.legal_actions()))
        start, actions = state.clone(), []
        began = time.process_time()
        while not state.is_terminal():
            action = dice.choice(state.legal_actions())
            actions.append(action)
            state.apply_action(action)
        yield replay(start, actions, time.process_time() - began)


def replay(start: Any, actions: list[int], drawn: float) -> Replay:
    """Nothing in it takes a whole record: both ways are one by one."""

    def run() -> None:
        state = start.clone()
        apply = state.apply_action_with_legality_check
        for action in actions:
            apply(action)
        assert state.is_terminal()

    half = start.clone()
    for action in actions[: len(actions) // 2]:
        half.apply_action(action)
    return Replay(run, run, len(actions), drawn, copying(half.clone))
