"""Seats for a movement whose tables are settled: annealed so that every two contestants weigh the same
against each other (`quality.balance`), and everybody sits everywhere equally often.

Two contestants of one table change seats; only their weights against those in the same two seats of the
board's other tables change, so a step costs as much as the board has plays.
"""

from collections import defaultdict
from dataclasses import replace
from math import exp
from random import Random
from time import monotonic

from .cooling import Progress, cooling
from .layout import Movement, Sitting
from .quality import pair_weights

STEPS = 40_000
TRIES = 3
HEAT = 3.0  # at first, in squares of the number of seats, as a change of the weights comes
UNEVEN = (1.0, 20.0)  # what a seat too many costs, at first and at last, in the same squares


def seated(
    movement: Movement,
    *,
    seed: int = 0,
    steps: int = STEPS,
    tries: int = TRIES,
    together: bool = False,
    deadline: float | None = None,
    progress: Progress | None = None,
) -> Movement:
    """The movement with its seats annealed: the best of some tries of so many steps, the most even first,
    then the best balanced; with a deadline (of the monotonic clock), as many steps as fit in.

    `together`: all boards that a table plays in a round keep the same seats (an arrow-switch), and balance
    matters more than who sits where how often; if not, seats change from board to board. The same seed gives
    the same seats, unless there is a deadline.
    """
    annealings: list[Annealing] = []
    start = monotonic()
    for attempt in range(tries):
        if annealings and deadline is not None and monotonic() > deadline:
            break
        until = None if deadline is None else start + (deadline - start) * (attempt + 1) / tries
        annealing = Annealing(movement, seed + attempt, together)
        annealings.append(annealing)
        annealing.run(steps, until, None if progress is None else _part(progress, attempt, tries))
    best = min(annealings, key=lambda one: one.merit)
    return best.found if best.merit < best.merit_before else movement


def _part(progress: Progress, attempt: int, tries: int) -> Progress:
    return lambda done: progress((attempt + done) / tries)


class Annealing:
    def __init__(self, movement: Movement, seed: int, together: bool) -> None:
        self.movement = movement
        self.random = Random(seed)  # noqa: S311 (seats are no secret)
        self.count = movement.contestants
        self.seats = [list(s.contestants) for s in movement.sittings]
        self.width = max(map(len, self.seats))
        self.weights = [[0] * (self.count + 1) for _ in range(self.count + 1)]
        for (a, b), weight in pair_weights(movement).items():
            self.weights[a][b] = self.weights[b][a] = weight
        at_board: dict[int, list[int]] = defaultdict(list)
        for at, sitting in enumerate(movement.sittings):
            at_board[sitting.board].append(at)
        self.others = [
            [self.seats[one] for one in at_board[s.board] if one != at]
            for at, s in enumerate(movement.sittings)
        ]
        units: dict[object, list[int]] = defaultdict(list)
        for at, s in enumerate(movement.sittings):
            units[(s.round, s.table) if together else at].append(at)
        self.units = list(units.values())
        self.turns = [[0] * self.width for _ in range(self.count + 1)]
        for held in self.seats:
            for seat, contestant in enumerate(held):
                self.turns[contestant][seat] += 1
        self.together = together
        self.uneven = 0.0
        self.merit_before = self.merit

    @property
    def merit(self) -> tuple[int, int]:
        """How uneven the seats are, and the sum of the squared weights: less is better."""
        uneven = 0 if self.together else max(max(seats) - min(seats) for seats in self.turns[1:])
        return uneven, sum(weight * weight for row in self.weights for weight in row)

    @property
    def found(self) -> Movement:
        held = zip(self.movement.sittings, self.seats, strict=True)
        return replace(
            self.movement,
            sittings=tuple(Sitting(s.round, s.table, s.board, tuple(seats)) for s, seats in held),
        )

    def run(self, steps: int, deadline: float | None, progress: Progress | None) -> None:
        """Hot at first and lenient about uneven seats, then colder and stricter."""
        square = self.width * self.width
        for done in cooling(steps, deadline, progress):
            heat = HEAT * square * (1 - done) ** 2 + 0.01
            if not self.together:
                self.uneven = square * (UNEVEN[0] + (UNEVEN[1] - UNEVEN[0]) * done**2)
            unit = self.units[self.random.randrange(len(self.units))]
            width = len(self.seats[unit[0]])
            if width < 2:
                continue
            one = self.random.randrange(width)
            other = (one + 1 + self.random.randrange(width - 1)) % width
            change = sum(self.exchange(at, one, other) for at in unit)
            if change > 0 and self.random.random() >= exp(-change / (heat * len(unit))):
                for at in unit:
                    self.exchange(at, one, other)

    def exchange(self, at: int, one: int, other: int) -> float:
        """Two seats of a sitting change their contestants; how much the energy changes."""
        held, step = self.seats[at], self.width
        a, b = held[one], held[other]
        of_a, of_b = self.weights[a], self.weights[b]
        change = 0.0
        for seats in self.others[at]:
            if one < len(seats):
                z = seats[one]  # a leaves its seat, b comes to it
                change += 2 * step * (step - of_a[z] + of_b[z])
                of_a[z] -= step
                self.weights[z][a] -= step
                of_b[z] += step
                self.weights[z][b] += step
            if other < len(seats):
                z = seats[other]
                change += 2 * step * (step + of_a[z] - of_b[z])
                of_a[z] += step
                self.weights[z][a] += step
                of_b[z] -= step
                self.weights[z][b] -= step
        turns_a, turns_b = self.turns[a], self.turns[b]
        change += self.uneven * (
            2 - 2 * turns_a[one] + 2 * turns_a[other] + 2 - 2 * turns_b[other] + 2 * turns_b[one]
        )
        turns_a[one] -= 1
        turns_a[other] += 1
        turns_b[other] -= 1
        turns_b[one] += 1
        held[one], held[other] = b, a
        return change
