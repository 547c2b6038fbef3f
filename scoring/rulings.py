"""Rulings on a whole session: penalties, carry-over, handicaps. Those on one board are entries."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Generic, TypeVar

from engines.phrases import Phrase

from .amounts import with_totals
from .errors import BadScoring, one_of
from .lines import Number
from .totals import Total

K = TypeVar("K", bound=Hashable)

UNITS = ("matchpoints", "percent", "imps", "vps", "points")


@dataclass(frozen=True, slots=True)
class Penalty(Generic[K]):
    """A procedural penalty: it costs its contestant, and nobody gains by it. `amount`: above 0, in `unit`; a
    per cent is one of what a board can give. Source: the Laws of Duplicate Bridge, law 90."""

    contestant: K
    amount: Number
    unit: str
    reason: str = ""

    def __post_init__(self) -> None:
        one_of("unit", self.unit, UNITS)
        if not isinstance(self.amount, (int, Fraction)) or self.amount <= 0:
            constraint = Phrase("must be an exact number above 0, not {value}", value=repr(self.amount))
            raise BadScoring("amount", constraint)


def with_penalties(
    totals: Mapping[K, Total], penalties: Iterable[Penalty[K]], *, unit: str, top: int | None
) -> Mapping[K, Total]:
    """The totals less their penalties. `unit`: what the totals count, and `top`: the most that one board can
    give (`scoring.methods.top_of`). Penalties are in that unit, or in per cent of the top; at a single table
    nothing can be won, and a penalty in per cent costs nothing. BadScoring for another unit, for per cents
    where the method has no top, and for a contestant who is not there."""
    changes: dict[K, Total] = {}
    for penalty in penalties:
        k = penalty.contestant
        if k not in totals:
            raise BadScoring("contestant", Phrase("there is no {contestant}", contestant=k))
        amount = Fraction(penalty.amount)
        if penalty.unit == "percent" and top is not None:
            amount *= Fraction(top, 100)
        elif penalty.unit != unit:
            raise BadScoring("unit", Phrase("the totals are in {unit}", unit=unit))
        total = changes.get(k) or totals[k]
        changes[k] = replace(total, lost=total.lost + amount)
    return with_totals(totals, changes)


def with_carry_over(
    totals: Mapping[K, Total],
    previous: Mapping[K, Number],
    *,
    fraction: Number,
    clamp: Number | None = None,
) -> Mapping[K, Total]:
    """The totals with a part of what was won before: `fraction` of it, at most `clamp` either way.

    BadScoring for a fraction outside 0 to 1, or a clamp below 0.
    """
    if not isinstance(fraction, (int, Fraction)) or not 0 <= fraction <= 1:
        constraint = Phrase("must be an exact number from 0 to 1, not {value}", value=repr(fraction))
        raise BadScoring("fraction", constraint)
    if clamp is not None and (not isinstance(clamp, (int, Fraction)) or clamp < 0):
        raise BadScoring("clamp", Phrase("must be 0 or more, not {value}", value=repr(clamp)))
    limit = None if clamp is None else Fraction(clamp)
    changes: dict[K, Total] = {}
    for k, won in previous.items():
        carried = Fraction(won) * fraction
        if limit is not None:
            carried = max(-limit, min(limit, carried))
        if k in totals:
            changes[k] = replace(totals[k], extra=totals[k].extra + carried)
    return with_totals(totals, changes)


def with_handicaps(totals: Mapping[K, Total], handicaps: Mapping[K, Number]) -> Mapping[K, Total]:
    """The totals with each contestant's handicap, in per cent (in points where there are no per cents). Rank
    both to show the scratch and the handicap list side by side."""
    changes = {
        k: replace(totals[k], handicap=Fraction(handicap)) for k, handicap in handicaps.items() if k in totals
    }
    return with_totals(totals, changes)
