"""Result slips: for each round of a table the game’s own questions, board after board, to tick and to fill
in.

What a slip asks is drawn from the form of the game: what one ticks, what one writes beside each player, and
what adds up to what.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from engines.contract import Game
from engines.expressions import expression
from engines.forms import Field, Step

from .paper import Heading, Paper, halves

LINE = 6.2
FEW = 7  # values of a number that are ticked; more are written


@dataclass(frozen=True, slots=True)
class SlipBoard:
    number: int
    conditions: str
    letter: str | None = None


@dataclass(frozen=True, slots=True)
class TableSlip:
    """A round at a table: its boards in turn, and who sits there, by seat, board by board."""

    title: str
    boards: Sequence[SlipBoard]
    players: Sequence[tuple[str, ...]]


@dataclass(slots=True)
class Questions:
    """The fields of a form by the way in which paper asks them: `ticked`, each with its answers; `seat`:
    the one that is ticked beside a player; `beside`: a column each, with what it adds up to; `blocks`:
    those asked again, each with how often; `written`."""

    ticked: list[tuple[str, list[str]]] = field(default_factory=list)
    seat: str = ""
    beside: list[tuple[str, str]] = field(default_factory=list)
    blocks: list[tuple[str, int, list[str], bool]] = field(default_factory=list)
    written: list[str] = field(default_factory=list)


def questions(
    game: Game[Any], options: Mapping[str, Any], conditions: Mapping[str, Any], language: str
) -> Questions:
    """What a slip of a game asks, in its order."""
    found = Questions()
    again = _blocks(game.form.steps)
    seats = [str(seat) for seat in range(1, game.seat_count(conditions) + 1)]
    around = {"seats": [int(seat) for seat in seats], "option": dict(options), "known": dict(conditions)}

    def words(one: Field) -> str:
        text = one.label.to(language)
        return text[:1].upper() + text[1:]

    def name(word: str) -> str:
        return game.names[word].to(language) if word in game.names else word

    def belongs(one: Field) -> bool:
        return not one.when or expression(one.when).value(around) is not False

    for one in filter(belongs, game.form.fields):
        if one.name in again:
            count = expression(again[one.name]).value(around)
            parts = [part for part in one.of if belongs(part)]
            heads = [words(part) for part in parts if part.is_listed] if not one.is_bare else [words(one)]
            found.blocks.append(
                (words(one), count if isinstance(count, int) else 4, heads, _is_of_sides(one))
            )
            found.written += [words(part) for part in parts if not part.is_listed]
        elif one.kind == "choice" and not one.is_listed:
            found.ticked.append((words(one), [name(choice) for choice in one.choices]))
        elif one.kind == "seat" and not found.seat:
            found.seat = words(one)
        elif one.kind in ("seat", "seats"):
            found.ticked.append((words(one), seats))
        elif one.kind == "flag" and not one.is_listed:
            found.ticked.append((words(one), [_("yes")]))
        elif one.is_listed and one.kind in ("whole", "flag"):
            found.beside.append((words(one), one.total if one.total.isdigit() else ""))
        elif one.is_listed:
            found.beside.append((words(one), ""))
        elif one.kind == "whole" and one.most is not None and one.most - one.least < FEW:
            found.ticked.append((words(one), [str(value) for value in range(one.least, one.most + 1)]))
        else:
            found.written.append(words(one))
    return found


def _is_of_sides(one: Field) -> bool:
    return any(part.per_side for part in one.of)


def _blocks(steps: Sequence[Step]) -> dict[str, str]:
    """The fields that are asked again and again, each with the expression that says how often."""
    return {name: step.blocks for step in steps if step.blocks for name in step.fields}


def draw(
    paper: Paper,
    heading: Heading,
    slips: Sequence[TableSlip],
    asked: Questions,
    sides: Sequence[Sequence[int]],
) -> None:
    """A page or more for each slip. The time grows with the boards."""
    for slip in slips:
        begin = partial(_begin, paper, heading, slip)
        begin(section=True)
        for board, players in zip(slip.boards, slip.players, strict=True):
            height = _height(paper, asked, len(players), len(sides))
            if paper.get_y() + height > paper.bottom - 12:
                _signatures(paper, len(players))
                begin()
            _board(paper, board, players, asked, sides)
        _signatures(paper, len(slip.players[0]))


def _begin(paper: Paper, heading: Heading, slip: TableSlip, *, section: bool = False) -> None:
    paper.opened(heading, slip.title, kicker=_("Result slip"), section=section)
    paper.foot(_("One box in a row. Hand the slip to the scorer before the next round."))
    paper.set_y(paper.t_margin + 20)


def _height(paper: Paper, asked: Questions, players: int, sides: int) -> float:
    ticked = sum(1 for _line in _lines(paper, asked))
    columns = 0 if asked.blocks else LINE * (players + 2)
    blocks = sum(LINE * ((sides if by_side else players) + 2) for _w, _c, _h, by_side in asked.blocks)
    return 9 + LINE * ticked + columns + blocks + LINE * len(asked.written) + 5


def _board(
    paper: Paper, board: SlipBoard, players: Sequence[str], asked: Questions, sides: Sequence[Sequence[int]]
) -> None:
    x, y = paper.l_margin, paper.get_y()
    paper.serif(17)
    title = _("Board %(number)d") % {"number": board.number}
    paper.write_at(x, y, title)
    x += paper.width_of(title) + 4
    paper.sans(9)
    paper.write_at(x, y + 2.8, board.conditions)
    if board.letter is not None:
        asked_for = _("letter on the wallet")
        paper.write_at(paper.l_margin + paper.epw - 50, y + 2.8, asked_for, width=42, align="R")
        paper.box(paper.l_margin + paper.epw - 6, y + 2.4, 5)
    paper.set_y(y + 9)
    for line in _lines(paper, asked):
        for draw_one in line:
            draw_one()
        paper.set_y(paper.get_y() + LINE)
    if not asked.blocks:
        _players(paper, players, asked)
    for words, count, heads, by_side in asked.blocks:
        rows = (
            [" – ".join(dict.fromkeys(players[seat - 1] for seat in side)) for side in sides]
            if by_side
            else players
        )
        _again(paper, words, count, heads, rows)
    for words in asked.written:
        paper.sans(9)
        paper.write_at(paper.l_margin, paper.get_y() + 1, words, pale=True)
        begins = paper.l_margin + paper.width_of(words) + 2
        paper.write_in(begins, paper.get_y() + 0.2, paper.l_margin + paper.epw - begins)
        paper.set_y(paper.get_y() - paper.line_height + LINE - 1)
    paper.set_y(paper.get_y() + 5)


def _lines(paper: Paper, asked: Questions) -> Iterator[Sequence[Callable[[], None]]]:
    """The rows of boxes, each of what draws it: a question goes on in the next row where it has no room."""
    paper.sans(9)
    for words, answers in asked.ticked:
        line, x = [partial(_words, paper, paper.l_margin, words)], paper.l_margin + 42
        for answer in answers:
            wide = 5.5 + paper.width_of(answer) + 5
            if x + wide > paper.l_margin + paper.epw:
                yield line
                line, x = [], paper.l_margin + 42
            line.append(partial(_tick, paper, x, answer))
            x += wide
        yield line


def _words(paper: Paper, x: float, words: str) -> None:
    y = paper.get_y()
    paper.sans(9)
    if paper.width_of(words) <= 40:
        paper.write_at(x, y + 0.6, words, pale=True)
    else:
        paper.sans(7.5)
        for number, half in enumerate(halves(words)):
            paper.write_at(x, y - 0.7 + 3 * number, half, width=40, pale=True)
    paper.set_y(y)


def _tick(paper: Paper, x: float, answer: str) -> None:
    y = paper.get_y()
    paper.sans(9)
    paper.box(x, y + 0.8)
    paper.write_at(x + 5, y + 0.6, answer)
    paper.set_y(y)


def _players(paper: Paper, players: Sequence[str], asked: Questions) -> None:
    """The table of players: a box each for the one who took, a column for what each has."""
    heads = [*([asked.seat] if asked.seat else []), *(words for words, _sum in asked.beside)]
    wide = min(26.0, (paper.epw - 62) / max(len(heads), 1))
    left, top = paper.l_margin, paper.get_y()
    names = paper.epw - 8 - wide * len(heads)
    edges = [left, left + 8, *(left + 8 + names + wide * number for number in range(len(heads) + 1))]
    sums = any(total for _words, total in asked.beside)
    paper.sans(8)
    for number, head in enumerate(heads):
        paper.write_at(edges[number + 2] + 0.8, top + 1.4, head, width=wide - 1.6, align="C", pale=True)
    for row, player in enumerate(players):
        y = top + LINE * (row + 1)
        paper.rule(y, width=paper.epw, thick=0.25)
        paper.serif(12)
        paper.write_at(left, y + 0.6, str(row + 1), width=8, align="C")
        paper.name_at(left + 10, y + 0.6, player, width=names - 4)
        if asked.seat:
            paper.box(edges[2] + wide / 2 - 1.8, y + 1.3)
    bottom = top + LINE * (len(players) + 1)
    paper.rule(top, thick=0.25)
    paper.rule(bottom, thick=0.25)
    for edge in edges:
        paper.line(edge, top, edge, bottom)
    if sums:
        paper.sans(8)
        first = 1 if asked.seat else 0
        for number, (_words, total) in enumerate(asked.beside):
            if total:
                x = edges[2 + first + number]
                paper.write_at(x, bottom + 1, f"= {total}", width=wide, align="C")
    paper.set_y(bottom + (LINE if sums else 1.5))


def _again(paper: Paper, words: str, count: int, heads: Sequence[str], rows: Sequence[str]) -> None:
    """Questions that are asked again: a group of columns each time, a row for each player or side."""
    left, top = paper.l_margin, paper.get_y()
    names = min(58.0, paper.epw * 0.34)
    wide = (paper.epw - names) / (count * len(heads))
    paper.sans(7.5)
    paper.write_at(left, top + 1.2, words, width=names - 2, pale=True)
    for time in range(count):
        for place, head in enumerate(heads):
            x = left + names + wide * (time * len(heads) + place)
            label = f"{time + 1}" if len(heads) == 1 else f"{time + 1} {head}"
            paper.write_at(x + 0.5, top + 1.2, label, width=wide - 1, align="C", pale=True)
    for row, name in enumerate(rows):
        y = top + LINE * (row + 1)
        paper.rule(y, thick=0.25)
        paper.serif(11.5)
        paper.name_at(left + 1, y + 0.8, name, width=names - 3)
    bottom = top + LINE * (len(rows) + 1)
    paper.rule(top, thick=0.25)
    paper.rule(bottom, thick=0.25)
    for edge in (left, *(left + names + wide * number for number in range(count * len(heads) + 1))):
        paper.line(edge, top, edge, bottom)
    paper.set_y(bottom + 1.5)


def _signatures(paper: Paper, seats: int) -> None:
    paper.sans(8)
    wide, y = paper.epw / seats, paper.bottom - 5
    for seat in range(seats):
        x = paper.l_margin + wide * seat
        words = _("Signed, seat %(seat)d") % {"seat": seat + 1}
        paper.write_at(x, y - 4, words, pale=True)
        paper.write_in(x, y + 1.5, wide - 6)
