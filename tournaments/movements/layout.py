"""A movement as a value, and the check that it is one."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from engines.dealing import canonical
from engines.errors import EngineError
from engines.phrases import Phrase


class BadMovement(EngineError):
    """No such movement, or one that cannot be played; says what would be possible."""

    def __init__(self, reason: Phrase) -> None:
        super().__init__(reason)
        self.reason = reason

    def phrase(self) -> Phrase:
        return self.reason

    def facts(self, language: str = "en") -> dict[str, str]:
        return {"reason": self.reason.to(language)}


@dataclass(frozen=True, slots=True)
class Sitting:
    """One board at one table in one round; `contestants` by seat (by side, where sides are compared). All
    numbers count from 1."""

    round: int
    table: int
    board: int
    contestants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Movement:
    """`shared`: two tables may pass one copy of a board between them in a round, if it has several. `sealed`:
    how many boards there are for all rounds, where some of these are laid out later."""

    name: str
    sittings: tuple[Sitting, ...]
    shared: bool = False
    sealed: int = 0

    @property
    def rounds(self) -> int:
        return max(sitting.round for sitting in self.sittings)

    @property
    def tables(self) -> int:
        return max(sitting.table for sitting in self.sittings)

    @property
    def boards(self) -> int:
        return max(self.sealed, *(sitting.board for sitting in self.sittings))

    @property
    def contestants(self) -> int:
        return max(max(sitting.contestants) for sitting in self.sittings)

    @property
    def plays(self) -> int:
        """At how many tables a board is played over all rounds, at most."""
        return max(Counter(sitting.board for sitting in self.sittings).values())

    @property
    def copies(self) -> int:
        """How many copies of a board are in play in one round, at most."""
        return copies_of(self.places, shared=self.shared)

    @property
    def is_single(self) -> bool:
        """Whether one copy of each board is enough, so that a table can shuffle it for all."""
        return not at_once(self.places)

    @property
    def places(self) -> list["BoardPlace"]:
        """Where each board is in each round."""
        return [(sitting.round, sitting.table, sitting.board) for sitting in self.sittings]

    @property
    def digest(self) -> str:
        """SHA-256 of who sits where with which board; the same for the same movement, whatever its name."""
        rows = sorted((s.round, s.table, s.board, *s.contestants) for s in self.sittings)
        return sha256(canonical(rows)).hexdigest()

    def first(self, rounds: int) -> "Movement":
        """The movement as far as the end of a round."""
        return replace(self, sittings=tuple(s for s in self.sittings if s.round <= rounds))


BoardPlace = tuple[int, Hashable, int]
"""In which round, at which table, which board."""


def copies_of(places: Iterable[BoardPlace], *, shared: bool) -> int:
    """How many copies of a board are in play in one round, at most. `shared`: two tables pass one between
    them; with a single board in the round one of them would wait."""
    tables, boards = _tables_and_boards(places)
    return max(
        (len(own) + 1) // 2 if shared and all(len(boards[number, one]) > 1 for one in own) else len(own)
        for (number, _board), own in tables.items()
    )


def at_once(places: Iterable[BoardPlace]) -> int:
    """At how many tables at once a board has to be, so that copies are needed; 0 where it is at one table at
    a time. Two tables that play the same boards in a round, two or more, begin with different ones and pass
    them to each other."""
    tables, boards = _tables_and_boards(places)
    return max(
        (
            len(own)
            for (number, _board), own in tables.items()
            if len(own) > 2
            or (
                len(own) == 2
                and (len(boards[number, own[0]]) < 2 or boards[number, own[0]] != boards[number, own[1]])
            )
        ),
        default=0,
    )


def copies_at(places: Iterable[BoardPlace], *, shared: bool) -> dict[BoardPlace, int]:
    """Which copy of its board each table has in a round, counted from 1 in the order of the tables, so that
    copies seldom move; nothing of boards of which one copy does, as where two tables pass it to each other.
    `shared`: as for `copies_of`."""
    tables, boards = _tables_and_boards(sorted(places, key=lambda one: (one[0], one[1])))
    found: dict[BoardPlace, int] = {}
    for (number, board), own in tables.items():
        sets = [boards[number, one] for one in own]
        passes = all(len(one) > 1 for one in sets) and (shared or (len(own) == 2 and sets[0] == sets[1]))
        if len(own) > (2 if passes else 1):
            found |= {(number, table, board): (at // 2 if passes else at) + 1 for at, table in enumerate(own)}
    return found


def first_tables(places: Iterable[BoardPlace]) -> dict[int, Hashable]:
    """For each board the table that plays it first, and so shuffles it; of two that pass boards to each other
    in a round, each begins with every other one."""
    tables, boards = _tables_and_boards(places)
    first: dict[int, Hashable] = {}
    for number, board in sorted(tables):
        own = tables[number, board]
        first.setdefault(board, own[sorted(boards[number, own[0]]).index(board) % len(own)])
    return first


def _tables_and_boards(
    places: Iterable[BoardPlace],
) -> tuple[dict[tuple[int, int], list[Any]], dict[tuple[int, Hashable], set[int]]]:
    """The tables of each board in a round, and the boards of each table."""
    tables: dict[tuple[int, int], list[Any]] = defaultdict(list)
    boards: dict[tuple[int, Hashable], set[int]] = defaultdict(set)
    for number, table, board in sorted(places, key=lambda one: one[0]):
        tables[number, board].append(table)
        boards[number, table].add(board)
    return tables, boards


Table = tuple[Sequence[int], int]
"""Contestants by seat, counted from 0, and the number of their set of boards, counted from 0."""


def laid_out(
    name: str,
    rounds: Iterable[Sequence[Table]],
    boards_per_round: int,
    *,
    turning: bool = False,
    shared: bool = False,
) -> Movement:
    """The movement whose tables are given round by round. `turning`: everybody moves one seat on after each
    board."""
    sittings = []
    for number, tables in enumerate(rounds, 1):
        for table, (seated, board_set) in enumerate(tables, 1):
            for board in range(boards_per_round):
                steps = (number + board) % len(seated) if turning else 0
                by_seat = tuple(seated[(seat - steps) % len(seated)] + 1 for seat in range(len(seated)))
                sittings.append(Sitting(number, table, board_set * boards_per_round + board + 1, by_seat))
    return Movement(name, tuple(sittings), shared)


def meetings_again(movement: Movement) -> list[tuple[int, int]]:
    """Which contestants meet which boards more than once."""
    boards = Counter((c, sitting.board) for sitting in movement.sittings for c in sitting.contestants)
    return [pair for pair, count in boards.items() if count > 1]


def check(movement: Movement, *, copies: int | None = None, before: Movement | None = None) -> None:
    """BadMovement unless each contestant meets each board once at most, sits at one table a round and there
    in one seat, each table plays a board once, and no round needs more than `copies` of a board. `before`:
    the plan that it takes the place of; what somebody met twice there (a table had taken the wrong boards) is
    known, and no reason to refuse this one."""
    twice = meetings_again(movement)
    if new := [pair for pair in twice if before is None or pair not in meetings_again(before)]:
        contestant, board = new[0]
        raise BadMovement(
            Phrase("contestant {contestant} meets board {board} twice", contestant=contestant, board=board)
        )
    at_tables = Counter((sitting.table, sitting.board) for sitting in movement.sittings)
    for (table, board), times in at_tables.items():
        if times > 1:
            raise BadMovement(Phrase("table {table} plays board {board} twice", table=table, board=board))
    places: dict[tuple[int, int], int] = {}
    for sitting in movement.sittings:
        for contestant in sitting.contestants:
            table = places.setdefault((sitting.round, contestant), sitting.table)
            if table != sitting.table:
                raise BadMovement(
                    Phrase(
                        "contestant {contestant} sits at tables {first} and {second} in round {round}",
                        contestant=contestant,
                        first=table,
                        second=sitting.table,
                        round=sitting.round,
                    )
                )
    if copies is not None and movement.copies > copies:
        raise BadMovement(
            Phrase("needs {needed} copies of a board, not {copies}", needed=movement.copies, copies=copies)
        )
