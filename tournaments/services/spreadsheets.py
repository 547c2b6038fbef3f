"""Files that spreadsheets save and open: CSV in any of their encodings, and workbooks."""

import csv
import io
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from lzma import LZMAError
from typing import Any
from unicodedata import normalize
from xml.parsers.expat import ExpatError
from zipfile import BadZipFile, ZipFile

from django.utils.translation import gettext as _

from . import workbooks
from .errors import Invalid

UNPACKED_AT_MOST, COLUMNS_AT_MOST = 20_000_000, 100
CELL_AT_MOST = csv.field_size_limit()
DELIMITERS = (",", ";", "\t")
WORKBOOK = b"PK\x03\x04"
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for a formula, or for its beginning."""

UNREADABLE = (
    *(BadZipFile, zlib.error, LZMAError, EOFError, OSError, ExpatError),  # damaged
    *(RuntimeError, NotImplementedError),  # locked by a password, packed in another way
    *(ValueError, LookupError, OverflowError, TypeError, AttributeError, SyntaxError),  # no workbook
)
CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

# ── Reading ───────────────────────────────────────────────────────────────────────────────────────


def text_of(content: bytes, *, bytes_at_most: int, rows_at_most: int) -> str:
    """The text of a CSV file, or of the first sheet of a workbook as CSV. Invalid: it is too large, or
    neither. The memory that it takes grows with `bytes_at_most`, and what is packed is not unpacked beyond
    a limit."""
    if len(content) > bytes_at_most:
        raise Invalid("too-long", _("The file is too large."))
    text = _text_of_workbook(content, rows_at_most) if content.startswith(WORKBOOK) else decoded(content)
    if "\0" in text:
        raise Invalid("bad-file", _("The file cannot be read as text: save it as “CSV UTF-8”."))
    return text


def decoded(content: bytes) -> str:
    """The text of a file as any spreadsheet saves it: UTF-8 with or without its mark, Windows-1252, or
    UTF-16 with its mark. Invalid if it is none of these."""
    if content.startswith(WORKBOOK):
        raise Invalid("bad-file", _("This is a workbook, not a text file: save it as CSV."))
    encodings = ("utf-16",) if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            return normalize("NFC", content.decode(encoding)).replace("\r\n", "\n").replace("\r", "\n")
    raise Invalid("bad-file", _("The file cannot be read as text: save it as “CSV UTF-8”."))


def rows_of_text(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a spreadsheet's text that are not empty, each with the number of its line and without the
    empty cells at its end. csv.Error where it cannot be read."""
    lines = lines_of(text)
    for cells in lines:
        if own := without_empty_end(cells):
            yield lines.line_num, own


def checked_rows(text: str, *, rows_at_most: int) -> Iterator[tuple[int, list[str]]]:
    """The same of what somebody has brought. Invalid where it is too long or too wide, or cannot be read."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\n") > rows_at_most:
        raise Invalid("too-long", _("A file may have at most %(most)d rows.") % {"most": rows_at_most})
    try:
        for line, cells in rows_of_text(text):
            if len(cells) > COLUMNS_AT_MOST:
                message = _("A file may have at most %(most)d columns.") % {"most": COLUMNS_AT_MOST}
                raise Invalid("too-long", message)
            yield line, cells
    except csv.Error:
        raise long_cell() from None


def long_cell() -> Invalid:
    """What is wrong with rows that cannot be read: of what can be decoded nothing else is."""
    text = _("A cell has more than %(most)d characters: is a quotation mark in it not closed?")
    return Invalid("bad-file", text % {"most": CELL_AT_MOST})


def lines_of(text: str) -> Any:
    """A reader of the text, whose first line shows what is between the cells."""
    header, _newline, _rest = text.partition("\n")
    delimiter = max(DELIMITERS, key=header.count)
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)


def without_empty_end(cells: list[str]) -> list[str]:
    """A line's cells without the empty ones at its end: some spreadsheets add them, others drop them."""
    filled = [place for place, cell in enumerate(cells, 1) if cell.strip()]
    return cells[: filled[-1]] if filled else []


