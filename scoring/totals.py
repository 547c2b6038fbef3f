"""Totals: what a contestant has won on all its boards, with the rulings that concern the whole session."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Generic, TypeVar

from engines.phrases import Phrase

from .entries import Own
from .errors import BadScoring, one_of
from .lines import Award, Number

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Sum:
    """Points won on some boards, the most that could be won there (0 without such a thing), and how many."""

    points: Fraction = Fraction(0)
    top: int = 0
    boards: int = 0

    def __add__(self, other: "Sum") -> "Sum":
        if not other.boards:
            return self
        return Sum(self.points + other.points, self.top + other.top, self.boards + other.boards)

    def __sub__(self, other: "Sum") -> "Sum":
        if not other.boards:
            return self
        return Sum(self.points - other.points, self.top - other.top, self.boards - other.boards)


NOTHING = Sum()


@dataclass(frozen=True, slots=True)
class Total:
    """What a contestant has won. `won`: on the boards where it was compared or got a plain average.
    `if_better`, `if_worse`: what artificial scores give it on further boards, unless its own percentage on
    those of `won` is better (or worse). `extra`: carry-over; `lost`: penalties; `handicap`: in per cent.
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

    def in_place_of(self, won: "Total", before: "Total") -> "Total":
        """This total with what was `won` on a board in place of what had been won there `before`."""
        return replace(
            self,
            won=self.won - before.won + won.won,
            if_better=self.if_better - before.if_better + won.if_better,
            if_worse=self.if_worse - before.if_worse + won.if_worse,
        )

    @property
    def top(self) -> int:
        return self.won.top + self.if_better.top + self.if_worse.top

    @property
    def boards(self) -> int:
        return self.won.boards + self.if_better.boards + self.if_worse.boards

    @property
    def points(self) -> Fraction:
        """All that was won, artificial scores settled, with carry-over and penalties."""
        points = self.won.points
        if self.if_better.boards:
            points += max(self.if_better.points, self._own(self.if_better))
        if self.if_worse.boards:
            points += min(self.if_worse.points, self._own(self.if_worse))
        return points + self.extra - self.lost if self.extra or self.lost else points

    def _own(self, ruled: Sum) -> Fraction:
        """What the ruled boards would give at the rate of the others; without others, what was ruled."""
        if self.won.top:
            return self.won.points * ruled.top / self.won.top
        return self.won.points * ruled.boards / self.won.boards if self.won.boards else ruled.points

    def settled(self) -> "Total":
        """The same points, with nothing left that depends on the other boards."""
        return Total(Sum(self.points, self.top, self.boards), handicap=self.handicap)

    @property
    def percentage(self) -> Fraction | None:
        """From 0 to 100, handicap included; None before there was anything to win, and where a method has
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


def summed(parts: Iterable[tuple[K, Total]]) -> dict[K, Total]:
    """The totals by contestant, in the order in which contestants first appear."""
    totals: dict[K, Total] = {}
    for contestant, total in parts:
        totals[contestant] = totals[contestant] + total if contestant in totals else total
    return totals


Column = tuple[Sequence[K | None], Sequence[Award | None]]
"""Contestants, and the award of each; None for an empty seat, and where there is no award."""


def tally(columns: Iterable[Column[K]]) -> dict[K, Total]:
    """The totals by contestant. The same as `summed` over each award, for millions of them: points are
    added as whole numbers over the common denominator of all awards, which few different ones have."""
    held = list(columns)
    kinds = [{id(award): award for award in awards if award is not None} for _, awards in held]
    scale = lcm(*{award.points.denominator for kind in kinds for award in kind.values()})
    points: dict[K | None, int] = defaultdict(int)
    tops: dict[int, Counter[K | None]] = defaultdict(Counter)
    rulings: list[tuple[K, Total]] = []
    for (contestants, awards), kind in zip(held, kinds, strict=True):
        plain = {
            key: award.points.numerator * (scale // award.points.denominator)
            for key, award in kind.items()
            if award.ruling is None or award.ruling.own is Own.NEVER
        }
        if len(plain) == len({id(award) for award in awards}):  # neither rulings nor gaps: no need to look
            counted = contestants
            amounts: Iterable[int] = map(plain.__getitem__, map(id, awards))
        else:
            pairs = list(zip(contestants, awards, strict=True))
            counted = [k for k, award in pairs if id(award) in plain]
            amounts = [plain[id(award)] for _, award in pairs if id(award) in plain]
            rulings += [
                (k, total_of(award))
                for k, award in pairs
                if k is not None and award is not None and id(award) not in plain
            ]
        for contestant, amount in zip(counted, amounts, strict=True):
            points[contestant] += amount
        if kind:
            tops[next(iter(kind.values())).top or 0].update(counted)
    totals: dict[K, Total] = {
        contestant: Total(
            Sum(
                Fraction(amount, scale),
                sum(top * count[contestant] for top, count in tops.items()),
                sum(count[contestant] for count in tops.values()),
            )
        )
        for contestant, amount in points.items()
        if contestant is not None
    }
    for contestant, total in rulings:
        totals[contestant] = totals.get(contestant, Total()) + total
    return totals


UNITS = ("matchpoints", "percent", "imps", "vps", "points")


@dataclass(frozen=True, slots=True)
class Penalty(Generic[K]):
    """A procedural penalty: it costs its contestant, and nobody gains by it. `amount`: above 0, in `unit`;
    per cents are of what one board can give. Source: the Laws of Duplicate Bridge, law 90."""

    contestant: K
    amount: Number
    unit: str
    reason: str = ""

    def __post_init__(self) -> None:
        one_of("unit", self.unit, UNITS)
        if not isinstance(self.amount, (int, Fraction)) or self.amount <= 0:
            wanted = Phrase("must be an exact number above 0, not {value}", value=repr(self.amount))
            raise BadScoring("amount", wanted)


def penalised(
    totals: Mapping[K, Total], penalties: Iterable[Penalty[K]], *, unit: str, top: int | None
) -> dict[K, Total]:
    """The totals less their penalties. `unit`: what the totals count, and `top`: the most that one board can
    give (`scoring.methods.top_of`). Penalties are in that unit, or in per cent of the top; at a single table
    nothing can be won, and a penalty in per cent costs nothing. BadScoring for another unit, for per cents
    where the method has no top, and for a contestant who is not there."""
    left = dict(totals)
    for penalty in penalties:
        if penalty.contestant not in left:
            wanted = Phrase("there is no {contestant}", contestant=penalty.contestant)
            raise BadScoring("contestant", wanted)
        total = left[penalty.contestant]
        amount = Fraction(penalty.amount)
        if penalty.unit == "percent" and top is not None:
            amount *= Fraction(top, 100)
        elif penalty.unit != unit:
            raise BadScoring("unit", Phrase("the totals are in {unit}", unit=unit))
        left[penalty.contestant] = replace(total, lost=total.lost + amount)
    return left


def carried_over(
    totals: Mapping[K, Total],
    previous: Mapping[K, Number],
    *,
    fraction: Number,
    clamp: Number | None = None,
) -> dict[K, Total]:
    """The totals with a part of what was won before: `fraction` of it, at most `clamp` either way.

    BadScoring for a fraction outside 0 to 1, or a clamp below 0.
    """
    if not isinstance(fraction, (int, Fraction)) or not 0 <= fraction <= 1:
        wanted = Phrase("must be an exact number from 0 to 1, not {value}", value=repr(fraction))
        raise BadScoring("fraction", wanted)
    if clamp is not None and (not isinstance(clamp, (int, Fraction)) or clamp < 0):
        raise BadScoring("clamp", Phrase("must be 0 or more, not {value}", value=repr(clamp)))
    carried = {k: Fraction(previous.get(k, 0)) * fraction for k in totals}
    if clamp is not None:
        carried = {k: max(-Fraction(clamp), min(Fraction(clamp), amount)) for k, amount in carried.items()}
    return {k: replace(total, extra=total.extra + carried[k]) for k, total in totals.items()}


def handicapped(totals: Mapping[K, Total], handicaps: Mapping[K, Number]) -> dict[K, Total]:
    """The totals with each contestant's handicap, in per cent (in points where there are no per cents); who
    has none gets nothing. Rank both to show the scratch and the handicap list side by side."""
    return {k: replace(total, handicap=Fraction(handicaps.get(k, 0))) for k, total in totals.items()}
