"""Scoring: from a million results to a ranking, one late result, and every method at up to 30,000 tables.

The first table asks for the price of exact numbers. A million results of which three in a hundred are missing
(matchpoints by Neuberg's formula) are compared, added up and ranked, beside the same sums in plain floats.
Then one of the missing results comes in: a new histogram with the awards that follow from it, and the new
order of all contestants. The one shape has a line of 33,334 contestants on thirty boards, the other three
seats and 100,002 contestants on ten.

The second table has every method. A session has 30 boards of a three-seat game, each played once at every
table; scores are drawn from a bell curve of about two hundred values. For each method: the time to compare
all lines, to add up and to rank, the most memory that this took, and the time of a late result. The peer
compares each play of one line with every other (the functions that the tests use as their oracle); in a long
line it does so for a part of the plays, and the time of the whole line is worked out from these. Each row
runs in a process of its own, so that its memory is its own.

All times are the processor's. Run with `make bench-scoring`.
"""

import argparse
import random
import resource
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from scoring.entries import NoScore
from scoring.methods import METHODS, method
from scoring.ranking import Places, ranking
from scoring.recaps import Recap, Traveller
from scoring.standings import ComparedLine, LineRow
from tests.scoring import oracles

MANY = 33_334
SHAPES = ((1, 30), (3, 10))  # seats and boards: a million results at so many tables
TABLES = (100, 2_000, 30_000)
BOARDS, SEATS = 30, 3
SPREAD, MISSING = 40, 0.03
PAGE = 50
SAMPLE = 2_000_000  # pairs that the peer compares at most
T = TypeVar("T")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scoring", description=__doc__)
    parser.add_argument("--many", type=int, default=MANY, help="the tables of the first part")
    parser.add_argument("--tables", type=int, nargs="*", default=TABLES, help="those of the second part")
    parser.add_argument("--method", choices=METHODS, help="one row of the second part, in this process")
    arguments = parser.parse_args()
    if arguments.method:
        print(of_method(arguments.method, *arguments.tables))
        return
    print(f"{'seats':<6}{'boards':>7}{'results':>11}{'floats':>9}{'exact':>9}{'ratio':>7}"
          f"{'late: awards':>14}{'order':>9}{'of all':>8}")  # fmt: skip
    for seats, boards in SHAPES:
        print(of_shape(seats, boards, arguments.many), flush=True)
    if arguments.tables:
        print(f"\n{'method':<15}{'tables':>8}{'results':>11}{'compare':>10}{'add up':>9}{'rank':>8}{'MiB':>7}"
              f"{'late':>10}{'a line':>11}{'all pairs':>13}{'ratio':>9}")  # fmt: skip
    for name in METHODS:
        for tables in arguments.tables:
            command = [sys.executable, "-m", "benchmarks.scoring", "--method", name, "--tables", str(tables)]
            row = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            print(row, end="", flush=True)


# ── Exact numbers beside floats ───────────────────────────────────────────────────────────────────


def of_shape(seats: int, boards: int, tables: int) -> str:
    held = a_session(tables, boards, seats, missing=MISSING)
    floats = min(timed(lambda: floating(held))[1] for _ in range(3))
    exact = min(timed(lambda: scored(held).places[:PAGE])[1] for _ in range(3))
    before = scored(held)
    at = held[0].entries[0].index(NoScore.NOT_PLAYED)
    late = [Late(before.session, at, 17 + one) for one in range(3)]
    awards = min(timed(one.compare)[1] for one in late)
    order = min(timed(one.order)[1] for one in late)
    return (
        f"{seats:<6}{boards:>7}{seats * boards * tables:>11,}{floats:>8.2f}s{exact:>8.2f}s"
        f"{exact / floats:>7.2f}{awards * 1000:>12.1f}ms{order * 1000:>7.0f}ms"
        f"{(awards + order) / exact:>8.0%}"
    )


@dataclass
class Scored:
    session: Recap[int]
    places: Places[int]


def scored(boards: Sequence[Traveller[int]]) -> Scored:
    """What is measured: from results to places."""
    sides = tuple((seat,) for seat in range(1, len(boards[0].entries) + 1))
    session = Recap(boards, sides=sides, comparison=method("matchpoints"))
    return Scored(session, ranking(session.totals))


