"""Seasons: the standings over the evenings of a season, made alike where they were of different games; who
goes home with which prize."""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, combinations
from typing import Any, Generic, TypeVar

from engines.phrases import Phrase

from .amounts import comparable
from .combined import AVERAGE, BEST, SUM, CombinedPlace, combined_ranking
from .datum import root
from .errors import BadScoring, one_of
from .lines import Number
from .ranking import SCORE, in_order

K = TypeVar("K", bound=Hashable)
P = TypeVar("P", bound=Hashable)


def standings(
    events: Mapping[str, Mapping[K, Number]], *, best: int | None = None, least: int = 1
) -> tuple[CombinedPlace[K], ...]:
    """The standings of a season, from the points of each event (master points, as a rule), events in the
    order of the calendar: the sum of each player's `best` so many, or of all.

    `least`: the events that a player needs to be ranked. BadScoring for a `best` that is not a whole number
    above 0.
    """
    return combined_ranking(events, rule=SUM if best is None else BEST, best=best, least=least)


# ── Evenings of different games ───────────────────────────────────────────────────────────────────

MIDDLE, SPREAD, DIGITS = 50, 10, 3


def standardised(values: Mapping[K, Number]) -> dict[K, Fraction]:
    """How far each value lies from the mean of all, in standard deviations: 50 at the mean, 10 more or less
    for each, cut after three decimals towards the middle; where all values are equal, all are 50."""
    exact = {k: Fraction(value) for k, value in values.items()}
    if not exact:
        return {}
    mean = sum(exact.values(), Fraction(0)) / len(exact)
    deviation = root(sum(((one - mean) ** 2 for one in exact.values()), Fraction(0)) / len(exact))
    if not deviation:
        return dict.fromkeys(exact, Fraction(MIDDLE))
    scale = 10**DIGITS
    return {
        k: MIDDLE + Fraction(int(SPREAD * scale * (one - mean) / deviation), scale)
        for k, one in exact.items()
    }


# ── Standings ─────────────────────────────────────────────────────────────────────────────────────

WHOLE, HALF, NONE = "whole", "half", "none"
HALF_EVENINGS = (WHOLE, HALF, NONE)
BEST_EVENINGS, EVENINGS, COUNT_BACK, ENCOUNTERS = "best-evenings", "evenings", "count-back", "encounters"
SEASON_TIE_BREAKS = (ENCOUNTERS, BEST_EVENINGS, EVENINGS, COUNT_BACK)


@dataclass(frozen=True, slots=True)
class SeasonRules:
    """`combine`: the "sum" of the evenings that count, or their "average". Which count: the `best` so many,
    or all but so many as `drop` says, of which those that somebody has missed are the first; or all. `least`:
    the evenings it takes to be ranked. `absent`: what a missed evening is worth, None where it is worth
    nothing and counts nowhere. `half`: whether an evening of which somebody has played less than `enough` of
    the boards counts as a "whole" one, as "half" of one, or as "none". `tie_breaks`: in the order in which
    they are asked."""

    combine: str = SUM
    best: int | None = None
    drop: int = 0
    least: int = 1
    absent: Fraction | None = None
    half: str = HALF
    enough: Fraction = Fraction(2, 3)
    tie_breaks: tuple[str, ...] = ()

    def check(self) -> None:
        """BadScoring says which rule is wrong."""
        one_of("combine", self.combine, (SUM, AVERAGE))
        one_of("half", self.half, HALF_EVENINGS)
        for name in self.tie_breaks:
            one_of("tie_breaks", name, SEASON_TIE_BREAKS)
        if self.best is not None and (type(self.best) is not int or self.best < 1):
            raise BadScoring(
                "best", Phrase("must be a whole number above 0, not {value}", value=repr(self.best))
            )
        for name, count in (("drop", self.drop), ("least", self.least)):
            if type(count) is not int or count < 0:
                raise BadScoring(name, Phrase("must be 0 or more, not {value}", value=repr(count)))
        if self.best is not None and self.drop:
            raise BadScoring("drop", Phrase("says the same as best in another way: name one of them"))
        if not 0 <= self.enough <= 1:
            raise BadScoring("enough", Phrase("must be from 0 to 1, not {value}", value=str(self.enough)))


@dataclass(frozen=True, slots=True)
class SeasonEvening(Generic[K]):
    """What everybody came to on one evening. `shares`: of its boards, how much somebody has played, where
    that is not all. `weight`: an evening may count double."""

    name: str
    values: Mapping[K, Number]
    weight: Fraction = Fraction(1)
    shares: Mapping[K, Fraction] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EveningPart:
    """An evening in somebody's line. `counts`: how much of it, 1/2 for half an evening; its weight comes on
    top. `is_absent`: it was missed."""

    evening: str
    value: Fraction
    weight: Fraction
    counts: Fraction
    is_absent: bool = False


