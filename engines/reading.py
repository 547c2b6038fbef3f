"""Reads result sheets: the declaration of a form is written as one Python function, once for each number of
seats, and reading a sheet is calling it.

The function asks in this order: of each field its kind and bounds, then what is missing or does not belong,
then totals, then rules; BadSheet names the field. What a value must be is stated in `demands`, what an
expression means in `expressions`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from .contract import Settings
from .errors import BadSheet
from .expressions import ANY, FLAG, NUMBER, SEAT, VALUE, Code, Kind, Scope, code, expression, namespace
from .forms import NO_VALUE, Field, Form, Rule
from .phrases import Phrase

SIDES = 2
FORMS = 200  # that are kept as functions; there are some 30

NO_OBJECT = Phrase("must be an object of fields")
STRAY = Phrase("must be left out: it does not belong to this deal")
TOTAL = Phrase("add up to {total}; here they must add up to {wanted}")

Reader = Callable[[object, Settings, Settings], dict[str, Any]]
"""Reads a sheet; with the options, and with what everybody at the table knows."""


@lru_cache(FORMS)
def reader(form: Form, seats: int) -> Reader:
    """The function that reads the sheets of a form at a table of so many seats."""
    writer = _Writer(seats)
    name = writer.function("sheet", form.fields, form.rules)
    values = namespace() | writer.constants
    exec("\n".join(writer.lines), values)  # noqa: S102 - written here alone, from the module of a game
    read: Reader = values[name]
    return read


def demands(field: Field, seats: int) -> list[tuple[str, Phrase]]:
    """What a value of a field must be: as Python of a value `x`, and in words. Each rests on those before."""
    least, most, values = field.least, field.most, _enumeration(field)
    is_seat = f"type({{}}) is int and 1 <= {{}} <= {seats}"
    match field.kind:
        case "choice":
            return [
                (
                    f"isinstance(x, str) and x in {field.choices!r}",
                    Phrase("must be one of: {values}", values=values),
                )
            ]
        case "whole":
            bounds = Phrase("must be a whole number, {least} or more", least=least)
            if most is not None:
                bounds = Phrase("must be a whole number from {least} to {most}", least=least, most=most)
            upper = "" if most is None else f" <= {most}"
            asked = [(f"type(x) is int and {least} <= x{upper}", bounds)]
            if field.among:
                return [*asked, (f"x in {field.among!r}", Phrase("must be one of: {values}", values=values))]
            if field.step > 1:
                asked.append(
                    (f"not x % {field.step}", Phrase("must be a multiple of {step}", step=field.step))
                )
            if field.never:
                never = ", ".join(map(str, field.never))
                asked.append((f"x not in {field.never!r}", Phrase("cannot be {values}", values=never)))
            return asked
        case "seat":
            return [(is_seat.format("x", "x"), Phrase("must be a seat from 1 to {seats}", seats=seats))]
        case "seats":
            words = Phrase("must be a list of different seats from 1 to {seats}", seats=seats)
            each = is_seat.format("one", "one")
            return [(f"isinstance(x, list) and all([{each} for one in x]) and len(set(x)) == len(x)", words)]
        case "list":
            return [("isinstance(x, list)", Phrase("must be a list"))]
        case "object":
            return [("isinstance(x, dict)", Phrase("must be an object of names and values"))]
        case "flag":
            return [("type(x) is bool", Phrase("must be true or false"))]
        case "card":
            return [("isinstance(x, str) and x", Phrase("must be a card"))]
    return [("isinstance(x, str) and x", Phrase("must be a word"))]


def _enumeration(field: Field) -> str:
    return ", ".join(map(str, field.choices or field.among))


class _Writer:
    """Writes the functions of a form, and keeps what they call."""

    def __init__(self, seats: int) -> None:
        self.seats, self.count = seats, 0
        self.lines: list[str] = []
        self.constants: dict[str, Any] = {
            "BadSheet": BadSheet, "Phrase": Phrase, "refuse": _refuse, "stranger": _stranger,
            "NO_OBJECT": NO_OBJECT, "STRAY": STRAY, "TOTAL": TOTAL, "seats": list(range(1, seats + 1)),
        }  # fmt: skip

    def constant(self, value: Any) -> str:
        """The name by which the functions call a value."""
        name = f"constant_{len(self.constants)}"
        self.constants[name] = value
        return name

    def function(self, name: str, fields: tuple[Field, ...], rules: tuple[Rule, ...]) -> str:
        """Write the function that reads an object of these fields, and those of the objects in it."""
        name = f"read_{name}"
        parts = {field.name: self.part(f"{name}_{field.name}", field) for field in fields if field.of}
        names = self.constant(frozenset(field.name for field in fields))
        lines = [f"def {name}(given, option, known):"]
        lines += [" if not isinstance(given, dict): refuse(('sheet', NO_OBJECT))"]
        lines += [f" if not {names}.issuperset(given): stranger(given, {self.constant(fields)})"]
        for field in fields:
            lines += self.value(field, parts.get(field.name, ""))
        belongs: dict[str, Code] = {}
        lines += self.presence(fields, belongs)
        scope = self.scope(fields, {field.name for field in fields})
        for field in fields:
            lines += self.total(field, scope)
        for rule in rules:
            lines += self.branches(rule, fields, scope, belongs)
        told = ", ".join(f"{field.name!r}: value_{field.name}" for field in fields)
        self.lines += [*lines, f" return {{{told}}}", ""]
        return name

    # Values

    def value(self, field: Field, part: str) -> Iterator[str]:
        """Reads one field: its value, complete, or what stands where it is left out."""
        usual = field.usual if field.optional and field.usual is not NO_VALUE else None
        yield f" x = given_{field.name} = given.get({field.name!r})"
        yield f" if x is None: value_{field.name} = {self.constant(usual) if usual is not None else None}"
        yield " else:"
        if not field.is_listed:
            yield from self.checks(field, "  ")
            yield f"  value_{field.name} = {self.complete(field, part, 'x')}"
            return
        count = self.seats if field.per_seat else SIDES
        words = Phrase("must be a list of {seats} values, one per seat", seats=count)
        bad = self.constant((field.name, words if field.per_seat else Phrase("must be a pair: NS and EW")))
        yield f"  if not isinstance(x, list) or len(x) != {count}: refuse({bad})"
        yield f"  value_{field.name} = {'[]' if part else '[*x]'}"
        yield f"  for x in given_{field.name}:"
        if field.nobody:
            yield f"   if x is None: {f'value_{field.name}.append(None); ' if part else ''}continue"
        yield from self.checks(field, "   ")
        if part:
            yield f"   value_{field.name}.append({self.complete(field, part, 'x')})"

    def checks(self, field: Field, indent: str) -> Iterator[str]:
        for holds, words in demands(field, self.seats):
            yield f"{indent}if not ({holds}): refuse({self.constant((field.name, words))})"

    def complete(self, field: Field, part: str, value: str) -> str:
        if not part:
            return value
        if field.kind == "list":
            return f"[{part}(f'[{{n}}]', one, option, known) for n, one in enumerate({value})]"
        return f"{part}('[0]', {value}, option, known)"

    def part(self, name: str, field: Field) -> str:
        """Writes what reads one object of a field, or one bare value, and returns its name. An error
        names the field, and the place in it where the field is `placed`."""
        read = self.function(name, field.of, field.rules)
        error = self.constant(lambda number, error: _within(field, number, error))
        no_object = self.constant(("", Phrase("must be an object of names and values")))
        given = "{'it': given}" if field.is_bare else "given"
        self.lines += [
            f"def {name}(number, given, option, known):",
            " try:",
            f"  if not isinstance(given, dict): refuse({no_object})" if not field.is_bare else "  pass",
            f"  return {read}({given}, option, known){'[' + repr('it') + ']' if field.is_bare else ''}",
            " except BadSheet as error:",
            f"  raise {error}(number, error) from None",
            "",
        ]
        return name

    # What is missing, and what does not belong

    def presence(self, fields: tuple[Field, ...], belongs_to: dict[str, Code]) -> Iterator[str]:
        """What is missing is named before what has to be left out. `belongs_to`: takes, of each field that
        must be there on some sheets only, where it is said whether this is one."""
        yield " stray = ''"
        there = {field.name for field in fields if self.has_usual(field) and not field.when}
        asked: dict[str, str] = {}  # by condition, while nothing that it reads has changed
        for field in fields:
            scope = self.scope(fields, there)
            belongs = Code("True", FLAG)
            if field.when:
                belongs = code(expression(field.when).data, scope)
                if field.when not in asked:
                    asked[field.when] = self.fresh("belongs")
                    yield f" {asked[field.when]} = {belongs.text}"
                belongs = Code(asked[field.when], belongs.kind)
                if (not field.optional or self.has_usual(field)) and (field.is_listed or not field.nobody):
                    belongs_to[field.name] = belongs
            is_null = f" or {field.name!r} in given" if field.nobody and not field.is_listed else ""
            if field.when:
                yield f" if given_{field.name} is not None{is_null}:"
                yield f"  if {self.is_false(belongs)} and not stray: stray = {field.name!r}"
                yield f" elif {self.is_not_true(belongs)}: value_{field.name} = None"
                # what is null from now on may change what is asked of the fields that follow
                asked = {
                    when: name
                    for when, name in asked.items()
                    if field.name not in _read_by(expression(when).data)
                }
            else:
                yield f" if given_{field.name} is not None{is_null}: pass"
            if not field.optional or field.needed:
                needed = (
                    " and " + self.is_true(code(expression(field.needed).data, scope))
                    if field.optional
                    else ""
                )
                missing = self.constant((field.name, Phrase("is missing")))
                yield f" elif True{needed}: refuse({missing})"
            if not field.when and not field.optional:
                there.add(field.name)
        yield " if stray: refuse((stray, STRAY))"

    def fresh(self, name: str) -> str:
        """A name that no other variable of the functions has."""
        self.count += 1
        return f"{name}_{self.count}"

    @staticmethod
    def is_false(asked: Code) -> str:
        return f"not {asked.text}" if asked.kind.is_truth else f"({asked.text}) is False"

    @staticmethod
    def is_true(asked: Code) -> str:
        return asked.text if asked.kind.is_truth else f"({asked.text}) is True"

    @staticmethod
    def is_not_true(asked: Code) -> str:
        return f"not {asked.text}" if asked.kind.is_truth else f"({asked.text}) is not True"

    # Totals and rules

    def total(self, field: Field, scope: Scope) -> Iterator[str]:
        if field.total:
            yield f" if value_{field.name} is not None:"
            wanted = code(expression(field.total).data, scope).text
            yield f"  total, wanted = sum(value_{field.name}), {wanted}"
            yield "  if isinstance(wanted, int) and total != wanted:"
            yield f"   refuse(({field.name!r}, Phrase(TOTAL.text, total=total, wanted=wanted)))"

    def branches(
        self, rule: Rule, fields: tuple[Field, ...], scope: Scope, belongs: Mapping[str, Code]
    ) -> Iterator[str]:
        """A rule; where most of what it reads belongs to some sheets only, once for these, on which it is
        there, and once for the others."""
        broken = self.constant(lambda there: BadSheet(rule.field, _said(rule, there, self.seats)))
        texts = [rule.holds, rule.over()[1]] if rule.each else [rule.holds]
        read = set().union(*(_read_by(expression(text).data) for text in texts))
        variables = Counter(belongs[name].text for name in read if name in belongs)
        if not variables:
            yield from self.rule(rule, scope, broken, " ")
            return
        ((variable, _count),) = variables.most_common(1)
        names = [
            field.name for field in fields if field.name in belongs and belongs[field.name].text == variable
        ]
        inner = scope
        for name in names:
            there = inner.at(name)
            inner = inner.having(name, replace(there, kind=replace(there.kind, may_be_none=False)))
        yield f" if {self.is_true(belongs[names[0]])}:"
        yield from self.rule(rule, inner, broken, "  ")
        yield " else:"
        yield from self.rule(rule, scope, broken, "  ")

    def rule(self, rule: Rule, scope: Scope, broken: str, indent: str) -> Iterator[str]:
        """Refuses where the rule is broken, whatever is still unknown."""
        if not rule.each:
            holds = code(expression(rule.holds).data, scope)
            yield f"{indent}if {self.is_false(holds)}: raise {broken}(locals())"
            return
        variable, whole = rule.over()
        among = code(expression(whole).data, scope)
        kind = among.kind.elements if among.kind.is_list and among.kind.elements else ANY
        holds = code(expression(rule.holds).data, scope.having(variable, Code(f"each_{variable}", kind)))
        listed = among.text if among.kind.is_list else self.fresh("listed")
        if not among.kind.is_list:
            yield f"{indent}{listed} = {among.text}"
            listed = f"({listed} if isinstance({listed}, list) else ())"
        yield f"{indent}for each_{variable} in {listed}:"
        yield f"{indent} if {self.is_false(holds)}: raise {broken}(locals())"

    # What is known of the values

    def scope(self, fields: tuple[Field, ...], there: set[str]) -> Scope:
        """The names that expressions read; `there`: the fields of which it has been asked whether they are
        missing."""
        names = {"seats": Code("seats", Kind(is_known=True, elements=SEAT, by_seat=True))}
        names |= {"option": Code("option"), "known": Code("known")}
        for field in fields:
            kind = self.kind(field)
            kind = kind if field.name in there else kind.or_none()
            names[field.name] = Code(f"value_{field.name}", kind)
        return Scope(names, seats=self.seats)

    def kind(self, field: Field) -> Kind:
        """The kind of a field's values, once they have been read."""
        one = self.kind_of_one(field)
        if field.is_listed:
            one = one.or_none() if field.nobody else one
            one = Kind(is_known=True, elements=one, by_seat=field.per_seat)
        is_always = not field.when and (not field.optional or self.has_usual(field))
        return one if is_always and (field.is_listed or not field.nobody) else one.or_none()

    @staticmethod
    def has_usual(field: Field) -> bool:
        """Whether there is a value where it is left out."""
        return field.optional and field.usual is not NO_VALUE and field.usual is not None

    def kind_of_one(self, field: Field) -> Kind:
        match field.kind:
            case "whole":
                return NUMBER
            case "seat":
                return SEAT
            case "flag":
                return FLAG
            case "seats":
                return Kind(is_known=True, elements=SEAT)
            case "list" | "object":
                parts = {part.name: self.kind(part) for part in field.of}
                inner = parts["it"] if field.is_bare else Kind(is_known=True, parts=parts)
                return inner if field.kind == "object" else Kind(is_known=True, elements=inner)
        return VALUE


