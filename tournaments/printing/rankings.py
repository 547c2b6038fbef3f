"""The ranking as it is hung up, and certificates for those on top of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from .paper import Heading, Paper
from .tables import TableColumn, roomy, table

CREST = 26  # of a club's logo on a certificate, in mm
TITLE = 54  # points


@dataclass(frozen=True, slots=True)
class RankRow:
    """`rank` with its sign of a tie; `total` as it is shown; `points`: the master points in words, if any."""

    rank: str
    name: str
    boards: str
    total: str
    points: str = ""


def draw(
    paper: Paper, heading: Heading, groups: Sequence[tuple[str, Sequence[RankRow]]], *, state: str, unit: str
) -> None:
    """A ranking for each group of contestants that are compared. The time grows with the contestants."""
    for name, rows in groups:
        title = name or _("Ranking")

        def begin(title: str = title) -> None:
            paper.opened(heading, title, kicker=state)

        paper.new_sheet()
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
        height = roomy(paper, len(cells), most=10.5)
        table(paper, columns, cells, again=begin, row=height, size=height * 1.45)


def _ranked(rank: str, session: str) -> str:
    """A rank in words: whoever shares one has it as well."""
    is_shared = rank.endswith("=")
    words = _("rank %(rank)s of %(session)s, shared") if is_shared else _("rank %(rank)s of %(session)s")
    return words % {"rank": rank.rstrip("="), "session": session}


def draw_certificates(paper: Paper, heading: Heading, rows: Sequence[RankRow], game: str) -> None:
    """A page for each of those on top, with the club's logo, if it has one, above its name."""
    for row in rows:
        paper.new_sheet()
        paper.add_page()
        wide = paper.epw
        paper.double_rule(paper.h * 0.095)
        if heading.logo is None:
            paper.mark(paper.w / 2 - 8, paper.h * 0.142, 20)
        else:
            paper.picture(heading.logo, paper.w / 2 - CREST / 2, paper.h * 0.128, CREST, alt=heading.club)
        for share, size, text in (
            (0.242, 17, heading.club),
            (0.33, TITLE, _("Certificate")),
            (0.455, 34, row.name),
            (0.535, 20, _ranked(row.rank, heading.session)),
            (0.572, 16, f"{game} · {heading.day}"),
            (0.602, 16, row.total),
            *([(0.632, 16, row.points)] if row.points else []),
        ):
            paper.serif(size)
            lines = paper.broken(text, wide) if paper.width_of(text) > wide * 1.4 else [text]
            with paper.tagged("H1" if size == TITLE else "P"):
                for number, line in enumerate(lines):
                    place = paper.h * share + number * paper.line_height * 0.85
                    paper.write_at(paper.l_margin, place, line, width=wide, align="C")
        paper.sans(10)
        for number, words in enumerate((_("The director"), _("The president"))):
            x = paper.l_margin + (wide / 2 + 6) * number
            paper.write_in(x, paper.h * 0.8, wide / 2 - 6)
            paper.write_at(x, paper.h * 0.8 + 1.5, words)
        paper.double_rule(paper.h * 0.895)
