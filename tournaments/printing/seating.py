"""For the door and the walls: who sits where in a round, by name and by table, in large print."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from .paper import Heading, Paper
from .tables import TableColumn, table


@dataclass(frozen=True, slots=True)
class SeatOfName:
    """Where somebody sits in a round; no table: a sit-out."""

    name: str
    table: str
    seat: str


@dataclass(frozen=True, slots=True)
class RoundTables:
    """A round: its tables, each with its boards and who sits there by seat, and who sits out."""

    number: int
    tables: Sequence[tuple[str, str, tuple[str, ...]]]
    sitting_out: Sequence[str]


def draw_names(paper: Paper, heading: Heading, places: Sequence[SeatOfName], number: int) -> None:
    """Everybody by name, in two columns: where to sit in a round. The time grows with the names."""
    title = _("Seats for round %(number)d") % {"number": number}

    def begin() -> None:
        paper.opened(heading, title, kicker=_("Find your name"))

    begin()
    paper.start_section(title, strict=False)
    top, wide, row = paper.get_y(), paper.epw / 2, 8.6
    rows = int((paper.bottom - top) / row)
    for at, one in enumerate(places):
        if at and at % (rows * 2) == 0:
            begin()
        x, y = paper.l_margin + wide * (at % (rows * 2) // rows), top + row * (at % rows)
        paper.serif(15)
        paper.name_at(x, y + 1, one.name, width=wide - 36)
        paper.sans(12, bold=True)
        where = (
            _("%(table)s, seat %(seat)s") % {"table": one.table, "seat": one.seat}
            if one.table
            else _("sit-out")
        )
        paper.write_at(x + wide - 34, y + 1.6, where, width=29, align="R")
        paper.rule(y + row, x=x, width=wide - 5, thick=0.1)


def draw_rounds(paper: Paper, heading: Heading, rounds: Sequence[RoundTables], places: Sequence[str]) -> None:
    """A page or more for each round: to be hung up, or read aloud. The time grows with tables and rounds."""
    for one in rounds:
        title = _("Round %(number)d") % {"number": one.number}

        def begin(title: str = title) -> None:
            paper.opened(heading, title, kicker=_("Who sits where"))

        begin()
        paper.start_section(title, strict=False)
        columns = [
            TableColumn(_("Table"), 1.1, "C", bold=True),
            *(TableColumn(place, 3, serif=True) for place in places),
            TableColumn(_("Boards"), 1.6, "R"),
        ]
        rows = [(name, *players, boards) for name, boards, players in one.tables]
        table(paper, columns, rows, again=begin, row=10, size=12.5)
        if one.sitting_out:
            paper.set_y(paper.get_y() + 4)
            paper.serif(14)
            paper.paragraph(_("Sits out:") + " " + ", ".join(one.sitting_out))
