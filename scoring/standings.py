"""Standings: totals that are kept up to date while results come in.

A `ComparedLine` is one side of one board at all tables; `Standings` add up what their lines are worth. Both
are values: a result makes a new line (`with_rows`), and that makes new standings (`with_lines`), which share
with the old ones whatever has not changed. A result that comes late to a line of n plays with d different
scores costs two counts and a copy of the line's columns, one comparison of d scores, and one addition for
each of the n; the other boards are not looked at.

One line may stand in several standings, and standings may take the lines of several sessions: a list is
whatever lines it is given. Points are added as whole numbers over the common denominator of all lines, so the
totals are exact; a `Fraction` is made for each total that somebody looks at.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Any, Generic, NamedTuple, Self, TypeVar

from engines.phrases import Phrase

from .amounts import BOARDS, LOW, MASK, Totals, amount, boards_of
from .entries import Entry, check_entries
from .errors import BadScoring
from .lines import Award, Comparison, awards_by_deal, check_plays, counts_by_deal
from .totals import Sum, sums, total_of

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class LineRow(NamedTuple, Generic[K]):
    """What came of a board at one table, on one side. By seat of the side: who sat there (None: nobody), and
    what is entered. `deal`: what was really dealt, where the board was fouled."""

    table: Hashable
    contestants: tuple[K | None, ...]
    entries: tuple[Entry, ...]
    deal: Hashable = None


@dataclass(frozen=True, eq=False)
class ComparedLine(Generic[K]):
    """All plays of one board on one side. `tables`, `deals`: by play (`deals` None: all tables had the same
    cards); `contestants`, `entries`: by seat of the side, then by play. `plays`: how often the board is to be
    played; `counts`: by deal, how often each entry stands in the line.

    The entries of the side's first seat are compared. Where a ruling has parted another seat from it, the
    entry of that seat is compared in its place.
    """

    comparison: Comparison
    plays: int
    tables: Sequence[Hashable]
    contestants: tuple[Sequence[K | None], ...]
    entries: tuple[Sequence[Entry], ...]
    deals: Sequence[Hashable] | None
    counts: Mapping[Hashable, Counter[Entry]]

    @classmethod
    def of(
        cls,
        comparison: Comparison,
        *,
        tables: Sequence[Hashable],
        contestants: Sequence[Sequence[K | None]],
        entries: Sequence[Sequence[Entry]],
        deals: Sequence[Hashable] | None = None,
        plays: int | None = None,
    ) -> Self:
        """The line of these columns. `plays`: as many as there are tables, by default. BadScoring for more
        tables than plays, and for what is not an entry."""
        counts = counts_by_deal(entries[0], deals)
        for column in entries[1:]:
            check_entries(set(column))
        expected = check_plays(len(tables), plays)
        return cls(comparison, expected, tables, tuple(contestants), tuple(entries), deals, counts)

    def with_rows(self, rows: Iterable[LineRow[K]], *, plays: int | None = None) -> "ComparedLine[K]":
        """The line with each of these rows in place of the one of its table, or added where the table has
        none yet. `plays`: if the board is now to be played another number of times. BadScoring as for `of`,
        and for a row with another number of seats."""
        by_table = {row.table: row for row in rows}
        self._check_rows(by_table.values())
        tables, deals = list(self.tables), list(self.deals or [None] * len(self.tables))
        contestants, entries = [*map(list, self.contestants)], [*map(list, self.entries)]
        index = self._index.copy()
        counts = defaultdict(Counter, {deal: group.copy() for deal, group in self.counts.items()})
        new = [row for table, row in by_table.items() if table not in index]
        for row in by_table.values() if len(new) < len(by_table) else ():
            if row.table in index:
                at = index[row.table]
                counts[deals[at]][entries[0][at]] -= 1
                deals[at] = row.deal
                for seat, column in enumerate(contestants):
                    column[at], entries[seat][at] = row.contestants[seat], row.entries[seat]
                counts[row.deal][row.entries[0]] += 1
        index.update((row.table, at) for at, row in enumerate(new, len(tables)))
        tables += [row.table for row in new]
        deals += [row.deal for row in new]
        for seat, column in enumerate(contestants):
            column += [row.contestants[seat] for row in new]
            entries[seat] += [row.entries[seat] for row in new]
        for (deal, entry), count in Counter((row.deal, row.entries[0]) for row in new).items():
            counts[deal][entry] += count
        line = ComparedLine(
            self.comparison,
            check_plays(len(tables), self.plays if plays is None else plays),
            tables,
            tuple(contestants),
            tuple(entries),
            None if self.deals is None and set(counts) <= {None} else deals,
            {deal: +group for deal, group in counts.items()},
        )
        line.__dict__["_index"] = index
        return line

    def _check_rows(self, rows: Iterable[LineRow[K]]) -> None:
        check_entries({entry for row in rows for entry in row.entries})
        seats = len(self.entries)
        for row in rows:
            if not len(row.contestants) == len(row.entries) == seats:
                constraint = Phrase(
                    "table {table}: as many are needed as the side has seats ({seats})",
                    table=row.table,
                    seats=seats,
                )
                raise BadScoring("entries", constraint)

    @cached_property
    def _index(self) -> dict[Hashable, int]:
        """By table: which play it is."""
        return {table: at for at, table in enumerate(self.tables)}

    @cached_property
    def awards(self) -> Mapping[Hashable, Mapping[Entry, Award | None]]:
        """What is worth what: by deal, the award of each entry of the side's first seat."""
        groups = awards_by_deal(self.counts, self.comparison, self.plays)
        return {deal: {one: groups[deal][one] for one in group} for deal, group in self.counts.items()}

    def award(self, table: Hashable, seat: int = 0) -> Award | None:
        """What a table's play is worth at a seat of the side, counted from 0. KeyError for another table."""
        return self.award_at(self._index[table], seat)

    def award_at(self, at: int, seat: int = 0) -> Award | None:
        """The same by the number of the play."""
        if at in self._exceptions[seat]:
            return self._exceptions[seat][at]
        return self.awards[self.deals[at] if self.deals is not None else None][self.entries[0][at]]

    @cached_property
    def _exceptions(self) -> tuple[Mapping[int, Award | None], ...]:
        """By seat: the plays in which a ruling has parted it from the first seat, with its award."""
        first = self.entries[0]
        return tuple(
            {}
            if column is first or column == first
            else {at: self._in_place(at, one) for at, one in enumerate(column) if one != first[at]}
            for column in self.entries
        )

    def _in_place(self, at: int, entry: Entry) -> Award | None:
        """The award of an entry that stands in a play in place of the first seat's."""
        deal = self.deals[at] if self.deals is not None else None
        counts = {one: group.copy() for one, group in self.counts.items()}
        counts[deal].subtract([self.entries[0][at]])
        counts[deal].update([entry])
        groups = awards_by_deal({one: +group for one, group in counts.items()}, self.comparison, self.plays)
        return groups[deal][entry]

    def column(self, seat: int, of: Callable[[Award | None], T]) -> list[T]:
        """By play: `of` the award at a seat of the side, asked once for each different award."""
        worth = {deal: {one: of(award) for one, award in each.items()} for deal, each in self.awards.items()}
        if self.deals is None:
            column = [*map(worth[None].__getitem__, self.entries[0])]
        else:
            column = [worth[deal][one] for deal, one in zip(self.deals, self.entries[0], strict=True)]
        for at, award in self._exceptions[seat].items():
            column[at] = of(award)
        return column

    @cached_property
    def winners(self) -> tuple[Sequence[K | None], ...]:
        """The contestants by seat; a pair that holds several seats of the side at the first of them only."""
        return tuple(
            [
                None if any(other[at] == k for other in self.contestants[:seat]) else k
                for at, k in enumerate(column)
            ]
            if seat
            else column
            for seat, column in enumerate(self.contestants)
        )

    @cached_property
    def kinds(self) -> tuple[Award, ...]:
        """The different awards of the line."""
        tables = [*(each.values() for each in self.awards.values()), *(e.values() for e in self._exceptions)]
        return tuple(award for each in tables for award in each if award is not None)

    @cached_property
    def given(self) -> Sum:
        """What the line gives to all its contestants together, awards that depend on their other boards
        apart: counted from the line alone."""
        kinds: list[Award | None] = []

        def numbered(award: Award | None) -> int:
            kinds.append(award)
            return len(kinds) - 1

        points, top, boards = Fraction(0), 0, 0
        for seat, contestants in enumerate(self.winners):
            column = zip(contestants, self.column(seat, numbered), strict=True)
            for number, count in Counter(number for k, number in column if k is not None).items():
                award = kinds[number]
                if award is not None and not award.is_open:
                    points += count * award.points
                    top += count * (award.top or 0)
                    boards += count
        return Sum(points, top, boards)

    @cached_property
    def denominator(self) -> int:
        """Over which all awards of the line are whole numbers."""
        return lcm(*{award.points.denominator for award in self.kinds})

    @cached_property
    def open_awards(self) -> tuple[tuple[K, Award], ...]:
        """The awards that depend on the other boards of their contestants."""
        if not any(award.is_open for award in self.kinds):
            return ()
        return tuple(
            (k, award)
            for seat, contestants in enumerate(self.winners)
            for k, award in zip(contestants, self.column(seat, lambda award: award), strict=True)
            if k is not None and award is not None and award.is_open
        )


