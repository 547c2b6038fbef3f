"""Sessions: all plays of all boards, who sat where, and what each won.

A board is kept in columns, since a session may have a hundred tables or thirty thousand.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Generic, TypeVar

from engines.phrases import Phrase

from .entries import Entry
from .errors import BadScoring
from .lines import Award, Comparison, awards
from .totals import Column, Total, summed, tally, total_of

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Play(Generic[K]):
    """One board at one table. By seat: who sat there (None: nobody) and what came of it; the seats of a side
    have the side's score. `deal`: what was really dealt, where a board was fouled."""

    board: int
    table: Hashable
    contestants: tuple[K | None, ...]
    entries: tuple[Entry, ...]
    round: int = 1
    deal: Hashable = None


@dataclass(frozen=True, slots=True)
class Board(Generic[K]):
    """All plays of one board. `tables`, `rounds`, `deals`: by play; `contestants`, `entries`: by seat, then
    by play. `deals` is None where all tables had the same cards."""

    number: int
    tables: Sequence[Hashable]
    rounds: Sequence[int]
    contestants: tuple[Sequence[K | None], ...]
    entries: tuple[Sequence[Entry], ...]
    deals: Sequence[Hashable] | None = None


@dataclass(frozen=True, slots=True)
class Part(Generic[K]):
    """What one contestant did on one board: where it sat, against whom, and what that was worth. Partners,
    who share its side, are not among its `opponents`."""

    board: int
    round: int
    table: Hashable
    seats: tuple[int, ...]
    opponents: tuple[K, ...]
    entry: Entry
    award: Award | None


def boards_of(plays: Iterable[Play[K]], *, seats: int) -> tuple[Board[K], ...]:
    """The boards by number. BadScoring names the play whose seats are not `seats`."""
    by_board: dict[int, list[Play[K]]] = defaultdict(list)
    for play in plays:
        for name, column in (("contestants", play.contestants), ("entries", play.entries)):
            if len(column) != seats:
                told = {"board": play.board, "table": play.table, "seats": seats, "count": len(column)}
                wanted = Phrase(
                    "board {board}, table {table}: there are {seats} seats, and {count} were given", **told
                )
                raise BadScoring(name, wanted)
        by_board[play.board].append(play)
    return tuple(
        Board(
            number,
            [play.table for play in played],
            [play.round for play in played],
            tuple([play.contestants[seat] for play in played] for seat in range(seats)),
            tuple([play.entries[seat] for play in played] for seat in range(seats)),
            None if len({play.deal for play in played}) == 1 else [play.deal for play in played],
        )
        for number, played in sorted(by_board.items())
    )


