"""Expressions of result sheets: a closed set of operations, written as one reads them and kept as plain data.

>>> expression("sum(tricks) == 10").data
{'==': [{'sum': [{'get': ['tricks']}]}, 10]}
>>> expression("sum(tricks) == 10").value({"tricks": [5, 3, 2]})
True

What is not known yet makes an expression unknown, unless the rest decides it: so the same rule checks a whole
sheet, and tells a half-entered form what can no longer be. docs/forms.md lists the operations.
"""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, reduce
from typing import Any, Final

Values = Mapping[str, Any]
Function = Callable[[Values], Any]


class _Unknown:
    __slots__ = ()

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = _Unknown()
"""What nobody has told yet; `None` is an answer of its own: nobody, nothing."""


class Expression:
    """An expression: its `data`, which any program can read, and its `value` where names have values."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def data(self) -> Any:
        return _data(ast.parse(self.text, mode="eval").body)

    @cached_property
    def value(self) -> Function:
        return function(self.data)

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"


@cache
def expression(text: str) -> Expression:
    """The expression of a text; equal texts share one."""
    return Expression(text)


# ── From text to data ─────────────────────────────────────────────────────────────────────────────

COMPARISONS: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
ARITHMETIC: Mapping[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Mod: "%"}


def _data(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value):
            return value
        case ast.Name(name):
            return {"get": [name]}
        case ast.Attribute(inner, name):
            whole = _data(inner)
            return {"get": [*whole["get"], name]} if list(whole) == ["get"] else {"part": [whole, name]}
        case ast.Tuple(parts) | ast.List(parts):
            return {"list": [_data(part) for part in parts]}
        case ast.Subscript(whole, place):
            return {"at": [_data(whole), _data(place)]}
        case ast.UnaryOp(ast.Not(), inner):
            return {"not": [_data(inner)]}
        case ast.UnaryOp(ast.USub(), inner):
            return {"-": [0, _data(inner)]}
        case ast.BoolOp(operator, parts):
            return {"and" if isinstance(operator, ast.And) else "or": [_data(part) for part in parts]}
        case ast.BinOp(left, operator, right):
            return {ARITHMETIC[type(operator)]: [_data(left), _data(right)]}
        case ast.IfExp(condition, then, otherwise):
            return {"if": [_data(condition), _data(then), _data(otherwise)]}
        case ast.Compare(left, operators, others):
            terms = [_data(left), *map(_data, others)]
            pairs = [
                {COMPARISONS[type(operator)]: [terms[place], terms[place + 1]]}
                for place, operator in enumerate(operators)
            ]
            return pairs[0] if len(pairs) == 1 else {"and": pairs}
        case ast.Call(ast.Name(name), arguments) if name in FUNCTIONS:
            return {name: [_data(argument) for argument in arguments]}
        case ast.GeneratorExp(body, [ast.comprehension(ast.Name(variable), among, conditions, 0)]):
            kept = _data(conditions[0]) if conditions else True
            return {"each": [variable, _data(among), _data(body), kept]}
    raise ValueError(f"not an operation of result sheets: {ast.unparse(node)}")


# ── From data to Python ───────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Kind:
    """What is known of a value before it is there. `is_known`: neither it nor anything in it is UNKNOWN.
    `is_whole`, `is_flag`, `is_seat`: a number, which is 0 or 1, or one of the seats, unless it `may_be_none`.
    `elements`: of a list; `by_seat`: as many as there are seats. `parts`: of an object."""

    is_known: bool = False
    is_whole: bool = False
    is_flag: bool = False
    is_seat: bool = False
    may_be_none: bool = False
    elements: "Kind | None" = None
    by_seat: bool = False
    parts: Mapping[str, "Kind"] | None = None

    @property
    def is_number(self) -> bool:
        return self.is_whole and not self.may_be_none

    @property
    def is_truth(self) -> bool:
        return self.is_flag and not self.may_be_none

    @property
    def is_list(self) -> bool:
        return self.elements is not None and self.is_known and not self.may_be_none

    def or_none(self) -> "Kind":
        return replace(self, may_be_none=True)


ANY, VALUE, NOTHING = Kind(), Kind(is_known=True), Kind(is_known=True, may_be_none=True)
NUMBER = Kind(is_known=True, is_whole=True)
FLAG, SEAT = replace(NUMBER, is_flag=True), replace(NUMBER, is_seat=True)


@dataclass(frozen=True, slots=True)
class Code:
    """Python that computes a value, and what kind of value that is."""

    text: str
    kind: Kind = ANY


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that an expression may read: where their values are, and of what kind. `others`: where those
    of all other names are; `seats`: how many there are, if that is settled."""

    names: Mapping[str, Code]
    others: str = "UNKNOWN"
    seats: int = 0

    def at(self, name: str) -> Code:
        return self.names.get(name) or Code(self.others.format(repr(name)))

    def having(self, name: str, there: Code) -> "Scope":
        return replace(self, names={**self.names, name: there})

    def after(self, condition: Any, *, told: bool) -> "Scope":
        """The scope where a condition has turned out true, or false: some names are not null there."""
        match condition:
            case {"==": [{"get": [name]}, None]} if not told and name in self.names:
                there = self.names[name]
                return self.having(name, replace(there, kind=replace(there.kind, may_be_none=False)))
            case {"!=": [{"get": [name]}, None]}:
                return self.after({"==": [{"get": [name]}, None]}, told=not told)
            case {"not": [term]}:
                return self.after(term, told=not told)
            case {"and": terms} if told:
                return reduce(lambda scope, term: scope.after(term, told=True), terms, self)
            case {"or": terms} if not told:
                return reduce(lambda scope, term: scope.after(term, told=False), terms, self)
        return self


