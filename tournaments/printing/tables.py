"""A table on paper: columns with heads, hairlines between rows, a new page with the heads again where it is
full."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from .paper import Paper

HEAD, ROW = 5.5, 7.0


@dataclass(frozen=True, slots=True)
class TableColumn:
    """`share` of the width; `align` "L", "R" or "C"; `serif` for people and places."""

    head: str
    share: float
    align: str = "L"
    serif: bool = False
    bold: bool = False


def table(
    paper: Paper,
    columns: Sequence[TableColumn],
    rows: Iterable[Sequence[str]],
    *,
    again: Callable[[], None],
    x: float | None = None,
    width: float | None = None,
    row: float = ROW,
    size: float = 10,
    ruled: bool = False,
) -> None:
    """The rows of a table from the present height on. `again` begins another page, whose heads are written
    again; `ruled`: with lines between the columns, for what is filled in by hand."""
    left = paper.l_margin if x is None else x
    whole = paper.epw if width is None else width
    total = sum(one.share for one in columns)
    widths = [whole * one.share / total for one in columns]
    _heads(paper, columns, widths, left, whole, ruled=ruled)
    top = paper.get_y() - HEAD
    for cells in rows:
        if paper.get_y() + row > paper.bottom:
            _verticals(paper, widths, left, top, ruled=ruled)
            again()
            _heads(paper, columns, widths, left, whole, ruled=ruled)
            top = paper.get_y() - HEAD
        y, at = paper.get_y(), left
        for one, wide, cell in zip(columns, widths, cells, strict=True):
            if one.serif:
                paper.serif(size + 2)
            else:
                paper.sans(size, bold=one.bold)
            inset = 1.2 if ruled else 0.6
            write = paper.name_at if one.serif else paper.write_at
            write(
                at + inset, y + (row - paper.line_height) / 2, cell, width=wide - 2 * inset, align=one.align
            )
            at += wide
        paper.rule(y + row, x=left, width=whole, thick=0.25 if ruled else 0.1)
        paper.set_xy(left, y + row)
    _verticals(paper, widths, left, top, ruled=ruled)


def _heads(
    paper: Paper,
    columns: Sequence[TableColumn],
    widths: Sequence[float],
    left: float,
    whole: float,
    *,
    ruled: bool,
) -> None:
    y, at = paper.get_y(), left
    paper.sans(8)
    inset = 1.2 if ruled else 0.6
    for one, wide in zip(columns, widths, strict=True):
        paper.write_at(at + inset, y + 1, one.head, width=wide - 2 * inset, align=one.align, pale=True)
        at += wide
    paper.rule(y + HEAD, x=left, width=whole, thick=0.35)
    if ruled:
        paper.rule(y, x=left, width=whole, thick=0.35)
    paper.set_xy(left, y + HEAD)


def _verticals(paper: Paper, widths: Sequence[float], left: float, top: float, *, ruled: bool) -> None:
    if not ruled:
        return
    paper.set_line_width(0.25)
    at = left
    for wide in (0.0, *widths):
        at += wide
        paper.line(at, top, at, paper.get_y())