@dataclass(frozen=True, slots=True)
class SeasonRow(Generic[K]):
    """A line of the standings. `rank`: "3", "3=" when shared, "" with too few evenings. `value`: what it is
    ranked by. `parts`: the evenings that this comes from, `rest`: those that do not count; `played`: how many
    evenings, a half one as 1/2. `before_next`: what puts it before the next, as `scoring.ranking` has it."""

    rank: str
    contestant: K
    value: Fraction
    parts: tuple[EveningPart, ...]
    rest: tuple[EveningPart, ...]
    played: Fraction
    before_next: str | None = None


def season_ranking(
    evenings: Sequence[SeasonEvening[K]],
    rules: SeasonRules,
    *,
    handicaps: Mapping[K, Fraction] | None = None,
    among: Collection[K] | None = None,
) -> tuple[SeasonRow[K], ...]:
    """The standings after these evenings, in the order of the calendar, the best first; equal ones are told
    apart by the first tie-break that does, or share their rank. `handicaps`: what each is given on every
    evening that it plays. `among`: who is ranked, by default whoever has played. BadScoring says which rule
    is wrong. The time grows with the contestants and with the evenings."""
    rules.check()
    given = handicaps or {}
    everybody = dict.fromkeys(k for one in evenings for k in one.values if among is None or k in among)
    lines = {k: _line(k, evenings, rules, given.get(k, Fraction(0))) for k in everybody}
    ranked = [k for k, line in lines.items() if line.parts and line.played >= rules.least]
    keys = dict(zip(ranked, comparable([lines[k].value.as_integer_ratio() for k in ranked]), strict=True))
    groups = [(SCORE, group) for group in in_order(ranked, keys)]
    for name in rules.tie_breaks:
        groups = [part for by, group in groups for part in _told_apart(by, group, name, lines)]
    rows: list[SeasonRow[K]] = []
    starts = accumulate((len(group) for _by, group in groups), initial=1)
    for at, (start, (_by, group)) in enumerate(zip(starts, groups, strict=False), 1):
        decided = groups[at][0] if at < len(groups) else None
        for place, k in enumerate(group, 1):
            rank = f"{start}{'=' if len(group) > 1 else ''}"
            before_next = decided if place == len(group) else None
            rows.append(_row(lines[k], rank, before_next))
    return (*rows, *(lines[k] for k in everybody if k not in keys))


def _row(line: SeasonRow[K], rank: str, before_next: str | None) -> SeasonRow[K]:
    return SeasonRow(rank, line.contestant, line.value, line.parts, line.rest, line.played, before_next)


def _line(k: K, evenings: Sequence[SeasonEvening[K]], rules: SeasonRules, handicap: Fraction) -> SeasonRow[K]:
    """Somebody's evenings, those that count apart from the others; nobody has a rank yet."""
    held = [part for one in evenings if (part := _part(k, one, rules, handicap)) is not None]
    count = rules.best
    if count is None:
        count = max(len(evenings) - rules.drop, 1) if rules.drop else len(held)
    worth = [_worth(one, rules) if one.counts else None for one in held]
    some = [at for at, one in enumerate(worth) if one is not None]
    chosen = set(sorted(some, key=lambda at: -(worth[at] or 0))[:count])
    parts = tuple(one for at, one in enumerate(held) if at in chosen)
    value = sum((_worth(one, rules) * _counts(one, rules) for one in parts), Fraction(0))
    if rules.combine == AVERAGE and parts:
        value /= sum((_counts(one, rules) for one in parts), Fraction(0))
    played = sum((one.counts for one in held if not one.is_absent), Fraction(0))
    rest = tuple(one for at, one in enumerate(held) if at not in chosen)
    return SeasonRow("", k, value, parts, rest, played)


def _part(k: K, evening: SeasonEvening[K], rules: SeasonRules, handicap: Fraction) -> EveningPart | None:
    value = evening.values.get(k)
    if value is None:
        if rules.absent is None:
            return None
        return EveningPart(evening.name, rules.absent, evening.weight, Fraction(1), is_absent=True)
    is_whole = rules.half == WHOLE or evening.shares.get(k, Fraction(1)) >= rules.enough
    counts = Fraction(1) if is_whole else Fraction(1, 2) if rules.half == HALF else Fraction(0)
    return EveningPart(evening.name, Fraction(value) + handicap, evening.weight, counts)


