"""Movements in files: who sits where with which boards, a row for each seat. Read with every slip at once,
and written as they are read."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from engines import sheets
from engines.phrases import Phrase, brief

from ..models.people import fold
from ..movements import Movement, Sitting
from . import spreadsheets
from .file_slips import Slip, refused

FILE = "file"
"""In place of the family of a movement: it is read from a file."""
COLUMNS = ("round", "table", "seat", "contestant", "boards")
SECTION = "section"
FRENCH = {"tour": "round", "place": "seat", "concurrent": "contestant", "étuis": "boards"}
ROWS_AT_MOST, BYTES_AT_MOST = 40_000, 1_000_000
SLIPS_AT_MOST = 500  # that are told
MOST = {"round": 400, "table": 1_000, "seat": 20, "contestant": 1_000}
BOARDS_A_ROUND, BOARDS_AT_MOST = 30, 999
SPAN = re.compile(r"(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?")


class SeatRow(NamedTuple):
    """A row of a file: somebody in a seat. `boards` is empty where another row of the table has them."""

    line: int
    round: int
    table: int
    seat: int
    contestant: int
    boards: tuple[int, ...]


def text_of(content: bytes) -> str:
    """The text of a file: CSV as any spreadsheet saves it, or a workbook. Invalid: it is too large, or
    neither."""
    return spreadsheets.text_of(content, bytes_at_most=BYTES_AT_MOST, rows_at_most=ROWS_AT_MOST)


def title(column: str, language: str) -> str:
    """What a column is called in a language.

    >>> title("boards", "fr"), title("table", "fr"), title("boards", "en")
    ('étuis', 'table', 'boards')
    """
    words = {name: french for french, name in FRENCH.items()} if language == "fr" else {}
    return words.get(column, column)


def read(text: str, *, sizes: Sequence[int], contestants: int, boards: int = BOARDS_AT_MOST) -> Movement:
    """The movement that a file describes. `sizes`: how many contestants may sit at a table; `boards`: how
    many there may be. Invalid carries every slip: nobody sits twice in a round, every seat is taken, and
    nobody holds a board twice. The time grows with the rows and their boards."""
    rows, slips = _rows(text, contestants)
    if not slips:
        slips = list(islice(_between(rows, sizes, contestants), SLIPS_AT_MOST))
        slips += [
            Slip(row.line, "boards", Phrase("a session has at most {most} boards", most=boards))
            for row in rows
            if max(row.boards, default=0) > boards
        ][:SLIPS_AT_MOST]
    if slips:
        raise refused(sorted(set(slips), key=lambda slip: (slip.line, slip.column)))
    return Movement(FILE, tuple(sorted(_sittings(rows), key=lambda one: (one.round, one.table, one.board))))


def rows_of(movement: Iterable[Sitting]) -> list[list[str | int]]:
    """The rows of a movement, without their header: as `read` takes them."""
    tables: dict[tuple[int, int], list[Sitting]] = defaultdict(list)
    for sitting in movement:
        tables[sitting.round, sitting.table].append(sitting)
    return [
        [number, table, seat, contestant, " ".join(str(one.board) for one in held)]
        for (number, table), together in sorted(tables.items())
        for seated, held in _alike(together)
        for seat, contestant in enumerate(seated, 1)
    ]


def _alike(sittings: Sequence[Sitting]) -> Iterator[tuple[tuple[int, ...], list[Sitting]]]:
    """The sittings of one table and round by who sits in which seat: it may change from board to board."""
    found: dict[tuple[int, ...], list[Sitting]] = {}
    for one in sorted(sittings, key=lambda one: one.board):
        found.setdefault(one.contestants, []).append(one)
    yield from found.items()


# ── Rows by themselves ────────────────────────────────────────────────────────────────────────────


def _rows(text: str, contestants: int) -> tuple[list[SeatRow], list[Slip]]:
    lines = list(spreadsheets.checked_rows(text, rows_at_most=ROWS_AT_MOST))
    header = [_column(cell) for cell in (lines[0][1] if lines else [])]
    slips = list(_header_slips(header))
    if slips:
        return [], slips
    rows: list[SeatRow] = []
    sections: set[str] = set()
    for line, given in lines[1:]:
        if len(slips) >= SLIPS_AT_MOST:
            break
        cells = {name: spreadsheets.plain(cell) for name, cell in zip(header, given, strict=False)}
        sections.add(cells.get(SECTION, ""))
        own = list(_cell_slips(line, cells, contestants))
        slips += own
        if not own:
            number, table, seat, contestant = (sheets.whole(cells[name]) or 0 for name in COLUMNS[:4])
            boards = boards_of(cells.get("boards", "")) or ()
            rows.append(SeatRow(line, number, table, seat, contestant, boards))
    if len(sections) > 1:
        slips.append(Slip(1, SECTION, Phrase("a file is the movement of one section")))
    if not rows and not slips:
        slips.append(Slip(1, "", Phrase("the file has no rows")))
    return rows, slips


def _column(cell: str) -> str:
    word = fold(cell)
    by_word = {fold(name): name for name in (*COLUMNS, SECTION)}
    by_word |= {fold(french): name for french, name in FRENCH.items()}
    return by_word.get(word, cell.strip())


def _header_slips(header: Sequence[str]) -> Iterator[Slip]:
    for name in COLUMNS:
        if name not in header:
            yield Slip(1, name, Phrase("this column is missing"))
    known = (*COLUMNS, SECTION)
    for name in dict.fromkeys(header):
        if name not in known:
            yield Slip(
                1, brief(name), Phrase("unknown column; the columns are: {known}", known=", ".join(known))
            )
        elif header.count(name) > 1:
            yield Slip(1, brief(name), Phrase("this column appears twice"))


def _cell_slips(line: int, cells: Mapping[str, str], contestants: int) -> Iterator[Slip]:
    most = MOST | {"contestant": min(contestants, MOST["contestant"])}
    for name, limit in most.items():
        number = sheets.whole(cells.get(name, ""))
        if number is None or not 1 <= number <= limit:
            reason = Phrase(
                "“{text}” is not a whole number from 1 to {most}", text=brief(cells.get(name, "")), most=limit
            )
            yield Slip(line, name, reason)
    text = cells.get("boards", "")
    if text and boards_of(text) is None:
        reason = Phrase("“{text}” does not name boards: write them with blanks, as 1 2 3", text=brief(text))
        yield Slip(line, "boards", reason)


def boards_of(text: str) -> tuple[int, ...] | None:
    """The boards that a cell names, in their order; None where it names none, or too many.

    >>> boards_of("1 2 3"), boards_of("4–6"), boards_of("7, 9"), boards_of("10"), boards_of("2026-01-03")
    ((1, 2, 3), (4, 5, 6), (7, 9), (10,), None)
    """
    found: set[int] = set()
    for word in re.sub(r"\s*[-–]\s*", "-", text).replace(",", " ").replace(";", " ").split():
        match = SPAN.fullmatch(word)
        if match is None:
            return None
        first, last = int(match[1]), int(match[2] or match[1])
        if not 1 <= first <= last <= min(BOARDS_AT_MOST, first + BOARDS_A_ROUND - 1):
            return None
        found.update(range(first, last + 1))
    return tuple(sorted(found)) if 1 <= len(found) <= BOARDS_A_ROUND else None


# ── Rows together ─────────────────────────────────────────────────────────────────────────────────

Part = list[SeatRow]
"""Who sits at a table in a round while it plays some of its boards."""


def _parts(rows: Sequence[SeatRow]) -> dict[tuple[int, int], list[Part]]:
    """By round and table: the rows of each group of boards, as seats may change between them. Rows that name
    no boards belong to the only one."""
    tables: dict[tuple[int, int], dict[tuple[int, ...], Part]] = defaultdict(dict)
    for row in rows:
        tables[row.round, row.table].setdefault(row.boards, []).append(row)
    found: dict[tuple[int, int], list[Part]] = {}
    for place, parts in tables.items():
        unnamed = parts.get((), [])
        named = [part for boards, part in parts.items() if boards]
        if unnamed and len(named) == 1:
            named = [sorted([*named[0], *unnamed], key=lambda row: row.line)]
        elif unnamed:
            named.append(unnamed)
        found[place] = named
    return found


def _boards(part: Part) -> tuple[int, ...]:
    return next((row.boards for row in part if row.boards), ())


def _between(rows: Sequence[SeatRow], sizes: Sequence[int], contestants: int) -> Iterator[Slip]:
    """What only shows between the rows, each of which is good by itself."""
    parts = _parts(rows)
    yield from _table_slips(rows, parts, sizes)
    yield from _round_slips(rows)
    yield from _board_slips(parts)
    for name, numbers, most in (
        ("round", {row.round for row in rows}, 0),
        ("boards", {board for row in rows for board in row.boards}, 0),
        ("contestant", {row.contestant for row in rows}, contestants),
    ):
        for number in sorted(set(range(1, max(most, *numbers, 1) + 1)) - numbers)[:10]:
            yield Slip(1, name, Phrase("{number} is missing: they are numbered from 1", number=number))


def _table_slips(
    rows: Sequence[SeatRow], parts: Mapping[tuple[int, int], list[Part]], sizes: Sequence[int]
) -> Iterator[Slip]:
    """Every seat of a table is taken, by one contestant, and its boards are named."""
    highest = max(row.seat for row in rows)
    size = min((one for one in sizes if one >= highest), default=None)
    if size is None:
        known = ", ".join(map(str, dict.fromkeys(sizes)))
        for row in rows:
            if row.seat > max(sizes):
                reason = Phrase("{known} contestants sit at a table of this game", known=known)
                yield Slip(row.line, "seat", reason)
        return
    for (number, table), some in parts.items():
        for part in some:
            first: dict[int, SeatRow] = {}
            for row in part:
                if (earlier := first.setdefault(row.seat, row)) is not row:
                    yield Slip(row.line, "seat", Phrase("this seat is on line {line}", line=earlier.line))
            if not _boards(part):
                yield Slip(part[0].line, "boards", Phrase("no row of this table names its boards"))
            for seat in sorted(set(range(1, size + 1)) - first.keys()):
                reason = Phrase(
                    "nobody sits in seat {seat} of table {table} in round {round}",
                    seat=seat,
                    table=table,
                    round=number,
                )
                yield Slip(part[-1].line, "seat", reason)


def _round_slips(rows: Sequence[SeatRow]) -> Iterator[Slip]:
    """Nobody sits at two tables in a round."""
    at: dict[tuple[int, int], SeatRow] = {}
    for row in rows:
        other = at.setdefault((row.round, row.contestant), row)
        if other.table != row.table:
            reason = Phrase(
                "contestant {contestant} sits at table {table} in this round, on line {line}",
                contestant=row.contestant,
                table=other.table,
                line=other.line,
            )
            yield Slip(row.line, "contestant", reason)


def _board_slips(parts: Mapping[tuple[int, int], list[Part]]) -> Iterator[Slip]:
    """Nobody holds a board twice, and no table plays one twice."""
    held: dict[tuple[int, int], SeatRow] = {}
    played: dict[tuple[int, int], SeatRow] = {}
    for (_number, table), some in sorted(parts.items()):
        for part in some:
            for board in _boards(part):
                earlier = played.setdefault((table, board), part[0])
                if earlier is not part[0]:
                    reason = Phrase(
                        "board {board} has been played here, on line {line}", board=board, line=earlier.line
                    )
                    yield Slip(part[0].line, "boards", reason)
                for row in part:
                    other = held.setdefault((row.contestant, board), row)
                    if other is not row and (other.round, other.table) != (row.round, row.table):
                        reason = Phrase(
                            "contestant {contestant} has held board {board}, on line {line}",
                            contestant=row.contestant,
                            board=board,
                            line=other.line,
                        )
                        yield Slip(row.line, "contestant", reason)
                    elif other is not row:
                        yield Slip(
                            row.line,
                            "contestant",
                            Phrase("this contestant sits here on line {line}", line=other.line),
                        )


def _sittings(rows: Sequence[SeatRow]) -> Iterator[Sitting]:
    for (number, table), some in _parts(rows).items():
        for part in some:
            seated = tuple(row.contestant for row in sorted(part, key=lambda row: row.seat))
            for board in _boards(part):
                yield Sitting(number, table, board, seated)