def code(data: Any, scope: Scope) -> Code:
    """The Python of an expression: plain Python where no value of it can be unknown, else the functions of
    `OPERATIONS`. There is a value whatever the values of its names are."""
    if not isinstance(data, dict):
        return Code(repr(data), _kind_of(data, scope))
    ((name, arguments),) = data.items()
    if name in WRITERS:
        return WRITERS[name](arguments, scope)
    terms = [code(argument, scope) for argument in arguments]
    texts = [term.text for term in terms]
    first = terms[0].kind
    if name in ORDERS + ARITHMETICS and all(term.kind.is_number for term in terms):
        return Code(f"({texts[0]} {name} {texts[1]})", FLAG if name in ORDERS else NUMBER)
    if name in ("sum", "max", "min") and first.is_list and first.elements and first.elements.is_number:
        return Code(f"{name}({texts[0]})", NUMBER)
    if name == "so_far" and first.is_list:
        return Code(_call(name, *texts), NUMBER)
    if name in PLAIN and all(term.kind.is_known for term in terms):
        of_a_list = terms[-1].kind if name in ("in", "not in") else first
        if name not in ("==", "!=", "not") and not of_a_list.is_list:
            return Code(_call(name, *texts))
        return Code(PLAIN[name].format(*texts), NUMBER if name in ("len", "count") else FLAG)
    return Code(_call(name, *texts))


def _call(operation: str, *texts: str) -> str:
    return f"{IDENTIFIERS.get(operation, 'op_' + operation)}({', '.join(texts)})"


def _kind_of(value: Any, scope: Scope) -> Kind:
    if isinstance(value, bool):
        return FLAG
    if isinstance(value, int):
        return SEAT if 1 <= value <= scope.seats else NUMBER
    return NOTHING if value is None else VALUE


def _get(path: list[str], scope: Scope) -> Code:
    first, *rest = path
    return reduce(_part_of, rest, scope.at(first))


def _part_of(whole: Code, name: str) -> Code:
    parts = whole.kind.parts
    if parts is None or name not in parts:
        return Code(_call("part", whole.text, repr(name)))
    if whole.kind.may_be_none:
        return Code(f"(None if {whole.text} is None else {whole.text}[{name!r}])", parts[name].or_none())
    return Code(f"{whole.text}[{name!r}]", parts[name])


def _seat_value(arguments: list[Any], scope: Scope) -> Code:
    whole, seat = (code(argument, scope) for argument in arguments)
    elements = whole.kind.elements
    is_one_of_them = seat.kind.is_seat and not seat.kind.may_be_none
    if elements and whole.kind.is_list and whole.kind.by_seat and is_one_of_them:
        return Code(f"{whole.text}[{seat.text} - 1]", elements)
    return Code(_call("at", whole.text, seat.text))


def _listed(arguments: list[Any], scope: Scope) -> Code:
    terms = [code(argument, scope) for argument in arguments]
    is_known = all(term.kind.is_known for term in terms)
    same = terms[0].kind if terms and all(term.kind == terms[0].kind for term in terms) else NOTHING
    elements = same if is_known else ANY
    return Code(f"[{', '.join(term.text for term in terms)}]", Kind(is_known, elements=elements))


def _conjunction(arguments: list[Any], scope: Scope) -> Code:
    """False if one is false, else unknown if one is unknown."""
    first, *rest = arguments
    term = code(first, scope)
    if not rest:
        return _truth(term)
    if not term.kind.is_known:
        return Code(_call("and", term.text, _conjunction(rest, scope).text))
    following = _conjunction(rest, scope.after(first, told=True))
    return Code(f"({following.text} if {term.text} else False)", following.kind)


