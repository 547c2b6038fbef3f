"""Labels for the wallets, three to a row and eight rows to a page, as label sheets are cut (70 × 37 mm on
A4)."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from .paper import Paper

COLUMNS, ROWS = 3, 8
BETWEEN = " · "  # what a label says in one line
EDGE = 5.5  # what stays free around a label, as printers and label sheets are seldom straight


@dataclass(frozen=True, slots=True)
class WalletLabel:
    """`letter`: the check letter, where boards are sealed; `mark`: the beginning of the commitment;
    `code`: as on the sheets of the deal; `dealt`: which table shuffles it, where tables do."""

    number: int
    conditions: str
    letter: str | None
    session: str
    day: str
    mark: str
    code: str
    dealt: str = ""


def draw(paper: Paper, labels: Sequence[WalletLabel]) -> None:
    """The time grows with the labels."""
    wide, high = paper.w / COLUMNS, paper.h / ROWS
    for place, label in enumerate(labels):
        at = place % (COLUMNS * ROWS)
        if at == 0:
            paper.new_sheet()
            paper.add_page()
            paper.cut_marks(COLUMNS, ROWS)
        x, y = wide * (at % COLUMNS) + EDGE, high * (at // COLUMNS) + EDGE
        with paper.tagged("P"):
            _label(paper, label, x, y, wide, high)


def _label(paper: Paper, label: WalletLabel, x: float, y: float, wide: float, high: float) -> None:
    room = wide - 2 * EDGE
    paper.serif(44)
    paper.write_at(x - 0.5, y - 4, str(label.number), width=30)
    paper.sans(9)
    beside = x + 31
    lines = [label.conditions]
    if paper.width_of(label.conditions) > room - 31:
        lines = label.conditions.split(BETWEEN, 1)
    for number, part in enumerate(lines):
        paper.write_at(beside, y - 0.5 + 4.2 * number, part, width=room - 31, align="R")
    if label.letter:
        paper.serif(24 if len(lines) == 1 else 18)
        paper.write_at(
            beside, y + (5.2 if len(lines) == 1 else 9.0), label.letter, width=room - 31, align="R"
        )
    paper.hairline(y + high - 2 * EDGE - 8.4, x=x, width=room)
    mark = _("sealed %(mark)s") % {"mark": label.mark} if label.mark else ""
    paper.sans(7)
    own = BETWEEN.join(filter(None, (label.dealt, label.day, mark, label.code)))
    for number, part in enumerate((label.session, own)):
        paper.write_at(x, y + high - 2 * EDGE - 7.2 + 3.5 * number, part, width=room, pale=bool(number))
