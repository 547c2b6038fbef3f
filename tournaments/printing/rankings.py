"""The ranking as it is hung up, and certificates for those on top of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from .paper import Heading, Paper
from .tables import TableColumn, table

CREST = 26  # of a club's logo on a certificate, in mm


@dataclass(frozen=True, slots=True)
class RankRow:
    """`rank` with its sign of a tie; `total` and `award` as they are shown."""

    rank: str
    name: str
    boards: str
    total: str


def draw(
    paper: Paper, heading: Heading, groups: Sequence[tuple[str, Sequence[RankRow]]], *, state: str, unit: str
) -> None:
    """A ranking for each group of contestants that are compared. The time grows with the contestants."""
    for name, rows in groups:
        title = name or _("Ranking")

        def begin(title: str = title) -> None:
            paper.opened(heading, title, kicker=state)

        begin()
        paper.start_section(title, strict=False)
        columns = [
            TableColumn(_("Rank"), 1, "R", bold=True),
            TableColumn("", 0.2),
            TableColumn(_("Contestant"), 7, serif=True),
            TableColumn(_("Boards"), 1.2, "R"),
            TableColumn(unit, 1.8, "R", bold=True),
        ]
        cells = [(row.rank, "", row.name, row.boards, row.total) for row in rows]
        table(paper, columns, cells, again=begin, size=10.5)


def draw_certificates(paper: Paper, heading: Heading, rows: Sequence[RankRow], game: str) -> None:
    """A page for each of those on top, with the club's logo, if it has one, above its name."""
    for row in rows:
        paper.add_page()
        middle = paper.l_margin
        paper.double_rule(28)
        if heading.logo is None:
            paper.mark(paper.w / 2 - 7, 42, 17)
        else:
            paper.picture(heading.logo, paper.w / 2 - CREST / 2, 38, CREST)
        for y, size, text in (
            (72, 15, heading.club),
            (96, 42, _("Certificate")),
            (126, 30, row.name),
            (148, 17, _("rank %(rank)s of %(session)s") % {"rank": row.rank, "session": heading.session}),
            (158, 15, f"{game} · {heading.day}"),
            (168, 15, row.total),
        ):
            paper.serif(size)
            paper.write_at(middle, y, text, width=paper.epw, align="C")
        paper.double_rule(200)
        paper.sans(9)
        for number, words in enumerate((_("The director"), _("The president"))):
            x = paper.l_margin + (paper.epw / 2 + 6) * number
            paper.write_in(x, 238, paper.epw / 2 - 6)
            paper.write_at(x, 240, words, pale=True)
