"""The first sheet of a workbook: what the library finds in it, and what is refused."""

import io
import zipfile
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.formula import ArrayFormula

from tournaments.services import spreadsheets, workbooks
from tournaments.services.errors import Invalid

SHEET = "xl/worksheets/sheet1.xml"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def packed(rows: list[list[Any]], change: Callable[[str], str] = str) -> bytes:
    """A workbook with these rows, the XML of whose sheet is changed."""
    book = Workbook()
    sheet = book.worksheets[0]
    for row in rows:
        sheet.append(row)
    content, changed = io.BytesIO(), io.BytesIO()
    book.save(content)
    with zipfile.ZipFile(content) as parts, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as out:
        for name in parts.namelist():
            part = parts.read(name)
            out.writestr(name, change(part.decode()) if name == SHEET else part)
    return changed.getvalue()


def with_sheet(data: str) -> bytes:
    """A workbook whose sheet holds this XML."""
    return packed([], lambda _xml: f'<worksheet xmlns="{MAIN}"><sheetData>{data}</sheetData></worksheet>')


def own(content: bytes, rows: int = 1_000, columns: int = 100) -> list[list[Any]]:
    return list(workbooks.rows_of(content, rows_at_most=rows, columns_at_most=columns))


def of_library(content: bytes) -> list[list[Any]]:
    book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    found = []
    for row in book.worksheets[0].iter_rows(max_row=1_000, max_col=100, values_only=True):
        filled = [place for place, value in enumerate(row, 1) if value not in (None, "")]
        found.append([None if value == "" else value for value in row[: filled[-1]]] if filled else [])
    while found and not found[-1]:
        found.pop()  # the library goes on to the last row that was asked for
    return found


CELLS: list[list[Any]] = [
    ["a", None, "  b\nc  ", "é “€” 🂡", ""],
    [1, -2.5, 1e300, True, False, 10**15],
    [date(2026, 11, 23), datetime(2026, 11, 23, 21, 5), time(21, 5), timedelta(hours=30)],
    [],
    [None, None, "far", "=1+1", "#N/A"],
    [ArrayFormula("A9:A9", "=SUM(A1:A2)"), "a"],
]
WRITTEN = {
    "texts in their cells": '<row r="1"><c r="A1" t="inlineStr"><is><t>one</t></is></c></row>',
    "texts of several pieces": '<row><c t="inlineStr"><is><r><rPr/><t>one </t></r><r><t>two</t></r>'
    '<rPh sb="0" eb="1"><t>said</t></rPh></is></c></row>',
    "what formulas had come to": '<row r="2"><c r="B2"><f>1+1</f><v>2</v></c>'
    '<c r="C2" t="str"><f>"x"</f><v>x</v></c><c r="D2" t="b"><v>1</v></c>'
    '<c r="E2" t="e"><v>#N/A</v></c></row>',
    "places that are not said": "<row><c><v>1</v></c><c/><c><v>3.0</v></c></row><row/>"
    "<row><c><v>4</v></c></row>",
    "rows out of order": '<row r="3"><c r="A3"><v>3</v></c></row><row r="2"><c r="A2"><v>2</v></c></row>',
    "a row’s number with a point": '<row r="3.0"><c><v>3</v></c></row>',
    "cells out of order": '<row r="1"><c r="C1"><v>3</v></c><c r="A1"><v>1</v></c>'
    '<c r="A1"><v>2</v></c></row>',
    "cells beyond the limit": '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>3</v></c></row>',
    "dates that are texts": '<row r="1"><c r="A1" t="d"><v>2026-11-23</v></c></row>',
    "entities that XML has": '<row><c t="inlineStr"><is><t>&lt;a&#233;&amp;</t></is></c></row>',
    "values that are empty": '<row><c><v></v></c><c t="inlineStr"><is/></c><c t="s"><v/></c></row>',
    "a long text": f'<row><c t="inlineStr"><is><t>{"ab " * 60_000}</t></is></c></row>',
}


def test_a_sheet_says_what_the_library_finds() -> None:
    content = packed(CELLS)
    assert own(content) == of_library(content)
    assert own(content)[1] == [1, -2.5, 1e300, True, False, 10**15]


@pytest.mark.parametrize("name", WRITTEN)
def test_what_other_programs_write_is_what_the_library_finds(name: str) -> None:
    content = with_sheet(WRITTEN[name])
    found = own(content)
    while found and not found[-1]:
        found.pop()
    assert found == of_library(content), name


@pytest.mark.parametrize(
    "data",
    [
        "<row>{}</row>".format("<c/>" * 300_000),
        "<row><c>{}</c></row>".format("<v/>" * 300_000),
        "<x/>" * 300_000,
    ],
)
def test_a_sheet_that_is_far_wider_than_a_table_is_given_up(data: str) -> None:
    with pytest.raises(ValueError, match="as wide"):
        own(with_sheet(data))
    assert own(with_sheet("<row>" + "<c><v>1</v></c>" * 100 + "</row>")) == [[1] * 100]


def test_no_sheet_is_read_for_its_size_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openpyxl.worksheet._read_only.ReadOnlyWorksheet.__init__", None)
    assert own(with_sheet("<row><c><v>1</v></c></row>")) == [[1]]


def test_rows_beyond_the_limit_are_not_read() -> None:
    content = packed([[number] for number in range(50)])
    assert own(content, rows=7) == [[number] for number in range(7)]


@pytest.mark.parametrize(
    "change",
    [
        lambda xml: f'<!DOCTYPE a [<!ENTITY b "c">]>{xml}',
        lambda xml: f'<!DOCTYPE a SYSTEM "file:///etc/hostname">{xml}',
        lambda xml: xml[: len(xml) // 2],
        lambda xml: xml.replace("<v>", "<v>x"),
        lambda xml: xml.replace("<sheetData>", "<a>" * 60 + "</a>" * 60 + "<sheetData>"),
        lambda xml: xml.replace('r="A1"', 'r="AAAAA1"'),
        lambda xml: xml.replace('<row r="1"', '<row r="1.5"'),
    ],
    ids=["entities", "a file of ours", "half", "no number", "too deep", "no column", "no row"],
)
def test_a_sheet_that_is_none_is_refused(change: Callable[[str], str]) -> None:
    with pytest.raises(Invalid) as refusal:
        spreadsheets.text_of(packed([[1, 2]], change), bytes_at_most=100_000, rows_at_most=100)
    assert refusal.value.code == "bad-file"