def _disjunction(arguments: list[Any], scope: Scope) -> Code:
    """True if one is true, else unknown if one is unknown."""
    first, *rest = arguments
    term = code(first, scope)
    if not rest:
        return _truth(term)
    if not term.kind.is_known:
        return Code(_call("or", term.text, _disjunction(rest, scope).text))
    following = _disjunction(rest, scope.after(first, told=False))
    return Code(f"(True if {term.text} else {following.text})", following.kind)


def _truth(term: Code) -> Code:
    if term.kind.is_truth:
        return term
    return Code(f"bool({term.text})", FLAG) if term.kind.is_known else Code(_call("truth", term.text))


def _choice(arguments: list[Any], scope: Scope) -> Code:
    condition = code(arguments[0], scope)
    if not condition.kind.is_known:
        return Code(_call("if", *(code(argument, scope).text for argument in arguments)))
    then = code(arguments[1], scope.after(arguments[0], told=True))
    otherwise = code(arguments[2], scope.after(arguments[0], told=False))
    one, other = then.kind, otherwise.kind
    kind = Kind(
        is_known=one.is_known and other.is_known,
        is_whole=one.is_whole and other.is_whole,
        is_flag=one.is_flag and other.is_flag,
        may_be_none=one.may_be_none or other.may_be_none,
    )
    text = f"({then.text} if {condition.text} else {otherwise.text})"
    return Code(text, one if one == other and not one.parts else kind)


def _each(arguments: list[Any], scope: Scope) -> Code:
    """The values of the body for each element of which the condition is not false; all unknown if that is
    unknown."""
    variable, among, body, condition = arguments
    whole, name = code(among, scope), f"each_{variable}"
    if whole.kind.is_list and whole.kind.elements:
        inner = scope.having(variable, Code(name, whole.kind.elements))
        kept = code(condition, inner)
        if kept.kind.is_known:
            value = code(body, inner.after(condition, told=True))
            text = (
                f"[{value.text} for {name} in {whole.text}{'' if condition is True else f' if {kept.text}'}]"
            )
            by_seat = whole.kind.by_seat and condition is True
            return Code(text, Kind(value.kind.is_known, elements=value.kind, by_seat=by_seat))
    inner = scope.having(variable, Code(name))
    parts = (f"lambda {name}: {code(part, inner).text}" for part in (body, condition))
    return Code(_call("each", whole.text, *parts))


WRITERS: Mapping[str, Callable[[list[Any], Scope], Code]] = {
    "get": _get,
    "part": lambda arguments, scope: _part_of(code(arguments[0], scope), arguments[1]),
    "at": _seat_value,
    "list": _listed,
    "and": _conjunction,
    "or": _disjunction,
    "if": _choice,
    "each": _each,
}
ORDERS, ARITHMETICS = ("<", "<=", ">", ">="), ("+", "-", "*", "%")
PLAIN = {
    "==": "({0} == {1})", "!=": "({0} != {1})", "not": "(not {0})", "in": "({0} in {1})",
    "not in": "({0} not in {1})", "len": "len({0})", "count": "{0}.count({1})", "any": "any({0})",
    "all": "all({0})", "distinct": "op_distinct({0})",
}  # fmt: skip
IDENTIFIERS = {
    "==": "op_equal", "!=": "op_differ", "<": "op_less", "<=": "op_at_most", ">": "op_more",
    ">=": "op_at_least", "in": "op_in", "not in": "op_not_in", "+": "op_plus", "-": "op_minus",
    "*": "op_times", "%": "op_modulo",
}  # fmt: skip


def function(data: Any) -> Function:
    """What computes an expression from its data, whatever is known yet."""
    text = code(data, Scope({}, "values.get({}, UNKNOWN)")).text
    computed: Function = eval(f"lambda values: {text}", namespace())  # noqa: S307 - written by `code` alone
    return computed


def namespace() -> dict[str, Any]:
    """What the Python of expressions calls."""
    named = {IDENTIFIERS.get(name, "op_" + name): operation for name, operation in OPERATIONS.items()}
    return {"UNKNOWN": UNKNOWN, **named}


# ── What operations are where something may be unknown ────────────────────────────────────────────


def _and(one: Any, other: Any) -> Any:
    if not one or not other:
        return False
    return UNKNOWN if one is UNKNOWN or other is UNKNOWN else True


def _or(one: Any, other: Any) -> Any:
    if (one and one is not UNKNOWN) or (other and other is not UNKNOWN):
        return True
    return UNKNOWN if one is UNKNOWN or other is UNKNOWN else False


