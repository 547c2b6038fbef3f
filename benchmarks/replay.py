"""Replay with every action checked: every game of the registry, beside open_spiel in the same run.

open_spiel is a C++ library called from Python; its legality check is on. All games share the time that is
given (`make bench`: 45 seconds; `make bench SECONDS=600` measures longer), each an equal part: during a third
of it boards are played out by chance, during the rest they are replayed again and again. What is reported is
the processor's time.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, islice
from typing import Any

from tqdm import tqdm

from engines import bots, registry
from engines.contract import Game

SECONDS = 45.0
MOST_BOARDS, LEAST_ROUNDS = 1000, 3
SEED = bytes(range(32))


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished deal: `run` replays it with every action checked."""

    run: Callable[[], None]
    actions: int


@dataclass(frozen=True, slots=True)
class Measurement:
    name: str
    deals: int
    actions: int
    seconds: float

    @property
    def microseconds(self) -> float:
        """Those of one action."""
        return self.seconds / self.actions * 1e6


def main() -> None:
    from benchmarks import peer  # a peer comes with requirements/bench.txt, which tests do without

    parser = argparse.ArgumentParser(prog="python -m benchmarks.replay", description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="the time for all games together")
    ours = {f"étui {name}": our_replays(game) for name, game in registry.games().items()}
    theirs = {f"open_spiel {name}": peer.replays(name) for name in peer.GAMES}
    share = parser.parse_args().seconds / len(ours | theirs)
    with tqdm(total=len(ours | theirs), unit="game", desc="Replay", leave=False, disable=None) as bar:

        def measured(games: dict[str, Iterator[Replay]]) -> list[Measurement]:
            measurements = []
            for name, replays in games.items():
                bar.set_postfix_str(name)
                measurements.append(measurement(name, replays, share))
                bar.update()
            return measurements

        our_rows, their_rows = measured(ours), measured(theirs)
    head = "replay, every action checked"
    print(f"{head:<34}{'µs/action':>10}{'deals/s':>10}{'actions/deal':>14}{'deals':>7}")
    for row in our_rows + their_rows:
        print(
            f"{row.name:<34}{row.microseconds:>10.3f}{row.deals / row.seconds:>10.0f}"
            f"{row.actions / row.deals:>14.0f}{row.deals:>7}"
        )
    slowest = max(row.microseconds for row in our_rows)
    quickest = min(row.microseconds for row in their_rows)
    print(f"our slowest game takes {slowest / quickest:.2f} of the time of the peer's quickest, per action")


def measurement(name: str, replays: Iterator[Replay], seconds: float) -> Measurement:
    """The quickest round over the same deals: whatever else the machine does only ever adds."""
    began = time.monotonic()
    kept = [next(replays)]
    for replay in islice(replays, MOST_BOARDS - 1):
        kept.append(replay)
        if time.monotonic() - began > seconds / 3:
            break
    rounds = []
    while len(rounds) < LEAST_ROUNDS or time.monotonic() - began < seconds:
        start = time.process_time()
        for replay in kept:
            replay.run()
        rounds.append(time.process_time() - start)
    return Measurement(name, len(kept), sum(replay.actions for replay in kept), min(rounds))


def our_replays(game: Game[Any]) -> Iterator[Replay]:
    """Boards of a game, played by robots that choose by chance. An action that was taken out of turn keeps
    its seat, as in a record."""
    options = registry.options_of(game, {})
    for number in count(1):
        seats = game.seats[number % len(game.seats)]
        conditions = {"seats": seats} if len(game.seats) > 1 else {}
        deal = registry.deal_board(game, SEED, number, options, conditions)
        state = game.start(deal, options)
        bots.play_on(game, state, [bots.at_random] * seats, random.Random(number))
        yield our_replay(game, deal, options, list(state.entries))


def our_replay(game: Game[Any], deal: Any, options: dict[str, Any], entries: list[str]) -> Replay:
    def run() -> None:
        state = game.start(deal, options)
        apply = state.apply
        for entry in entries:
            apply(entry)
        assert state.over

    return Replay(run, len(entries))


if __name__ == "__main__":
    sys.exit(main())
