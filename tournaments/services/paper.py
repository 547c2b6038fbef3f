"""A club's file as rows, each judged as it is read; every slip is reported at once."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from engines import quick_lines, sheets
from engines.contract import Game, Settings, Sheet
from engines.errors import BadSheet
from engines.phrases import Phrase, brief
from engines.records import Judgement

from ..movements.cooling import LOOK, Progress
from . import paper_rulings, sessions, spreadsheets
from .file_slips import Slip
from .slips import Row, between, without_repeats

PLACE_COLUMNS = ("section", "round", "table", "board")


def read(
    text: str, game: Game[Any], options: Settings, progress: Progress | None = None
) -> tuple[list[Row], list[Slip]]:
    """The good rows of a file, and the slips of the others in the order of their lines."""
    lines = spreadsheets.lines_of(text)
    try:
        header = spreadsheets.without_empty_end(next(lines, []))
    except csv.Error:
        return [], [Slip(1, "", _long_cell())]
    columns = [name.strip().casefold() for name in header]
    slips = list(_header_slips(columns, game))
    if slips:
        return [], slips
    by_line = dict(_cells(lines, columns, slips))
    if not by_line and not slips:
        slips.append(Slip(1, "", Phrase("the file has no rows")))
    seats = _seat_count(by_line.values(), game)
    rows: list[Row] = []
    for count, (line, cells) in enumerate(by_line.items()):
        if progress is not None and count % LOOK == 0:
            progress(count / len(by_line))
        row = _read_row(line, cells, game, seats, options)
        if isinstance(row, Row):
            rows.append(row)
        else:
            slips += row
    rows, repeated = without_repeats(rows)
    slips += [*repeated, *between(rows)]
    return rows, sorted(set(slips), key=lambda slip: (slip.line, slip.column))


def _header_slips(columns: Sequence[str], game: Game[Any]) -> Iterator[Slip]:
    if len(columns) > spreadsheets.COLUMNS_AT_MOST:
        yield Slip(1, "", Phrase("a file has at most {most} columns", most=spreadsheets.COLUMNS_AT_MOST))
        return
    fewest, most = game.seats[0], game.seats[-1]
    fields = sheets.columns(game.fields, seats=most)
    known = [*PLACE_COLUMNS, *_seat_columns(most), *fields]
    known += [name for name in paper_rulings.columns(most) if name not in known]
    for name in [*PLACE_COLUMNS, *_seat_columns(fewest), fields[0]]:
        if name not in columns:
            yield Slip(1, name, Phrase("this column is missing"))
    for name in columns:
        if name not in known:
            yield Slip(
                1, brief(name), Phrase("unknown column; the columns are: {known}", known=", ".join(known))
            )
        elif columns.count(name) > 1:
            yield Slip(1, brief(name), Phrase("this column appears twice"))


def _seat_columns(seats: int) -> list[str]:
    return [f"seat{seat}" for seat in range(1, seats + 1)]


def _cells(lines: Any, columns: Sequence[str], slips: list[Slip]) -> Iterator[tuple[int, dict[str, str]]]:
    """Each row that is not empty, by the number of its line: its cells by column. What cannot be read as a
    row is added to the slips."""
    try:
        for given in lines:
            cells = spreadsheets.without_empty_end(given)
            if len(cells) > len(columns):
                wrong = Phrase(
                    "the row has {cells} cells, the header {columns}", cells=len(cells), columns=len(columns)
                )
                slips.append(Slip(lines.line_num, "", wrong))
            elif cells:
                named = zip_longest(columns, cells, fillvalue="")
                yield lines.line_num, {column: cell.strip() for column, cell in named}
    except csv.Error:
        slips.append(Slip(lines.line_num, "", _long_cell()))


def _long_cell() -> Phrase:
    most = spreadsheets.CELL_AT_MOST
    return Phrase("a cell has more than {most} characters: is a quotation mark in it not closed?", most=most)


def _seat_count(rows: Iterable[dict[str, str]], game: Game[Any]) -> int:
    """How many players sit at a table: where a game leaves the choice, as many as in the fullest row."""
    fewest, most = game.seats[0], game.seats[-1]
    return max(
        (seat for row in rows for seat in range(fewest + 1, most + 1) if row.get(f"seat{seat}")),
        default=fewest,
    )


def _read_row(
    line: int, cells: dict[str, str], game: Game[Any], seats: int, options: Settings
) -> Row | list[Slip]:
    """The row, or everything that is wrong with it alone."""
    slips = []
    numbers = {}
    for column in ("round", "table", "board"):
        number = sheets.whole(cells[column])
        if number is None or not 1 <= number < 1_000_000:
            wrong = Phrase("“{text}” is not a whole number of 1 or more", text=brief(cells[column]))
            slips.append(Slip(line, column, wrong))
        else:
            numbers[column] = number
    if not 1 <= len(cells["section"]) <= 20 or not cells["section"].isprintable():
        slips.append(Slip(line, "section", Phrase("the name of a section has 1 to 20 characters")))
    contestants = tuple(cells.get(column, "") for column in _seat_columns(seats))
    conditions = sessions.conditions_of(game, seats)
    slips += _name_slips(line, contestants, game.sides_of(conditions))
    own = sheets.columns(game.fields, seats=seats)
    for column in sheets.columns(game.fields, seats=game.seats[-1]):
        if column not in own and cells.get(column):
            slips.append(Slip(line, column, Phrase("nobody sits in this seat")))
    decided, wrong_cells = paper_rulings.read({k: v for k, v in cells.items() if k not in own}, seats)
    slips += [Slip(line, column, reason) for column, reason in wrong_cells]
    judgement = None
    if not decided.is_whole or any(cells.get(column) for column in own):
        try:
            written = quick_lines.in_json(game, cells, seats=seats)
            sheet: Sheet = game.sheet_of_row(sheets.read_row(game.fields, written, seats=seats))
            judgement = Judgement(game.score(sheet, options=options, conditions=conditions), dict(sheet))
        except BadSheet as error:
            slips.append(Slip(line, _columns_of(error.field, game, seats), error.constraint))
    if slips:
        return slips
    return Row(
        line, cells["section"], **numbers, contestants=contestants, judgement=judgement, rulings=decided
    )


def _name_slips(line: int, names: Sequence[str], sides: Sequence[Sequence[int]]) -> Iterator[Slip]:
    """Each seat has a name of its own, or that of the pair or team whose side it is."""
    side_of = {seat: side for side in sides for seat in side}
    for seat, name in enumerate(names, 1):
        earlier = names.index(name) + 1
        if not name:
            yield Slip(line, f"seat{seat}", Phrase("the name of the player in this seat is missing"))
        elif len(name) > 200 or not name.isprintable():
            yield Slip(
                line, f"seat{seat}", Phrase("a name has at most 200 characters, all of them printable")
            )
        elif side_of[earlier] != side_of[seat]:
            yield Slip(line, f"seat{seat}", Phrase("{name} sits in two seats", name=name))


def _columns_of(name: str, game: Game[Any], seats: int) -> str:
    """The columns of a field, for a message: “tricks1–tricks3”."""
    if any(field.name == name and field.has_columns for field in game.fields):
        return f"{name}1–{name}{seats}"
    return name