def _if(condition: Any, then: Any, otherwise: Any) -> Any:
    return UNKNOWN if condition is UNKNOWN else then if condition else otherwise


def _for_each(whole: Any, body: Callable[[Any], Any], condition: Callable[[Any], Any]) -> Any:
    if not isinstance(whole, list):
        return UNKNOWN
    kept = [(element, condition(element)) for element in whole]
    return [UNKNOWN if among is UNKNOWN else body(element) for element, among in kept if among]


def _equal(one: Any, other: Any) -> Any:
    if one is UNKNOWN or other is UNKNOWN:
        return UNKNOWN
    if isinstance(one, list) and isinstance(other, list) and (UNKNOWN in one or UNKNOWN in other):
        return UNKNOWN
    return bool(one == other)


def _not(one: Any) -> Any:
    return UNKNOWN if one is UNKNOWN else not one


def _in(one: Any, among: Any) -> Any:
    if one is UNKNOWN or not isinstance(among, list):
        return UNKNOWN
    return True if one in among else UNKNOWN if UNKNOWN in among else False


def _of_numbers(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def value(one: Any, other: Any) -> Any:
        return operation(one, other) if isinstance(one, int) and isinstance(other, int) else UNKNOWN

    return value


def _of_list(operation: Callable[[list[Any]], Any]) -> Callable[[Any], Any]:
    """Of a list of which everything is known."""

    def value(elements: Any) -> Any:
        known = isinstance(elements, list) and all(isinstance(one, int) for one in elements)
        return operation(elements) if known else UNKNOWN

    return value


def _so_far(elements: Any) -> Any:
    if not isinstance(elements, list):
        return UNKNOWN
    return sum(one for one in elements if isinstance(one, int))


def _any(elements: Any) -> Any:
    if not isinstance(elements, list):
        return UNKNOWN
    if any(one is not UNKNOWN and one for one in elements):
        return True
    return UNKNOWN if UNKNOWN in elements else False


def _all(elements: Any) -> Any:
    if not isinstance(elements, list):
        return UNKNOWN
    if any(one is not UNKNOWN and not one for one in elements):
        return False
    return UNKNOWN if UNKNOWN in elements else True


def _len(elements: Any) -> Any:
    return len(elements) if isinstance(elements, list) else UNKNOWN


def _count(elements: Any, wanted: Any) -> Any:
    if not isinstance(elements, list) or wanted is UNKNOWN or UNKNOWN in elements:
        return UNKNOWN
    return elements.count(wanted)


def _distinct(elements: Any) -> Any:
    """Whether no two are equal; those that are unknown are left out."""
    if not isinstance(elements, list):
        return UNKNOWN
    known = [one for one in elements if one is not UNKNOWN]
    return all(one not in known[:place] for place, one in enumerate(known))


def _part(whole: Any, name: Any) -> Any:
    """A part of an object; a part of nothing is nothing."""
    if isinstance(whole, dict):
        return whole.get(name, UNKNOWN)
    return None if whole is None else UNKNOWN


def _at(elements: Any, seat: Any) -> Any:
    """The value of a seat; seats count from 1."""
    if not isinstance(elements, list) or not isinstance(seat, int) or not 1 <= seat <= len(elements):
        return UNKNOWN
    return elements[seat - 1]


FUNCTIONS = frozenset(("sum", "so_far", "max", "min", "len", "count", "distinct", "any", "all"))
OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "and": _and,
    "or": _or,
    "if": _if,
    "truth": lambda one: UNKNOWN if one is UNKNOWN else bool(one),
    "each": _for_each,
    "at": _at,
    "part": _part,
    "not": _not,
    "==": _equal,
    "!=": lambda one, other: _not(_equal(one, other)),
    "<": _of_numbers(lambda one, other: one < other),
    "<=": _of_numbers(lambda one, other: one <= other),
    ">": _of_numbers(lambda one, other: one > other),
    ">=": _of_numbers(lambda one, other: one >= other),
    "in": _in,
    "not in": lambda one, among: _not(_in(one, among)),
    "+": _of_numbers(lambda one, other: one + other),
    "-": _of_numbers(lambda one, other: one - other),
    "*": _of_numbers(lambda one, other: one * other),
    "%": _of_numbers(lambda one, other: one % other),
    "sum": _of_list(sum),
    "so_far": _so_far,
    "max": _of_list(max),
    "min": _of_list(min),
    "len": _len,
    "count": _count,
    "distinct": _distinct,
    "any": _any,
    "all": _all,
}
