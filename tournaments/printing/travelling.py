"""Sheets that travel with the boards, or hang on the wall: a row for each table that plays a board."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from .paper import Heading, Paper
from .tables import TableColumn, roomy, table


@dataclass(frozen=True, slots=True)
class TravelRow:
    """A play of the board. `result` and `scores` are empty on a sheet that is still to be written on."""

    round: int
    table: str
    players: tuple[str, ...]
    result: str = ""
    scores: tuple[str, ...] = ()


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
) -> None:
    """A page or more for each board. `places`: of those who sit at a table, a seat or a side each; `marks`:
    the heads of what each of them has marked. The time grows with the plays."""
    for sheet in sheets:
        title = _("Board %(number)d") % {"number": sheet.number}

        def again(title: str = title, sheet: TravelSheet = sheet) -> None:
            paper.opened(heading, title, kicker=_("Travelling sheet"))
            _conditions(paper, sheet)

        paper.opened(heading, title, kicker=_("Travelling sheet"), section=True)
        _conditions(paper, sheet)
        people = [TableColumn(place, 2.6, serif=True) for place in places]
        scores = [TableColumn(head, 1.4, "R", bold=True) for head in marks]
        is_asked = any(row.result for row in sheet.rows) or not any(row.scores for row in sheet.rows)
        columns = [
            TableColumn(_("Round"), 0.9, "C"),
            TableColumn(_("Table"), 0.9, "C"),
            *people,
            *([TableColumn(_("Result"), 2.8)] if is_asked else []),
            *scores,
        ]
        rows = [
            (
                *(str(row.round), row.table, *row.players),
                *([row.result] if is_asked else []),
                *(row.scores or ("",) * len(places)),
            )
            for row in sheet.rows
        ]
        height = roomy(paper, len(rows), least=8.5, most=12.5)
        table(paper, columns, rows, again=again, ruled=True, row=height, size=height * 1.02)


def _conditions(paper: Paper, sheet: TravelSheet) -> None:
    paper.sans(11)
    text = sheet.conditions
    if sheet.letter:
        text += " · " + _("letter %(letter)s") % {"letter": sheet.letter}
    paper.paragraph(text, gap=3, width=paper.epw)
