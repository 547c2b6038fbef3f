"""Expressions of result sheets: a closed set of operations, written as one reads them and kept as plain data.

>>> expression("sum(tricks) == 10").data
{'==': [{'sum': [{'get': ['tricks']}]}, 10]}
>>> expression("sum(tricks) == 10").value({"tricks": [5, 3, 2]})
True

What is not known yet makes an expression unknown, unless the rest decides it: so the same rule checks a whole
sheet, and tells a half-entered form what can no longer be. docs/forms.md lists the operations.
"""

import ast
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
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


# ── From data to values ───────────────────────────────────────────────────────────────────────────


def function(data: Any) -> Function:
    """What computes an expression from its data."""
    if not isinstance(data, dict):
        return lambda _values: data
    ((name, arguments),) = data.items()
    if name == "get":
        return _getter(tuple(arguments))
    if name == "each":
        return _each(arguments[0], *map(function, arguments[1:]))
    terms = tuple(map(function, arguments))
    if name in LAZY:
        return LAZY[name](terms)
    operation = OPERATIONS[name]
    if len(terms) == 2:
        one, other = terms
        return lambda values: operation(one(values), other(values))
    return lambda values: operation(*[term(values) for term in terms])


def _getter(path: tuple[str, ...]) -> Function:
    if len(path) == 1:
        (name,) = path
        return lambda values: values.get(name, UNKNOWN)

    def get(values: Values) -> Any:
        value: Any = values
        for name in path:
            value = _part(value, name)
        return value

    return get


def _each(variable: str, whole: Function, body: Function, condition: Function) -> Function:
    """The values of the body for each element of which the condition is not false; all unknown if that is
    unknown."""

    def each(values: Values) -> Any:
        elements = whole(values)
        return UNKNOWN if not isinstance(elements, list) else list(parts(values, elements))

    def parts(values: Values, elements: list[Any]) -> Iterator[Any]:
        for element in elements:
            inner = {**values, variable: element}
            kept = condition(inner)
            if kept is UNKNOWN:
                yield UNKNOWN
            elif kept:
                yield body(inner)

    return each


def _conjunction(terms: tuple[Function, ...]) -> Function:
    """False if one is false, else unknown if one is unknown."""

    def value(values: Values) -> Any:
        result: Any = True
        for term in terms:
            one = term(values)
            if one is UNKNOWN:
                result = UNKNOWN
            elif not one:
                return False
        return result

    return value


def _disjunction(terms: tuple[Function, ...]) -> Function:
    """True if one is true, else unknown if one is unknown."""

    def value(values: Values) -> Any:
        result: Any = False
        for term in terms:
            one = term(values)
            if one is UNKNOWN:
                result = UNKNOWN
            elif one:
                return True
        return result

    return value


def _choice(terms: tuple[Function, ...]) -> Function:
    condition, then, otherwise = terms

    def value(values: Values) -> Any:
        known = condition(values)
        return UNKNOWN if known is UNKNOWN else then(values) if known else otherwise(values)

    return value


LAZY: Mapping[str, Callable[[tuple[Function, ...]], Function]] = {
    "and": _conjunction,
    "or": _disjunction,
    "if": _choice,
}


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
    return whole.get(name, UNKNOWN) if isinstance(whole, Mapping) else None if whole is None else UNKNOWN


def _at(elements: Any, seat: Any) -> Any:
    """The value of a seat; seats count from 1."""
    if not isinstance(elements, list) or not isinstance(seat, int) or not 1 <= seat <= len(elements):
        return UNKNOWN
    return elements[seat - 1]


FUNCTIONS = frozenset(("sum", "so_far", "max", "min", "len", "count", "distinct", "any", "all"))
OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "list": lambda *parts: list(parts),
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
