"""Rankings: totals in order; what separates equal ones is a named tie-break, and what nothing separates
shares its rank."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, Generic, TypeVar

from .totals import Total

K = TypeVar("K", bound=Hashable)

SCORE = "score"
TieBreak = Callable[[Sequence[K]], Mapping[K, Any]]
"""From contestants who are equal so far to what they are compared by, higher being better."""


@dataclass(frozen=True, slots=True)
class Place(Generic[K]):
    """A line of a ranking. `rank`: "3", "3=" when shared, or "" for who has played too few boards.
    `before_next`: what puts it before the next line: "score", the name of a tie-break, or None where
    nothing does."""

    rank: str
    contestant: K
    total: Total
    before_next: str | None = None


def ranking(
    totals: Mapping[K, Total],
    *,
    tie_breaks: Sequence[tuple[str, TieBreak[K]]] = (),
    min_boards: int = 1,
) -> tuple[Place[K], ...]:
    """The contestants by percentage (by points where there is none), the best first.

    Equal ones are separated by the first tie-break that tells them apart, each tie-break seeing only those
    still equal; the others share their rank, in the order of `totals`. Who has played fewer boards than
    `min_boards` comes last, unranked.
    """
    values = {k: total.value for k, total in totals.items() if total.boards >= min_boards}
    exact = {k: value for k, value in values.items() if value is not None}
    keys = dict(zip(exact, comparable(list(exact.values())), strict=True))
    ordered: list[tuple[list[K], str]] = [(group, SCORE) for group in in_order(list(exact), keys)]
    for name, tie_break in tie_breaks:
        ordered = [one for group, by in ordered for one in parted(group, by, name, tie_break)]
    places: list[Place[K]] = []
    for at, (group, by) in enumerate(ordered):
        rank = f"{len(places) + 1}{'=' if len(group) > 1 else ''}"
        last = at == len(ordered) - 1
        for one in group:
            decided = None if one != group[-1] or last else by
            places.append(Place(rank, one, totals[one], decided))
    places += [Place("", k, total) for k, total in totals.items() if k not in exact]
    return tuple(places)


def comparable(values: Sequence[Fraction]) -> list[int]:
    """Whole numbers in the same order as the fractions, equal where they are: quicker to sort. Two different
    fractions of b bits below the line differ by at least 2^-2b."""
    shift = 2 * max((value.denominator.bit_length() for value in values), default=0)
    return [(value.numerator << shift) // value.denominator for value in values]


def in_order(group: Sequence[K], keys: Mapping[K, Any]) -> list[list[K]]:
    """The group by falling key, those with equal keys together."""
    return [
        list(equal)
        for _, equal in groupby(sorted(group, key=keys.__getitem__, reverse=True), keys.__getitem__)
    ]


def parted(group: list[K], by: str, name: str, tie_break: TieBreak[K]) -> list[tuple[list[K], str]]:
    """A group of equals told apart by a tie-break; `by` is what puts the last of them before the next."""
    if len(group) == 1:
        return [(group, by)]
    parts = in_order(group, tie_break(group))
    return [(part, name) for part in parts[:-1]] + [(parts[-1], by)]


def ranks(ordered: Sequence[object]) -> list[str]:
    """The rank of each of the values, which come best first; equal values share it.

    >>> ranks([60, 55, 55, 40])
    ['1', '2=', '2=', '4']
    """
    first: dict[object, int] = {}
    shared: set[object] = set()
    for position, value in enumerate(ordered, 1):
        if first.setdefault(value, position) != position:
            shared.add(value)
    return [f"{first[value]}{'=' if value in shared else ''}" for value in ordered]
