"""The card that stands on a table: its number, its page by QR code, where its seats are, and its rounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from django.utils.translation import gettext as _

from .paper import BAIZE, HEAD, INK, LOGO, Heading, Paper
from .tables import TableColumn, copy_column, roomy, table

CODE = 60.0  # high and wide: it is read from across the table
NUMBER = 150  # points
AROUND = 44.0  # the height of the drawing of the seats
ASIDE = 38.0  # from the middle of that drawing to the seats at its sides: their words are clear of the table
LOW = 4.4  # the height of the rows of a card with many rounds: it is one page as long as it can be


@dataclass(frozen=True, slots=True)
class TableRow:
    """A round at a table: its boards in words, who sits there, place by place, and which copy of the boards
    is there, where there are several."""

    round: int
    boards: str
    players: Sequence[str]
    copy: str = ""


@dataclass(frozen=True, slots=True)
class TableCard:
    """`address` and `code` of the table's page, where it has one; `note`: what is to be done there."""

    name: str
    rows: Sequence[TableRow]
    address: str = ""
    code: str = ""
    note: str = ""


def draw(paper: Paper, heading: Heading, card: TableCard, seats: int, places: Sequence[str]) -> None:
    """A page for a table of so many seats; `places`: of those who sit there, a seat or a side each. The time
    grows with its rounds."""
    title = _("Table %(name)s") % {"name": card.name}
    top = _begin(paper, heading, title)
    _number(paper, card.name, top)
    if card.address:
        paper.qr(card.address, paper.l_margin + paper.epw - CODE, top + 1, CODE)
        _invitation(paper, card, top + CODE + 5)
        y = paper.get_y()
        _around(paper, seats, paper.l_margin + paper.epw / 2, y)
        paper.set_y(y + AROUND + 2)
    else:  # the seats stand in its place
        _around(paper, seats, paper.l_margin + paper.epw - 50, top + 6)
        paper.set_y(top + CODE + 5)

    if card.note:
        paper.sans(11)
        paper.paragraph(card.note, gap=2, width=paper.epw)

    def again() -> None:
        paper.opened(heading, title)

    columns = [
        TableColumn(_("Round"), 0.9, "C"),
        TableColumn(_("Boards"), 1.6),
        *copy_column(row.copy for row in card.rows),
        *(TableColumn(place, 3, serif=True) for place in places),
    ]
    copied = len(columns) - len(places) - 2
    rows = [(str(row.round), row.boards, *[row.copy][:copied], *row.players) for row in card.rows]
    height = roomy(paper, len(rows), least=LOW, most=8.5)
    table(paper, columns, rows, again=again, row=height, size=min(10.0, height * 1.45))
    if card.address:
        paper.foot(
            _("This code opens table %(name)s alone, this evening. Is something wrong? Call the director.")
            % {"name": card.name}
        )


def _begin(paper: Paper, heading: Heading, title: str) -> float:
    """The head of the card: the club’s logo or the sign of the service, and whose evening it is. Where its
    body begins."""
    paper.new_sheet()
    paper.add_page()
    paper.start_section(title, strict=False)
    top = paper.t_margin
    if heading.logo is None:
        paper.mark(paper.l_margin, top + HEAD - 13.5, 11)
        paper.serif(24)
        paper.set_text_color(*BAIZE)
        with paper.decoration():
            paper.write_at(paper.l_margin + 12, top + HEAD - 14, "Étui")
        paper.ink()
    else:
        paper.picture(heading.logo, paper.l_margin, top + HEAD - 2.5 - LOGO, LOGO, alt=heading.club)
    plain = Heading(heading.club, heading.session, heading.day)
    paper.evening_at(plain, top + HEAD, beside=0, width=paper.epw * 0.7)
    paper.double_rule(top + HEAD)
    return top + HEAD + 6


def _number(paper: Paper, name: str, top: float) -> None:
    """The table's name, as large as it can be read from the door."""
    width = paper.epw - CODE - 10
    with paper.tagged("H1"):
        paper.serif(26)
        paper.write_at(paper.l_margin, top, _("Table"))
        paper.serif(NUMBER)
        paper.fit(name, width)
        paper.text(paper.l_margin - 1, top + 16 + paper.font_size * 0.66, name)


def _invitation(paper: Paper, card: TableCard, y: float) -> None:
    """What the square is for, and what to type without a camera; a rule under it."""
    paper.serif(19)
    words = _("Point a phone at the square: your seats, your boards, the result to enter.")
    for line in paper.broken(words, paper.epw):
        paper.write_at(paper.l_margin, y, line, width=paper.epw)
        y += paper.line_height * 0.95
    y += 1
    paper.sans(11)
    words = _("Without a camera:") + " "
    paper.write_at(paper.l_margin, y, words)
    x = paper.l_margin + paper.width_of(words)
    paper.sans(11, bold=True)
    paper.write_at(x, y, card.code, width=paper.l_margin + paper.epw - x)
    paper.rule(y + 8.5)
    paper.set_y(y + 11)


def _around(paper: Paper, seats: int, middle: float, top: float) -> None:
    """Where the seats are: clockwise as one looks at the table from above, seat 1 nearest to the reader."""
    y = top + AROUND / 2
    for radius, thick in ((10.0, 0.25), (9.2, 0.6)):
        paper.set_line_width(thick)
        paper.circle(middle, y, radius)
    paper.mark(middle - 3.6, y - 4.5, 9, colour=INK)
    for seat in range(1, seats + 1):
        angle = pi / 2 + 2 * pi * (seat - 1) / seats
        x, height = middle + ASIDE * cos(angle), y + 16.5 * sin(angle)
        paper.serif(17)
        paper.write_at(x - 18, height - 4, _("Seat %(seat)d") % {"seat": seat}, width=36, align="C")
        if seat == 2 and seats > 2:
            paper.sans(9)
            paper.write_at(x - 20, height + 3.4, _("to the left of seat 1"), width=40, align="C")