def _read_by(data: Any) -> set[str]:
    """The names that an expression reads."""
    if not isinstance(data, dict):
        return set()
    ((name, arguments),) = data.items()
    found = {arguments[0]} if name == "get" else set()
    return found.union(*(_read_by(argument) for argument in arguments))


# ── Refusals, which may take their time ───────────────────────────────────────────────────────────


def _refuse(what: tuple[str, Phrase]) -> None:
    raise BadSheet(*what)


def _stranger(given: Mapping[str, Any], fields: tuple[Field, ...]) -> None:
    names = [field.name for field in fields]
    name = next(name for name in given if name not in names)
    what = Phrase("is not a field of this game; its fields are: {names}", names=", ".join(names))
    raise BadSheet(str(name), what)


def _within(field: Field, number: str, error: BadSheet) -> BadSheet:
    if field.placed:
        return BadSheet(f"{field.name}{number}.{error.field}".rstrip("."), error.constraint)
    said = {rule.says.text for rule in field.rules}
    if not error.field or field.is_bare or error.constraint.text in said:
        return BadSheet(field.name, error.constraint)
    return BadSheet(field.name, Phrase("{part}: {constraint}", part=error.field, constraint=error.constraint))


def _said(rule: Rule, there: Mapping[str, Any], seats: int) -> Phrase:
    """The sentence of a rule, where the function that reads the sheet has these variables."""
    values = {re.sub("^(value|each)_", "", name): value for name, value in there.items()}
    values["seats"] = list(range(1, seats + 1))
    said = {name: expression(text).value(values) for name, text in rule.values.items()}
    return Phrase(rule.says.text, **{**rule.says.values, **said})