class Standings(Generic[K]):
    """What the contestants have won on some lines. The lines have keys of the caller's choice: a board and a
    side, and a session where there are several."""

    def __init__(self, lines: Mapping[Any, ComparedLine[K]]) -> None:
        self.lines: dict[Hashable, ComparedLine[K]] = dict(lines)
        self._scale = lcm(*(line.denominator for line in self.lines.values()))
        self._amounts: dict[K | None, int] = defaultdict(int)
        self._add(self.lines.values())

    def with_lines(self, changes: Mapping[Any, ComparedLine[K]]) -> "Standings[K]":
        """The standings with these lines, each in place of the one with its key, or added."""
        new: Standings[K] = Standings({})
        new.lines = {**self.lines, **changes}
        new._scale = self._scale
        new._amounts = self._amounts.copy()
        new._add([self.lines[key] for key in changes if key in self.lines], sign=-1)
        new._rescale(lcm(*(line.denominator for line in new.lines.values())))
        new._add(changes.values())
        return new

    def _add(self, lines: Iterable[ComparedLine[K]], *, sign: int = 1) -> None:
        amounts = self._amounts
        for line in lines:
            for seat, contestants in enumerate(line.winners):
                won = line.column(seat, lambda award: sign * amount(award, self._scale))
                for contestant, one in zip(contestants, won, strict=True):
                    amounts[contestant] += one

    def _rescale(self, scale: int) -> None:
        """The same amounts over another scale, which all lines that are in them allow."""
        if scale != self._scale:
            up, down = scale // gcd(scale, self._scale), self._scale // gcd(scale, self._scale)
            for contestant, one in self._amounts.items():
                self._amounts[contestant] = (one >> LOW) * up // down << LOW | one & MASK
            self._scale = scale

    def sums(self) -> Sum:
        """What all contestants together have won, awards that depend on their other boards apart."""
        amounts = [one for k, one in self._amounts.items() if k is not None]
        points = Fraction(sum(one >> LOW for one in amounts), self._scale)
        return Sum(points, sum((one & MASK) >> BOARDS for one in amounts), sum(map(boards_of, amounts)))

    @cached_property
    def totals(self) -> Totals[K]:
        """What each contestant has won, wherever it sat. Those who have not played yet are not there."""
        by_rulings = sums(
            (k, total_of(award)) for line in self.lines.values() for k, award in line.open_awards
        )
        played = {
            k: one for k, one in self._amounts.items() if k is not None and (one & MASK or k in by_rulings)
        }
        plain = Totals(dict.fromkeys(by_rulings, 0) | played, self._scale)
        return plain.with_totals({k: plain[k] + total for k, total in by_rulings.items()})
