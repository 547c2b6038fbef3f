"""Totals: what a contestant has won on all its boards."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from .entries import Own
from .lines import Award

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Sum:
    """Points won on some boards, the most that could be won there (0 where the method has no top), and how
    many boards these are."""

    points: Fraction = Fraction(0)
    top: int = 0
    boards: int = 0

    def __add__(self, other: "Sum") -> "Sum":
        if not other.boards:
            return self
        return Sum(self.points + other.points, self.top + other.top, self.boards + other.boards)


NOTHING = Sum()


@dataclass(frozen=True, slots=True)
class Total:
    """What a contestant has won. `won`: on the boards where it was compared or got a plain average.
    `if_better`, `if_worse`: what artificial scores give it on further boards, unless its percentage on the
    boards of `won` is better (or worse). `extra`: carry-over; `lost`: penalties; `handicap`: in per cent.
    """

    won: Sum = NOTHING
    if_better: Sum = NOTHING
    if_worse: Sum = NOTHING
    extra: Fraction = Fraction(0)
    lost: Fraction = Fraction(0)
    handicap: Fraction = Fraction(0)

    def __add__(self, other: "Total") -> "Total":
        return Total(
            self.won + other.won,
            self.if_better + other.if_better,
            self.if_worse + other.if_worse,
            self.extra + other.extra,
            self.lost + other.lost,
            self.handicap + other.handicap,
        )

    @property
    def top(self) -> int:
        return self.won.top + self.if_better.top + self.if_worse.top

    @property
    def boards(self) -> int:
        return self.won.boards + self.if_better.boards + self.if_worse.boards

    @property
    def points(self) -> Fraction:
        """All that was won, artificial scores included, with carry-over and penalties."""
        points = self._at_table()
        return points + self.extra - self.lost if self.extra or self.lost else points

    def _at_table(self) -> Fraction:
        points = self.won.points
        if self.if_better.boards:
            points += max(self.if_better.points, self._own(self.if_better))
        if self.if_worse.boards:
            points += min(self.if_worse.points, self._own(self.if_worse))
        return points

    def _own(self, ruled: Sum) -> Fraction:
        """What the ruled boards would give at the rate of the other boards; without these, what was ruled."""
        if self.won.top:
            return self.won.points * ruled.top / self.won.top
        return self.won.points * ruled.boards / self.won.boards if self.won.boards else ruled.points

    def final(self) -> "Total":
        """The same value, with nothing that depends on the other boards: it may be added to others. The
        handicap has become what it is worth on the boards that were played."""
        gained = self.handicap * self.top / 100 if self.top else self.handicap if self.boards else 0
        won = Sum(self._at_table(), self.top, self.boards)
        return Total(won, extra=self.extra + gained, lost=self.lost)

    @property
    def percentage(self) -> Fraction | None:
        """From 0 to 100, handicap included; None before there was anything to win, and where the method has
        no top."""
        if not self.top:
            return None
        points = self.points
        percentage = Fraction(100 * points.numerator, points.denominator * self.top)
        return percentage + self.handicap if self.handicap else percentage

    @property
    def value(self) -> Fraction | None:
        """What contestants are ranked by: the percentage, or points where there is none; None before any
        board was played."""
        if self.top:
            return self.percentage
        return self.points + self.handicap if self.boards or self.extra else None


def total_of(award: Award) -> Total:
    """The total of one board."""
    part = Sum(award.points, award.top or 0, 1)
    own = award.ruling.own if award.ruling is not None else Own.NEVER
    return {
        Own.NEVER: Total(won=part),
        Own.IF_BETTER: Total(if_better=part),
        Own.IF_WORSE: Total(if_worse=part),
    }[own]


def sums(parts: Iterable[tuple[K, Total]]) -> dict[K, Total]:
    """The totals by contestant, in the order in which contestants first appear."""
    totals: dict[K, Total] = {}
    for contestant, total in parts:
        totals[contestant] = totals[contestant] + total if contestant in totals else total
    return totals
