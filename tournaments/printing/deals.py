"""Deals on paper: lists for those who deal the boards by hand, and the hands after the session."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from .paper import POINT, CardWords, Heading, Paper
from .tables import TALL, TableColumn, legible, marked, side_by_side, table

GAP = 5.0
ROW = 6.0
LISTED = 7.0  # points: the names of places beside the cards are not smaller
TABLE = 90.0  # the height of the results of a board, which stand with others on a page
MANY = 60  # cards, from which on a dealing list is written smaller


@dataclass(frozen=True, slots=True)
class DealList:
    """A board to be dealt: each card of the sorted pack with its place, and the cards of each place. `sheet`:
    what it says of other sheets of the same deal."""

    number: int
    letter: str | None
    by_card: Sequence[tuple[str, str]]
    by_place: Sequence[tuple[str, Sequence[str]]]
    sheet: str


@dataclass(frozen=True, slots=True)
class HandRecord:
    """A board after it was played: its places with their cards; `results`: the rows of its traveller, each
    with who sat where, what happened, and by place the scores and what they were worth."""

    number: int
    conditions: str
    places: Sequence[tuple[str, Sequence[str]]]
    results: Sequence[tuple[str, tuple[str, ...], str, tuple[str, ...], tuple[str, ...]]]


def draw_lists(
    paper: Paper, heading: Heading, lists: Sequence[DealList], cards: CardWords, watermark: str
) -> None:
    """A page or more for each board; every page says who has it. The time grows with the cards."""
    for one in lists:
        title = _("Board %(number)d") % {"number": one.number}
        if one.letter:
            title += f" · {one.letter}"

        def begin(title: str = title, *, section: bool = False) -> None:
            paper.opened(heading, title, kicker=_("Dealing list"), section=section)
            _watermark(paper, watermark)

        begin(section=True)
        paper.sans(9.5)
        paper.paragraph(one.sheet, gap=2)
        _subtitle(paper, _("Card by card"))
        _columns(paper, one.by_card, cards, begin)
        _subtitle(paper, _("Place by place"))
        for place, held in one.by_place:
            _place(paper, place, held, cards, begin)


def _watermark(paper: Paper, text: str) -> None:
    """Who printed the page, across it and at its foot."""
    y = paper.get_y()
    with paper.local_context(fill_opacity=0.07):
        paper.sans(30, bold=True)
        with paper.rotation(32, paper.w / 2, paper.h / 2):
            paper.fit(text, paper.w * 1.05)
            wide = paper.width_of(text)
            paper.letters(text)
            with paper.decoration():  # it is read at the foot
                paper.text(paper.w / 2 - wide / 2, paper.h / 2, text)
    paper.foot(text + " " + _("Not for those who play."))
    paper.set_y(y)


def _subtitle(paper: Paper, words: str) -> None:
    paper.serif(17)
    with paper.tagged("H2"):
        paper.paragraph(words, gap=1.5)


def _columns(
    paper: Paper, by_card: Sequence[tuple[str, str]], cards: CardWords, begin: Callable[[], None]
) -> None:
    """Cards and their places down the page, column after column."""
    count = 4
    wide, row = paper.epw / count, 7.4 if len(by_card) <= MANY else 5.6
    size = row * 1.75
    top, at = paper.get_y(), 0
    per_column = -(-len(by_card) // count)
    rows = min(per_column, max(int((paper.bottom - top) / row), 1))
    paper.sans(size)
    beside = max(12.0, *(paper.card_width(card, cards) + 1 for card, _place in by_card))  # of each card
    room = wide - beside - 6
    paper.sans(size, bold=True)
    widest = max(paper.width_of(place) for _card, place in by_card)
    words = max(size * min(1, room / widest), LISTED)  # the size of places that have names, not numbers
    for card, place in by_card:
        if at == rows * count:
            begin()
            top, at = paper.get_y(), 0
        x, y = paper.l_margin + wide * (at // rows), top + row * (at % rows)
        with paper.tagged("P", alt=f"{cards.said([card])} – {place}"):
            paper.sans(size)
            paper.set_xy(x, y)
            paper.cards([card], cards)
            paper.sans(size, bold=True)
            lower = 0.0 if place.isdigit() else (size - words) * 0.95 * POINT  # both on one line
            paper.sans(size if place.isdigit() else words, bold=True)
            paper.write_at(x + beside, y + lower, place, width=room)
        if at % rows < rows - 1:
            paper.hairline(y + row - 0.7, x=x, width=wide - 6)
        at += 1
    paper.set_y(top + row * min(at, rows) + GAP)


def _place(
    paper: Paper, place: str, held: Sequence[str], cards: CardWords, begin: Callable[[], None] | None = None
) -> None:
    paper.sans(11.5)
    high = paper.lines_of_cards(held, cards, paper.epw - 28) * paper.line_height + 1.5
    if begin is not None and paper.get_y() + max(high, 14) > paper.bottom:
        begin()
    y = paper.get_y()
    with paper.tagged("P", alt=f"{place} – {cards.said(held)}"):
        paper.sans(10)
        paper.write_at(paper.l_margin, y + 0.4, place, width=26)
        paper.sans(11.5)
        paper.set_xy(paper.l_margin + 28, y)
        paper.cards(held, cards, width=paper.epw - 28)
    paper.set_y(paper.get_y() + paper.line_height + 1.5)


def draw_records(
    paper: Paper,
    heading: Heading,
    records: Sequence[HandRecord],
    cards: CardWords,
    places: Sequence[str],
    marks: Sequence[str],
    awards: Sequence[str],
) -> None:
    """The hands of each board with what was made of them, several boards to a page where they fit. `marks`,
    `awards`: the heads of what each place has marked, and of what that was worth."""
    kicker = _("Hands and results")

    def begin() -> None:
        paper.opened(heading, heading.session, kicker=kicker)

    paper.new_sheet()
    begin()
    for one in records:
        is_told = any(result for _table, _players, result, _scores, _awards in one.results)
        columns = [
            TableColumn(_("Table"), 1.2, "C"),
            *(TableColumn(place, 2.8, serif=True) for place in places),
            *([TableColumn(_("Result"), 6.4, wraps=True)] if is_told else []),
            *marked(marks, awards),
        ]
        rows = [
            (where, *players, *([result] if is_told else []), *side_by_side(scores, worth if awards else ()))
            for where, players, result, scores, worth in one.results
        ]
        row = legible(paper, columns, rows, row=ROW, height=TABLE)
        paper.sans(11.5)
        lines = sum(paper.lines_of_cards(held, cards, paper.epw - 28) for _where, held in one.places)
        hands = lines * paper.line_height + 3 * len(one.places)
        needed = 12 + hands + TALL + row * min(len(one.results), 8)
        if paper.get_y() + needed > paper.bottom:
            begin()
        title = _("Board %(number)d") % {"number": one.number}
        paper.start_section(title, strict=False)
        paper.serif(18)
        y = paper.get_y()
        with paper.tagged("H2"):
            paper.write_at(paper.l_margin, y, title)
        x = paper.l_margin + paper.width_of(title) + 4
        paper.sans(9.5)
        paper.write_at(x, y + 3, one.conditions, pale=True)
        paper.set_y(y + 10)
        for place, held in one.places:
            _place(paper, place, held, cards, begin)
        if rows:
            table(paper, columns, rows, again=begin, size=8.5, row=row)
        paper.set_y(paper.get_y() + 7)


def watermark_of(by: str, at: str, mark: str) -> str:
    return _("Printed for %(name)s, %(at)s, mark %(mark)s.") % {"name": by, "at": at, "mark": mark}
