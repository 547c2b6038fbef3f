"""What a game declares of its result sheet, once: fields, rules, and the form by which a phone asks for them.

From it follow the reading of a sheet (`sheets`), its JSON Schema, the columns of a club's file, and the plain
data from which one program draws the form of any game. docs/forms.md tells such a program what it means.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as value
from typing import Any, Final

from .expressions import expression
from .phrases import Phrase

NO_VALUE: Final = object()
"""That a field has no usual value; `None` is one: nobody, nothing."""

JSON_KINDS: Final = frozenset(("seats", "list", "object"))
"""Kinds of which a cell of a club's file is JSON."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What must hold on a sheet, as far as it is known: else `field` is refused, and `says` tells why.

    `each`: "seat in seats" asks it for each seat. `values`: what stands in the places of the sentence."""

    field: str
    holds: str
    says: Phrase
    each: str = ""
    values: Mapping[str, str] = value(default_factory=dict)

    def to_json(self, language: str) -> dict[str, Any]:
        shown: dict[str, Any] = {
            "field": self.field,
            "holds": expression(self.holds).data,
            "says": self.says.to(language),
        }
        if self.each:
            variable, whole = self.over()
            shown["each"] = [variable, expression(whole).data]
        if self.values:
            shown["values"] = {name: expression(text).data for name, text in self.values.items()}
        return shown

    def over(self) -> tuple[str, str]:
        """The variable and the list of a rule that is asked for each element."""
        variable, _in, whole = self.each.partition(" in ")
        return variable, whole


def rule(where: str, holds: str, says: Phrase, /, *, each: str = "", **values: str) -> Rule:
    """A rule, with the places of its sentence as keywords."""
    return Rule(where, holds, says, each, values)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the result sheet, or a part of one.

    `kind`: "choice", "whole", "seat", "seats", "flag", "text", "card"; "list" or "object" of the parts `of`
    (a list of one part named "it" has its bare values). `per_seat`, `per_side`: one value for each.
    `least`, `most`, `step`, `never`, `among`: which whole numbers there are; `total`: what the values of all
    seats add up to, an expression. `when`: an expression, whether it belongs to the sheet; `needed`: when an
    `optional` one must be there. `nobody`: it may be null, in a column `none`, and null has a meaning of its
    own. `usual`: what stands there unless somebody says otherwise. `implied`: what a form enters by itself,
    an expression, for each `seat` where there is a value for each. `rules` hold within each value of a list
    or an object; of one that is `placed`, an error names the place: `parts[1].tricks`."""

    name: str
    kind: str
    label: Phrase
    per_seat: bool = False
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int | None = None
    when: str = ""
    optional: bool = False
    nobody: bool = False
    per_side: bool = False
    step: int = 1
    never: tuple[int, ...] = ()
    among: tuple[int, ...] = ()
    total: str = ""
    needed: str = ""
    usual: Any = NO_VALUE
    implied: str = ""
    of: tuple["Field", ...] = ()
    placed: bool = False
    rules: tuple[Rule, ...] = ()

    @property
    def is_bare(self) -> bool:
        """Whether the values of a list are not objects, but those of its one part."""
        return len(self.of) == 1 and self.of[0].name == "it"

    @property
    def is_listed(self) -> bool:
        return self.per_seat or self.per_side

    @property
    def has_columns(self) -> bool:
        """Whether a club's file has a column of it for each seat."""
        return self.per_seat and self.kind not in JSON_KINDS

    def to_json(self, names: Mapping[str, Phrase], language: str) -> dict[str, Any]:
        shown: dict[str, Any] = {"name": self.name, "kind": self.kind, "label": self.label.to(language)}
        for flag in ("per_seat", "per_side", "optional", "nobody"):
            if getattr(self, flag):
                shown[flag] = True
        if self.choices:
            shown["choices"] = [
                {"value": choice, "label": names[choice].to(language) if choice in names else choice}
                for choice in self.choices
            ]
        if self.kind == "whole":
            shown |= {"least": self.least, "most": self.most, "step": self.step}
            shown |= {"never": list(self.never)} if self.never else {}
            shown |= {"among": list(self.among)} if self.among else {}
        for text in ("when", "needed", "total", "implied"):
            if getattr(self, text):
                shown[text] = expression(getattr(self, text)).data
        if self.usual is not NO_VALUE:
            shown["usual"] = self.usual
        if self.of:
            shown["of"] = [part.to_json(names, language) for part in self.of]
        if self.rules:
            shown["rules"] = [rule.to_json(language) for rule in self.rules]
        return shown


