"""Scoring at 100, 2,000 and 30,000 tables: every method, beside the obvious comparison of all pairs.

A session has 30 boards of a three-seat game, each played once at every table; scores are drawn from a bell
curve of about two hundred values. For each method: the time to compare all lines, to add up and to rank,
the most memory that this took, and the time of a correction of one result with the ranking after it. The
peer compares each play of one line with every other (the functions that the tests use as their oracle); at
30,000 tables it does so for a part of the plays, and the time of the whole line is worked out from these.
Each row runs in a process of its own, so that its memory is its own. Run with `make bench-scoring`.
"""

import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

from scoring.methods import METHODS, method
from scoring.ranking import ranking
from scoring.sessions import Board, Session
from tests.scoring import oracles

TABLES = (100, 2_000, 30_000)
BOARDS, SEATS = 30, 3
SPREAD = 40
SAMPLE = 2_000_000  # pairs that the peer compares at most
T = TypeVar("T")
SIDES = tuple((seat,) for seat in range(1, SEATS + 1))


def main() -> None:
    if len(sys.argv) == 3:
        print(measured(sys.argv[1], int(sys.argv[2])))
        return
    print(f"{'method':<15}{'tables':>8}{'results':>11}{'compare':>10}{'add up':>9}{'rank':>8}{'MiB':>7}"
          f"{'correct':>10}{'a line':>11}{'all pairs':>13}{'ratio':>9}")  # fmt: skip
    for name in METHODS:
        for tables in TABLES:
            command = [sys.executable, "-m", "benchmarks.scoring", name, str(tables)]
            print(
                subprocess.run(command, check=True, capture_output=True, text=True).stdout, end="", flush=True
            )


def measured(name: str, tables: int) -> str:
    boards = a_session(tables)
    before = memory()
    comparison = method(name)
    session, compare = timed(lambda: Session(boards, sides=SIDES, comparison=comparison))
    totals, add_up = timed(lambda: session.totals)
    _, rank = timed(lambda: ranking(totals))
    used = memory() - before
    other = boards[0].entries[0][1]
    first = Board(
        1,
        boards[0].tables,
        boards[0].rounds,
        boards[0].contestants,
        ([other + 7, *boards[0].entries[0][1:]], *boards[0].entries[1:]),
    )
    _, correct = timed(lambda: ranking(session.corrected(first).totals))
    line = boards[0].entries[0]
    ours = compare / (BOARDS * SEATS)
    theirs = pairwise(name, line)
    return (
        f"{name:<15}{tables:>8,}{BOARDS * SEATS * tables:>11,}{compare:>9.2f}s{add_up:>8.2f}s{rank:>7.2f}s"
        f"{used:>7.0f}{correct:>9.3f}s{ours * 1000:>9.2f}ms{theirs * 1000:>11.0f}ms{theirs / ours:>9,.0f}"
    )


def a_session(tables: int) -> list[Board[int]]:
    chance = random.Random(tables)
    contestants = list(range(SEATS * tables))
    boards = []
    for number in range(1, BOARDS + 1):
        chance.shuffle(contestants)
        boards.append(
            Board(
                number,
                range(tables),
                [number] * tables,
                tuple(contestants[seat * tables : (seat + 1) * tables] for seat in range(SEATS)),
                tuple([round(chance.gauss(0, SPREAD)) for _ in range(tables)] for _ in range(SEATS)),
            )
        )
    return boards


def pairwise(name: str, line: Sequence[int]) -> float:
    """Seconds for a line by the obvious way; for a long line, worked out from some of its plays."""
    asked = line[: max(SAMPLE // len(line), 1)]
    one = Fraction(1)
    rules: dict[str, Callable[[int, int], Fraction | int]] = {
        "matchpoints": oracles.two_one_nothing,
        "board-a-match": oracles.two_one_nothing,
        "cross-imps": lambda s, t: oracles.imps_of(s - t),
    }
    if name not in rules:  # one mean, one datum: what is obvious has no pairs either
        obvious: dict[str, Callable[[], object]] = {
            "butler": lambda: oracles.butler(line, 0, one, "mean", "usual"),
            "total-points": lambda: oracles.total_points(line, 0, one),
            "zero-sum": lambda: oracles.zero_sum(line, 0, one),
            "standardised": lambda: oracles.standardised(line, None),
        }
        return timed(obvious[name])[1]
    rule = rules[name]
    _, seconds = timed(lambda: [sum(rule(s, t) for t in line) for s in asked])
    return seconds * len(line) / len(asked)


def timed(run: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    return run(), time.perf_counter() - start


def memory() -> float:
    """The most that the process has held, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
