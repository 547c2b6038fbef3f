"""`make campaign-boards`: what the conformance suite asks of random boards, on many more of them.

Each run makes boards of a new seed, and says which. Every check of every game plays a lot of them, then the
next lot, until the time is over. What fails is told at the end, with the words that play its board again.
"""

import argparse
import os
import secrets
import sys
import time
import traceback
from collections.abc import Iterator
from itertools import count
from multiprocessing import Pool

from engines import registry

from .test_conformance import CAMPAIGN, RandomBoards

LOT = 20
INTERVAL, LINE_END = (0.2, "\r") if sys.stdout.isatty() else (30, "\n")
Lot = tuple[str, int, str, range]
"""(game, check, seed, board numbers)"""


def main(arguments: list[str] | None = None) -> int:
    """0 if every board passed; 1 if one failed."""
    given = options(arguments)
    print(
        f"Seed {given.seed}: the same boards again with `make campaign-boards SEED={given.seed}`.", flush=True
    )
    start, shown, asked = time.monotonic(), 0.0, 0
    failures: dict[tuple[str, int], str] = {}
    for game, check, numbers, report in reports(given, failures):
        asked += len(numbers)
        if report:
            failures[game, check] = report
        passed = time.monotonic() - start
        if passed - shown > INTERVAL or passed > given.seconds:
            shown = passed
            so_far = f"{asked:,} checks of a board, up to number {numbers[-1]:,}; {len(failures)} failed"
            print(f"{passed:5.0f} s of {given.seconds:.0f}: {so_far}", end=LINE_END, flush=True)
        if passed > given.seconds:
            break
    print(f"\n{asked:,} checks of a board.", *failures.values(), sep="\n")
    return 1 if failures else 0


def options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.engines.campaign", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="how long it plays (600)")
    parser.add_argument("--boards", type=int, default=0, help="the most boards of each game (no end)")
    parser.add_argument("--seed", default="", help="any word (a new one)")
    parser.add_argument("--game", choices=registry.games(), help="this game alone (all)")
    given = parser.parse_args(arguments)
    given.seed = given.seed or secrets.token_hex(4)
    return given


def reports(
    given: argparse.Namespace, failures: dict[tuple[str, int], str]
) -> Iterator[tuple[str, int, range, str]]:
    """(game, check, board numbers, report) of each lot, as it is played. A check that has failed rests."""
    last = given.boards or sys.maxsize
    with Pool(os.cpu_count()) as players:
        for first in count(1, LOT):
            numbers = range(first, min(first + LOT - 1, last) + 1)
            lots = [
                (game, check, given.seed, numbers)
                for game in ([given.game] if given.game else registry.games())
                for check in range(len(CAMPAIGN))
                if numbers and (game, check) not in failures
            ]
            if not lots:
                return
            yield from players.imap_unordered(report_of, lots)


def report_of(lot: Lot) -> tuple[str, int, range, str]:
    """How a lot fails, and on which board; an empty report if it passes."""
    game, check, seed, numbers = lot
    try:
        CAMPAIGN[check](registry.game(game), RandomBoards(seed, numbers))
    except Exception:
        return game, check, numbers, traceback.format_exc()
    return game, check, numbers, ""


if __name__ == "__main__":
    sys.exit(main())
