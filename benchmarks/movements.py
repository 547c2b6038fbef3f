"""Movements: how long tables and seats take, and what balance is reached in how much time.

For each evening: the time to arrange its tables, exchanges of seats tried a second, and the balance after so
many seconds of annealing, beside the best that is known (`tests/tournaments/balances.json`). Seats are even
in all of them. Run with `make bench-movements`; times are those of a clock, so let nothing else run.
"""

import argparse
from collections.abc import Sequence
from time import monotonic

from tests.tournaments.balances import EveningSize, known
from tournaments.movements import balance, with_seats

EVENINGS = (
    EveningSize(7),
    EveningSize(18),
    EveningSize(20),
    EveningSize(30),
    EveningSize(33, rounds=16),
    EveningSize(60),
    EveningSize(16, 4, 3, 5),
    EveningSize(16, 4, 4, 5),
    EveningSize(25, 5, 5, 6),
)
SECONDS = (0.5, 1.0, 2.0)
STEPS = 100_000


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.movements", description=__doc__)
    parser.add_argument("--seconds", type=float, nargs="+", default=SECONDS, help="how long to anneal")
    arguments = parser.parse_args()
    columns = "".join(f"{f'after {seconds:g} s':>14}" for seconds in arguments.seconds)
    print(
        f"{'contestants':<12}{'seats':>6}{'boards':>8}{'rounds':>8}{'tables':>9}{'moves/s':>10}{columns}{'best':>8}"
    )
    for evening in EVENINGS:
        print(row(evening, arguments.seconds), flush=True)


def row(evening: EveningSize, seconds: Sequence[float]) -> str:
    start = monotonic()
    movement = evening.movement
    tables = monotonic() - start
    start = monotonic()
    with_seats(movement, steps=STEPS)
    moves = STEPS / (monotonic() - start)
    reached = [
        float(balance(with_seats(movement, deadline=monotonic() + one), evening.contestants) or 0)
        for one in seconds
    ]
    return (
        f"{evening.contestants:<12}{evening.seats:>6}{evening.boards_per_round:>8}{evening.rounds:>8}"
        f"{f'{tables:.2f} s':>9}{moves:>10,.0f}"
        + "".join(f"{one:>14.1f}" for one in reached)
        + f"{known()[evening] or 0:>8.1f}"
    )


if __name__ == "__main__":
    main()