def _worth(part: EveningPart, rules: SeasonRules) -> Fraction:
    """What an evening is chosen by: of a sum, what it adds to it; of an average, its value."""
    return part.value if rules.combine == AVERAGE else part.value * part.weight * part.counts


def _counts(part: EveningPart, rules: SeasonRules) -> Fraction:
    return part.weight * part.counts if rules.combine == AVERAGE else Fraction(1)


# ── Ties ──────────────────────────────────────────────────────────────────────────────────────────


def _told_apart(
    by: str, group: list[K], name: str, lines: Mapping[K, SeasonRow[K]]
) -> Iterator[tuple[str, list[K]]]:
    """A group of equals by one tie-break: the first part keeps what has put the group behind the others."""
    if len(group) == 1:
        yield by, group
        return
    first, *others = in_order(group, _keys(name, [lines[k] for k in group]))
    yield by, first
    yield from ((name, part) for part in others)


def _keys(name: str, rows: Sequence[SeasonRow[K]]) -> dict[K, Any]:
    """What equal ones are compared by, higher being better."""
    if name == BEST_EVENINGS:
        return {row.contestant: sorted((one.value for one in row.parts), reverse=True) for row in rows}
    if name == EVENINGS:
        return {row.contestant: row.played for row in rows}
    played = {row.contestant: _played(row) for row in rows}
    if name == COUNT_BACK:
        return _last_first(rows, played)
    return _encounters(played)


def _played(row: SeasonRow[K]) -> dict[str, Fraction]:
    return {one.evening: one.value for one in (*row.parts, *row.rest) if not one.is_absent}


def _last_first(
    rows: Sequence[SeasonRow[K]], played: Mapping[K, Mapping[str, Fraction]]
) -> dict[K, list[Fraction]]:
    """The value of the last evening that each has played, then of the one before."""
    return {row.contestant: [*played[row.contestant].values()][::-1] for row in rows}


def _encounters(played: Mapping[K, Mapping[str, Fraction]]) -> dict[K, Fraction]:
    """Against how many of the others each was ahead on more of the evenings that both have played, as often
    being half; nothing where two of them have never played on the same evening."""
    won = dict.fromkeys(played, Fraction(0))
    for one, other in combinations(played, 2):
        both = [(played[one][name], played[other][name]) for name in played[one] if name in played[other]]
        if not both:
            return dict.fromkeys(played, Fraction(0))
        ahead = sum((a > b) - (a < b) for a, b in both)
        won[one] += Fraction(1 + (ahead > 0) - (ahead < 0), 2)
        won[other] += Fraction(1 + (ahead < 0) - (ahead > 0), 2)
    return won


# ── The way it moved, and prizes ──────────────────────────────────────────────────────────────────


def positions_after_each(
    evenings: Sequence[SeasonEvening[K]],
    rules: SeasonRules,
    *,
    handicaps: Mapping[K, Fraction] | None = None,
    among: Collection[K] | None = None,
) -> list[dict[K, int]]:
    """After each evening the number of the rank of everybody who had one."""
    return [
        {
            row.contestant: int(row.rank.rstrip("="))
            for row in season_ranking(evenings[:count], rules, handicaps=handicaps, among=among)
            if row.rank
        }
        for count in range(1, len(evenings) + 1)
    ]


@dataclass(frozen=True, slots=True)
class Prizes(Generic[K]):
    """So many prizes of one list, the best first. `places`: the list's ranks, with who has them."""

    name: str
    count: int
    places: Sequence[tuple[str, K]]


def prize_list(
    prizes: Sequence[Prizes[K]], *, persons: Mapping[K, Collection[P]]
) -> list[tuple[str, list[tuple[int, tuple[K, ...]]]]]:
    """By name of the prizes, who gets which: its number from 1, and whoever shares it, as they have the same
    rank. Nobody has two: the prizes are given in their order, and whoever has one, or whose partner has, is
    passed over further down. `persons`: who they are. Those without a rank get none."""
    gone: set[P] = set()
    given = []
    for one in prizes:
        left = [(rank, k) for rank, k in one.places if rank and gone.isdisjoint(persons[k])]
        ranked: dict[str, list[K]] = {}
        for rank, k in left:
            ranked.setdefault(rank, []).append(k)
        own: list[tuple[int, tuple[K, ...]]] = []
        number = 1
        for together in ranked.values():
            if number > one.count:
                break
            own.append((number, tuple(together)))
            number += len(together)
        given.append((one.name, own))
        gone.update(person for _number, some in own for k in some for person in persons[k])
    return given
