"""The card that stands on a table: its number, its page by QR code, where its seats are, and its rounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from django.utils.translation import gettext as _

from .paper import Heading, Paper
from .tables import TableColumn, table


@dataclass(frozen=True, slots=True)
class TableRow:
    """A round at a table: its boards in words, and who sits there, place by place."""

    round: int
    boards: str
    players: Sequence[str]


@dataclass(frozen=True, slots=True)
class TableCard:
    """`address` and `code` of the table's page, where it has one."""

    name: str
    rows: Sequence[TableRow]
    address: str = ""
    code: str = ""


def draw(paper: Paper, heading: Heading, card: TableCard, seats: int, places: Sequence[str]) -> None:
    """A page for a table of so many seats; `places`: of those who sit there, a seat or a side each. The time
    grows with its rounds."""
    paper.opened(heading, _("Table %(name)s") % {"name": card.name}, section=True)
    top = paper.get_y()
    if card.address:
        paper.qr(card.address, paper.l_margin + paper.epw - 58, top, 58)
        paper.serif(17)
        paper.set_xy(paper.l_margin, top + 4)
        paper.paragraph(
            _("Point a phone at the square: your seats, your boards, the result to enter."),
            width=paper.epw - 70,
            gap=2,
        )
        paper.sans(10)
        paper.paragraph(_("Without a camera:"), width=paper.epw - 70)
        paper.sans(11, bold=True)
        paper.paragraph(card.code, width=paper.epw - 70)
        paper.set_y(top + 66)
    _around(paper, seats)

    def again() -> None:
        paper.opened(heading, _("Table %(name)s") % {"name": card.name})

    columns = [
        TableColumn(_("Round"), 0.9, "R"),
        TableColumn(_("Boards"), 1.6),
        *(TableColumn(place, 3, serif=True) for place in places),
    ]
    rows = [(f"{row.round}  ", row.boards, *row.players) for row in card.rows]
    table(paper, columns, rows, again=again)
    if card.address:
        paper.foot(
            _("This code opens table %(name)s alone, this evening. Is something wrong? Call the director.")
            % {"name": card.name}
        )


def _around(paper: Paper, seats: int) -> None:
    """Where the seats are: clockwise as one looks at the table from above, seat 1 nearest to the reader."""
    middle, y, radius = paper.l_margin + paper.epw / 2, paper.get_y() + 20, 9
    paper.set_line_width(0.5)
    paper.circle(middle, y, radius)
    paper.mark(middle - 3.2, y - 4, 8)
    for seat in range(1, seats + 1):
        angle = pi / 2 + 2 * pi * (seat - 1) / seats
        x, height = middle + 34 * cos(angle), y + 15.5 * sin(angle)
        paper.serif(13)
        paper.write_at(x - 20, height - 3, _("Seat %(seat)d") % {"seat": seat}, width=40, align="C")
    paper.set_y(y + 24)
