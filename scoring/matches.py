"""Matches between two sides: what a match comes to on its boards, what that is worth, and who stands where.

A match of teams is played at two tables: the first side holds one direction at the one and the other at the
other, so that each board compares what both made of the same cards.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any, Generic, TypeVar

from engines.phrases import Phrase

from .entries import Artificial, Entry, NoScore, Weighted
from .errors import BadScoring, one_of
from .imps import STEP, imps
from .lines import Number
from .ranking import TieBreak
from .totals import Sum, Total
from .vps import table, victory_points

K = TypeVar("K", bound=Hashable)

IMPS, POINTS, BOARDS = "imps", "points", "boards"
MEASURES = (IMPS, POINTS, BOARDS)
SCALE, TABLE, WINS = "scale", "table", "wins"
AWARDS = (SCALE, TABLE, WINS)


@dataclass(frozen=True, slots=True)
class Worth:
    """What a match gives to its sides. `by`: the continuous "scale" of victory points, a "table" of `steps`
    that share `whole`, or "wins" (1, and a half for a tie)."""

    by: str = SCALE
    steps: tuple[tuple[Number, Number], ...] = ()
    whole: Number = 20

    def __post_init__(self) -> None:
        one_of("by", self.by, AWARDS)
        if (self.by == TABLE) != bool(self.steps):
            raise BadScoring("steps", Phrase("belong to a table, and only there"))
        if self.by == TABLE:
            table(self.steps, 0, whole=self.whole)

    def of(self, margin: Number, boards: int) -> tuple[Fraction, Fraction]:
        """Both sides' share for the first side's margin over so many boards.

        >>> Worth(WINS).of(3, 8), Worth().of(10, 16)[0]
        ((Fraction(1, 1), Fraction(0, 1)), Fraction(64, 5))
        """
        if self.by == SCALE:
            return victory_points(margin, boards)
        if self.by == TABLE:
            return table(self.steps, margin, whole=self.whole)
        won = Fraction(1 + (margin > 0) - (margin < 0), 2)
        return won, 1 - won


@dataclass(frozen=True, slots=True)
class TwoTables:
    """What stands for a board of a match of teams: at the first table, `first` sits in the first direction,
    and at the second in the other. By direction: what stands there."""

    first_table: tuple[Entry, Entry]
    second_table: tuple[Entry, Entry]


def board_margin(board: TwoTables, measure: str, unit: Number) -> Fraction | None:
    """The first side's margin on a board: in IMPs, in points, or as a board won (1, 0, −1); None where it
    counts for nobody.

    What a side made at both tables is added up, and half of the difference is compared: in a game whose
    scores sum to zero that is the difference of the two tables. Of weighted scores each outcome counts with
    its weight. An artificial score is worth 3 IMPs for each ten per cent above average, and as much of a
    board won; in points it is worth nothing.

    >>> plain = TwoTables((420, -420), (-50, 50))
    >>> board_margin(plain, IMPS, 1), board_margin(plain, POINTS, 1), board_margin(plain, BOARDS, 1)
    (Fraction(10, 1), Fraction(470, 1), Fraction(1, 1))
    """
    one_of("measure", measure, MEASURES)
    (ours, theirs), (others, own) = board.first_table, board.second_table
    entries = (ours, own, theirs, others)
    if any(isinstance(entry, NoScore) for entry in entries):
        return None
    if any(isinstance(entry, Artificial) for entry in entries):
        gained, lost = _ruled((ours, own), measure), _ruled((theirs, others), measure)
        if gained is None or lost is None:
            return gained if lost is None else -lost
        return (gained - lost) / 2
    margin = Fraction(0)
    for outcome in product(*(_outcomes(entry) for entry in entries)):
        weight = Fraction(1)
        for _score, part in outcome:
            weight *= part
        (a, b, c, d) = (score for score, _part in outcome)
        margin += weight * _value(Fraction(a + b - c - d, 2), measure, unit)
    return margin


def _value(difference: Fraction, measure: str, unit: Number) -> Fraction:
    if measure == IMPS:
        return Fraction(imps(difference * unit))
    if measure == POINTS:
        return difference * unit
    return Fraction((difference > 0) - (difference < 0))


def _outcomes(entry: Entry) -> Sequence[tuple[int, Fraction]]:
    if isinstance(entry, Weighted):
        return [(score, Fraction(weight)) for score, weight in entry.parts]
    assert isinstance(entry, int)
    return [(entry, Fraction(1))]


def _ruled(entries: Iterable[Entry], measure: str) -> Fraction | None:
    """What a side gets by artificial scores, at whichever table it has one; None where it has none."""
    percents = [Fraction(entry.percent) for entry in entries if isinstance(entry, Artificial)]
    if not percents:
        return None
    above = (sum(percents, Fraction(0)) / len(percents) - 50) / 10
    return above * {IMPS: Fraction(STEP), BOARDS: Fraction(1, 5), POINTS: Fraction(0)}[measure]


# ── Standings ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class MatchResult(Generic[K]):
    """A match as it counts in the standings. `second`: None for a bye. `margin`: the first side's, None where
    nothing was compared (a bye, a forfeit); `gained`: what it gives to each side."""

    first: K
    second: K | None
    margin: Fraction | None
    gained: tuple[Fraction, Fraction]


def match_totals(
    sides: Iterable[K], results: Iterable[MatchResult[K]], boards: Mapping[K, int]
) -> dict[K, Total]:
    """What each side has gained in its matches. `boards`: how many each has played or been given, so that
    whoever has not played at all stands apart."""
    points: dict[K, Fraction] = defaultdict(Fraction)
    for result in results:
        points[result.first] += result.gained[0]
        if result.second is not None:
            points[result.second] += result.gained[1]
    return {side: Total(Sum(points[side], 0, boards.get(side, 0))) for side in sides}


def _encounters(results: Sequence[MatchResult[K]], equal: Sequence[K]) -> Mapping[K, Fraction]:
    """What they gained against each other; it counts only if any two of them have met."""
    met = {frozenset((one.first, one.second)) for one in results if one.second is not None}
    gained: dict[K, Fraction] = dict.fromkeys(equal, Fraction(0))
    if any(frozenset(pair) not in met for pair in combinations(equal, 2)):
        return gained
    for one in results:
        if one.second is not None and one.first in gained and one.second in gained:
            gained[one.first] += one.gained[0]
            gained[one.second] += one.gained[1]
    return gained


def _won(results: Sequence[MatchResult[K]], equal: Sequence[K]) -> Mapping[K, Fraction]:
    """Matches won; a tie is half of one, a bye none."""
    won: dict[K, Fraction] = dict.fromkeys(equal, Fraction(0))
    for one in results:
        for side, ours, theirs in (
            (one.first, *one.gained),
            *([] if one.second is None else [(one.second, *one.gained[::-1])]),
        ):
            if side in won and one.second is not None:
                won[side] += Fraction(1 + (ours > theirs) - (ours < theirs), 2)
    return won


def _margins(results: Sequence[MatchResult[K]], equal: Sequence[K]) -> Mapping[K, Fraction]:
    """The margins of all matches together."""
    margins: dict[K, Fraction] = dict.fromkeys(equal, Fraction(0))
    for one in results:
        if one.margin is not None:
            for side, sign in ((one.first, 1), (one.second, -1)):
                if side is not None and side in margins:
                    margins[side] += sign * one.margin
    return margins


def _opponents(results: Sequence[MatchResult[K]], equal: Sequence[K]) -> Mapping[K, Fraction]:
    """What those whom they met have gained, on average of the matches."""
    gained: dict[K, Fraction] = defaultdict(Fraction)
    met: dict[K, list[K]] = defaultdict(list)
    for one in results:
        gained[one.first] += one.gained[0]
        if one.second is not None:
            gained[one.second] += one.gained[1]
            met[one.first].append(one.second)
            met[one.second].append(one.first)
    return {
        side: sum((gained[other] for other in met[side]), Fraction(0)) / len(met[side])
        if met[side]
        else Fraction(0)
        for side in equal
    }


MATCH_TIE_BREAKS: dict[str, Callable[[Sequence[MatchResult[Any]], Sequence[Any]], Mapping[Any, Any]]] = {
    "direct-encounter": _encounters,
    "wins": _won,
    "margin": _margins,
    "opponents": _opponents,
}


def match_tie_breaks(
    names: Iterable[str], results: Sequence[MatchResult[K]]
) -> list[tuple[str, TieBreak[K]]]:
    """The tie-breaks of these names, in this order, for `ranking` of sides by their matches."""

    def bound(
        rule: Callable[[Sequence[MatchResult[K]], Sequence[K]], Mapping[K, Any]],
    ) -> TieBreak[K]:
        return lambda equal: rule(results, equal)

    known = tuple(MATCH_TIE_BREAKS)
    return [(name, bound(MATCH_TIE_BREAKS[one_of("tie-break", name, known)])) for name in names]