def _text_of_workbook(content: bytes, rows_at_most: int) -> str:
    """The first sheet of a workbook as CSV; what its formulas had come to, not the formulas."""
    unreadable = Invalid("bad-file", _("This workbook cannot be read: save it as CSV."))
    text = io.StringIO()
    written = csv.writer(text, lineterminator="\n")
    try:
        with ZipFile(io.BytesIO(content)) as parts:
            if sum(part.file_size for part in parts.infolist()) > UNPACKED_AT_MOST:
                raise Invalid("too-long", _("The file is too large."))
        for row in workbooks.rows_of(content, rows_at_most=rows_at_most + 2, columns_at_most=COLUMNS_AT_MOST):
            written.writerow([_text_of_cell(value) for value in row])
    except Invalid:
        raise
    except UNREADABLE:
        raise unreadable from None
    return text.getvalue()


def _text_of_cell(value: object) -> str:
    if isinstance(value, str):
        return " ".join(value.split())
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return " ".join(str(value).split())


def plain(cell: str) -> str:
    """A cell without the sign by which it was kept from being a formula."""
    cell = cell.strip()
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell


# ── Writing ───────────────────────────────────────────────────────────────────────────────────────

Cell = str | int | float | None


def as_csv(rows: Iterable[Sequence[Cell]], delimiter: str) -> bytes:
    """Rows as spreadsheets open them, with the mark of UTF-8; no text in them is a formula."""
    text = io.StringIO()
    written = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
    for row in rows:
        written.writerow(
            [f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell for cell in row]
        )
    return text.getvalue().encode("utf-8-sig")


def as_workbook(
    rows: Iterable[Sequence[Cell]], title: str, choices: Mapping[int, Sequence[str]] | None = None
) -> bytes:
    """The same as a workbook: numbers as numbers, and every text as a text, whatever it begins with.
    `choices`: by column, counted from 0, the words among which a drop-down list lets one choose."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    from openpyxl.worksheet.datavalidation import DataValidation

    book = Workbook(write_only=True)
    sheet = book.create_sheet(title[:31])
    sheet.freeze_panes = "A2"
    whole = list(rows)
    count, width = len(whole), max(map(len, whole), default=1)
    # Where a sheet does not say its size, whoever reads it row by row reads it twice.
    sheet.calculate_dimension = lambda: f"A1:{_letters(max(width, 1) - 1)}{max(count, 1)}"
    for row in whole:
        cells: list[Any] = []
        for value in row:
            if isinstance(value, str):
                value = ILLEGAL_CHARACTERS_RE.sub("", value)  # no workbook can hold them
            cell = WriteOnlyCell(sheet, value=value)
            if isinstance(value, str):
                cell.data_type = "s"
                cell.quotePrefix = value.startswith(FORMULA)
            cells.append(cell)
        sheet.append(cells)
    if choices:
        lists = book.create_sheet("–")
        lists.sheet_state = "hidden"
        for line in _columns_as_rows(list(choices.values())):
            lists.append(line)
        for place, (column, words) in enumerate(choices.items()):
            letters = _letters(place)
            one = DataValidation(
                type="list", formula1=f"'–'!${letters}$1:${letters}${len(words)}", allow_blank=True
            )
            one.add(f"{_letters(column)}2:{_letters(column)}{max(count, 2)}")
            sheet.data_validations.append(one)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _columns_as_rows(columns: Sequence[Sequence[str]]) -> Iterator[list[str | None]]:
    for line in range(max(map(len, columns))):
        yield [words[line] if line < len(words) else None for words in columns]


def _letters(column: int) -> str:
    """What a spreadsheet calls a column, counted from 0.

    >>> [_letters(column) for column in (0, 25, 26, 27)]
    ['A', 'Z', 'AA', 'AB']
    """
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
