"""A card for each contestant: round after round the table, the seat, the boards, and with whom. Four to a
page."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from fpdf.enums import YPos

from .paper import Heading, Paper
from .tables import TableColumn, table

COLUMNS, ROWS = 2, 2
MARGIN = 9.0


@dataclass(frozen=True, slots=True)
class GuideRow:
    """A round of a contestant; no table: a sit-out."""

    round: int
    table: str
    seat: str
    boards: str
    others: str


@dataclass(frozen=True, slots=True)
class GuideCard:
    """`address`: what the square on the card opens, if it has one; `notes`: who plays for whom, and when."""

    number: int
    name: str
    rows: Sequence[GuideRow]
    address: str = ""
    notes: Sequence[str] = ()


def draw(paper: Paper, heading: Heading, cards: Sequence[GuideCard]) -> None:
    """Cards to be cut apart; one with many rounds has smaller rows. The time grows with all rounds."""
    for place, card in enumerate(cards):
        at = place % (COLUMNS * ROWS)
        if at == 0:
            paper.add_page()
            paper.cut_marks(COLUMNS, ROWS)
        _card(paper, heading, card, paper.w / COLUMNS * (at % COLUMNS), paper.h / ROWS * (at // COLUMNS))


def _card(paper: Paper, heading: Heading, card: GuideCard, left: float, top: float) -> None:
    x, y = left + MARGIN, top + MARGIN
    width, height = paper.w / COLUMNS - 2 * MARGIN, paper.h / ROWS - 2 * MARGIN
    room = width - (20 if card.address else 0)
    paper.sans(7.5)
    paper.write_at(x, y, f"{heading.session} · {heading.day}", width=room, pale=True)
    paper.serif(16)
    paper.name_at(x, y + 3.4, card.name, width=room)
    paper.sans(8)
    paper.write_at(x, y + 11.2, _("Number %(number)d") % {"number": card.number}, pale=True)
    if card.address:
        paper.qr(card.address, x + width - 17, y, 17)
    begins = y + (18.5 if card.address else 16)
    for note in card.notes:
        paper.set_xy(x, begins)
        paper.multi_cell(width, paper.line_height, note, align="L", new_y=YPos.NEXT)
        begins = paper.get_y() + 1
    paper.double_rule(begins, x=x, width=width)
    paper.set_y(begins + 2)
    columns = [
        TableColumn(_("Round"), 1.3, "R"),
        TableColumn(_("Table"), 1.4, "C", serif=True),
        TableColumn(_("Seat"), 1.1, "C"),
        TableColumn(_("Boards"), 1.8),
        TableColumn(_("With"), 5, serif=True),
    ]
    rows = [
        (f"{row.round} ", row.table or "–", row.seat, row.boards, row.others if row.table else _("sit-out"))
        for row in card.rows
    ]
    room_left = height - (begins - y) - 9
    row = min(7.0, room_left / max(len(rows), 1))
    table(paper, columns, rows, again=lambda: None, x=x, width=width, row=row, size=min(9.0, row * 1.6))
