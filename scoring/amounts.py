"""The totals of many contestants, kept as whole numbers: they are quick to add and to sort, and exact."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import TypeVar

from .lines import Award
from .totals import Sum, Total

K = TypeVar("K", bound=Hashable)

BOARDS, TOPS = 16, 40
LOW = BOARDS + TOPS
MASK = (1 << LOW) - 1
"""An amount is one whole number, so that one addition adds all: from the lowest bits, the boards (fewer than
65,536), the most that could be won there (below 10^12), and the points over a common scale."""


def amount(award: Award | None, scale: int) -> int:
    """An award as an amount, its points over a scale that its denominator divides; 0 for one that is open,
    and for none at all."""
    if award is None or award.is_open:
        return 0
    points = award.points.numerator * (scale // award.points.denominator)
    return (points << LOW) + ((award.top or 0) << BOARDS) + 1


def boards_of(amount: int) -> int:
    return amount & (1 << BOARDS) - 1


class Totals(Mapping[K, Total]):
    """The totals of many contestants, each made when it is looked at. `amounts` over a scale, and in place of
    these the totals that are more than the sum of awards."""

    def __init__(self, amounts: Mapping[K, int], scale: int, others: Mapping[K, Total] | None = None) -> None:
        self._amounts = amounts
        self._scale = scale
        self._others: Mapping[K, Total] = others or {}

    def __getitem__(self, contestant: K) -> Total:
        one = self._amounts[contestant]
        if contestant in self._others:
            return self._others[contestant]
        if not one & MASK:
            return Total()
        return Total(Sum(Fraction(one >> LOW, self._scale), (one & MASK) >> BOARDS, boards_of(one)))

    def __iter__(self) -> Iterator[K]:
        return iter(self._amounts)

    def __len__(self) -> int:
        return len(self._amounts)

    def __contains__(self, contestant: object) -> bool:
        return contestant in self._amounts

    def exact(self) -> Iterator[tuple[K, int, int, int, int]]:
        """Each contestant with its points, the scale they are over, the top, and the boards: the same as its
        `Total`, without making one."""
        for k, one in self._amounts.items():
            if k in self._others:
                other = self._others[k]
                yield k, *other.points.as_integer_ratio(), other.top, other.boards
            else:
                yield k, one >> LOW, self._scale, (one & MASK) >> BOARDS, boards_of(one)

    def columns(self, contestants: Iterable[K]) -> tuple[int, list[int], list[int], list[int]]:
        """The scale, and by contestant, in this order, what `exact` says: points over it, tops, boards; of
        those who have not played yet as well."""
        if self._others:
            exact = {k: one for k, *one in self.exact()}
            rows = [exact.get(k, [0, 1, 0, 0]) for k in contestants]
            scale = lcm(*(row[1] for row in rows))
            points = [points * (scale // over) for points, over, _top, _boards in rows]
            return scale, points, [row[2] for row in rows], [row[3] for row in rows]
        amounts = [self._amounts.get(k, 0) for k in contestants]
        tops = [(one & MASK) >> BOARDS for one in amounts]
        return self._scale, [one >> LOW for one in amounts], tops, [*map(boards_of, amounts)]

    def differing_from(self, before: "Totals[K]") -> list[K]:
        """The contestants who have another total than `before`, or had none."""
        if self._others or before._others:
            return [k for k in self if k not in before or before[k] != self[k]]
        old = before._amounts
        if self._scale == before._scale:
            return [k for k, one in self._amounts.items() if old.get(k) != one]
        common = lcm(self._scale, before._scale)
        up, old_up = common // self._scale, common // before._scale
        return [
            k
            for k, one in self._amounts.items()
            if k not in old or (one ^ old[k]) & MASK or (one >> LOW) * up != (old[k] >> LOW) * old_up
        ]

    def of(self, contestants: Iterable[K]) -> "Totals[K]":
        """The totals of these contestants, in this order; an empty one for those who have not played yet."""
        return Totals({k: self._amounts.get(k, 0) for k in contestants}, self._scale, self._others)

    def with_totals(self, changes: Mapping[K, Total]) -> "Totals[K]":
        """The same totals, with these in place of those that the contestants had."""
        return Totals(self._amounts, self._scale, {**self._others, **changes})

    def sort_keys(self, min_boards: int) -> dict[K, int]:
        """See the function of that name."""
        kinds = {one & MASK for one in self._amounts.values()}  # few: so many boards, of so much together
        tops = {kind: kind >> BOARDS or 100 for kind in kinds if kind and boards_of(kind) >= min_boards}
        common = lcm(*tops.values())
        factor = {kind: 100 * common // top for kind, top in tops.items()}  # without a top, points count
        keys = {
            k: (one >> LOW) * factor[one & MASK] for k, one in self._amounts.items() if one & MASK in factor
        }
        if not self._others:
            return keys
        plain = {k: (key, self._scale * common) for k, key in keys.items()}
        values = plain | values_of(self._others, min_boards)
        pairs = {k: values[k] for k in self._amounts if k in values}
        return dict(zip(pairs, comparable([*pairs.values()]), strict=True))


def sort_keys(totals: Mapping[K, Total], min_boards: int) -> dict[K, int]:
    """By contestant: a whole number to sort by, which is quicker than the fraction. These numbers are in the
    order of `Total.value`, and equal where the values are. Contestants without a value, and those who have
    played fewer boards than `min_boards`, are left out."""
    if isinstance(totals, Totals):
        return totals.sort_keys(min_boards)
    pairs = values_of(totals, min_boards)
    return dict(zip(pairs, comparable([*pairs.values()]), strict=True))


def values_of(totals: Mapping[K, Total], min_boards: int) -> dict[K, tuple[int, int]]:
    """Numerator and denominator of each `Total.value`."""
    values = {k: total.value for k, total in totals.items() if total.boards >= min_boards}
    return {k: value.as_integer_ratio() for k, value in values.items() if value is not None}


FEW = 50
"""Denominators of which a common one is looked for."""


def comparable(values: Sequence[tuple[int, int]]) -> list[int]:
    """Whole numbers in the same order as the fractions (numerator, denominator), equal where they are: these
    are quicker to sort. Few denominators become one; of many, two different fractions with b bits below the
    line differ by at least 2^-2b."""
    denominators = {denominator for _, denominator in values}
    shift = 2 * max((one.bit_length() for one in denominators), default=0)
    common = lcm(*denominators) if len(denominators) <= FEW else 0
    if 0 < common.bit_length() <= shift:
        factor = {one: common // one for one in denominators}
        return [numerator * factor[denominator] for numerator, denominator in values]
    return [(numerator << shift) // denominator for numerator, denominator in values]


def with_totals(totals: Mapping[K, Total], changes: Mapping[K, Total]) -> Mapping[K, Total]:
    """The totals, with these in place of those that the contestants had."""
    return totals.with_totals(changes) if isinstance(totals, Totals) else {**totals, **changes}
