"""Seats for a movement whose tables are settled: annealed so that any two contestants weigh the same against
each other (`quality.balance`), and everybody sits everywhere equally often.

Two contestants of one table change seats, which costs as much as the board has tables. Uneven seats are
possible on the way, at a price that rises; what is still uneven at the end is mended by paths (`evenness`).
The last part of the annealing starts from there, cooler.
"""

from dataclasses import dataclass
from math import ceil, exp
from random import Random
from time import monotonic

from .cooling import Progress, cooling, part
from .evenness import even_out
from .layout import Movement
from .weights import Seats

STEPS = 900_000
LENGTH = (10_000, 300_000)  # of a try: the square of the exchanges there are, within this
DRAW = 500  # exchanges drawn at once


def with_seats(
    movement: Movement,
    *,
    after: int = 0,
    seed: int = 0,
    steps: int = STEPS,
    together: bool = False,
    deadline: float | None = None,
    progress: Progress | None = None,
) -> Movement:
    """The movement with its seats annealed in so many steps: the best of some tries, of many short ones where
    there are few tables, the most even first, then the best balanced; with a deadline (of the monotonic
    clock), as many steps as fit in.

    `after`: the rounds so far, which stay as they are and count. `together`: all boards that a table plays in
    a round keep the same seats (an arrow-switch), and balance matters more than who sits where how often; if
    not, seats change from board to board. The same seed gives the same seats, unless there is a deadline.
    """
    start = monotonic()
    best = Annealing(Seats(movement, after=after, together=together), seed, together)
    if not (best.seats.exchanges and best.seats.squares):  # no board has two tables, or none is left
        if not together:
            even_out(best.seats)
        return best.seats.as_movement()
    tries = max(steps // min(max(len(best.seats.exchanges) ** 2, LENGTH[0]), LENGTH[1]), 1)
    for attempt in range(tries):
        if attempt and deadline is not None and monotonic() > deadline:
            break
        until = None if deadline is None else start + (deadline - start) * (attempt + 1) / tries
        annealing = Annealing(Seats(movement, after=after, together=together), seed + attempt, together)
        annealing.run(steps // tries, until, part(progress, attempt / tries, (attempt + 1) / tries))
        best = min(best, annealing, key=lambda one: one.merit)
    return best.seats.as_movement()


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of an annealing, that ends with even seats. `share`: of its steps; `heat`, at first and at last,
    and `uneven`, what a seat too many costs: in steps of a weight."""

    share: float
    heat: tuple[float, float]
    uneven: tuple[float, float]


STAGES = (Stage(0.7, (3.0, 0.2), (1.0, 3.0)), Stage(0.3, (0.6, 0.2), (3.0, 6.0)))


class Annealing:
    def __init__(self, seats: Seats, seed: int, together: bool) -> None:
        self.seats = seats
        self.random = Random(seed)  # noqa: S311 (seats are no secret)
        self.together = together
        self.step = max((held.step for held in seats.held), default=0)

    @property
    def merit(self) -> tuple[int, int]:
        """How uneven the seats are, and the sum of the squared weights: less is better."""
        return 0 if self.together else self.seats.spread, self.seats.squares

    def run(self, steps: int, deadline: float | None, progress: Progress | None) -> None:
        """The stages one after the other, each as long as its share."""
        start, before = monotonic(), 0.0
        for stage in STAGES:
            until = None if deadline is None else start + (deadline - start) * (before + stage.share)
            heard = part(progress, before, before + stage.share)
            for done in cooling(ceil(steps * stage.share / DRAW), until, heard, look=1):
                self.exchange(
                    stage.heat[0] * (stage.heat[1] / stage.heat[0]) ** done,
                    stage.uneven[0] * (stage.uneven[1] / stage.uneven[0]) ** done,
                )
            if not self.together:
                even_out(self.seats)
            before += stage.share

    def exchange(self, heat: float, uneven: float) -> None:
        """Some seats drawn at random change their contestants, if it is cool only for the better."""
        random, change, seats = self.random.random, self.seats.change, self.seats
        heat *= self.step
        uneven *= 0 if self.together else self.step
        turns = seats.turns
        for held, one, other in self.random.choices(seats.exchanges, k=DRAW):
            a, b = turns[held.contestants[one]], turns[held.contestants[other]]
            worse = change(held, one, other) + uneven * (2 - a[one] + a[other] - b[other] + b[one])
            if worse <= 0 or random() < exp(-worse / heat):
                seats.exchange(held, one, other)
