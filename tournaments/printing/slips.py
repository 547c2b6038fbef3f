"""Result slips: for each round of a table the game’s own questions, board after board, to tick and to fill
in.

What a slip asks is drawn from the form of the game: what one ticks, what one writes beside each player, and
what adds up to what.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engines.contract import Game
from engines.expressions import expression
from engines.forms import JSON_KINDS, Field, Step
from engines.quick_values import SIDE_NAMES

from .paper import RED, RED_SUITS, SMALLER, SUITS, Heading, Paper, halves

LINE = 6.4
SCALES = (1.4, 1.3, 1.2, 1.1, 1.0, 0.92)  # of the type of a slip
SIGNED = 17.0  # the height over the foot in which the slip is signed
CLOSE = 0.92  # how much smaller the head of a column is set before it is broken
FEW = 7  # values of a number that are ticked; more are written


@dataclass(frozen=True, slots=True)
class SlipBoard:
    number: int
    conditions: str
    letter: str | None = None


@dataclass(frozen=True, slots=True)
class TableSlip:
    """A round at a table: its boards in turn, and who sits there, by seat, board by board; `address` of the
    table’s page, where it has one."""

    title: str
    boards: Sequence[SlipBoard]
    players: Sequence[tuple[str, ...]]
    address: str = ""


Row = tuple[str, list[str]]


@dataclass(slots=True)
class Questions:
    """The fields of a form, in its order, by the way in which paper asks them: `rows` and, under the players,
    `later` ones: what is ticked, with its answers, or written, which has none; `seat`: the one that is ticked
    beside a player; `beside`: a column each, with what it adds up to, and whether it is ticked; `blocks`:
    those asked again, each with how often."""

    rows: list[Row] = field(default_factory=list)
    seat: str = ""
    beside: list[tuple[str, str, bool]] = field(default_factory=list)
    blocks: list[tuple[str, int, list[str], bool]] = field(default_factory=list)
    later: list[Row] = field(default_factory=list)

    @property
    def ticked(self) -> list[Row]:
        return [row for row in (*self.rows, *self.later) if row[1]]


def questions(
    game: Game[Any],
    options: Mapping[str, Any],
    conditions: Mapping[str, Any],
    language: str,
    known: Collection[str] = (),
) -> Questions:
    """What a slip of a game asks, in its order, but for what is `known`: it stands beside the board."""
    found = Questions()
    again = _blocks(game.form.steps)
    instead = {one.needed for one in game.form.fields}  # what may be said in place of a field that is asked
    seats = [str(seat) for seat in range(1, game.seat_count(conditions) + 1)]
    around = {"seats": [int(seat) for seat in seats], "option": dict(options), "known": dict(conditions)}

    def words(one: Field) -> str:
        text = one.label.to(language)
        return text[:1].upper() + text[1:]

    def name(word: str) -> str:
        return game.names[word].to(language) if word in game.names else word

    def belongs(one: Field) -> bool:
        if one.name in known:
            return False
        return not one.when or expression(one.when).value(around) is not False

    def row(words: str, answers: Sequence[str] = ()) -> None:
        """Above the players, or under them, as the form has it."""
        (found.later if found.beside or found.blocks else found.rows).append((words, list(answers)))

    steps = {name for step in game.form.steps for name in step.fields}
    for one in filter(belongs, game.form.fields):
        is_detail = one.optional and one.name not in steps
        if one.name in again:
            count = expression(again[one.name]).value(around)
            parts = [part for part in one.of if belongs(part)]
            heads = [words(part) for part in parts if part.is_listed] if not one.is_bare else [words(one)]
            found.blocks.append(
                (words(one), count if isinstance(count, int) else 4, heads, _is_of_sides(one))
            )
            for part in parts:
                if not part.is_listed:
                    row(words(part))
        elif one.kind == "choice" and not one.is_listed:
            signs = SUITS if SUITS.keys() <= set(one.choices) else {}
            row(words(one), [signs.get(choice) or name(choice) for choice in one.choices])
        elif one.kind == "seat" and not found.seat:
            found.seat = words(one)
        elif one.kind in ("seat", "seats"):
            row(words(one), seats)
        elif one.kind == "flag" and not one.is_listed:
            row(words(one), [_("yes")])
        elif one.is_listed and not (is_detail and one.kind in JSON_KINDS):  # another way to say the same
            head = _("%(what)s (optional)") % {"what": words(one)} if is_detail else words(one)
            found.beside.append((head, one.total if one.total.isdigit() else "", one.kind == "flag"))
        elif one.kind == "whole" and one.most is not None and one.most - one.least < FEW:
            row(words(one), [str(value) for value in range(one.least, one.most + 1)])
        elif not one.is_listed and f"{one.name} == None" not in instead:
            row(words(one))
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
    """A page or more for each slip, in type as large as it can be. The time grows with the boards."""
    for slip in slips:
        begin = partial(_begin, paper, heading, slip, bool(asked.ticked))
        begin(section=True)
        seats = len(slip.players[0])
        hand = _largest(paper, asked, sides, seats, len(slip.boards))
        for board, players in zip(slip.boards, slip.players, strict=True):
            if paper.get_y() + hand.height(seats) > paper.bottom - SIGNED + 0.01:
                _signatures(paper, seats)
                begin()
            hand.board(board, players)
        _signatures(paper, seats)


def _largest(
    paper: Paper, asked: Questions, sides: Sequence[Sequence[int]], seats: int, boards: int
) -> "Hand":
    """The hand that takes the fewest pages, and of those the largest."""
    room = paper.bottom - SIGNED - paper.get_y()
    hands = [Hand(paper, asked, sides, scale) for scale in SCALES]

    def pages(hand: Hand) -> int:
        return -(-boards // int((room + hand.gap) / (hand.height(seats) + hand.gap)))

    return min((hand for hand in hands if hand.height(seats) <= room), key=pages, default=hands[-1])


def _begin(
    paper: Paper, heading: Heading, slip: TableSlip, are_ticked: bool, *, section: bool = False
) -> None:
    paper.opened(heading, slip.title, kicker=_("Result slip"), section=section, code=slip.address)
    y = paper.get_y() - 2
    ticked = _("One box in a row. Hand the slip to the scorer before the next round.")
    paper.foot(ticked if are_ticked else _("Hand the slip to the scorer before the next round."))
    paper.set_y(y)


@dataclass(frozen=True, slots=True)
class Hand:
    """How large the boards of a slip are written: `scale` times the usual size."""

    paper: Paper
    asked: Questions
    sides: Sequence[Sequence[int]]
    scale: float

    @property
    def line(self) -> float:
        return LINE * self.scale

    def height(self, players: int) -> float:
        """How high a board is."""
        asked = self.asked
        lines = sum(1 for _line in self._lines([*asked.rows, *asked.later]))
        if not asked.blocks:
            lines += players + 2
        sides = len(self.sides)
        blocks = sum((sides if by_side else players) + 1 for _w, _c, _h, by_side in asked.blocks)
        return (10.2 + LINE * (lines + blocks) + 1.5 * (len(asked.blocks) or 1)) * self.scale

    @property
    def gap(self) -> float:
        """What stays free between two boards."""
        return 4.8 * self.scale

    def board(self, board: SlipBoard, players: Sequence[str]) -> None:
        paper, scale = self.paper, self.scale
        x, y = paper.l_margin, paper.get_y()
        paper.serif(18 * scale)
        title = _("Board %(number)d") % {"number": board.number}
        with paper.tagged("H2"):
            paper.write_at(x, y, title)
        x += paper.width_of(title) + 4 * scale
        with paper.tagged("P"):  # one for all that is asked: a field has thousands of boards
            self._asked(board, players, x, y)

    def _asked(self, board: SlipBoard, players: Sequence[str], x: float, y: float) -> None:
        """What is asked of a board, from beside its title on."""
        paper, scale, asked = self.paper, self.scale, self.asked
        right = paper.l_margin + paper.epw
        paper.sans(9.5 * scale)
        if board.letter is not None:
            words, box = _("letter on the wallet"), 5.5 * scale
            wide = paper.width_of(words)
            paper.write_at(right - box - 2 - wide, y + 3 * scale, words)
            paper.box(right - box, y + 2.4 * scale, box)
            right -= box + wide + 6
        paper.write_at(x, y + 3 * scale, board.conditions, width=right - x)
        paper.set_y(y + 9.5 * scale)
        self._draw(asked.rows)
        paper.set_y(paper.get_y() + 0.7 * scale)
        if not asked.blocks:
            self._players(players)
        for words, count, heads, by_side in asked.blocks:
            names = [" – ".join(dict.fromkeys(players[seat - 1] for seat in side)) for side in self.sides]
            called = [name.to((get_language() or "en")[:2]) for name in SIDE_NAMES] if by_side else []
            self._again(words, count, heads, names if by_side else players, called)
        self._draw(asked.later)
        paper.set_y(paper.get_y() + self.gap)

    # ── Boxes ─────────────────────────────────────────────────────────────────────────────────────

    def _draw(self, rows: Sequence[Row]) -> None:
        for line in self._lines(rows):
            for draw_one in line:
                draw_one()
            self.paper.set_y(self.paper.get_y() + self.line)

    def _lines(self, rows: Sequence[Row]) -> Iterator[Sequence[Callable[[], None]]]:
        """Rows of boxes, and lines to write on, each of what draws it: a question goes on in the next row
        where it has no room."""
        paper, scale = self.paper, self.scale
        paper.sans(9.5 * scale)
        widest = max((paper.width_of(words) for words, _answers in self.asked.ticked), default=0)
        words_wide = min(widest, 42 * scale)
        first = paper.l_margin + words_wide + 4 * scale
        for words, answers in rows:
            if not answers:
                yield [partial(self._written, words)]
                continue
            line, x = [partial(self._words, words, words_wide)], first
            for answer in answers:
                paper.sans(9.5 * scale)
                wide = 5.2 * scale + paper.width_of(answer) + 5 * scale
                if x + wide > paper.l_margin + paper.epw and line:
                    yield line
                    line, x = [], first
                line.append(partial(self._tick, x, answer))
                x += wide
            yield line

    def _written(self, words: str) -> None:
        paper, scale, y = self.paper, self.scale, self.paper.get_y()
        paper.sans(9.5 * scale)
        paper.write_at(paper.l_margin, y + 1.2 * scale, words, width=paper.epw * 0.6)
        begins = paper.l_margin + min(paper.width_of(words), paper.epw * 0.6) + 2
        paper.write_in(begins, y + self.line - 0.6, paper.l_margin + paper.epw - begins)
        paper.set_y(y)

    def _words(self, words: str, width: float) -> None:
        paper, scale, y = self.paper, self.scale, self.paper.get_y()
        paper.sans(9.5 * scale)
        if paper.width_of(words) <= width + 0.01:
            paper.write_at(paper.l_margin, y + 0.8 * scale, words)
        else:
            paper.sans(7.5 * scale)
            for number, half in enumerate(halves(words)):
                paper.write_at(paper.l_margin, y + (3 * number - 0.2) * scale, half, width=width)
        paper.set_y(y)

    def _tick(self, x: float, answer: str) -> None:
        paper, scale, y = self.paper, self.scale, self.paper.get_y()
        paper.sans(9.5 * scale)
        paper.box(x, y + 1.1 * scale, 3.8 * scale)
        if answer in [SUITS[letter] for letter in RED_SUITS]:
            paper.set_text_color(*RED)
        paper.set_xy(x + 5.2 * scale, y + 0.8 * scale)
        paper.letters(answer)
        paper.cell(None, paper.line_height, answer)
        paper.ink()
        paper.set_y(y)

    # ── Tables ────────────────────────────────────────────────────────────────────────────────────

    def _players(self, players: Sequence[str]) -> None:
        """The table of players: a box each for the one who took, a column for what each has, and under it
        what the column adds up to."""
        paper, asked, scale, line = self.paper, self.asked, self.scale, self.line
        columns = [("", asked.seat, True)] if asked.seat else []
        columns += [(total, words, is_ticked) for words, total, is_ticked in asked.beside]
        number_wide = 9 * scale
        wide = min(27.0 * scale, (paper.epw - number_wide - 56) / max(len(columns), 1))
        left, top = paper.l_margin, paper.get_y()
        names = paper.epw - number_wide - wide * len(columns)
        edges = [left, left + number_wide]
        edges += [left + number_wide + names + wide * number for number in range(len(columns) + 1)]
        paper.sans(8.5 * scale)
        middle = (line - paper.line_height) / 2
        paper.write_at(edges[1] + 2 * scale, top + middle, _("Player"), width=names - 4)
        self._heads(
            [(edges[at + 2], head) for at, (_total, head, _is_ticked) in enumerate(columns)], top, wide
        )
        paper.serif(12.5 * scale)
        size = paper.size_for(players, names - 4 * scale)
        for row, player in enumerate(players):
            y = top + line * (row + 1)
            paper.rule(y, width=paper.epw, thick=0.25)
            paper.serif(12.5 * scale)
            paper.write_at(
                left, y + (line - paper.line_height) / 2, str(row + 1), width=number_wide, align="C"
            )
            paper.serif(size)
            place = y + (line - paper.line_height) / 2
            paper.name_at(
                edges[1] + 2 * scale, place, player, width=names - 4 * scale, height=line - 0.6, least=1
            )
            box = 3.8 * scale
            for at, (_total, _head, is_ticked) in enumerate(columns):
                if is_ticked:
                    paper.box(edges[at + 2] + (wide - box) / 2, y + (line - box) / 2, box)
        bottom = top + line * (len(players) + 1)
        paper.rule(top, thick=0.25)
        paper.rule(bottom, thick=0.25)
        for edge in edges:
            paper.line(edge, top, edge, bottom)
        self._sums(
            [(edges[at + 2], total) for at, (total, _head, _is_ticked) in enumerate(columns) if total],
            bottom,
            wide,
        )
        paper.set_y(bottom + line + 1.5 * scale)

    def _heads(self, heads: Sequence[tuple[float, str]], y: float, wide: float) -> None:
        """The heads of columns, all in one size: each on several lines where it would touch its neighbours on
        one."""
        paper, line = self.paper, self.line
        room, high, whole = wide - 1.6, line - 0.6, paper.font_size_pt

        def is_broken(head: str) -> bool:
            return " " in head and paper.width_of(head) * CLOSE > room

        broken = {head for _x, head in heads if is_broken(head)}
        size = whole
        for _x, head in heads:
            if head in broken:
                size = min(size, paper.lines_size(head, room, high))
            else:
                size = min(size, whole * room / max(paper.width_of(head), 0.1))
        for x, head in heads:
            paper.set_font_size(size / SMALLER if head in broken else size)
            middle = y + (line - paper.line_height) / 2
            if head in broken:
                paper.lines_at(x + 0.8, middle, head, width=room, height=high, align="C")
            else:
                paper.write_at(x + 0.8, middle, head, width=room, align="C")
        paper.set_font_size(whole)

    def _sums(self, sums: Sequence[tuple[float, str]], y: float, wide: float) -> None:
        """Under columns, what they have to add up to: on paper nothing else says that a figure is wrong."""
        paper, scale, line = self.paper, self.scale, self.line
        if not sums:
            return
        paper.sans(9 * scale)
        place = y + (line - paper.line_height) / 2
        paper.write_at(paper.l_margin, place, _("Check"), width=sums[0][0] - paper.l_margin - 2, align="R")
        for x, total in sums:
            paper.set_line_width(0.25)
            paper.rect(x, y, wide, line)
            paper.sans(9 * scale, bold=True)
            paper.write_at(x + 2 * scale, place, f"= {total}", width=wide - 3 * scale)

    def _again(
        self, words: str, count: int, heads: Sequence[str], rows: Sequence[str], called: Sequence[str]
    ) -> None:
        """Questions that are asked again: a group of columns each time, a row for each player or side;
        `called`: what stands before the names of sides."""
        paper, scale, line = self.paper, self.scale, self.line
        left, top = paper.l_margin, paper.get_y()
        names = min(64.0, paper.epw * 0.36)
        wide = (paper.epw - names) / (count * len(heads))
        paper.sans(8 * scale)
        middle = (line - paper.line_height) / 2
        paper.write_at(left + 2, top + middle, words, width=names - 4)
        labels = [
            f"{time + 1}" if len(heads) == 1 else f"{time + 1}. {head}"
            for time in range(count)
            for head in heads
        ]
        self._heads([(left + names + wide * place, label) for place, label in enumerate(labels)], top, wide)
        paper.serif(12.5 * scale)
        before = 8.5 * scale if called else 0.0
        size = paper.size_for(rows, names - 4 - before)
        for row, name in enumerate(rows):
            y = top + line * (row + 1)
            paper.rule(y, thick=0.25)
            paper.serif(size)
            place_y = y + (line - paper.line_height) / 2
            x, wide_name = left + 2 + before, names - 4 - before
            paper.name_at(x, place_y, name, width=wide_name, height=line - 0.6, least=1)
            if called:
                paper.sans(9.5 * scale)
                paper.write_at(left + 2, y + (line - paper.line_height) / 2, called[row], width=before)
        bottom = top + line * (len(rows) + 1)
        paper.rule(top, thick=0.25)
        paper.rule(bottom, thick=0.25)
        for edge in (left, *(left + names + wide * number for number in range(count * len(heads) + 1))):
            paper.line(edge, top, edge, bottom)
        paper.set_y(bottom + 1.5 * scale)


def _signatures(paper: Paper, seats: int) -> None:
    paper.sans(9)
    gap = 7.0
    wide, y = (paper.epw - gap * (seats - 1)) / seats, paper.bottom - 6
    with paper.tagged("P"):
        for seat in range(seats):
            x = paper.l_margin + (wide + gap) * seat
            words = (_("Signed, seat %(seat)d") if not seat else _("seat %(seat)d")) % {"seat": seat + 1}
            paper.write_in(x, y, wide)
            paper.write_at(x, y + 0.8, words, width=wide)
