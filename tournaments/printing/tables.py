"""A table on paper: columns with heads, hairlines between rows, a new page with the heads again where it is
full. The people of a table are written in one size."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from functools import partial
from math import floor
from typing import TypeVar

from django.utils.translation import pgettext

from .paper import LEADED, LEAST, SMALLER, WHOLE, Paper

T = TypeVar("T")

HEAD, ROW = 5.5, 7.0
HEADS = 8.5  # points
TALL = 8.4  # of heads, where one of them is on two lines
READ = (9.0, 8.5, 8.0, 7.5, 7.0, 6.5)  # points of what goes on several lines
AROUND = 0.9  # what it keeps free over and under it
BESIDE = 0.6  # what a head keeps free where nothing in its column begins or ends


@dataclass(frozen=True, slots=True)
class TableColumn:
    """`share` of the width; `align` "L", "R" or "C"; `serif` for people and places; `wraps`: what is long
    goes on several lines; of people, all in one size."""

    head: str
    share: float
    align: str = "L"
    serif: bool = False
    bold: bool = False
    wraps: bool = False


def marked(marks: Sequence[str], awards: Sequence[str]) -> list[TableColumn]:
    """The columns of what each place has marked, each with that of what it was worth, if that is told."""
    scores = [TableColumn(head, 1.5, "R", bold=True) for head in marks]
    worth = [TableColumn(head, 1.3, "R") for head in awards]
    return side_by_side(scores, worth)


def copy_column(copies: Iterable[str]) -> list[TableColumn]:
    """The column of which copy of its boards each table has; none where there is one alone of every board."""
    return [TableColumn(pgettext("of a board", "Copy"), 1.3, "C", bold=True)] if any(copies) else []


def side_by_side(scores: Sequence[T], awards: Sequence[T]) -> list[T]:
    """Of each place in turn, its score and its award; the scores alone where there are no awards."""
    return [one for pair in zip(scores, awards, strict=True) for one in pair] if awards else list(scores)


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
    plain: bool = False,
) -> None:
    """The rows of a table from the present height on. `again` begins another page, whose heads are written
    again; `ruled`: with lines between the columns, for what is filled in by hand; `plain`: a screen reader
    is told rows without cells, as there are thousands of such tables."""
    rows = list(rows)
    left = paper.l_margin if x is None else x
    whole = paper.epw if width is None else width
    total = sum(one.share for one in columns)
    widths = [whole * one.share / total for one in columns]
    paper.serif(size + 2)
    inset = _inset(ruled=ruled, size=size)
    serif = min(
        (
            paper.size_for((cells[at] for cells in rows), wide - 2 * inset)
            for at, (one, wide) in enumerate(zip(columns, widths, strict=True))
            if one.serif and not one.wraps
        ),
        default=size + 2,
    )
    several = min(
        (
            paper.several_size([cells[at] for cells in rows], wide - 2 * inset, row - 0.6)
            for at, (one, wide) in enumerate(zip(columns, widths, strict=True))
            if one.serif and one.wraps
        ),
        default=serif,
    )
    sizes = [
        _size_of(paper, one, (cells[at] for cells in rows), wide - 2 * inset, size)
        for at, (one, wide) in enumerate(zip(columns, widths, strict=True))
    ]
    alike: dict[tuple[float, bool], float] = {}  # columns of one width: what is compared has one size
    for one, own in zip(columns, sizes, strict=True):
        alike[one.share, one.bold] = min(alike.get((one.share, one.bold), own), own)
    sizes = [
        alike[one.share, one.bold] if one.align == "R" else own
        for one, own in zip(columns, sizes, strict=True)
    ]
    prose = min(
        (
            _prose_size(paper, (cells[at] for cells in rows), wide - 2 * inset, row - 2 * AROUND, size)
            for at, (one, wide) in enumerate(zip(columns, widths, strict=True))
            if one.wraps and not one.serif
        ),
        default=size,
    )
    head = head_of(paper, columns, width=whole, ruled=ruled, size=size)
    line = partial(paper.tagged, "P") if plain else partial(paper.grouped, "TR")
    with ExitStack() as part:  # of the table, on a page
        part.enter_context(nullcontext() if plain else paper.grouped("Table"))
        with line():
            _heads(paper, columns, widths, left, whole, head, inset, ruled=ruled)
        top = paper.get_y() - head
        for cells in rows:
            if paper.get_y() + row > paper.bottom + 0.01:  # rows that fill a page are as many as fill it
                _verticals(paper, widths, left, top, ruled=ruled)
                part.close()
                again()
                part.enter_context(nullcontext() if plain else paper.grouped("Table"))
                with line():
                    _heads(paper, columns, widths, left, whole, head, inset, ruled=ruled)
                top = paper.get_y() - head
            y, at = paper.get_y(), left
            with line():
                for one, wide, cell, own in zip(columns, widths, cells, sizes, strict=True):
                    with paper.tagged("TD"):
                        _cell(
                            paper,
                            one,
                            cell,
                            at + inset,
                            y,
                            wide - 2 * inset,
                            row,
                            own,
                            several if one.wraps else serif,
                            prose,
                        )
                    at += wide
            if ruled:
                paper.rule(y + row, x=left, width=whole, thick=0.25)
            else:
                paper.hairline(y + row, x=left, width=whole)
            paper.set_xy(left, y + row)
        _verticals(paper, widths, left, top, ruled=ruled)


def _cell(
    paper: Paper,
    column: TableColumn,
    cell: str,
    x: float,
    y: float,
    room: float,
    row: float,
    size: float,
    serif: float,
    prose: float,
) -> None:
    """What stands in a row of this height, from here on."""
    if column.serif and column.wraps:
        paper.serif(serif)
        paper.several_at(x, y + (row - paper.line_height) / 2, cell, width=room, height=row - 0.6)
    elif column.serif:
        paper.serif(serif)
        place = y + (row - paper.line_height) / 2
        paper.name_at(x, place, cell, width=room, height=row - 0.6, align=column.align, least=1)
    elif column.wraps and _is_wide(paper, cell, size, room):
        paper.sans(prose)
        paper.prose_at(x, y + AROUND, cell, width=room, height=row - 2 * AROUND)
    else:
        paper.sans(size, bold=column.bold)
        place = y + (row - paper.line_height) / 2
        paper.write_at(x, place, cell, width=room, align=column.align)


def _size_of(paper: Paper, column: TableColumn, cells: Iterable[str], room: float, size: float) -> float:
    """The size of a column: its figures, which are compared, have all the same."""
    if column.align != "R" or column.serif:
        return size
    paper.sans(size, bold=column.bold)
    widest = max(map(paper.width_of, cells), default=0.0)
    return size if widest <= room else max(floor(2 * size * room / widest) / 2, 6)


def _prose_size(paper: Paper, cells: Iterable[str], room: float, height: float, size: float) -> float:
    """The size of what goes on several lines in a column: of all that is told one."""
    paper.sans(size)
    return min((paper.prose_size(cell, room, height) for cell in cells), default=size)


def _is_wide(paper: Paper, cell: str, size: float, room: float) -> bool:
    paper.sans(size)
    return paper.width_of(cell) > room


def head_of(
    paper: Paper,
    columns: Sequence[TableColumn],
    *,
    width: float | None = None,
    ruled: bool = False,
    size: float = 10,
) -> float:
    """How high the heads of a table are: on two lines where one of them has no room on one."""
    total, inset = sum(one.share for one in columns), _inset(ruled=ruled, size=size)
    whole = paper.epw if width is None else width
    paper.sans(HEADS)
    fits = all(
        _has_room(paper, one.head, _head_room(one, whole * one.share / total, inset)) for one in columns
    )
    return HEAD if fits else TALL


def _head_room(column: TableColumn, wide: float, inset: float) -> float:
    """How wide a head may be: it keeps the distance of its column on the side where that is lined up."""
    return wide - (2 * BESIDE if column.align == "C" else inset + BESIDE)


def _has_room(paper: Paper, head: str, room: float) -> bool:
    return " " not in head or paper.width_of(head) * WHOLE <= room


def _heads(
    paper: Paper,
    columns: Sequence[TableColumn],
    widths: Sequence[float],
    left: float,
    whole: float,
    height: float,
    inset: float,
    *,
    ruled: bool,
) -> None:
    y, at = paper.get_y(), left
    for one, wide in zip(columns, widths, strict=True):
        room, x = _head_room(one, wide, inset), at + (inset if one.align == "L" else BESIDE)
        paper.sans(HEADS)
        place = y + (height - paper.line_height) / 2
        with paper.tagged("TH"):
            if _has_room(paper, one.head, room):
                paper.fit(one.head, room, least=LEAST if " " not in one.head else 6)
                place = y + (height - paper.line_height) / 2
                paper.write_at(x, place, one.head, width=room, align=one.align, pale=True)
            else:
                paper.sans(HEADS / SMALLER)  # on two lines as large as its neighbours on one
                lines, place = height - 1.6, y + (height - paper.line_height) / 2
                paper.lines_at(x, place, one.head, width=room, height=lines, align=one.align, pale=True)
        at += wide
    paper.rule(y + height, x=left, width=whole, thick=0.35)
    if ruled:
        paper.rule(y, x=left, width=whole, thick=0.35)
    paper.set_xy(left, y + height)


def _inset(*, ruled: bool, size: float = 10) -> float:
    """How far a cell's text stays from the edges of its column: farther in large type, so that the names of
    neighbours do not touch."""
    return 1.4 if ruled else max(1.0, size / 8)


def _verticals(paper: Paper, widths: Sequence[float], left: float, top: float, *, ruled: bool) -> None:
    if not ruled:
        return
    paper.set_line_width(0.25)
    at = left
    for wide in (0.0, *widths):
        at += wide
        paper.line(at, top, at, paper.get_y())


def roomy(
    paper: Paper, count: int, *, least: float = ROW, most: float, below: float = 0, head: float = HEAD
) -> float:
    """How high the rows of a table are that fills what is left of its page, its `head` and what is `below` it
    apart: what hangs on a wall or is written on is as large as it can be."""
    room = paper.bottom - paper.get_y() - head - below
    return max(least, min(most, room / max(count, 1)))


def legible(
    paper: Paper,
    columns: Sequence[TableColumn],
    rows: Sequence[Sequence[str]],
    *,
    row: float,
    height: float,
    ruled: bool = False,
) -> float:
    """How high the rows of a table are so that what goes on several lines can be read, as high as `row` at
    least: as large as it can be in this height of all the rows."""
    total, found = sum(one.share for one in columns), row
    for size in READ:
        paper.sans(size)
        found = row
        for at, one in enumerate(columns):
            if one.wraps and not one.serif:
                room = paper.epw * one.share / total - 2 * _inset(ruled=ruled)
                most = max((len(paper.prose_lines(cells[at], room)) for cells in rows), default=0)
                found = max(found, most * size * LEADED + 2 * AROUND + 0.05)
        if found * len(rows) <= height:
            break
    return found
