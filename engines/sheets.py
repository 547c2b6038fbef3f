"""Result sheets: a field is the same thing in JSON, in a form and in a column of a club's file."""

import json
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeGuard

from .contract import Game, Settings
from .errors import BadDeal, BadSheet
from .expressions import expression
from .forms import JSON_KINDS, Field, Form
from .phrases import Phrase, brief
from .reading import reader

SIDES = 2
DECIMALS = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+|½)")
WHOLE = re.compile(r"([+-]?[0-9]{1,15})(?:[.,]0+)?")  # spreadsheets write 3 as 3.0 and 3,0 too
FLAGS = dict.fromkeys(("true", "vrai", "yes", "oui"), True) | dict.fromkeys(
    ("false", "faux", "no", "non"), False
)


def check(
    form: Form, sheet: object, *, seats: int, options: Settings | None = None, known: Settings | None = None
) -> dict[str, Any]:
    """The values of all fields, if the sheet has the fields that belong to it and no others, each of its kind
    and within its bounds, and keeps the rules as far as they can be checked. What is left out is as usual,
    or None. BadSheet names the field."""
    return reader(form, seats)(sheet, options or {}, known or {})


def sentence(
    game: Game[Any],
    sheet: object,
    language: str,
    names: Sequence[str],
    options: Settings,
    conditions: Settings,
) -> str | None:
    """What happened, in a sentence of the form; `names`: of the players, by seat. None if the game has no
    sentence for this sheet."""
    seats, known = len(names), game.known(None, conditions)
    told = check(game.form, sheet, seats=seats, options=options, known=known)
    around = {"seats": list(range(1, seats + 1)), "option": options, "known": known, **told}
    for one in game.form.sentences:
        if not one.when or expression(one.when).value(around) is True:
            said = {}
            for name, text in one.values.items():
                value = expression(text).value(around)
                match one.kind(name, game.form.choices):
                    case "seat":
                        said[name] = names[value - 1] if isinstance(value, int) else Phrase("nobody")
                    case "choice":
                        said[name] = game.names.get(value, value)
                    case _:
                        said[name] = "–".join(map(str, value)) if isinstance(value, list) else value
            return Phrase(one.says.text, **said).to(language)
    return None


def annulled(form: Form, sheet: object, kinds: Container[str], *, kept: Container[str] = ()) -> object:
    """The sheet without the fields that depend on anything (but those that are `kept`), if one of its
    `faults`, which nobody has checked yet, is of a kind that annuls the deal: nobody looks at them then."""
    faults = sheet.get("faults") if isinstance(sheet, dict) else None
    named = (
        [fault.get("kind") for fault in faults if isinstance(fault, dict)] if isinstance(faults, list) else []
    )
    if not isinstance(sheet, dict) or not any(isinstance(kind, str) and kind in kinds for kind in named):
        return sheet
    without = {field.name for field in form.fields if field.when and field.name not in kept}
    return {name: value for name, value in sheet.items() if name not in without}


def place_of(error: BadSheet, columns: Container[str]) -> str:
    """The column that a refusal is about: of its field, or of the seat that it names; "" if it has none."""
    seat = error.constraint.values.get("seat")
    return next((one for one in (error.field, f"{error.field}{seat}") if one in columns), "")


@contextmanager
def within(place: str) -> Iterator[None]:
    """Lets a BadSheet name the place of its sheet among others: `deals[3].tricks`."""
    try:
        yield
    except BadSheet as error:
        raise BadSheet(f"{place}.{error.field}", error.constraint) from None


def read_deal(
    data: Any, seats: int, keys: tuple[str, ...], *, optional: tuple[str, ...] = ()
) -> Mapping[str, Any]:
    """An explicit deal, if it is an object of these keys and no others, and its dealer is a seat."""
    if not isinstance(data, dict):
        raise BadDeal((), Phrase("must be an object"))
    for key in [
        *(key for key in data if key not in keys + optional),
        *(key for key in keys if key not in data),
    ]:
        wanted = ", ".join(keys)
        raise BadDeal((), Phrase("must have exactly the keys {wanted}: {key}", wanted=wanted, key=str(key)))
    if not is_whole(data["dealer"], 1, seats):
        raise BadDeal((), Phrase("the dealer must be a seat from 1 to {seats}", seats=seats))
    return data


