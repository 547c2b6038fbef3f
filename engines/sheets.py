"""Result sheets: a field is the same thing in JSON, in a form and in a column of a club's file."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .contract import Field, Sheet
from .errors import BadDeal, BadSheet
from .phrases import Phrase


def check(fields: tuple[Field, ...], sheet: object, *, seats: int) -> Sheet:
    """The sheet, once every field is known, of its kind, within its bounds and in its place."""
    if not isinstance(sheet, dict):
        raise BadSheet("sheet", Phrase("must be an object of fields"))
    known = {field.name for field in fields}
    for name in sheet:
        if name not in known:
            names = ", ".join(field.name for field in fields)
            raise BadSheet(str(name), Phrase("is no field of this game; there are: {names}", names=names))
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


def opened(entry: object, seats: int, due: int | None, rule: Phrase) -> dict[str, Any]:
    """The entry of a deal in a match, which may say its `dealer` and its `board` beside its sheet, as a copy
    with both checked. `due` deals by the `rule`; None: anybody, as in a first deal."""
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
        raise BadDeal(
            (), Phrase("has the keys {wanted}, no more and no less: {key}", wanted=wanted, key=str(key))
        )
    if not is_whole(data["dealer"], 1, seats):
        raise BadDeal((), Phrase("the dealer is a seat from 1 to {seats}", seats=seats))
    return data


def read_row(fields: tuple[Field, ...], cells: Mapping[str, str], *, seats: int) -> dict[str, Any]:
    """The sheet that a club's row means, a column for each field, numbered by seat where there is
    one value per seat (`tricks1`); empty cells are absent fields. BadSheet names the column."""
    sheet: dict[str, Any] = {}
    for field in fields:
        columns = _columns(field, seats)
        given = [cells.get(column, "").strip() for column in columns]
        if not any(given):
            continue
        values = []
        for column, text in zip(columns, given, strict=True):
            if not text:
                raise BadSheet(column, Phrase("is empty, though its neighbours are not"))
            values.append(_read_cell(field, column, text))
        sheet[field.name] = values if field.per_seat else values[0]
    return sheet


def columns(fields: tuple[Field, ...], *, seats: int) -> list[str]:
    """The columns of a club's file, in order."""
    return [column for field in fields for column in _columns(field, seats)]


def _columns(field: Field, seats: int) -> list[str]:
    return [f"{field.name}{s + 1}" for s in range(seats)] if field.per_seat else [field.name]


def _read_cell(field: Field, column: str, text: str) -> Any:
    if field.kind == "choice":
        return text
    if field.nobody and text == "none":
        return None
    if field.kind in {"seats", "list", "object"}:
        try:
            return json.loads(text)
        except ValueError:
            raise BadSheet(column, Phrase("must be JSON, as [1, 3]")) from None
    if field.kind == "flag":
        if text not in {"true", "false"}:
            raise BadSheet(column, Phrase("must be true or false"))
        return text == "true"
    try:
        return int(text)
    except ValueError:
        raise BadSheet(column, Phrase("“{text}” is not a whole number", text=text)) from None


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
