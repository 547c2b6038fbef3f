"""Replay with every action checked: every game of the registry, beside open_spiel in the same run; what
robots spend, an action that chance has drawn and a copy of a state; what a state weighs; what imports cost.

open_spiel is a C++ library called from Python; its legality check is on. All games share the time that is
given (`make bench`: 45 seconds; `make bench SECONDS=600` measures longer), each an equal part: during a third
of it boards are played out by chance, during the rest they are replayed again and again, as a record is (in
one call) and action by action. What is reported is the processor's time, and beside it, how many times that
is of the peer's quickest game.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from statistics import median

from tqdm import tqdm

from benchmarks.boards import Replay, cpu_of, our_replays
from engines import registry

SECONDS = 45.0
MOST_BOARDS, LEAST_ROUNDS = 1000, 3


@dataclass(frozen=True, slots=True)
class Measurement:
    """Microseconds: of an action in a `replay`, `alone` in its call, or `drawn` by chance and taken; of a
    `copy` half-way, which weighs `bytes`."""

    name: str
    deals: int
    actions: int
    replay: float
    alone: float
    drawn: float
    copy: float
    bytes: int | None


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
    rows = our_rows + their_rows
    quickest = {what: min(getattr(row, what) for row in their_rows) for what in COLUMNS}
    print(f"{'µs, and times the peer’s quickest':<34}" + "".join(f"{title:>18}" for title in COLUMNS.values())
          + f"{'bytes':>8}{'actions/deal':>14}{'deals':>7}")  # fmt: skip
    for row in rows:
        values = [(getattr(row, what), quickest[what]) for what in COLUMNS]
        figures = "".join(f"{value:>10.3f} ({value / least:5.2f})" for value, least in values)
        weight = "–" if row.bytes is None else str(row.bytes)
        print(f"{row.name:<34}{figures}{weight:>8}{row.actions / row.deals:>14.0f}{row.deals:>7}")
    engines, slowest, game = imports()
    print(f"import engines: {engines:.0f} ms; the slowest game after it, {game}: {slowest:.0f} ms")


COLUMNS = {"replay": "record", "alone": "one by one", "drawn": "drawn", "copy": "copy"}


def imports() -> tuple[float, float, str]:
    """The milliseconds of importing the library, and of the game that takes longest after it, each the best
    of three new processes."""
    alone = best_import("pass")
    each = {name: best_import(f"registry.game({name!r})") - alone for name in registry.games()}
    game = max(each, key=each.__getitem__)
    return alone, each[game], game


def best_import(then: str) -> float:
    code = (
        "import time; start = time.process_time(); from engines import records, registry; "
        f"{then}; print((time.process_time() - start) * 1000)"
    )
    command = [sys.executable, "-c", code]
    return min(float(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(3))


def measurement(name: str, replays: Iterator[Replay], seconds: float) -> Measurement:
    """The quickest round over the same deals: whatever else the machine does only ever adds."""
    began = time.monotonic()
    kept = [next(replays)]
    for replay in islice(replays, MOST_BOARDS - 1):
        kept.append(replay)
        if time.monotonic() - began > seconds / 3:
            break
    rounds, others = [], []
    while len(rounds) < LEAST_ROUNDS or time.monotonic() - began < seconds:
        rounds.append(cpu_of(replay.run for replay in kept))
        if len(others) < len(rounds) / 3:
            others.append(cpu_of(replay.one_by_one for replay in kept))
    actions = sum(replay.actions for replay in kept)
    return Measurement(
        name,
        len(kept),
        actions,
        min(rounds) / actions * 1e6,
        min(others) / actions * 1e6,
        sum(one.drawn for one in kept) / actions * 1e6,
        median(one.copied for one in kept) * 1e6,
        max((one.bytes for one in kept if one.bytes), default=None),
    )


if __name__ == "__main__":
    sys.exit(main())
