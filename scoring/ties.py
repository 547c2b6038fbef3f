"""Tie-breaks by name: what tells apart contestants whose totals are equal. Each takes the contestants who are
equal so far, and says what they are compared by, higher being better."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, TypeVar

from .errors import one_of
from .ranking import TieBreak
from .recaps import Recap, ScorecardRow
from .rulings import Penalty

K = TypeVar("K", bound=Hashable)


def direct_encounter(
    recap: Recap[K], penalties: Sequence[Penalty[K]], equal: Sequence[K]
) -> Mapping[K, Fraction]:
    """The encounters won, of those at a table as opponents: the contestant who won more on these boards won
    the encounter, and a tie is half of one. It counts only if any two of the equal contestants have met."""
    wins: dict[K, Fraction] = defaultdict(Fraction)
    for one, other in combinations(equal, 2):
        met = {row.board for row in recap.scorecard(one) if other in row.opponents}
        if not met:
            return dict.fromkeys(equal, Fraction(0))
        ours, theirs = (
            sum((above(row) for row in recap.scorecard(k) if row.board in met), Fraction(0))
            for k in (one, other)
        )
        wins[one] += Fraction(1 + (ours > theirs) - (ours < theirs), 2)
        wins[other] += Fraction(1 + (theirs > ours) - (theirs < ours), 2)
    return wins


def wins(recap: Recap[K], penalties: Sequence[Penalty[K]], equal: Sequence[K]) -> Mapping[K, Fraction]:
    """Boards won, which are those above average; a board at average is half of one."""
    return {
        k: sum(
            (Fraction(1 + (above(row) > 0) - (above(row) < 0), 2) for row in rows_that_count(recap, k)),
            Fraction(0),
        )
        for k in equal
    }


def best_boards(
    recap: Recap[K], penalties: Sequence[Penalty[K]], equal: Sequence[K]
) -> Mapping[K, list[Fraction]]:
    """The best board; then the second best; and so on."""
    return {k: sorted((above(row) for row in rows_that_count(recap, k)), reverse=True) for k in equal}


def count_back(
    recap: Recap[K], penalties: Sequence[Penalty[K]], equal: Sequence[K]
) -> Mapping[K, list[Fraction]]:
    """The last round that each has played; then the one before it; and so on."""
    by_round = {}
    for k in equal:
        rounds: dict[int, Fraction] = defaultdict(Fraction)
        for row in rows_that_count(recap, k):
            rounds[row.round] += above(row)
        by_round[k] = [rounds[number] for number in sorted(rounds, reverse=True)]
    return by_round


def opponents(recap: Recap[K], penalties: Sequence[Penalty[K]], equal: Sequence[K]) -> Mapping[K, Fraction]:
    """The mean total of those played against at the table, each counted once for every board; partners are
    not opponents."""
    means = {}
    for k in equal:
        met = Counter(other for row in recap.scorecard(k) for other in row.opponents)
        totals = {other: recap.totals[other].value for other in met if other in recap.totals}
        boards = sum(met[other] for other in totals)
        weighted = sum(((value or Fraction(0)) * met[other] for other, value in totals.items()), Fraction(0))
        means[k] = weighted / boards if boards else Fraction(0)
    return means


def fewest_penalties(recap: Recap[K], penalties: Sequence[Penalty[K]], equal: Sequence[K]) -> Mapping[K, int]:
    """The number of penalties, below zero: fewer are better."""
    return {k: -sum(penalty.contestant == k for penalty in penalties) for k in equal}


TIE_BREAKS: dict[str, Callable[[Recap[Any], Sequence[Penalty[Any]], Sequence[Any]], Mapping[Any, Any]]] = {
    "direct-encounter": direct_encounter,
    "wins": wins,
    "best-boards": best_boards,
    "count-back": count_back,
    "opponents": opponents,
    "fewest-penalties": fewest_penalties,
}


def tie_breaks(
    names: Iterable[str], recap: Recap[K], penalties: Sequence[Penalty[K]] = ()
) -> list[tuple[str, TieBreak[K]]]:
    """The tie-breaks of these names, in this order, for `ranking`. BadScoring for another name."""

    def bound(rule: Callable[..., Mapping[K, Any]]) -> TieBreak[K]:
        return lambda equal: rule(recap, penalties, equal)

    known = tuple(TIE_BREAKS)
    return [(name, bound(TIE_BREAKS[one_of("tie-break", name, known)])) for name in names]


def rows_that_count(recap: Recap[K], contestant: K) -> list[ScorecardRow[K]]:
    return [row for row in recap.scorecard(contestant) if row.award is not None]


def above(row: ScorecardRow[Any]) -> Fraction:
    """How far above average a board was; 0 for one that does not count."""
    return row.award.above if row.award is not None else Fraction(0)
