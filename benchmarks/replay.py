"""Replay with every action checked: every game of the registry, beside open_spiel in the same run; and what
robots spend, an action that chance has drawn and a copy of a state.

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
MOST_BOARDS, LEAST_ROUNDS, COPIES = 1000, 3, 10
SEED = bytes(range(32))


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished deal: `run` replays it with every action checked; `drawn`: the seconds in which chance
    played it; `copied`: those of one copy half-way."""

    run: Callable[[], None]
    actions: int
    drawn: float | None = None
    copied: float | None = None


@dataclass(frozen=True, slots=True)
class Measurement:
    """`drawn`, `copied`: the microseconds of an action that is drawn and taken, and of a copy half-way."""

    name: str
    deals: int
    actions: int
    seconds: float
    drawn: float | None = None
    copied: float | None = None

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
    columns = f"{'µs/action':>10}{'drawn':>8}{'copy':>8}{'deals/s':>10}{'actions/deal':>14}{'deals':>7}"
    print(head.ljust(34) + columns)
    for row in our_rows + their_rows:
        print(
            f"{row.name:<34}{row.microseconds:>10.3f}{shown(row.drawn)}{shown(row.copied)}"
            f"{row.deals / row.seconds:>10.0f}"
            f"{row.actions / row.deals:>14.0f}{row.deals:>7}"
        )
    slowest = max(row.microseconds for row in our_rows)
    quickest = min(row.microseconds for row in their_rows)
    print(f"our slowest game takes {slowest / quickest:.2f} of the time of the peer's quickest, per action")


def shown(microseconds: float | None) -> str:
    return f"{'–':>8}" if microseconds is None else f"{microseconds:>8.2f}"


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
    actions = sum(replay.actions for replay in kept)
    drawn, copied = [one.drawn for one in kept], [one.copied for one in kept]
    return Measurement(
        name,
        len(kept),
        actions,
        min(rounds),
        None if None in drawn else sum(filter(None, drawn)) / actions * 1e6,
        None if None in copied else min(filter(None, copied)) * 1e6,
    )


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
    start = time.process_time()
    for _ in range(COPIES):
        half.copy()
    copied = (time.process_time() - start) / COPIES

    def run() -> None:
        state = game.start(deal, options)
        apply = state.apply
        for entry in entries:
            apply(entry)
        assert state.over

    return Replay(run, len(entries), drawn, copied)


if __name__ == "__main__":
    sys.exit(main())
