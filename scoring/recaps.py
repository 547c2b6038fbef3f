"""Recaps: all travellers of a session, compared line by line, and what each contestant won.

A traveller is kept in columns, since a session may have a hundred tables or thirty thousand.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from engines.phrases import Phrase

from .amounts import Totals
from .entries import Entry
from .errors import BadScoring
from .lines import Award, Comparison
from .standings import ComparedLine, Standings
from .totals import Total, sums, total_of

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class TravellerRow(Generic[K]):
    """A row of a traveller: one board at one table. By seat: who sat there (None: nobody) and what is
    entered; the seats of a side have the side's score. `deal`: what was really dealt, where a board was
    fouled."""

    board: int
    table: Hashable
    contestants: tuple[K | None, ...]
    entries: tuple[Entry, ...]
    round: int = 1
    deal: Hashable = None


@dataclass(frozen=True, slots=True)
class Traveller(Generic[K]):
    """All plays of one board. `tables`, `rounds`, `deals`: by play; `contestants`, `entries`: by seat, then
    by play. `deals` is None where all tables had the same cards."""

    number: int
    tables: Sequence[Hashable]
    rounds: Sequence[int]
    contestants: tuple[Sequence[K | None], ...]
    entries: tuple[Sequence[Entry], ...]
    deals: Sequence[Hashable] | None = None


@dataclass(frozen=True, slots=True)
class ScorecardRow(Generic[K]):
    """A row of a scorecard, what one contestant did on one board: where it sat, against whom, and what that
    was worth. Partners, who share its side, are not among its `opponents`."""

    board: int
    round: int
    table: Hashable
    seats: tuple[int, ...]
    opponents: tuple[K, ...]
    entry: Entry
    award: Award | None


def travellers_of(plays: Iterable[TravellerRow[K]], *, seats: int) -> tuple[Traveller[K], ...]:
    """The travellers by number of board. BadScoring names the play whose seats are not `seats`."""
    by_board: dict[int, list[TravellerRow[K]]] = defaultdict(list)
    for play in plays:
        for name, column in (("contestants", play.contestants), ("entries", play.entries)):
            if len(column) != seats:
                constraint = Phrase(
                    "board {board}, table {table}: there are {seats} seats, and {count} were given",
                    board=play.board,
                    table=play.table,
                    seats=seats,
                    count=len(column),
                )
                raise BadScoring(name, constraint)
        by_board[play.board].append(play)
    return tuple(
        Traveller(
            number,
            [play.table for play in played],
            [play.round for play in played],
            tuple([play.contestants[seat] for play in played] for seat in range(seats)),
            tuple([play.entries[seat] for play in played] for seat in range(seats)),
            None if len({play.deal for play in played}) == 1 else [play.deal for play in played],
        )
        for number, played in sorted(by_board.items())
    )


class Recap(Generic[K]):
    """The recap of a session: its travellers, compared line by line. It is a value: nothing here changes.

    `sides`: the seats that score together, counted from 1, as a game has them: ((1,), (2,), (3,)), or
    ((1, 3), (2, 4)). `plays`: how often each board is to be played, by default as often as the board that was
    played most. BadScoring for a seat that does not exist, for a board with more plays, and for a contestant
    twice on a board; `again`: that may be, as it comes about where a table has taken the wrong boards.
    """

    def __init__(
        self,
        boards: Iterable[Traveller[K]],
        *,
        sides: Sequence[Sequence[int]],
        comparison: Comparison,
        plays: int | None = None,
        again: bool = False,
    ) -> None:
        self.again = again
        self.sides = tuple(tuple(side) for side in sides)
        seats = sorted(seat for side in self.sides for seat in side)
        if seats != list(range(1, len(seats) + 1)):
            raise BadScoring("sides", Phrase("must name each seat once, from 1 on"))
        self.boards: dict[int, Traveller[K]] = {}
        for board in boards:
            if self.boards.setdefault(board.number, board) is not board:
                raise BadScoring("boards", Phrase("board {board} appears twice", board=board.number))
        self.comparison = comparison
        self.plays = (
            max((len(board.tables) for board in self.boards.values()), default=0) if plays is None else plays
        )
        self._rows: dict[K, tuple[ScorecardRow[K], ...]] = {}
        self.lines: dict[tuple[int, tuple[int, ...]], ComparedLine[K]] = {
            (board.number, side): line
            for board in self.boards.values()
            for side, line in zip(self.sides, self._lines(board), strict=True)
        }

    def _lines(self, board: Traveller[K]) -> list[ComparedLine[K]]:
        """The lines of a board, by side."""
        self._check_columns(board)
        lines = [
            ComparedLine.of(
                self.comparison,
                tables=board.tables,
                contestants=[board.contestants[seat - 1] for seat in side],
                entries=[board.entries[seat - 1] for seat in side],
                deals=board.deals,
                plays=self.plays,
            )
            for side in self.sides
        ]
        if self.again:
            return lines
        seated = [column for line in lines for column in line.winners]
        empty = sum(column.count(None) for column in seated)
        if len(set().union(*seated) - {None}) + empty < len(seated) * len(board.tables):
            twice = _twice(k for column in seated for k in column if k is not None)
            constraint = Phrase(
                "board {board}: {contestant} plays it twice", board=board.number, contestant=twice
            )
            raise BadScoring("contestants", constraint)
        return lines

    def _check_columns(self, board: Traveller[K]) -> None:
        seats = sum(len(side) for side in self.sides)
        place = {"board": board.number}
        for name, columns in (("contestants", board.contestants), ("entries", board.entries)):
            if len(columns) != seats:
                constraint = Phrase(
                    "board {board}: there are {seats} seats, not {count}",
                    seats=seats,
                    count=len(columns),
                    **place,
                )
                raise BadScoring(name, constraint)
            if any(len(column) != len(board.tables) for column in columns):
                constraint = Phrase(
                    "board {board}: each seat needs one for each of its {count} tables",
                    count=len(board.tables),
                    **place,
                )
                raise BadScoring(name, constraint)
        if len(set(board.tables)) < len(board.tables):
            constraint = Phrase(
                "board {board}: table {table} appears twice", table=_twice(board.tables), **place
            )
            raise BadScoring("tables", constraint)

    def awards(self, number: int) -> tuple[tuple[Award | None, ...], ...]:
        """The awards of a board, by seat and then by play."""
        by_seat = {
            seat: tuple(self.lines[number, side].column(at, lambda award: award))
            for side in self.sides
            for at, seat in enumerate(side)
        }
        return tuple(by_seat[seat] for seat in sorted(by_seat))

    @cached_property
    def standings(self) -> Standings[K]:
        """What is added up, ready for the results that are still to come."""
        return Standings(self.lines)

    @property
    def totals(self) -> Totals[K]:
        """What each contestant has won, wherever it sat. Those who have not played yet are not there."""
        return self.standings.totals

    def totals_of(self, side: Sequence[int]) -> Totals[K]:
        """What was won at the seats of one side, for a ranking of each line. BadScoring for another side."""
        seats = tuple(side)
        if seats not in self.sides:
            known = ", ".join("+".join(map(str, one)) for one in self.sides)
            value = "+".join(map(str, side))
            raise BadScoring("side", Phrase("must be one of: {known}, not {value}", known=known, value=value))
        return Standings({number: self.lines[number, seats] for number in self.boards}).totals

    def scorecard(self, contestant: K) -> tuple[ScorecardRow[K], ...]:
        """The boards that a contestant's total comes from, in the order of their rounds. Only those of the
        contestants who are asked for are made."""
        if contestant not in self._rows:
            rows = (self._row(contestant, number, at) for number, at in self._plays.get(contestant, ()))
            self._rows[contestant] = tuple(sorted(rows, key=lambda row: (row.round, row.board)))
        return self._rows[contestant]

    @cached_property
    def _plays(self) -> Mapping[K, list[tuple[int, int]]]:
        """By contestant: (board, which of its plays)."""
        plays: dict[K, list[tuple[int, int]]] = defaultdict(list)
        for (number, _), line in self.lines.items():
            for column in line.winners:
                for at, contestant in enumerate(column):
                    if contestant is not None:
                        plays[contestant].append((number, at))
        return plays

    def _row(self, contestant: K, number: int, at: int) -> ScorecardRow[K]:
        board = self.boards[number]
        seats = tuple(seat for seat, column in enumerate(board.contestants, 1) if column[at] == contestant)
        (side,) = (side for side in self.sides if seats[0] in side)
        opposite = [
            board.contestants[seat - 1][at] for other in sorted(set(self.sides) - {side}) for seat in other
        ]
        return ScorecardRow(
            number,
            board.rounds[at],
            board.tables[at],
            seats,
            tuple(dict.fromkeys(k for k in opposite if k is not None)),
            board.entries[seats[0] - 1][at],
            self.lines[number, side].award_at(at, side.index(seats[0])),
        )


def total_of_scorecard(rows: Iterable[ScorecardRow[K]]) -> Total:
    """The total that the rows of a scorecard add up to."""
    return sums(("", total_of(row.award)) for row in rows if row.award is not None).get("", Total())


def _twice(values: Iterable[Hashable]) -> Hashable:
    """The first value that appears a second time."""
    seen: set[Hashable] = set()
    for value in values:
        if value in seen:
            return value
        seen.add(value)
    raise LookupError
