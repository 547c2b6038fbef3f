"""The seats of a movement while they change: who sits where, how often, and how much any two
contestants weigh against each other."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from operator import itemgetter

from .layout import Movement, Sitting
from .quality import pair_weights

Pick = Callable[[list[int]], tuple[int, ...]]
"""Of the weights of one contestant those against all who hold one seat of a board."""
Exchange = tuple["SeatedTable", int, int]
"""Two seats of a table."""


@dataclass(slots=True)
class SeatedTable:
    """One table with one board, or with a set of boards that go from table to table together. By seat:
    `contestants`, who sits there; `lines`, who sits there at any table with the same boards; `picks`, the
    weights of these. `boards`: how many there are; `step`: by how much the weight of two contestants grows
    when they come to sit in one line."""

    contestants: list[int]
    lines: list[list[int]]
    picks: list[Pick]
    boards: int
    step: int


class Seats:
    """The seats of a movement; those of the rounds up to `after` stay as they are. `together`: boards that
    go from table to table together, with the same seats, keep the same seats."""

    def __init__(self, movement: Movement, *, after: int = 0, together: bool = False) -> None:
        self.movement = movement
        everyone = movement.contestants + 1
        self.width = max(len(sitting.contestants) for sitting in movement.sittings)
        self.weights = [[0] * everyone for _ in range(everyone)]
        for (a, b), weight in pair_weights(movement).items():
            self.weights[a][b] = self.weights[b][a] = weight
        self.turns = [[0] * self.width for _ in range(everyone)]
        for sitting in movement.sittings:
            for seat, contestant in enumerate(sitting.contestants):
                self.turns[contestant][seat] += 1
        self.held: list[SeatedTable] = []
        self.at: dict[tuple[int, int, int], SeatedTable] = {}
        self._hold(movement, after, together)
        self.exchanges: list[Exchange] = [
            (held, *two) for held in self.held for two in combinations(range(len(held.contestants)), 2)
        ]

    def _hold(self, movement: Movement, after: int, together: bool) -> None:
        by_board: dict[int, list[Sitting]] = defaultdict(list)
        for sitting in movement.sittings:
            by_board[sitting.board].append(sitting)
        sets: dict[object, list[int]] = defaultdict(list)
        for board, played in by_board.items():
            where = tuple(sorted((s.round, s.table, s.contestants) for s in played))
            sets[where if together else board].append(board)
        for boards in sets.values():
            played = by_board[boards[0]]
            width = max(len(sitting.contestants) for sitting in played)
            lines = [
                # nobody, twice: an itemgetter of one would not give a tuple
                [0, 0, *(s.contestants[seat] for s in played if seat < len(s.contestants))]
                for seat in range(width)
            ]
            picks: list[Pick] = [itemgetter(*line) for line in lines]
            for s in played:
                if s.round > after:
                    held = SeatedTable(list(s.contestants), lines, picks, len(boards), width * len(boards))
                    self.held.append(held)
                    self.at |= {(s.round, s.table, board): held for board in boards}

    @property
    def spread(self) -> int:
        """How many boards more somebody has in one seat than in another, at the worst."""
        return max(max(turns) - min(turns) for turns in self.turns)

    @property
    def squares(self) -> int:
        """The sum of the squared weights."""
        return sum(weight * weight for row in self.weights for weight in row)

    def as_movement(self) -> Movement:
        return replace(
            self.movement,
            sittings=tuple(
                replace(s, contestants=tuple(held.contestants))
                if (held := self.at.get((s.round, s.table, s.board)))
                else s
                for s in self.movement.sittings
            ),
        )

    def change(self, held: SeatedTable, seat: int, other: int) -> int:
        """How much the squares grow if two seats exchange their contestants, in four times the step.

        Only their weights against those in these two lines change, so it costs as much as the board has
        tables.
        """
        lines, picks = held.lines, held.picks
        a, b = held.contestants[seat], held.contestants[other]
        of_a, of_b, here, there = self.weights[a], self.weights[b], picks[seat], picks[other]
        apart = held.step * (len(lines[seat]) + len(lines[other]) - 6)
        return sum(here(of_b)) - sum(here(of_a)) + sum(there(of_a)) - sum(there(of_b)) - 2 * of_a[b] + apart

    def exchange(self, held: SeatedTable, seat: int, other: int) -> None:
        """Two seats exchange their contestants."""
        contestants, lines, step, weights = held.contestants, held.lines, held.step, self.weights
        a, b = contestants[seat], contestants[other]
        contestants[seat], contestants[other] = b, a
        lines[seat].remove(a)
        lines[other].remove(b)
        of_a, of_b = weights[a], weights[b]
        for line, gain in ((lines[seat], step), (lines[other], -step)):
            for one in line[2:]:
                of_a[one] -= gain
                of_b[one] += gain
                of_one = weights[one]
                of_one[a] -= gain
                of_one[b] += gain
        lines[seat].append(b)
        lines[other].append(a)
        held.picks[seat], held.picks[other] = itemgetter(*lines[seat]), itemgetter(*lines[other])
        turns_a, turns_b = self.turns[a], self.turns[b]
        turns_a[seat] -= held.boards
        turns_a[other] += held.boards
        turns_b[other] -= held.boards
        turns_b[seat] += held.boards