@dataclass(frozen=True, slots=True)
class Step:
    """A question of the form: a tap answers all its `fields` at once, of one seat after the other where they
    have a value for each.

    `widget`: how it looks (docs/forms.md). `rare`: complete as it stands; taps add to it. `first`: the field
    of the seat to begin with; where that is unknown, the seat touched first fills it. `shapes`: the answers
    there are, if not all values of the fields. `most`: the highest number drawn. `near`: how far the second
    of two numbers mostly is from the first; the rest lies behind one key. `steps`, `blocks`, `until`:
    questions asked again for each value of a list: how many times at most, and after which it is over;
    `called`: what one of these blocks is, with the place {n} for its number;
    `once`: those asked after the last one, of all values together: one tap says in which of them, and what.
    `unsure`: the service may refuse the answer for what no form can know."""

    widget: str
    fields: tuple[str, ...]
    when: str = ""
    ask: Phrase | None = None
    rare: bool = False
    first: str = ""
    shapes: tuple[Mapping[str, Any], ...] = ()
    most: int | None = None
    near: int | None = None
    steps: tuple["Step", ...] = ()
    once: tuple["Step", ...] = ()
    blocks: str = ""
    until: str = ""
    called: Phrase | None = None
    unsure: bool = False

    def to_json(self, language: str) -> dict[str, Any]:
        shown: dict[str, Any] = {"widget": self.widget, "fields": list(self.fields)}
        if self.ask is not None:
            shown["ask"] = self.ask.to(language)
        if self.called is not None:
            shown["called"] = self.called.to(language)
        for flag in ("rare", "unsure"):
            if getattr(self, flag):
                shown[flag] = True
        for name in ("first", "most", "near"):
            if getattr(self, name):
                shown[name] = getattr(self, name)
        for text in ("when", "blocks", "until"):
            if getattr(self, text):
                shown[text] = expression(getattr(self, text)).data
        if self.shapes:
            shown["shapes"] = [dict(shape) for shape in self.shapes]
        for name in ("steps", "once"):
            if getattr(self, name):
                shown[name] = [step.to_json(language) for step in getattr(self, name)]
        return shown


def rare(widget: str, *fields: str) -> tuple[Step, ...]:
    """A question for each of these fields, complete as it stands."""
    return tuple(Step(widget, (field,), rare=True) for field in fields)


@dataclass(frozen=True, slots=True)
class Door:
    """A rare end, behind *Something else…*: what choosing it enters, and the fields that the same tap
    answers."""

    label: Phrase
    sets: Mapping[str, Any]
    fields: tuple[str, ...] = ()

    def to_json(self, language: str) -> dict[str, Any]:
        shown: dict[str, Any] = {"label": self.label.to(language), "sets": dict(self.sets)}
        return shown | {"fields": list(self.fields)} if self.fields else shown


