"""Sheets that travel with the boards, or hang on the wall: a row for each table that plays a board."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from .paper import Heading, Paper
from .tables import TableColumn, head_of, legible, marked, roomy, side_by_side, table

MANY = 4  # places at a table, of which each gets less of the width


@dataclass(frozen=True, slots=True)
class TravelRow:
    """A play of the board. `result`, `scores` and `awards` are empty on a sheet that is still to be written
    on."""

    round: int
    table: str
    players: tuple[str, ...]
    result: str = ""
    scores: tuple[str, ...] = ()
    awards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TravelSheet:
    number: int
    conditions: str
    letter: str | None
    rows: Sequence[TravelRow]


def draw(
    paper: Paper,
    heading: Heading,
    sheets: Sequence[TravelSheet],
    places: Sequence[str],
    marks: Sequence[str],
    awards: Sequence[str] = (),
) -> None:
    """A page or more for each board. `places`: of those who sit at a table, a seat or a side each; `marks`,
    `awards`: the heads of what each of them has marked, and of what it was worth. The time grows with the
    plays."""
    for sheet in sheets:
        title = _("Board %(number)d") % {"number": sheet.number}

        def again(title: str = title, sheet: TravelSheet = sheet) -> None:
            paper.opened(heading, title, kicker=_("Travelling sheet"))
            _conditions(paper, sheet)

        paper.opened(heading, title, kicker=_("Travelling sheet"), section=True)
        _conditions(paper, sheet)
        people = [TableColumn(place, 3 if len(places) < MANY else 2.6, serif=True) for place in places]
        scores, blank = marked(marks, awards), ("",) * len(places)
        is_asked = any(row.result for row in sheet.rows) or not any(row.scores for row in sheet.rows)
        columns = [
            TableColumn(_("Round"), 1.3, "C"),
            TableColumn(_("Table"), 1.3, "C"),
            *people,
            *([TableColumn(_("Result"), 5.5, wraps=True)] if is_asked else []),
            *scores,
        ]
        rows = [
            (
                *(str(row.round), row.table, *row.players),
                *([row.result] if is_asked else []),
                *side_by_side(row.scores or blank, (row.awards or blank) if awards else ()),
            )
            for row in sheet.rows
        ]
        head = head_of(paper, columns, ruled=True)
        free = paper.bottom - paper.get_y() - head
        least = legible(paper, columns, rows, row=8.5, height=free, ruled=True)
        height = roomy(paper, len(rows), least=least, most=max(least, 16), head=head)
        table(paper, columns, rows, again=again, ruled=True, row=height, size=min(height, 12.5) * 1.02)


def _conditions(paper: Paper, sheet: TravelSheet) -> None:
    paper.sans(11)
    text = sheet.conditions
    if sheet.letter:
        text += " · " + _("letter %(letter)s") % {"letter": sheet.letter}
    paper.paragraph(text, gap=3, width=paper.epw)
