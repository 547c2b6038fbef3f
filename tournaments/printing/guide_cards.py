"""A card for each contestant: round after round the table, the seat, the boards, and with whom. Four to a
page."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from .paper import Heading, Paper
from .tables import TableColumn, table

COLUMNS, ROWS = 2, 2
MARGIN = 10.0
CODE = 21.0
SHARES, SEAT = 11.0, 2.4  # of the columns of a card, and the seat's at most


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
            paper.new_sheet()
            paper.add_page()
            paper.cut_marks(COLUMNS, ROWS)
        _card(paper, heading, card, paper.w / COLUMNS * (at % COLUMNS), paper.h / ROWS * (at // COLUMNS))


def _card(paper: Paper, heading: Heading, card: GuideCard, left: float, top: float) -> None:
    x, y = left + MARGIN, top + MARGIN
    width, height = paper.w / COLUMNS - 2 * MARGIN, paper.h / ROWS - 2 * MARGIN
    room = width - (CODE + 4 if card.address else 0)
    number = _("Number %(number)d") % {"number": card.number}
    paper.sans(8)
    lines = paper.broken(heading.session, room)
    for line, words in enumerate(lines):
        paper.write_at(x, y + 3.6 * line, words, width=room)
    lower = y + 3.6 * len(lines)
    paper.serif(17)
    with paper.tagged("H2"):
        paper.name_at(x, lower + 0.6, card.name, width=room, height=9)
    paper.sans(8)
    paper.write_at(x, lower + 9.6, f"{number} · {heading.day}", width=room, pale=True)
    if card.address:
        paper.qr(card.address, x + width - CODE, y, CODE)
    begins = max(lower + 15.5, y + CODE + 2.5 if card.address else 0)
    for note in card.notes:
        paper.set_y(begins)
        paper.paragraph(note, x=x, width=width, gap=1)
        begins = paper.get_y()
    paper.double_rule(begins, x=x, width=width)
    paper.set_y(begins + 2)
    rows = [
        (str(row.round), row.table or "–", row.seat, row.boards, row.others if row.table else _("sit-out"))
        for row in card.rows
    ]
    room_left = height - (begins - y) - 9
    row = min(16.0, room_left / max(len(rows), 1))  # names on several lines want more of it than figures
    size = min(10.5, row * 1.2)
    paper.sans(size)
    widest = max((paper.width_of(seat) for _round, _table, seat, _boards, _others in rows), default=0.0)
    seat = min(max(1.5, (widest + 2.4) * SHARES / width), SEAT)  # where it changes, it is a word
    columns = [
        TableColumn(_("Round"), 1.3, "R"),
        TableColumn(_("Table"), 1.3, "C"),
        TableColumn(_("Seat"), seat, "C"),
        TableColumn(_("Boards"), 1.7),
        TableColumn(_("With"), SHARES - 4.3 - seat, serif=True, wraps=True),
    ]
    table(
        paper,
        columns,
        rows,
        again=lambda: None,
        x=x,
        width=width,
        row=row,
        size=size,
        plain=True,
    )
