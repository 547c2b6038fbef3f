"""For the door and the walls: who sits where in a round, by name and by table, in large print."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from .paper import Heading, Paper
from .tables import TableColumn, copy_column, roomy, table

LARGE = 11.5  # the height of a row while all names fit one column
GAP = 8.0


@dataclass(frozen=True, slots=True)
class SeatOfName:
    """Where somebody sits in a round; no table: a sit-out."""

    name: str
    table: str
    seat: str


@dataclass(frozen=True, slots=True)
class RoundTables:
    """A round: its tables, each with its boards, who sits there by seat and which copy of the boards it has
    ("" where there is one alone), and who sits out."""

    number: int
    tables: Sequence[tuple[str, str, tuple[str, ...], str]]
    sitting_out: Sequence[str]


def draw_names(paper: Paper, heading: Heading, places: Sequence[SeatOfName], number: int) -> None:
    """Everybody by name, in two columns: where to sit in a round. The time grows with the names."""
    title = _("Seats for round %(number)d") % {"number": number}

    def begin() -> None:
        paper.opened(heading, title, kicker=_("Find your name"))

    paper.new_sheet()
    begin()
    paper.start_section(title, strict=False)
    top, columns = (
        paper.get_y(),
        1 if len(places) * LARGE <= paper.bottom - paper.get_y() else 2,
    )
    row = LARGE if columns == 1 else 8.6
    wide = (paper.epw + GAP) / columns
    rows = int((paper.bottom - top) / row)
    paper.serif(row * 1.75)
    where_wide = wide * 0.36
    size = paper.size_for((one.name for one in places), wide - GAP - where_wide - 2)
    for at, one in enumerate(places):
        if at and at % (rows * columns) == 0:
            begin()
        x, y = paper.l_margin + wide * (at % (rows * columns) // rows), top + row * (at % rows)
        with paper.tagged("P"):
            paper.serif(size)
            place = y + (row - paper.line_height) / 2
            paper.name_at(x, place, one.name, width=wide - GAP - where_wide - 2, height=row - 0.6, least=1)
            paper.sans(row * 1.4, bold=True)
            where = (
                _("%(table)s, seat %(seat)s") % {"table": one.table, "seat": one.seat}
                if one.table
                else _("sit-out")
            )
            place = y + (row - paper.line_height) / 2
            paper.write_at(x + wide - GAP - where_wide, place, where, width=where_wide, align="R")
        paper.hairline(y + row, x=x, width=wide - GAP)


def draw_rounds(paper: Paper, heading: Heading, rounds: Sequence[RoundTables], places: Sequence[str]) -> None:
    """A page or more for each round: to be hung up, or read aloud. The time grows with tables and rounds."""
    for one in rounds:
        title = _("Round %(number)d") % {"number": one.number}

        def begin(title: str = title) -> None:
            paper.opened(heading, title, kicker=_("Who sits where"))

        paper.new_sheet()
        begin()
        paper.start_section(title, strict=False)
        columns = [
            TableColumn(_("Table"), 1.1, "C", bold=True),
            *(TableColumn(place, 3, serif=True) for place in places),
            TableColumn(_("Boards"), 1.6, "R"),
            *copy_column(copy for *_table, copy in one.tables),
        ]
        copied = len(columns) - len(places) - 2
        rows = [(name, *players, boards, *[copy][:copied]) for name, boards, players, copy in one.tables]
        below = 16.0 if one.sitting_out else 0.0
        height = roomy(paper, len(rows), least=10, most=17, below=below)
        table(paper, columns, rows, again=begin, row=height, size=height * 1.25)
        if one.sitting_out:
            paper.set_y(paper.get_y() + 4)
            paper.serif(16)
            paper.paragraph(_("Sits out:") + " " + ", ".join(one.sitting_out))
