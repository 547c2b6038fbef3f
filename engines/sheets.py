"""Result sheets: a field is the same thing in JSON, in a form and in a column of a club's file."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from .contract import Game, Settings
from .errors import BadDeal, BadSheet
from .expressions import expression
from .forms import JSON_KINDS, NO_VALUE, Field, Form, Rule
from .phrases import Phrase

SIDES = 2
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
    around = {"seats": list(range(1, seats + 1)), "option": options or {}, "known": known or {}}
    return _Reader(seats).read(form.fields, form.rules, sheet, around)


def sentence(
    game: Game[Any],
    sheet: object,
    language: str,
    names: Sequence[str],
    options: Settings,
    conditions: Settings,
) -> str | None:
    """What happened, in the words of the form's line; `names`: who sits where. None where the sheet tells
    nothing that the game has a sentence for."""
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
                        said[name] = value
            return Phrase(one.says.text, **said).to(language)
    return None


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
        sheet[field.name] = values if field.has_columns else values[0]
    return sheet


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


class _Reader:
    """Reads sheets of so many seats, and the objects in them."""

    def __init__(self, seats: int) -> None:
        self.seats = seats

    def read(
        self, fields: tuple[Field, ...], rules: tuple[Rule, ...], given: object, around: Mapping[str, Any]
    ) -> dict[str, Any]:
        if not isinstance(given, dict):
            raise BadSheet("sheet", Phrase("must be an object of fields"))
        for name in given:
            if not any(field.name == name for field in fields):
                names = ", ".join(field.name for field in fields)
                raise BadSheet(
                    str(name), Phrase("is not a field of this game; its fields are: {names}", names=names)
                )
        values: dict[str, Any] = {**around}
        for field in fields:
            value = self.field(field, given.get(field.name), around)
            usual = field.usual if field.optional and field.usual is not NO_VALUE else None
            values[field.name] = usual if value is None else value
        self.check_presence(fields, given, values)
        self.check_totals(fields, values)
        check_rules(rules, values)
        return {field.name: values[field.name] for field in fields}

    def check_presence(
        self, fields: tuple[Field, ...], given: Mapping[str, Any], values: dict[str, Any]
    ) -> None:
        """What is missing is named before what has to be left out."""
        strays = []
        for field in fields:
            belongs = expression(field.when).value(values) if field.when else True
            is_null = field.nobody and not field.is_listed and field.name in given
            if given.get(field.name) is not None or is_null:
                strays += [field.name] if belongs is False else []
            elif belongs is not True:
                values[field.name] = None
            elif not field.optional or (field.needed and expression(field.needed).value(values) is True):
                raise BadSheet(field.name, Phrase("is missing"))
        for name in strays:
            raise BadSheet(name, Phrase("must be left out: it does not belong to this deal"))

    def check_totals(self, fields: tuple[Field, ...], values: Mapping[str, Any]) -> None:
        for field in fields:
            if field.total and values[field.name] is not None:
                total, wanted = sum(values[field.name]), expression(field.total).value(values)
                if isinstance(wanted, int) and total != wanted:
                    raise BadSheet(
                        field.name,
                        Phrase(
                            "add up to {total}; here they must add up to {wanted}", total=total, wanted=wanted
                        ),
                    )

    def field(self, field: Field, given: Any, around: Mapping[str, Any]) -> Any:
        """The value of a field, complete; None where it is left out."""
        if given is None:
            return None
        if not field.is_listed:
            return self.value(field, given, around)
        count = self.seats if field.per_seat else SIDES
        if not isinstance(given, list) or len(given) != count:
            wanted = Phrase("must be a list of {seats} values, one per seat", seats=count)
            raise BadSheet(field.name, wanted if field.per_seat else Phrase("must be a pair: NS and EW"))
        return [None if one is None and field.nobody else self.value(field, one, around) for one in given]

    def value(self, field: Field, given: Any, around: Mapping[str, Any]) -> Any:
        if constraint := _broken(field, given, self.seats):
            raise BadSheet(field.name, constraint)
        if not field.of:
            return given
        parts = given if field.kind == "list" else [given]
        complete = [self.part(field, f"[{n}]", part, around) for n, part in enumerate(parts)]
        return complete if field.kind == "list" else complete[0]

    def part(self, field: Field, number: str, given: Any, around: Mapping[str, Any]) -> Any:
        """One object of a field, or one bare value. An error names the field, and the place in it where the
        field is `placed`."""
        try:
            if field.is_bare:
                given = {"it": given}
            elif not isinstance(given, dict):
                raise BadSheet("", Phrase("must be an object of names and values"))
            read = self.read(field.of, field.rules, given, around)
        except BadSheet as error:
            if field.placed:
                place = f"{field.name}{number}.{error.field}".rstrip(".")
                raise BadSheet(place, error.constraint) from None
            said = {rule.says.text for rule in field.rules}
            if not error.field or field.is_bare or error.constraint.text in said:
                raise BadSheet(field.name, error.constraint) from None
            named = Phrase("{part}: {constraint}", part=error.field, constraint=error.constraint)
            raise BadSheet(field.name, named) from None
        return read["it"] if field.is_bare else read


def check_rules(rules: tuple[Rule, ...], values: Mapping[str, Any]) -> None:
    """BadSheet for the first rule that is broken, whatever is still unknown."""
    for rule in rules:
        holds = expression(rule.holds).value
        if not rule.each:
            if holds(values) is False:
                raise BadSheet(rule.field, _said(rule, values))
            continue
        variable, whole = rule.over()
        elements = expression(whole).value(values)
        for element in elements if isinstance(elements, list) else ():
            inner = {**values, variable: element}
            if holds(inner) is False:
                raise BadSheet(rule.field, _said(rule, inner))


def _said(rule: Rule, values: Mapping[str, Any]) -> Phrase:
    said = {name: expression(text).value(values) for name, text in rule.values.items()}
    return Phrase(rule.says.text, **{**rule.says.values, **said})


def _broken(field: Field, value: Any, seats: int) -> Phrase | None:
    """The constraint of its kind that a value breaks; None if it breaks none."""
    match field.kind:
        case "choice" if not isinstance(value, str) or value not in field.choices:
            return Phrase("must be one of: {values}", values=", ".join(field.choices))
        case "whole" if is_whole(value, field.least, field.most) and field.among:
            if value not in field.among:
                return Phrase("must be one of: {values}", values=", ".join(map(str, field.among)))
        case "whole" if is_whole(value, field.least, field.most):
            if value % field.step:
                return Phrase("must be a multiple of {step}", step=field.step)
            if value in field.never:
                return Phrase("cannot be {values}", values=", ".join(map(str, field.never)))
        case "whole":
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
        case "text" if not isinstance(value, str) or not value:
            return Phrase("must be a word")
        case "card" if not isinstance(value, str) or not value:
            return Phrase("must be a card")
    return None


def _are_seats(value: Any, seats: int) -> bool:
    good = isinstance(value, list) and all(is_whole(seat, 1, seats) for seat in value)
    return good and len(set(value)) == len(value)


def is_whole(value: object, least: int, most: int | None) -> bool:
    """True for an integer within bounds; a boolean is not a number."""
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return value >= least and (most is None or value <= most)
