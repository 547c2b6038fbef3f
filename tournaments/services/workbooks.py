"""The first sheet of a workbook, cell by cell. openpyxl reads what stands around it (the kinds of dates, the
texts that cells share); the sheet itself, which is all but the whole of a large file, is read here: the
library makes objects of each cell, which takes five times as long.

What it finds is what `openpyxl.load_workbook(…, read_only=True, data_only=True)` finds.
"""

from collections.abc import Iterator
from functools import lru_cache
from io import BytesIO
from typing import Any
from xml.parsers.expat import ParserCreate

PIECE = 1_000_000  # bytes: of a tag without an end expat reads again with each piece all that came before
DEEPEST = 50
ELEMENTS, ELEMENTS_A_ROW = 200_000, 150  # about 50 cells a row; what has more is no table, and takes its time
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
ROW, CELL, VALUE, INLINE, RUN, TEXT = (f"{MAIN}{name}" for name in ("row", "c", "v", "is", "r", "t"))
Cell = Any
"""A text, a number, yes or no, a date, a time, a span; None for an empty one."""


def rows_of(content: bytes, *, rows_at_most: int, columns_at_most: int) -> Iterator[list[Cell]]:
    """The rows of the first sheet, from the first on, each without the empty cells at its end: texts,
    numbers, yes and no, dates, and what formulas had come to. What lies beyond the limits is left out.
    Whatever the library, zipfile and expat raise, where this is no workbook; ValueError where it declares
    entities, or is far wider than a table. The time grows with the file, the memory with its texts."""
    # Not before somebody brings one: it takes a while.
    from openpyxl.reader.excel import ExcelReader
    from openpyxl.styles.stylesheet import apply_stylesheet

    reader = ExcelReader(BytesIO(content), read_only=True, data_only=True)
    reader.read_manifest()
    reader.shared_strings = _shared_strings(reader)
    reader.read_workbook()
    apply_stylesheet(reader.archive, reader.wb)
    sheet = _Sheet(_Values(reader.wb, reader.shared_strings), rows_at_most, columns_at_most)
    with reader.archive.open(_first_sheet(reader)) as part:
        while not sheet.is_over and (chunk := part.read(PIECE)):
            sheet.parser.Parse(chunk, False)
            yield from sheet.taken()
        if not sheet.is_over:
            sheet.parser.Parse(b"", True)


def _shared_strings(reader: Any) -> list[str]:
    """The texts that cells share; none where no cell has one."""
    from openpyxl.reader.strings import read_string_table
    from openpyxl.xml.constants import SHARED_STRINGS

    place = reader.package.find(SHARED_STRINGS)
    if place is None:
        return []
    with reader.archive.open(place.PartName[1:]) as part:
        strings: list[str] = read_string_table(_InPieces(part))
        return strings


class _InPieces:
    """A part of a workbook for a library that reads it in pieces of 16 kB: it gets larger ones."""

    def __init__(self, part: Any) -> None:
        self.part = part

    def read(self, _size: int = 0, /) -> bytes:
        return bytes(self.part.read(PIECE))


def _first_sheet(reader: Any) -> str:
    """Where its first sheet lies. The library's own sheets are not made: each is read once for its size, if
    it does not say that, however large it is."""
    for _sheet, place in reader.parser.find_sheets():
        if place.target in reader.valid_files and "chartsheet" not in place.Type:
            return str(place.target)
    raise ValueError("a workbook without a sheet")


