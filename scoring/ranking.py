"""Rankings: totals in order, equal ones sharing their rank."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Total:
    """What a contestant has won of what was to be won on the boards that it played."""

    points: Fraction = Fraction(0)
    top: int = 0
    boards: int = 0

    def __add__(self, other: "Total") -> "Total":
        return Total(self.points + other.points, self.top + other.top, self.boards + other.boards)

    @property
    def percentage(self) -> Fraction | None:
        """From 0 to 100; None before there was anything to win."""
        return 100 * self.points / self.top if self.top else None


@dataclass(frozen=True, slots=True)
class Place(Generic[K]):
    """A line of a ranking; `rank` is "3", "3=" when shared, or "" without a percentage."""

    rank: str
    contestant: K
    total: Total


def ranking(totals: Mapping[K, Total]) -> tuple[Place[K], ...]:
    """The contestants by percentage, the best first; equal ones in the order of `totals`."""
    ranked = [(c, total) for c, total in totals.items() if total.percentage is not None]
    ranked.sort(key=lambda one: one[1].percentage or Fraction(0), reverse=True)
    labels = ranks([total.percentage for _, total in ranked])
    places = [Place(label, c, total) for label, (c, total) in zip(labels, ranked, strict=True)]
    places += [Place("", c, total) for c, total in totals.items() if total.percentage is None]
    return tuple(places)


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


def summed(parts: Iterable[tuple[K, Total]]) -> dict[K, Total]:
    """The totals by contestant, in the order in which contestants first appear."""
    totals: dict[K, Total] = {}
    for contestant, total in parts:
        totals[contestant] = totals.get(contestant, Total()) + total
    return totals


def shown(value: Fraction, places: int = 2) -> str:
    """A number as it is shown, rounded once, halves away from zero.

    >>> shown(Fraction(101, 168) * 100), shown(Fraction(1, 8))
    ('60.12', '0.13')
    """
    scaled = abs(value) * 10**places
    units = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return str(Decimal(units if value >= 0 else -units).scaleb(-places))
