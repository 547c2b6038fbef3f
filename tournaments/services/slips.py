"""Slips of the pen that only show between the rows of a club's file: who sits where twice, and which board
belongs to no round. The time grows with the rows."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engines.phrases import Phrase
from engines.records import Judgement

from .file_slips import Slip
from .paper_rulings import NONE, RowRulings


@dataclass(frozen=True, slots=True)
class Row:
    """One board at one table. `line` counts from 1, the header's; `contestants` by seat. `judgement`: of the
    result, None where something else was decided for every seat; `rulings`: what was decided."""

    line: int
    section: str
    round: int
    table: int
    board: int
    contestants: tuple[str, ...]
    judgement: Judgement | None
    rulings: RowRulings = NONE


def between(rows: Sequence[Row]) -> Iterator[Slip]:
    """The slips that only show between the rows, each of which is good by itself; of different plays."""
    yield from _seating_slips(rows)
    yield from _board_slips(rows)


def without_repeats(rows: Sequence[Row]) -> tuple[list[Row], list[Slip]]:
    """Each play once; a play that comes again is a slip of the later line."""
    first: dict[tuple[str, int, int], Row] = {}
    slips = []
    for row in rows:
        earlier = first.setdefault((row.section, row.table, row.board), row)
        if earlier is not row:
            reason = Phrase(
                "board {board} at table {section}{table} is already on line {line}",
                board=row.board,
                section=row.section,
                table=row.table,
                line=earlier.line,
            )
            slips.append(Slip(row.line, "board", reason))
    return list(first.values()), slips


def _seating_slips(rows: Sequence[Row]) -> Iterator[Slip]:
    """Nobody sits at two tables in one round, plays a board twice, or sits down for one board of a round."""
    at_table: dict[tuple[int, str], Row] = {}
    met: dict[tuple[int, str], Row] = {}
    together: dict[tuple[str, int, int], list[Row]] = defaultdict(list)
    for row in rows:
        together[row.section, row.round, row.table].append(row)
        for seat, name in enumerate(row.contestants, 1):
            other = at_table.setdefault((row.round, name), row)
            if (other.section, other.table) != (row.section, row.table):
                reason = Phrase(
                    "{name} sits at table {section}{table} in this round, on line {line}",
                    name=name,
                    section=other.section,
                    table=other.table,
                    line=other.line,
                )
                yield Slip(row.line, f"seat{seat}", reason)
                continue
            earlier = met.setdefault((row.board, name), row)
            if earlier is not row:
                reason = Phrase(
                    "{name} has already played this board, on line {line}", name=name, line=earlier.line
                )
                yield Slip(row.line, f"seat{seat}", reason)
    for group in together.values():
        counts = Counter(name for row in group for name in set(row.contestants))
        for row in group if len(group) > 2 else []:
            for seat, name in enumerate(row.contestants, 1):
                if counts[name] == 1 and max(counts.values()) > 1:
                    reason = Phrase(
                        "{name} is on no other row of this table's round: a slip in the name?", name=name
                    )
                    yield Slip(row.line, f"seat{seat}", reason)


Places = tuple[str, int, int]
"""Section, round and table."""
Programme = tuple[int, ...]
"""The boards that a table plays in a round, in order."""


def _board_slips(rows: Sequence[Row]) -> Iterator[Slip]:
    """A board that only one table played, where the other tables of the round played another, or others
    those of its round."""
    plays = Counter(row.board for row in rows)
    played: dict[Places, set[int]] = defaultdict(set)
    for row in rows:
        played[row.section, row.round, row.table].add(row.board)
    programmes = {place: tuple(sorted(boards)) for place, boards in played.items()}
    usual = _Usual(programmes)
    for row in rows:
        if plays[row.board] == 1:
            own = programmes[row.section, row.round, row.table]
            others = usual.of_round(row.round, own) if len(own) == 1 else usual.of_boards(own)
            if others is not None:
                reason = Phrase(
                    "board {board} belongs to no round: the others play {boards}",
                    board=row.board,
                    boards=", ".join(map(str, others)),
                )
                yield Slip(row.line, "board", reason)


class _Usual:
    """What most tables play. Of two programmes that are played as often, the one that comes first."""

    def __init__(self, programmes: dict[Places, Programme]) -> None:
        counts: dict[int, Counter[Programme]] = defaultdict(Counter)
        for (_section, number, _table), programme in programmes.items():
            counts[number][programme] += 1
        self.in_round = {number: _firsts(some.most_common(2)) for number, some in counts.items()}
        everywhere = _firsts(Counter(programmes.values()).most_common())
        self.place = {programme: place for place, programme in enumerate(everywhere)}
        self.with_board: dict[int, list[Programme]] = defaultdict(list)
        for programme in everywhere:
            for board in programme:
                self.with_board[board].append(programme)

    def of_round(self, number: int, own: Programme) -> Programme | None:
        """What most others play in a round; `own` is played by one table."""
        return next((one for one in self.in_round[number] if one != own), None)

    def of_boards(self, own: Programme) -> Programme | None:
        """What most others play who play some of these boards, and another."""
        boards = set(own)
        others = [
            next((one for one in self.with_board[board] if not boards.issuperset(one)), None) for board in own
        ]
        return min((one for one in others if one is not None), key=self.place.__getitem__, default=None)


def _firsts(counts: Iterable[tuple[Programme, int]]) -> list[Programme]:
    return [programme for programme, _count in counts]