def floating(boards: Sequence[Traveller[int]]) -> list[tuple[float, int]]:
    """The same sums in plain floats, in order: (percentage, contestant)."""
    points: dict[int, float] = defaultdict(float)
    count: dict[int, int] = defaultdict(int)
    expected = len(boards[0].tables)
    for board in boards:
        for contestants, entries in zip(board.contestants, board.entries, strict=True):
            plays = Counter(entries)
            actual = len(entries) - plays.pop(NoScore.NOT_PLAYED, 0)
            lower, worth = 0, {}
            for score in sorted(plays):
                raw = 2 * lower + plays[score] - 1
                worth[score] = (raw * expected + expected - actual) / actual
                lower += plays[score]
            for contestant, entry in zip(contestants, entries, strict=True):
                if entry is not NoScore.NOT_PLAYED:
                    points[contestant] += worth[entry]
                    count[contestant] += 1
    top = 2 * expected - 2
    return sorted(((100 * won / (top * count[k]), k) for k, won in points.items()), reverse=True)


@dataclass
class Late:
    """A result that comes in after all others, in every line of the first board."""

    session: Recap[int]
    at: int
    score: int

    def compare(self) -> None:
        """The new histograms, and the awards that follow from them."""
        board = self.session.boards[1]
        self.lines: dict[object, ComparedLine[int]] = {}
        for side in self.session.sides:
            row = LineRow(board.tables[self.at], (board.contestants[side[0] - 1][self.at],), (self.score,))
            line = self.session.lines[1, side].with_rows([row])
            assert line.awards
            self.lines[1, side] = line

    def order(self) -> Places[int]:
        """The new totals, and the places of all."""
        places = ranking(self.session.standings.with_lines(self.lines).totals)
        assert places[:PAGE]
        return places


# ── Every method ──────────────────────────────────────────────────────────────────────────────────


def of_method(name: str, tables: int) -> str:
    boards = a_session(tables, BOARDS, SEATS)
    sides = tuple((seat,) for seat in range(1, SEATS + 1))
    before = memory()
    session, compare = timed(lambda: with_awards(Recap(boards, sides=sides, comparison=method(name))))
    totals, add_up = timed(lambda: session.totals)
    _, rank = timed(lambda: ranking(totals)[:PAGE])
    used = memory() - before
    late = Late(session, 0, 7)
    correct = timed(late.compare)[1] + timed(late.order)[1]
    line = boards[0].entries[0]
    ours = compare / (BOARDS * SEATS)
    theirs = pairwise(name, line)
    return (
        f"{name:<15}{tables:>8,}{BOARDS * SEATS * tables:>11,}{compare:>9.2f}s{add_up:>8.2f}s{rank:>7.2f}s"
        f"{used:>7.0f}{correct:>9.3f}s{ours * 1000:>9.2f}ms{theirs * 1000:>11.0f}ms{theirs / ours:>9,.0f}"
    )


def with_awards(session: Recap[int]) -> Recap[int]:
    assert all(line.awards for line in session.lines.values())
    return session


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


# ── What both use ─────────────────────────────────────────────────────────────────────────────────


def a_session(tables: int, boards: int, seats: int, *, missing: float = 0.0) -> list[Traveller[int]]:
    """Boards played once at every table, by contestants who sit somewhere else on each."""
    chance = random.Random(tables)
    contestants = list(range(seats * tables))
    made = []
    for number in range(1, boards + 1):
        chance.shuffle(contestants)
        is_there = [chance.random() >= missing for _ in range(tables)]
        columns = tuple(
            [round(chance.gauss(0, SPREAD)) if there else NoScore.NOT_PLAYED for there in is_there]
            for _ in range(seats)
        )
        seated = tuple(contestants[seat * tables : (seat + 1) * tables] for seat in range(seats))
        made.append(Traveller(number, range(tables), [number] * tables, seated, columns))
    return made


def timed(run: Callable[[], T]) -> tuple[T, float]:
    start = time.process_time()
    return run(), time.process_time() - start


def memory() -> float:
    """The most that the process has held, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