def read_row(fields: tuple[Field, ...], cells: Mapping[str, str], *, seats: int) -> dict[str, Any]:
    """The sheet that a row of a club's file means. A field has one column, or one for each seat (`tricks1`).

    Cells are read as any spreadsheet writes them: a flag as TRUE, VRAI, yes, oui or 1, the number 3 as 3.0,
    a choice with a capital letter. Empty cells are absent fields; a flag of one seat is false where only
    another seat's is filled in. BadSheet names the column.
    """
    sheet: dict[str, Any] = {}
    for field in fields:
        columns = _columns(field, seats)
        texts = [cells.get(column, "").strip() for column in columns]
        if not any(texts):
            continue
        values = [_read_cell(field, column, text) for column, text in zip(columns, texts, strict=True)]
        sheet[field.name] = values if field.has_columns else values[0]
    return sheet


def write_row(fields: tuple[Field, ...], sheet: Mapping[str, Any], *, seats: int) -> dict[str, Any]:
    """The cells of a sheet by column, as `read_row` reads them: numbers and words, and JSON for what is
    more. A field that is not there has none; nobody is `none`."""
    cells: dict[str, Any] = {}
    for field in fields:
        value = sheet.get(field.name)
        if value is None and not (field.nobody and field.name in sheet):
            continue
        values = value if field.has_columns and value is not None else [value] * len(_columns(field, seats))
        for column, one in zip(_columns(field, seats), values, strict=True):
            if one is None:
                cells[column] = "none"
            elif field.kind in JSON_KINDS:
                cells[column] = json.dumps(one, ensure_ascii=False)
            else:
                cells[column] = str(one).lower() if isinstance(one, bool) else one
    return cells


def columns(fields: tuple[Field, ...], *, seats: int) -> list[str]:
    """The columns of a club's file, in order."""
    return [column for field in fields for column in _columns(field, seats)]


def _columns(field: Field, seats: int) -> list[str]:
    return [f"{field.name}{s + 1}" for s in range(seats)] if field.has_columns else [field.name]


def whole(text: str) -> int | None:
    """The whole number that a cell holds; None if it holds none.

    >>> whole("3"), whole("3.0"), whole("-3,00"), whole("3.5"), whole("three")
    (3, 3, -3, None, None)
    """
    number = WHOLE.fullmatch(text)
    return int(number[1]) if number else None


def no_number(text: str) -> Phrase:
    """Why a text is not a whole number: it has decimals, which no result has, or it is none at all.

    >>> str(no_number("7,5")), str(no_number("seven"))
    ('“7,5”: results have whole numbers alone, no halves', '“seven” is not a whole number')
    """
    if DECIMALS.fullmatch(text):
        return Phrase("“{text}”: results have whole numbers alone, no halves", text=brief(text))
    return Phrase("“{text}” is not a whole number", text=brief(text))


def _read_cell(field: Field, column: str, text: str) -> Any:
    if field.nobody and text.casefold() == "none":
        return None
    if field.kind in JSON_KINDS:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise BadSheet(column, Phrase("must be JSON, such as [1, 3]")) from None
    match field.kind:
        case "choice":
            return _choice(field, text)
        case "flag":
            return _flag(column, text)
    if not text:
        raise BadSheet(column, Phrase("is empty, though its neighbours are not"))
    number = whole(text)
    if number is None:
        raise BadSheet(column, no_number(text))
    return number


def _choice(field: Field, text: str) -> str:
    """The choice that a cell means, whatever its capitals; a text that means none is left to `check`."""
    number = whole(text)
    meant = {text.casefold(), str(number)}
    return next((choice for choice in field.choices if choice.casefold() in meant), text)


def _flag(column: str, text: str) -> bool:
    if not text:
        return False
    flag = FLAGS.get(text.casefold())
    number = whole(text)
    if flag is None and number not in {0, 1}:
        raise BadSheet(column, Phrase("“{text}” is neither yes nor no", text=brief(text)))
    return number == 1 if flag is None else flag


def is_whole(value: object, least: int, most: int | None) -> bool:
    """True for an integer within bounds; a boolean is not a number."""
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return value >= least and (most is None or value <= most)


def are_whole(values: object, count: int, least: int, most: int | None) -> TypeGuard[list[int]]:
    """True for a list of so many whole numbers within bounds."""
    return isinstance(values, list) and len(values) == count and all(is_whole(v, least, most) for v in values)