class _Values:
    """What a cell holds, by its kind, its style and its text."""

    def __init__(self, book: Any, shared: list[str]) -> None:
        self.shared, self.epoch = shared, book.epoch
        self.dates: set[int] = book._date_formats
        self.spans: set[int] = book._timedelta_formats

    def of(self, kind: str, style: str, text: str) -> Cell:
        if kind == "s":
            return self.shared[int(text)]
        if kind == "n":
            return self._number(text, int(style))
        if kind == "b":
            return bool(int(text))
        if kind == "d":
            from openpyxl.utils.datetime import from_ISO8601

            return from_ISO8601(text)  # type: ignore[no-untyped-call]  # the library’s
        return text

    def _number(self, text: str, style: int) -> Cell:
        value = float(text) if "." in text or "E" in text or "e" in text else int(text)
        if style not in self.dates:
            return value
        from openpyxl.utils.datetime import from_excel

        try:
            return from_excel(value, self.epoch, timedelta=style in self.spans)
        except (OverflowError, ValueError):
            return "#VALUE!"  # as the library says


class _Sheet:
    """Takes in the XML of a sheet; its rows are there as soon as they are complete."""

    def __init__(self, values: _Values, rows_at_most: int, columns_at_most: int) -> None:
        self.values, self.rows_at_most, self.columns_at_most = values, rows_at_most, columns_at_most
        self.rows: list[list[Cell]] = []
        self.next_row = 1  # of those that are complete
        self.elements = 0
        self.row = self.column = 0
        self.is_over = False
        self.cells: dict[int, Cell] = {}
        self.kind, self.style = "n", "0"
        self.texts: list[str] = []  # the pieces of the cell’s value
        self.above: list[str] = []
        self.parser = ParserCreate(namespace_separator="}")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._refuse

    def taken(self) -> list[list[Cell]]:
        rows, self.rows = self.rows, []
        return rows

    def _refuse(self, *_declared: object) -> None:
        raise ValueError("a workbook declares no entities")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        above = self.above[-1] if self.above else ""
        self.above.append(name)
        self.elements += 1
        if len(self.above) > DEEPEST:
            raise ValueError("no sheet is as deep")
        if self.elements > ELEMENTS + ELEMENTS_A_ROW * self.next_row:
            raise ValueError("no sheet of results is as wide")
        if name == CELL:
            self._start_cell(attributes)
        elif self._is_text(name, above):
            self.parser.CharacterDataHandler = self.texts.append
        elif name == ROW:
            self.row = _whole(attributes["r"]) if "r" in attributes else self.row + 1
            self.column = 0
            self.cells = {}
            self.is_over = self.is_over or self.row > self.rows_at_most

    def _is_text(self, name: str, above: str) -> bool:
        """Whether an element holds the value of its cell, or a piece of it."""
        if self.kind != "inlineStr":
            return name == VALUE and above == CELL
        return name == TEXT and (above == INLINE or (above == RUN and self.above[-3] == INLINE))

    def _start_cell(self, attributes: dict[str, str]) -> None:
        at = attributes.get("r")
        self.column = self.column + 1 if at is None else _column(at.rstrip("0123456789"))
        self.kind, self.style = attributes.get("t", "n"), attributes.get("s", "0")
        self.texts = []

    def _end(self, name: str) -> None:
        self.above.pop()
        self.parser.CharacterDataHandler = None
        if name == CELL:
            if self.texts and self.column <= self.columns_at_most:
                self.cells[self.column] = self.values.of(self.kind, self.style, "".join(self.texts))
        elif name == ROW and self.next_row <= self.row <= self.rows_at_most:
            self.rows += ([] for _ in range(self.next_row, self.row))
            self.rows.append(_filled(self.cells))
            self.next_row = self.row + 1


def _filled(cells: dict[int, Cell]) -> list[Cell]:
    """The cells of a row, which are there by their columns from 1, up to the last one."""
    return [cells.get(column) for column in range(1, max(cells, default=0) + 1)]


def _whole(text: str) -> int:
    """The number of a row: some programs write 3.0."""
    return int(text) if text.isdecimal() else int(_exactly(float(text)))


def _exactly(number: float) -> float:
    if not number.is_integer():
        raise ValueError(number)
    return number


@lru_cache(maxsize=1_000)
def _column(letters: str) -> int:
    from openpyxl.utils import column_index_from_string

    return column_index_from_string(letters)
