"""Tables for any number of contestants and rounds, annealed so that nobody meets anybody more often than
needed.

All tables play the same boards in a round. Who sits out is spread evenly: from round to round the next ones
in order.
"""

from collections.abc import Collection, Mapping, Sequence
from math import exp
from random import Random

from engines.phrases import Phrase

from .cooling import Progress, cooling
from .layout import BadMovement, Movement, laid_out

STEPS = 60_000


def golfer(
    contestants: int,
    seats: int,
    boards_per_round: int,
    rounds: int,
    *,
    seed: int = 0,
    steps: int = STEPS,
    deadline: float | None = None,
    progress: Progress | None = None,
) -> Movement:
    """A movement of annealed tables, all of so many `seats`. `deadline`: of the monotonic clock; as many
    steps as fit in.

    BadMovement for fewer contestants than seats.
    """
    tables, out = divmod(contestants, seats)
    if not tables:
        raise BadMovement(
            Phrase("{count} contestants do not fill a table of {seats}", count=contestants, seats=seats)
        )
    resting = [{(step * out + i) % contestants for i in range(out)} for step in range(rounds)]
    laid = golfer_rounds(contestants, seats, resting, Random(seed), steps, deadline, progress)  # noqa: S311
    return laid_out(
        f"annealed-{contestants}x{rounds}",
        [[(table, step) for table in tables] for step, tables in enumerate(laid)],
        boards_per_round,
        turning=True,
    )


def golfer_rounds(
    contestants: int,
    seats: int,
    resting: Sequence[Collection[int]],
    random: Random,
    steps: int,
    deadline: float | None,
    progress: Progress | None,
    before: Mapping[tuple[int, int], int] | None = None,
) -> list[list[list[int]]]:
    """The tables of each round. The energy is the sum of the squares of how often each two meet.

    `resting`: who sits out, by round; `before`: how often (lower, higher) have met in earlier rounds.
    """
    laid: list[list[list[int]]] = []
    for out in resting:
        order = [c for c in range(contestants) if c not in out]
        random.shuffle(order)
        laid.append([order[start : start + seats] for start in range(0, len(order), seats)])
    met = [[0] * contestants for _ in range(contestants)]
    for (a, b), times in (before or {}).items():
        met[a][b] = met[b][a] = times
    for tables in laid:
        for table in tables:
            for a in table:
                for b in table:
                    met[a][b] += a != b
    if len(laid[0]) < 2:
        return laid
    for done in cooling(steps, deadline, progress):
        heat = 1.2 * (1 - done) ** 2 + 0.02
        tables = laid[random.randrange(len(laid))]
        one = random.randrange(len(tables))
        other = (one + 1 + random.randrange(len(tables) - 1)) % len(tables)
        here, there = tables[one], tables[other]
        i, j = random.randrange(len(here)), random.randrange(len(there))
        a, b = here[i], there[j]
        of_a, of_b = met[a], met[b]
        change = 0
        for c in here:
            if c != a:
                change += of_b[c] - of_a[c] + 1
        for c in there:
            if c != b:
                change += of_a[c] - of_b[c] + 1
        if change <= 0 or random.random() < exp(-change / heat):
            for c in here:
                if c != a:
                    of_a[c] -= 1
                    met[c][a] -= 1
                    of_b[c] += 1
                    met[c][b] += 1
            for c in there:
                if c != b:
                    of_b[c] -= 1
                    met[c][b] -= 1
                    of_a[c] += 1
                    met[c][a] += 1
            here[i], there[j] = b, a
    return laid
