"""Boards played out by chance, and what is measured of each: ours, beside those of `benchmarks.peer`."""

import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count, repeat
from typing import Any

from engines import bots, registry
from engines.contract import Game, State, attributes

COPIES, COPYINGS = 10, 3
SEED = bytes(range(32))


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished deal: `run` replays it with every action checked, `one_by_one` in a call for each; `drawn`:
    the seconds in which chance played it; `copied`: those of one copy half-way, which weighs `bytes`."""

    run: Callable[[], None]
    one_by_one: Callable[[], None]
    actions: int
    drawn: float
    copied: float
    bytes: int | None = None


def cpu_of(calls: Iterable[Callable[[], object]]) -> float:
    start = time.process_time()
    for call in calls:
        call()
    return time.process_time() - start


def copying(copy: Callable[[], object]) -> float:
    """The seconds of a copy, in the quickest of some rounds."""
    return min(cpu_of(repeat(copy, COPIES)) for _ in range(COPYINGS)) / COPIES


def weight(state: State) -> int:
    """The bytes of a state without its entries: its own, and those of its lists; what is immutable is shared
    by all states of a deal."""
    values = [getattr(state, name) for name in attributes(type(state))]
    return sys.getsizeof(state) + sum(
        weight_of(v) for v in values if type(v) is list and v is not state.entries
    )


def weight_of(value: list[Any]) -> int:
    return sys.getsizeof(value) + sum(weight_of(one) for one in value if type(one) is list)


def our_replays(game: Game[Any]) -> Iterator[Replay]:
    """Boards of a game, played by robots that choose by chance. An action that was taken out of turn keeps
    its seat, as in a record."""
    options = registry.options_of(game, {})
    for number in count(1):
        seats = game.seats[number % len(game.seats)]
        conditions = {"seats": seats} if len(game.seats) > 1 else {}
        deal = registry.deal_board(game, SEED, number, options, conditions)
        state = game.start(deal, options)
        start = time.process_time()
        bots.play_on(game, state, [bots.at_random] * seats, random.Random(number))
        drawn = time.process_time() - start
        yield our_replay(game, deal, options, list(state.entries), drawn)


def our_replay(
    game: Game[Any], deal: Any, options: dict[str, Any], entries: list[str], drawn: float
) -> Replay:
    half = game.start(deal, options)
    for entry in entries[: len(entries) // 2]:
        half.apply(entry)

    def run() -> None:
        state = game.start(deal, options)
        state.apply_all(entries)
        assert state.over

    def one_by_one() -> None:
        state = game.start(deal, options)
        apply = state.apply
        for entry in entries:
            apply(entry)
        assert state.over

    return Replay(run, one_by_one, len(entries), drawn, copying(half.copy), weight(half))
