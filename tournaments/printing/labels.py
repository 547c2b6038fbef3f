"""Labels for the wallets, three to a row and eight rows to a page, as label sheets are cut (70 × 37 mm on
A4)."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from .paper import Paper

COLUMNS, ROWS = 3, 8


@dataclass(frozen=True, slots=True)
class WalletLabel:
    """`letter`: the check letter, where boards are sealed; `mark`: the beginning of the commitment."""

    number: int
    conditions: str
    letter: str | None
    session: str
    mark: str


def draw(paper: Paper, labels: Sequence[WalletLabel]) -> None:
    """The time grows with the labels."""
    wide, high = paper.w / COLUMNS, paper.h / ROWS
    for place, label in enumerate(labels):
        at = place % (COLUMNS * ROWS)
        if at == 0:
            paper.add_page()
            paper.cut_marks(COLUMNS, ROWS)
        x, y = wide * (at % COLUMNS) + 6, high * (at // COLUMNS) + 5
        paper.serif(34)
        paper.write_at(x, y - 1, str(label.number), width=24)
        paper.sans(8.5)
        paper.write_at(x + 25, y + 2, label.conditions, width=wide - 37)
        if label.letter:
            paper.serif(20)
            paper.write_at(x + wide - 22, y + 6, label.letter, width=10, align="R")
        paper.sans(7)
        paper.write_at(x, y + 17.5, label.session, width=wide - 12, pale=True)
        if label.mark:
            paper.write_at(x, y + 21, _("sealed %(mark)s") % {"mark": label.mark}, width=wide - 12, pale=True)
