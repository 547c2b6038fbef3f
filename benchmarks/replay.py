"""Replay with every action checked: every game of the registry, beside open_spiel in the same run.

open_spiel is a C++ library called from Python; its legality check is on. Run with `make bench`.
"""

import random
import sys
import timeit
from collections.abc import Callable
from typing import Any

import pyspiel

from engines import bots, registry
from engines.contract import split

BOARDS = 1000
ROUNDS = 11
SEED = bytes(range(32))
PEERS = {  # the peer's bridge would end with a double-dummy analysis instead of the play
    "bridge": {"use_double_dummy_result": False},
    "hearts": {},
    "spades": {},
}

Measured = tuple[str, float, float, int]  # name, µs an action, deals a second, actions a deal


def main() -> None:
    ours = [measured(f"étui {name}", *our_replays(name)) for name in registry.games()]
    theirs = [measured(f"open_spiel {name}", *peer_replays(name)) for name in PEERS]
    print(f"{'replay, every action checked':<34}{'µs/action':>10}{'deals/s':>10}{'actions/deal':>14}")
    for name, microseconds, deals, actions in ours + theirs:
        print(f"{name:<34}{microseconds:>10.3f}{deals:>10.0f}{actions:>14}")
    slowest = max(microseconds for _, microseconds, _, _ in ours)
    quickest = min(microseconds for _, microseconds, _, _ in theirs)
    print(f"our slowest game takes {slowest / quickest:.2f} of the time of the peer's quickest, per action")


def measured(name: str, replay_all: Callable[[], None], actions: int, deals: int) -> Measured:
    """The best of some rounds: what the machine does besides only ever adds."""
    best = min(timeit.repeat(replay_all, number=1, repeat=ROUNDS))
    return name, best / actions * 1e6, deals / best, round(actions / deals)


def our_replays(name: str) -> tuple[Callable[[], None], int, int]:
    game = registry.game(name)
    options = registry.options_of(game, {})
    records = []
    for number in range(1, BOARDS + 1):
        seats = game.seats[number % len(game.seats)]
        conditions = {"seats": seats} if len(game.seats) > 1 else {}
        deal = registry.deal_board(game, SEED, number, options, conditions)
        state = game.start(deal, options)
        bots.play_on(game, state, [bots.at_random] * seats, random.Random(number))
        records.append((deal, [split(entry)[1] for entry in state.entries]))

    def replay_all() -> None:
        for deal, actions in records:
            state = game.start(deal, options)
            apply = state.apply
            for action in actions:
                apply(action)
            assert state.over

    return replay_all, sum(len(actions) for _, actions in records), len(records)


def peer_replays(name: str) -> tuple[Callable[[], None], int, int]:
    """From the dealt cards to the end, auction or passing of cards included, as our games have theirs."""
    game = pyspiel.load_game(name, PEERS[name])
    records: list[tuple[Any, list[int]]] = []
    dice = random.Random(1)
    for _ in range(BOARDS // 4):
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(dice.choice(state.legal_actions()))
        start, actions = state.clone(), []
        while not state.is_terminal():
            action = dice.choice(state.legal_actions())
            actions.append(action)
            state.apply_action(action)
        records.append((start, actions))

    def replay_all() -> None:
        for start, actions in records:
            state = start.clone()
            apply = state.apply_action_with_legality_check
            for action in actions:
                apply(action)
            assert state.is_terminal()

    return replay_all, sum(len(actions) for _, actions in records), len(records)


if __name__ == "__main__":
    sys.exit(main())
