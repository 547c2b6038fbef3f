"""Rankings: totals in order. Equal totals are separated by a named tie-break, or share their rank."""

from bisect import bisect_right
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise
from typing import Any, Generic, TypeVar, overload

from .amounts import sort_keys
from .totals import Total

K = TypeVar("K", bound=Hashable)

SCORE = "score"
TieBreak = Callable[[Sequence[K]], Mapping[K, Any]]
"""It takes contestants who are equal so far, and says what they are compared by, higher being better."""


@dataclass(frozen=True, slots=True)
class Place(Generic[K]):
    """A place of a ranking. `rank`: "3", "3=" when shared, or "" for a contestant who has played too few
    boards. `before_next`: what puts it before the next place: "score", the name of a tie-break, or None where
    nothing does."""

    rank: str
    contestant: K
    total: Total
    before_next: str | None = None


class Places(Sequence[Place[K]]):
    """The places of a ranking, the best first; each is made when it is looked at, so that the first page of a
    long list costs no more than that of a short one. The first `ranked` of `order` are ranked. `starts`:
    where each group of equals begins; `by`: by such a start, the tie-break that put it behind the others."""

    def __init__(
        self,
        totals: Mapping[K, Total],
        order: Sequence[K],
        ranked: int,
        starts: Sequence[int],
        by: Mapping[int, str],
    ) -> None:
        self._totals, self._order, self._ranked = totals, order, ranked
        self._starts, self._by = starts, by

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, at: int) -> Place[K]: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Place[K], ...]: ...
    def __getitem__(self, at: int | slice) -> Place[K] | tuple[Place[K], ...]:
        if isinstance(at, slice):
            return tuple(self[one] for one in range(len(self))[at])
        at = range(len(self))[at]
        contestant = self._order[at]
        total = self._totals[contestant]
        if at >= self._ranked:
            return Place("", contestant, total)
        group = bisect_right(self._starts, at)
        start = self._starts[group - 1]
        end = self._starts[group] if group < len(self._starts) else self._ranked
        rank = f"{start + 1}{'=' if end - start > 1 else ''}"
        is_decided = end - 1 == at < self._ranked - 1
        return Place(rank, contestant, total, self._by.get(end, SCORE) if is_decided else None)

    def positions(self) -> Iterator[tuple[K, int]]:
        """Each contestant who is ranked, with the number of its rank; no place is made for it."""
        for start, end in pairwise([*self._starts, self._ranked]):
            for contestant in self._order[start:end]:
                yield contestant, start + 1


def ranking(
    totals: Mapping[K, Total],
    *,
    tie_breaks: Sequence[tuple[str, TieBreak[K]]] = (),
    min_boards: int = 1,
    unranked: Collection[K] = (),
) -> Places[K]:
    """The contestants by percentage (by points where there is none), the best first.

    Equal contestants are separated by the first tie-break that tells them apart; each tie-break sees only
    those who are still equal. The others share their rank, in the order of `totals`. Contestants who have
    played fewer boards than `min_boards` come last, unranked, and so do those in `unranked` (who were
    disqualified). The time grows as that of sorting.
    """
    keys = sort_keys(totals, min_boards)
    for contestant in unranked:
        keys.pop(contestant, None)
    order = sorted(keys, key=keys.__getitem__, reverse=True)
    sorted_keys = [keys[k] for k in order]
    starts = [0][: len(order)] + [at for at, (a, b) in enumerate(pairwise(sorted_keys), 1) if a != b]
    by: dict[int, str] = {}
    for name, tie_break in tie_breaks:
        borders, starts = [*starts, len(order)], []
        for start, end in pairwise(borders):
            parts = [order[start:end]]
            if end - start > 1:
                parts = in_order(parts[0], tie_break(parts[0]))
                order[start:end] = [k for part in parts for k in part]
            following = [*accumulate((len(part) for part in parts[:-1]), initial=start)]
            by |= dict.fromkeys(following[1:], name)
            starts += following
    last = [k for k in totals if k not in keys]
    return Places(totals, [*order, *last], len(order), starts, by)


def in_order(group: Sequence[K], keys: Mapping[K, Any]) -> list[list[K]]:
    """The group by falling key, those with equal keys together."""
    return [
        list(equal)
        for _, equal in groupby(sorted(group, key=keys.__getitem__, reverse=True), keys.__getitem__)
    ]


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