@dataclass(frozen=True, slots=True)
class Sentence:
    """What the line of the form says of a sheet, for the sheets of which `when` holds. A value in it is a
    number, a list of them, a field's choice or a seat; `seats`: the names of those that are seats, which a
    reader sees by name."""

    says: Phrase
    when: str = ""
    values: Mapping[str, str] = value(default_factory=dict)
    seats: tuple[str, ...] = ()

    def kind(self, name: str, choices: frozenset[str]) -> str:
        """What a value is: "seat", "choice" or "number"; `choices`: the fields that are one of some words."""
        return "seat" if name in self.seats else "choice" if self.values[name] in choices else "number"

    def to_json(self, language: str, choices: frozenset[str]) -> dict[str, Any]:
        shown: dict[str, Any] = {"says": self.says.to(language)}
        if self.when:
            shown["when"] = expression(self.when).data
        shown["values"] = {
            name: {self.kind(name, choices): expression(text).data} for name, text in self.values.items()
        }
        return shown


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """The result sheet of a game: its fields and rules, the questions in the order in which the table tells
    them, its rare ends, what the line says, and the sheet of a usual result."""

    fields: tuple[Field, ...]
    example: Mapping[str, Any]
    rules: tuple[Rule, ...] = ()
    steps: tuple[Step, ...] = ()
    other: tuple[Door, ...] = ()
    sentences: tuple[Sentence, ...] = ()

    @property
    def choices(self) -> frozenset[str]:
        """The fields that are one of some words."""
        return frozenset(one.name for one in self.fields if one.kind == "choice")

    def block(self, number: int) -> Phrase:
        """What the game calls one of the questions that are asked again, by its number."""
        called = next(step.called for step in self.steps if step.called is not None)
        return Phrase(called.text, n=number)

    def with_usual(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """What is given, and what the sheet needs besides, as far as it has a usual value."""
        values: dict[str, Any] = dict.fromkeys(one.name for one in self.fields) | dict(given)
        complete = dict(given)
        for one in self.fields:
            belongs = not one.when or expression(one.when).value(values) is True
            needed = not one.optional or bool(one.needed and expression(one.needed).value(values) is True)
            if one.name not in given and belongs and needed and one.usual is not NO_VALUE:
                values[one.name] = complete[one.name] = one.usual
        return complete

    def to_json(
        self,
        names: Mapping[str, Phrase],
        language: str,
        *,
        seats: int,
        options: Mapping[str, Any],
        known: Mapping[str, Any],
    ) -> dict[str, Any]:
        """The form as plain data. It depends on options and public conditions alone."""
        return {
            "seats": list(range(1, seats + 1)),
            "option": dict(options),
            "known": dict(known),
            "fields": [one.to_json(names, language) for one in self.fields],
            "rules": [one.to_json(language) for one in self.rules],
            "steps": [one.to_json(language) for one in self.steps],
            "other": [one.to_json(language) for one in self.other],
            "sentences": [one.to_json(language, self.choices) for one in self.sentences],
        }


# ── JSON Schema 2020-12 ───────────────────────────────────────────────────────────────────────────

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(
    form: Form, names: Mapping[str, Phrase], language: str, *, title: str, seats: int
) -> dict[str, Any]:
    """What a sheet is, as JSON Schema: types, bounds, labels, and which fields go together where the schema
    language can say it. The rules of the form say the rest."""
    return {"$schema": DIALECT, "title": title} | _object(form.fields, names, language, seats)


def _object(
    fields: tuple[Field, ...], names: Mapping[str, Phrase], language: str, seats: int
) -> dict[str, Any]:
    known = {one.name for one in fields}
    shown: dict[str, Any] = {
        "type": "object",
        "properties": {one.name: _values(one, names, language, seats) for one in fields},
        "additionalProperties": False,
    }
    required = [one.name for one in fields if not one.optional and not one.when]
    if required:
        shown["required"] = required
    conditional = []
    for one in fields:
        condition = _condition(expression(one.when).data, known) if one.when else None
        if condition is not None and not one.optional:
            conditional.append({"if": condition, "then": {"required": [one.name]}})
    return shown | {"allOf": conditional} if conditional else shown


def _values(one: Field, names: Mapping[str, Phrase], language: str, seats: int) -> dict[str, Any]:
    shown = _value(one, names, language, seats)
    is_null = one.nobody or one.optional or bool(one.when)
    if one.is_listed:
        count = seats if one.per_seat else 2
        inner = _or_null(shown) if one.nobody else shown
        shown = {"type": "array", "items": inner, "minItems": count, "maxItems": count}
        is_null = one.optional or bool(one.when)
    return {"title": one.label.to(language)} | (_or_null(shown) if is_null else shown)


def _or_null(shown: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [shown, {"type": "null"}]}


def _value(one: Field, names: Mapping[str, Phrase], language: str, seats: int) -> dict[str, Any]:
    match one.kind:
        case "choice":
            labels = {c: names[c].to(language) if c in names else c for c in one.choices}
            return {"oneOf": [{"const": choice, "title": label} for choice, label in labels.items()]}
        case "whole":
            return _whole(one)
        case "seat":
            return {"type": "integer", "minimum": 1, "maximum": seats}
        case "seats":
            items = {"type": "integer", "minimum": 1, "maximum": seats}
            return {"type": "array", "items": items, "uniqueItems": True}
        case "flag":
            return {"type": "boolean"}
        case "object":
            return _object(one.of, names, language, seats)
        case "list":
            part = one.of[0] if one.is_bare else None
            inner = _values(part, names, language, seats) if part else _object(one.of, names, language, seats)
            return {"type": "array", "items": inner}
    return {"type": "string", "minLength": 1}


def _whole(one: Field) -> dict[str, Any]:
    if one.among:
        return {"enum": list(one.among)}
    shown: dict[str, Any] = {"type": "integer", "minimum": one.least}
    shown |= {"maximum": one.most} if one.most is not None else {}
    shown |= {"multipleOf": one.step} if one.step > 1 else {}
    return shown | ({"not": {"enum": list(one.never)}} if one.never else {})


def _condition(data: Any, known: set[str]) -> dict[str, Any] | None:
    """The schema of the sheets for which an expression holds; None if only the form can say it."""
    match data:
        case {"==": [{"get": [name]}, value]} if name in known and not isinstance(value, dict):
            return {"properties": {name: {"const": value}}, "required": [name]}
        case {"!=": [{"get": [name]}, value]} if name in known and not isinstance(value, dict):
            return {"properties": {name: {"not": {"const": value}}}, "required": [name]}
        case {"in": [{"get": [name]}, {"list": values}]} if name in known:
            return {"properties": {name: {"enum": values}}, "required": [name]}
        case {"and": terms}:
            parts = [_condition(term, known) for term in terms]
            return None if None in parts else {"allOf": parts}
    return None
