"""Every game's evening on paper, from robots' result sheets through files as spreadsheets save them."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from functools import cache
from itertools import product
from typing import Any

import pytest

from engines import bots, registry, sheets
from engines.contract import Game, State
from engines.errors import BadSheet
from engines.forms import JSON_KINDS, Field
from tournaments.models import Club, Result, Tournament
from tournaments.services import evenings, paper, spreadsheets

GAMES = registry.games()
TABLES = [(name, seats) for name, game in GAMES.items() for seats in game.seats]
SEED = bytes(range(32))
BOARDS = (1, 2)
SAVED = [(delimiter, encoding) for delimiter in ",;\t" for encoding in ("utf-8", "utf-8-sig", "cp1252")]
CELLS: dict[str, Callable[[object], str]] = {  # how a spreadsheet writes what a club has typed
    "as typed": lambda value: str(value).lower() if isinstance(value, bool) else str(value),
    "English": lambda value: str(value).upper() if isinstance(value, bool) else str(value),
    "French": lambda value: {True: "VRAI", False: "FAUX"}[value] if isinstance(value, bool) else str(value),
    "numbers": lambda value: f"{int(value):.1f}" if isinstance(value, int) else str(value),
    "commas": lambda value: f"{int(value)},00" if isinstance(value, int) else str(value),
    "words": lambda value: (
        {True: "oui", False: "non"}[value] if isinstance(value, bool) else str(value).title()
    ),
}

both_tables = pytest.mark.parametrize(("name", "seats"), TABLES)


def conditions_of(game: Game[Any], seats: int) -> dict[str, Any]:
    return {"seats": seats} if len(game.seats) > 1 else {}


@cache
def played(name: str, seats: int, board: int, table: int) -> State:
    """A board that robots have played: sensible ones at the first table, any cards at the second."""
    game = GAMES[name]
    options, conditions = registry.options_of(game, {}), conditions_of(game, seats)
    state = game.start(registry.deal_board(game, SEED, board, options, conditions), options)
    robot = bots.sensible if table == 1 else bots.at_random
    bots.play_on(game, state, [robot] * seats, bots.randomness(board, table))
    return state


def sheet_of(game: Game[Any], state: State) -> dict[str, Any]:
    """The result sheet without the fields that are not there, as a club writes it."""
    sheet = game.summarise(state)
    nobody = {field.name for field in game.fields if field.nobody}
    return {name: value for name, value in sheet.items() if value is not None or name in nobody}


def cells_of(
    game: Game[Any], sheet: Mapping[str, Any], write: Callable[[object], str] = str
) -> dict[str, str]:
    """The cells of a sheet by column."""
    cells = {}
    for field in game.fields:
        if field.name in sheet:
            values = sheet[field.name] if field.has_columns else [sheet[field.name]]
            columns = sheets.columns((field,), seats=len(values))
            cells |= {
                column: _cell(field, value, write) for column, value in zip(columns, values, strict=True)
            }
    return cells


def _cell(field: Field, value: object, write: Callable[[object], str]) -> str:
    if value is None:
        return "none"
    return json.dumps(value) if field.kind in JSON_KINDS else write(value)


def evening_of(name: str, seats: int) -> tuple[list[dict[str, str]], dict[tuple[int, int], State]]:
    """Two boards at two tables: the rows of the file, and the games by table and board."""
    game = GAMES[name]
    states = {(table, board): played(name, seats, board, table) for table in (1, 2) for board in BOARDS}
    rows = []
    for (table, board), state in states.items():
        row = {"section": "Été", "round": "1", "table": str(table), "board": str(board)}
        row |= {f"seat{seat}": f"Œdipe n’{table}.{seat}" for seat in range(1, seats + 1)}
        rows.append(row | cells_of(game, sheet_of(game, state), CELLS["as typed"]))
    return rows, states


def saved(rows: list[dict[str, str]], game: Game[Any], seats: int, delimiter: str, encoding: str) -> bytes:
    columns = [*paper.PLACE_COLUMNS, *(f"seat{seat}" for seat in range(1, seats + 1))]
    columns += sheets.columns(game.fields, seats=seats)
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, restval="", delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().encode(encoding)


@pytest.mark.django_db
@both_tables
def test_an_evening_of_every_game_goes_through_a_file_that_a_spreadsheet_saved(name: str, seats: int) -> None:
    game = GAMES[name]
    rows, states = evening_of(name, seats)
    options = registry.options_of(game, {})
    read = []
    for delimiter, encoding in SAVED:
        for columns in (game.seats[-1], seats):
            text = spreadsheets.decoded(saved(rows, game, columns, delimiter, encoding))
            read.append(paper.read(text, game, options))
    assert read[0][1] == []
    assert all(one == read[0] for one in read), "the same rows, whatever the spreadsheet"
    club = Club.objects.create(name="Club", slug="club")
    session = evenings.import_evening(
        tournament=Tournament.objects.create(club=club, name="Paper"),
        actor=None,
        name="Evening",
        text=text,
        game=name,
        method="matchpoints",
        options={},
    )
    results = Result.objects.filter(play__board__board_set__session=session)
    kept = {
        (r.play.table.number, r.play.board.number): r.scores
        for r in results.select_related("play__table", "play__board")
    }
    assert kept == {place: list(state.outcome().scores) for place, state in states.items()}
    assert session.contestants.count() == 2 * seats
    assert session.conditions == conditions_of(game, seats)


@both_tables
def test_cells_are_read_as_spreadsheets_write_them(name: str, seats: int) -> None:
    game = GAMES[name]
    for table in (1, 2):
        sheet = sheet_of(game, played(name, seats, 1, table))
        for form, write in CELLS.items():
            cells = cells_of(game, sheet, write)
            assert game.sheet_of_row(sheets.read_row(game.fields, cells, seats=seats)) == sheet, form


@both_tables
def test_what_does_not_apply_stays_empty(name: str, seats: int) -> None:
    """An empty cell of an optional field means nobody, nothing or no, or its column is asked for."""
    game = GAMES[name]
    for board, table in [*product(BOARDS, (1, 2)), (3, 2)]:
        state = played(name, seats, board, table)
        cells = cells_of(game, sheet_of(game, state), CELLS["as typed"])
        for field in game.fields:
            for column in sheets.columns((field,), seats=seats):
                if cells.get(column) not in {"none", "false", "[]", "{}"}:
                    continue
                try:
                    sheet = game.sheet_of_row(
                        sheets.read_row(game.fields, {**cells, column: ""}, seats=seats)
                    )
                    scores = game.score(sheet, conditions=conditions_of(game, seats)).scores
                except BadSheet as error:
                    scores, refused = (), error.field
                needed = not field.optional or field.kind == "flag"  # a yes or no may be asked for
                assert scores == state.outcome().scores or (needed and refused == field.name), column


several_sizes = pytest.mark.parametrize("name", [name for name, game in GAMES.items() if len(game.seats) > 1])


@several_sizes
def test_the_tables_of_a_file_have_one_size(name: str) -> None:
    game, fewest = GAMES[name], GAMES[name].seats[0]
    rows, _states = evening_of(name, fewest + 1)
    rows[0][f"seat{fewest + 1}"] = ""
    assert slips_of(rows, name) == [
        (2, f"seat{fewest + 1}", "the name of the player in this seat is missing")
    ]
    for row in rows:
        row[f"seat{fewest + 1}"] = ""
    columns = [f"{field.name}{fewest + 1}" for field in game.fields if field.has_columns]
    stray = {(line, column) for line, row in enumerate(rows, 2) for column in columns if row.get(column)}
    slips = slips_of(rows, name)
    assert {(line, column) for line, column, reason in slips if reason == "nobody sits in this seat"} == stray


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if game.sides])
def test_a_pair_may_be_named_at_all_its_seats_and_nobody_else_twice(name: str) -> None:
    game, seats = GAMES[name], GAMES[name].seats[0]
    rows, _states = evening_of(name, seats)
    for row in rows:
        for number, side in enumerate(game.sides, 1):
            row |= {f"seat{seat}": f"Pair {row['table']}.{number}" for seat in side}
    assert slips_of(rows, name) == []
    first, second = game.sides[0][0], game.sides[1][0]
    rows[0][f"seat{second}"] = rows[0][f"seat{first}"]
    line, column, reason = slips_of(rows, name)[0]
    assert (line, column, reason) == (2, f"seat{second}", "Pair 1.1 sits in two seats")


def slips_of(rows: list[dict[str, str]], name: str) -> list[tuple[int, str, str]]:
    game = GAMES[name]
    content = saved(rows, game, game.seats[-1], ",", "utf-8")
    _rows, slips = paper.read(spreadsheets.decoded(content), game, registry.options_of(game, {}))
    return [(slip.line, slip.column, str(slip.reason)) for slip in slips]
