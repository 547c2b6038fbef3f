"""Which rounds of a Mitchell movement to switch, so that one ranking can be made.

Seen from the tables of those who stay, and from where those who move start, boards lie around the circle of
tables. Who played which of them in which direction is a row of signs for each of the two, 0 where nothing was
played; how much two contestants weigh against each other (`quality.balance`) is a correlation of these rows.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

FEW, TRIED = 30, 60


def switched_rounds(tables: int, moved: Sequence[int]) -> set[int]:
    """The rounds to switch, counted from 0: step by step the one, or the two, that gain most, as long as the
    balance gains; of equals the last. `moved`: by round, how far from their own the moving contestants' board
    is. Of more than a few rounds single ones alone are tried, of very many some, evenly spread."""
    switches = Switches(tables, moved)
    every = (len(moved) + TRIED - 1) // TRIED
    steps = range(len(moved) - 1, -1, -every)
    changes: list[tuple[int, ...]] = [(step,) for step in steps]
    if len(moved) <= FEW:
        changes += combinations(steps, 2)
    while True:
        best, chosen = switches.balance(), None
        for change in changes:
            switches.flip(*change)
            if switches.balance() > best:
                best, chosen = switches.balance(), change
            switches.flip(*change)
        if chosen is None:
            return {step for step in range(len(moved)) if switches.stays[step] < 0}
        switches.flip(*chosen)


class Switches:
    """The signs and their correlations at each distance around the circle, kept while rounds are switched."""

    def __init__(self, tables: int, moved: Sequence[int]) -> None:
        self.tables = tables
        self.moved = [place % tables for place in moved]
        self.stays = [int(place < len(moved)) for place in range(tables)]
        self.moves = [int(place in self.moved) for place in range(tables)]
        self.alike = [_correlation(row, row) for row in (self.stays, self.moves)]
        self.across = _correlation(self.stays, self.moves)

    def flip(self, *steps: int) -> None:
        """Switch rounds, or switch them back."""
        for step in steps:
            self._flip(step)

    def _flip(self, step: int) -> None:
        place, tables = self.moved[step], self.tables
        stays, moves = self.stays, self.moves
        for row, at, alike in zip((stays, moves), (step, place), self.alike, strict=True):
            for far in range(1, tables):
                alike[far] -= 2 * row[at] * (row[(at + far) % tables] + row[at - far])
        for far in range(tables):
            if (step + far) % tables != place:  # those who meet change seats, and stay opponents
                self.across[far] -= 2 * (
                    stays[step] * moves[(step + far) % tables] + moves[place] * stays[place - far]
                )
        stays[step] *= -1
        moves[place] *= -1

    def balance(self) -> Fraction:
        """As `quality.balance` has it, for one board a round."""
        half = [weight for alike in self.alike for weight in alike[1:]]  # each two of them twice
        across = [-weight for weight in self.across]
        for step, place in enumerate(self.moved):
            across[(place - step) % self.tables] += len(self.moved)  # who meet: h, where −1 was counted
        total = Fraction(sum(half), 2) + sum(across)
        squares = Fraction(sum(w * w for w in half), 2) + sum(w * w for w in across)
        pairs = self.tables * (2 * self.tables - 1)
        return 100 * self.tables * total * total / (pairs * squares) if squares else Fraction(0)


def _correlation(row: Sequence[int], other: Sequence[int]) -> list[int]:
    """The sum of row[n] · other[n + far] for each distance around the circle."""
    twice = [*other, *other]
    return [sum(a * b for a, b in zip(row, twice[far:], strict=False)) for far in range(len(row))]
