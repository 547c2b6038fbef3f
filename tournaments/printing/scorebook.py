"""A blank score book: a page of rows for those who keep their own account of a game."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from .paper import Heading, Paper
from .tables import TableColumn, head_of, table

ROWS = 24


def draw(paper: Paper, heading: Heading, game: str, heads: Sequence[str], places: Sequence[str]) -> None:
    """A page with a row for each board: what was played, and each seat’s marks; another on its back, where
    both are printed. `heads`: what the game asks."""
    columns = [
        TableColumn(_("Board"), 1, "C"),
        *(TableColumn(head, 1.9) for head in heads[:5]),
        *(TableColumn(place, 1.2, "C") for place in places),
        TableColumn(_("Note"), 2.3),
    ]
    for page in range(2 if paper.duplex else 1):
        paper.opened(heading, game, kicker=_("Score book"), section=not page)
        height = (paper.bottom - paper.get_y() - head_of(paper, columns, ruled=True) - 0.5) / ROWS
        rows = [("",) * len(columns)] * ROWS
        table(paper, columns, rows, again=lambda: None, ruled=True, row=height, size=9)
