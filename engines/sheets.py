"""Result sheets: a field is the same thing in JSON, in a form and in a column of a club's file."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .contract import Field, Sheet
from .errors import BadDeal, BadSheet
from .phrases import Phrase

WHOLE = re.compile(r"([+-]?[0-9]{1,15})(?:[.,]0+)?")  # spreadsheets write 3 as 3.0 and 3,0 too
FLAGS = dict.fromkeys(("true", "vrai", "yes", "oui"), True) | dict.fromkeys(
    ("false", "faux", "no", "non"), False
)


def check(fields: tuple[Field, ...], sheet: object, *, seats: int) -> Sheet:
    """The sheet, if every field is known, of its kind, within its bounds and where it belongs. BadSheet."""
    if not isinstance(sheet, dict):
        raise BadSheet("sheet", Phrase("must be an object of fields"))
    known = {field.name for field in fields}
    for name in sheet:
        if name not in known:
            names = ", ".join(field.name for field in fields)
            raise BadSheet(
                str(name), Phrase("is not a field of this game; its fields are: {names}", names=names)
            )
    for field in fields:
        _check_presence(field, sheet, fields[0].name)
        if field.name in sheet:
            _check_values(field, sheet[field.name], seats)
    return sheet


@contextmanager
def within(place: str) -> Iterator[None]:
    """Lets a BadSheet name the place of its sheet among others: `deals[3].tricks`."""
    try:
        yield
    except BadSheet as error:
        raise BadSheet(f"{place}.{error.field}", error.constraint) from None


def match_entry(entry: object, seats: int, due: int | None, rule: Phrase) -> dict[str, Any]:
    """A copy of the entry of a deal in a match, which may give its `dealer` and its `board` beside its sheet;
    both are checked. By the `rule` it is `due` who deals; None: anybody, as in a first deal."""
    if not isinstance(entry, dict):
        raise BadSheet("sheet", Phrase("must be an object of fields"))
    if "dealer" in entry and not is_whole(entry["dealer"], 1, seats):
        raise BadSheet("dealer", Phrase("must be a seat from 1 to {seats}", seats=seats))
    if due is not None and entry.get("dealer", due) != due:
        raise BadSheet("dealer", Phrase("must be seat {seat}: {rule}", seat=due, rule=rule))
    if "board" in entry and not is_whole(entry["board"], 1, None):
        raise BadSheet("board", Phrase("must be a whole number, {least} or more", least=1))
    return dict(entry)


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
        sheet[field.name] = values if field.per_seat else values[0]
    return sheet


def columns(fields: tuple[Field, ...], *, seats: int) -> list[str]:
    """The columns of a club's file, in order."""
    return [column for field in fields for column in _columns(field, seats)]


def _columns(field: Field, seats: int) -> list[str]:
    return [f"{field.name}{s + 1}" for s in range(seats)] if field.per_seat else [field.name]


def whole(text: str) -> int | None:
    """The whole number that a cell holds; None if it holds none.

    >>> whole("3"), whole("3.0"), whole("-3,00"), whole("3.5"), whole("three")
    (3, 3, -3, None, None)
    """
    number = WHOLE.fullmatch(text)
    return int(number[1]) if number else None


def _read_cell(field: Field, column: str, text: str) -> Any:
    if field.nobody and text.casefold() == "none":
        return None
    match field.kind:
        case "choice":
            return _choice(field, text)
        case "flag":
            return _flag(column, text)
        case "seats" | "list" | "object":
            try:
                return json.loads(text)
            except (ValueError, RecursionError):
                raise BadSheet(column, Phrase("must be JSON, such as [1, 3]")) from None
    if not text:
        raise BadSheet(column, Phrase("is empty, though its neighbours are not"))
    number = whole(text)
    if number is None:
        raise BadSheet(column, Phrase("“{text}” is not a whole number", text=text))
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
        raise BadSheet(column, Phrase("must be true or false"))
    return number == 1 if flag is None else flag


def _check_presence(field: Field, sheet: Mapping[str, Any], first: str) -> None:
    outcome = sheet.get(first)
    belongs = not field.when or outcome in field.when
    if field.name not in sheet:
        if belongs and not field.optional:
            raise BadSheet(field.name, Phrase("is missing"))
    elif not belongs:
        raise BadSheet(field.name, Phrase("does not belong to the outcome “{outcome}”", outcome=str(outcome)))


def _check_values(field: Field, given: Any, seats: int) -> None:
    if field.per_seat and (not isinstance(given, list) or len(given) != seats):
        raise BadSheet(field.name, Phrase("must be a list of {seats} values, one per seat", seats=seats))
    for value in given if field.per_seat else [given]:
        if value is None and field.nobody:
            continue
        if constraint := _broken(field, value, seats):
            raise BadSheet(field.name, constraint)


def _broken(field: Field, value: Any, seats: int) -> Phrase | None:
    """The constraint of its kind that a value breaks; None if it breaks none."""
    match field.kind:
        case "choice" if value not in field.choices:
            return Phrase("must be one of: {values}", values=", ".join(field.choices))
        case "whole" if not is_whole(value, field.least, field.most):
            if field.most is None:
                return Phrase("must be a whole number, {least} or more", least=field.least)
            return Phrase("must be a whole number from {least} to {most}", least=field.least, most=field.most)
        case "seat" if not is_whole(value, 1, seats):
            return Phrase("must be a seat from 1 to {seats}", seats=seats)
        case "seats" if not _are_seats(value, seats):
            return Phrase("must be a list of different seats from 1 to {seats}", seats=seats)
        case "list" if not isinstance(value, list):
            return Phrase("must be a list")
        case "object" if not isinstance(value, dict):
            return Phrase("must be an object of names and values")
        case "flag" if not isinstance(value, bool):
            return Phrase("must be true or false")
    return None


def _are_seats(value: Any, seats: int) -> bool:
    good = isinstance(value, list) and all(is_whole(seat, 1, seats) for seat in value)
    return good and len(set(value)) == len(value)


def is_whole(value: object, least: int, most: int | None) -> bool:
    """True for an integer within bounds; a boolean is not a number."""
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return value >= least and (most is None or value <= most)