class Session(Generic[K]):
    """The boards of a session compared, line by line. Nothing here changes once it is made.

    `sides`: the seats that score together, counted from 1, as a game has them: ((1,), (2,), (3,)), or
    ((1, 3), (2, 4)). `plays`: how often a board is to be played, by default as often as the board that was
    played most. BadScoring for a contestant twice on a board, for a seat that there is not, and for more
    plays than were to be.
    """

    def __init__(
        self,
        boards: Iterable[Board[K]],
        *,
        sides: Sequence[Sequence[int]],
        comparison: Comparison,
        plays: int | None = None,
    ) -> None:
        self.sides = tuple(tuple(side) for side in sides)
        seats = sorted(seat for side in self.sides for seat in side)
        if seats != list(range(1, len(seats) + 1)):
            raise BadScoring("sides", Phrase("must name each seat from 1 on once"))
        self.boards: dict[int, Board[K]] = {}
        for board in boards:
            if self.boards.setdefault(board.number, board) is not board:
                raise BadScoring("boards", Phrase("board {board} appears twice", board=board.number))
        self.comparison = comparison
        self.plays = (
            max((len(board.tables) for board in self.boards.values()), default=0) if plays is None else plays
        )
        self._awards = {number: self._compared(board) for number, board in self.boards.items()}

    def corrected(self, board: Board[K]) -> "Session[K]":
        """The session with this board in place of the one of its number. Only the lines that differ are
        compared again, and only the contestants whose awards change are added up again."""
        new: Session[K] = Session((), sides=self.sides, comparison=self.comparison, plays=self.plays)
        new.boards = self.boards | {board.number: board}
        new._awards = self._awards | {board.number: new._compared(board, self)}
        if "totals" in self.__dict__:
            new.__dict__["totals"] = self._added_up_again(new, board.number)
        return new

    def _added_up_again(self, new: "Session[K]", number: int) -> dict[K, Total]:
        before: list[Column[K]] = []
        after: list[Column[K]] = []
        earlier = list(self._columns(self.sides, [number])) if number in self.boards else []
        for old, now in zip_longest(earlier, new._columns(self.sides, [number]), fillvalue=((), ())):
            if old[0] != now[0]:
                before.append(old)
                after.append(now)
            elif old[1] is not now[1]:
                changed = [
                    i for i, (was, award) in enumerate(zip(old[1], now[1], strict=True)) if was != award
                ]
                before.append(([old[0][i] for i in changed], [old[1][i] for i in changed]))
                after.append(([now[0][i] for i in changed], [now[1][i] for i in changed]))
        gone, come, nothing = tally(before), tally(after), Total()
        totals = dict(self.totals)
        for contestant in gone.keys() | come.keys():
            total = totals.get(contestant, nothing)
            totals[contestant] = total.in_place_of(
                come.get(contestant, nothing), gone.get(contestant, nothing)
            )
        return {k: total for k, total in totals.items() if total.boards}

    def _compared(
        self, board: Board[K], known: "Session[K] | None" = None
    ) -> tuple[tuple[Award | None, ...], ...]:
        """The awards of a board, by seat and then by play; a line that a session knows already is not
        compared again."""
        self._check(board)
        like = known.boards.get(board.number) if known is not None else None
        by_seat: dict[int, tuple[Award | None, ...]] = {}
        for side in self.sides:
            columns = [board.entries[seat - 1] for seat in side]
            if (
                like is not None
                and known is not None
                and board.deals == like.deals
                and columns == [like.entries[seat - 1] for seat in side]
            ):
                by_seat |= {seat: known.awards(board.number)[seat - 1] for seat in side}
                continue
            line = awards(columns[0], self.comparison, plays=self.plays, deals=board.deals)
            for seat, entries in zip(side, columns, strict=True):
                same = entries is columns[0] or entries == columns[0]
                by_seat[seat] = line if same else self._split(board, columns[0], entries)
        return tuple(by_seat[seat] for seat in sorted(by_seat))

    def _split(
        self, board: Board[K], line: Sequence[Entry], entries: Sequence[Entry]
    ) -> tuple[Award | None, ...]:
        """What the entries of a seat are worth where a ruling has parted them from those of its side: each
        stands in the line of its side, in the place of its side's own."""
        deals = board.deals or [None] * len(line)
        found: list[Award | None] = []
        known = awards(line, self.comparison, plays=self.plays, deals=board.deals)
        for at, entry in enumerate(entries):
            if entry == line[at]:
                found.append(known[at])
            else:
                other = [*line[:at], entry, *line[at + 1 :]]
                found.append(awards(other, self.comparison, plays=self.plays, deals=deals)[at])
        return tuple(found)

    def _check(self, board: Board[K]) -> None:
        seats = sum(len(side) for side in self.sides)
        place = {"board": board.number}
        for name, columns in (("contestants", board.contestants), ("entries", board.entries)):
            if len(columns) != seats:
                wanted = Phrase(
                    "board {board}: there are {seats} seats, not {count}",
                    seats=seats,
                    count=len(columns),
                    **place,
                )
                raise BadScoring(name, wanted)
            if any(len(column) != len(board.tables) for column in columns):
                wanted = Phrase(
                    "board {board}: each seat needs one for each of its {count} tables",
                    count=len(board.tables),
                    **place,
                )
                raise BadScoring(name, wanted)
        if len(set(board.tables)) < len(board.tables):
            table = _twice(board.tables)
            raise BadScoring(
                "tables", Phrase("board {board}: table {table} appears twice", table=table, **place)
            )
        seated = [
            contestant for column in self._seated(board) for contestant in column if contestant is not None
        ]
        if len(set(seated)) < len(seated):
            wanted = Phrase("board {board}: {contestant} plays it twice", contestant=_twice(seated), **place)
            raise BadScoring("contestants", wanted)

    def _seated(
        self, board: Board[K], sides: Sequence[Sequence[int]] | None = None
    ) -> Iterator[Sequence[K | None]]:
        """The contestants by seat; a pair that holds several seats of its side is in the first one only."""
        for side in self.sides if sides is None else sides:
            columns = [board.contestants[seat - 1] for seat in side]
            for at, column in enumerate(columns):
                if not at:
                    yield column
                else:
                    yield [
                        None if any(other[i] == contestant for other in columns[:at]) else contestant
                        for i, contestant in enumerate(column)
                    ]

    def awards(self, number: int) -> tuple[tuple[Award | None, ...], ...]:
        """The awards of a board, by seat and then by play."""
        return self._awards[number]

    @cached_property
    def totals(self) -> Mapping[K, Total]:
        """What each contestant has won, wherever it sat. Who has not played any board is not there."""
        return tally(self._columns(self.sides, self.boards))

    def totals_of(self, side: Sequence[int]) -> Mapping[K, Total]:
        """What was won at the seats of one side: for one ranking per line. BadScoring for no side."""
        if tuple(side) not in self.sides:
            known = ", ".join("+".join(map(str, one)) for one in self.sides)
            given = "+".join(map(str, side))
            raise BadScoring("side", Phrase("must be one of: {known}, not {value}", known=known, value=given))
        return tally(self._columns([side], self.boards))

    def _columns(self, sides: Sequence[Sequence[int]], numbers: Iterable[int]) -> Iterator[Column[K]]:
        seats = [seat for side in sides for seat in side]
        for number in numbers:
            for seat, contestants in zip(seats, self._seated(self.boards[number], sides), strict=True):
                yield contestants, self._awards[number][seat - 1]

    def parts(self, contestant: K) -> tuple[Part[K], ...]:
        """The boards that a contestant's total comes from, in the order of their rounds."""
        return self._parts.get(contestant, ())

    @cached_property
    def _parts(self) -> Mapping[K, tuple[Part[K], ...]]:
        found: dict[K, list[Part[K]]] = defaultdict(list)
        side_of = {seat: side for side in self.sides for seat in side}
        for number, board in self.boards.items():
            for at, table in enumerate(board.tables):
                seated: dict[K, list[int]] = defaultdict(list)
                for seat, column in enumerate(board.contestants, 1):
                    contestant = column[at]
                    if contestant is not None:
                        seated[contestant].append(seat)
                for contestant, seats in seated.items():
                    found[contestant].append(
                        Part(
                            number,
                            board.rounds[at],
                            table,
                            tuple(seats),
                            tuple(k for k, their in seated.items() if side_of[their[0]] != side_of[seats[0]]),
                            board.entries[seats[0] - 1][at],
                            self._awards[number][seats[0] - 1][at],
                        )
                    )
        return {
            k: tuple(sorted(parts, key=lambda part: (part.round, part.board))) for k, parts in found.items()
        }


def explained(parts: Iterable[Part[K]]) -> Total:
    """The total that parts add up to."""
    return summed(("", total_of(part.award)) for part in parts if part.award is not None).get("", Total())


def _twice(values: Iterable[Hashable]) -> Hashable:
    """The first value that comes a second time."""
    seen: set[Hashable] = set()
    for value in values:
        if value in seen:
            return value
        seen.add(value)
    raise LookupError
