"""A federation's formula for master points: an arithmetic expression, or a table. It is read by the parser
below and never run; what the parser accepts can be worked out for every field, in a time that its length
bounds.

An expression names what is known of a place (`QUANTITIES`), and has numbers, + − × ÷ (or - * /), parentheses
and `FUNCTIONS`. What is divided by has to be above 0, and what a root is taken of not below, for every field:
the parser follows how small and how large each part can become, and refuses what may be otherwise.

A table has a line for each number of tables: from how many on it holds, a colon, and the points of the first
place, the second and so on.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, inf, isqrt
from typing import Any, NamedTuple, NoReturn

from engines.phrases import Phrase, brief

from .errors import BadScoring

LONGEST, DEEPEST, MOST_DIGITS = 500, 20, 9
LONGEST_TABLE, MOST_LINES, MOST_PLACES = 5_000, 50, 200
ROOT_PLACES = 6  # decimals of a square root: the rest is cut off

QUANTITIES = ("place", "contestants", "beaten", "tables", "boards", "factor")
FUNCTIONS = {"min": 2, "max": 2, "sqrt": 1, "floor": 1, "ceil": 1}
SIGNS = {"+": "+", "-": "-", "−": "-", "*": "*", "×": "*", "/": "/", "÷": "/"}
LEAST = {"place": 1, "contestants": 1, "beaten": 0, "tables": 1, "boards": 0, "factor": 0}
BOUNDLESS = 10**30  # no bound is looked for beyond this

TOKEN = re.compile(r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<name>[A-Za-z_]\w*)|(?P<sign>[-+−*×/÷(),;]))")
NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")

Quantities = Mapping[str, Fraction]
"""Those of one place, by `QUANTITIES`: whole numbers but for `factor`, each at least `LEAST`."""
Bound = Fraction | float
"""A Fraction, or ∞ or −∞."""


@dataclass(frozen=True, slots=True)
class Formula:
    """`value`: what a place is worth, exactly: nothing has been rounded, and it may be below 0."""

    text: str
    value: Callable[[Quantities], Fraction]


class Term(NamedTuple):
    """A part of an expression, and between which bounds its value lies for every field."""

    value: Callable[[Quantities], Fraction]
    low: Bound
    high: Bound


class Lexeme(NamedTuple):
    """`column`: of its first character, from 1."""

    kind: str
    text: str
    column: int


@lru_cache(maxsize=256)
def formula(text: str) -> Formula:
    """A formula that has been read. BadScoring says in which column, or line of a table, it is wrong, and
    what would be right.

    >>> half = formula("factor × sqrt(tables) ÷ place")
    >>> half.value({name: Fraction(4) for name in QUANTITIES})
    Fraction(2, 1)
    """
    if ":" in text:
        return Formula(text, _table(text))
    if len(text) > LONGEST:
        _refuse(Phrase("an expression has at most {most} characters", most=LONGEST))
    return Formula(text, _Parser(text).whole().value)


def _refuse(constraint: Phrase) -> NoReturn:
    raise BadScoring("formula", constraint)


# ── Expressions ───────────────────────────────────────────────────────────────────────────────────


class _Parser:
    """Reads an expression from left to right; each call goes one token further, so that it ends."""

    def __init__(self, text: str) -> None:
        self.tokens = _tokens(text)
        self.at = 0
        self.depth = 0

    def whole(self) -> Term:
        found = self.sum()
        if (token := self.next).kind != "end":
            _at(token, Phrase("a sign (+ − × ÷) or the end belongs here, not “{found}”", found=token.text))
        return found

    @property
    def next(self) -> Lexeme:
        return self.tokens[self.at]

    def take(self) -> Lexeme:
        self.at += 1
        return self.tokens[self.at - 1]

    def sum(self) -> Term:
        found = self.product()
        while self.next.text in {"+", "-"}:
            sign, other = self.take(), self.product()
            found = _sum(found, other if sign.text == "+" else _negative(other))
        return found

    def product(self) -> Term:
        found = self.signed()
        while self.next.text in {"*", "/"}:
            sign, other = self.take(), self.signed()
            found = _product(found, other if sign.text == "*" else _inverse(other, sign))
        return found

    def signed(self) -> Term:
        if self.next.text != "-":
            return self.single()
        self.deeper(self.take())
        found = _negative(self.signed())
        self.depth -= 1
        return found

    def single(self) -> Term:
        token = self.take()
        if token.kind == "number":
            return _number(token)
        if token.kind == "name":
            return self.call(token) if self.next.text == "(" else _quantity(token)
        if token.text != "(":
            found = Phrase("the end") if token.kind == "end" else token.text
            _at(token, Phrase("a number, a name or “(” belongs here, not “{found}”", found=found))
        self.deeper(token)
        found_inside = self.sum()
        self.close()
        return found_inside

    def call(self, name: Lexeme) -> Term:
        if name.text not in FUNCTIONS:
            _unknown(name)
        self.deeper(self.take())
        given = [self.sum()]
        while self.next.text == ",":
            self.take()
            given.append(self.sum())
        self.close()
        if len(given) != FUNCTIONS[name.text]:
            facts: dict[str, Any] = {"count": FUNCTIONS[name.text], "given": len(given)}
            _at(
                name,
                Phrase("values in these parentheses: {count}, not {given}; decimals have a point", **facts),
            )
        return _called(name, given)

    def deeper(self, token: Lexeme) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            _at(token, Phrase("parentheses stand inside each other {most} times at most", most=DEEPEST))

    def close(self) -> None:
        if (token := self.take()).text != ")":
            found = Phrase("the end") if token.kind == "end" else token.text
            _at(token, Phrase("a sign (+ − × ÷) or “)” belongs here, not “{found}”", found=found))
        self.depth -= 1


def _tokens(text: str) -> list[Lexeme]:
    found: list[Lexeme] = []
    at = 0
    while rest := text[at:].lstrip():
        start = len(text) - len(rest)
        match = TOKEN.match(text, at)
        if match is None:
            words = Phrase("“{found}” has no meaning here", found=rest[0])
            _at(Lexeme("", rest[0], start + 1), words)
        kind = str(match.lastgroup)
        written = match[kind]
        sign = "," if written == ";" else SIGNS.get(written, written)
        found.append(Lexeme(kind, sign if kind == "sign" else written, start + 1))
        at = match.end()
    return [*found, Lexeme("end", "", len(text.rstrip()) + 1)]


def _at(token: Lexeme, words: Phrase) -> NoReturn:
    _refuse(Phrase("column {column}: {words}", column=token.column, words=words))


def _unknown(name: Lexeme) -> NoReturn:
    known = ", ".join([*QUANTITIES, *FUNCTIONS])
    _at(name, Phrase("must be one of: {known}, not “{found}”", known=known, found=brief(name.text)))


def _number(token: Lexeme) -> Term:
    if not NUMBER.fullmatch(token.text):
        words = Phrase("a number has at most {most} digits before its point and after", most=MOST_DIGITS)
        _at(token, words)
    value = Fraction(token.text)
    return Term(lambda _known: value, value, value)


def _quantity(token: Lexeme) -> Term:
    name = token.text
    if name in FUNCTIONS:
        _at(token, Phrase("after {name} comes what it is of, in parentheses", name=name))
    if name not in LEAST:
        _unknown(token)
    return Term(lambda known: known[name], Fraction(LEAST[name]), inf)


def _called(name: Lexeme, given: list[Term]) -> Term:
    one, other = given[0], given[-1]
    a, b = one.value, other.value
    match name.text:
        case "min":
            low, high = min(one.low, other.low), min(one.high, other.high)
            return Term(lambda known: min(a(known), b(known)), low, high)
        case "max":
            low, high = max(one.low, other.low), max(one.high, other.high)
            return Term(lambda known: max(a(known), b(known)), low, high)
        case "floor":
            return Term(
                lambda known: Fraction(floor(a(known))), _whole(one.low, floor), _whole(one.high, floor)
            )
        case "ceil":
            return Term(lambda known: Fraction(ceil(a(known))), _whole(one.low, ceil), _whole(one.high, ceil))
    if one.low < 0:
        _at(name, Phrase("this root may be of less than 0: write sqrt(max(0, …))"))
    return Term(lambda known: root(a(known)), _rooted(one.low), _rooted(one.high))


def root(value: Fraction) -> Fraction:
    """The square root of what is not below 0, cut off after ROOT_PLACES decimals.

    >>> root(Fraction(9, 4)), root(Fraction(2))
    (Fraction(3, 2), Fraction(1414213, 1000000))
    """
    scale = 10**ROOT_PLACES
    return Fraction(isqrt(value.numerator * scale**2 // value.denominator), scale)


def _sum(one: Term, other: Term) -> Term:
    a, b = one.value, other.value
    low, high = _low(_plus(one.low, other.low)), _high(_plus(one.high, other.high))
    return Term(lambda known: a(known) + b(known), low, high)


def _negative(one: Term) -> Term:
    a = one.value
    return Term(lambda known: -a(known), -one.high, -one.low)


def _product(one: Term, other: Term) -> Term:
    a, b = one.value, other.value
    corners = [_times(p, q) for p in (one.low, one.high) for q in (other.low, other.high)]
    return Term(lambda known: a(known) * b(known), _low(min(corners)), _high(max(corners)))


def _inverse(one: Term, sign: Lexeme) -> Term:
    if one.low <= 0:
        _at(sign, Phrase("what is divided by here may be 0 or less: write max(1, …)"))
    a = one.value
    return Term(lambda known: 1 / a(known), _one_by(one.high), _one_by(one.low))


# ── Between which bounds a value lies ─────────────────────────────────────────────────────────────


def _low(value: Bound) -> Bound:
    """The same as a lower bound that stays short, however often bounds are multiplied."""
    if -BOUNDLESS < value < BOUNDLESS:
        return value
    return Fraction(BOUNDLESS) if value > 0 else -inf


def _high(value: Bound) -> Bound:
    return -_low(-value)


def _plus(one: Bound, other: Bound) -> Bound:
    """Two lower bounds, or two upper ones: these are never ∞ and −∞."""
    return one if isinstance(one, float) else other if isinstance(other, float) else one + other


def _times(one: Bound, other: Bound) -> Bound:
    if one == 0 or other == 0:
        return Fraction(0)
    if isinstance(one, float) or isinstance(other, float):
        return inf if (one > 0) == (other > 0) else -inf
    return one * other


def _one_by(value: Bound) -> Bound:
    return Fraction(0) if isinstance(value, float) else 1 / value


def _whole(value: Bound, way: Callable[[Fraction], int]) -> Bound:
    return value if isinstance(value, float) else Fraction(way(value))


def _rooted(value: Bound) -> Bound:
    return value if isinstance(value, float) else root(value)


# ── Tables ────────────────────────────────────────────────────────────────────────────────────────


def _table(text: str) -> Callable[[Quantities], Fraction]:
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(text) > LONGEST_TABLE or len(lines) > MOST_LINES:
        limits: dict[str, Any] = {"lines": MOST_LINES, "most": LONGEST_TABLE}
        _refuse(Phrase("a table has at most {lines} lines and {most} characters", **limits))
    rows: list[tuple[int, list[Fraction]]] = []
    for number, line in lines:
        row = _row(number, line)
        if row[0] <= (rows[-1][0] if rows else 0):
            _in_line(
                number,
                Phrase("each line begins with more tables than the one before, the first with 1 or more"),
            )
        rows.append(row)

    def value(known: Quantities) -> Fraction:
        own = next((points for least, points in reversed(rows) if least <= known["tables"]), [])
        place = int(known["place"])
        return known["factor"] * (own[place - 1] if place <= len(own) else 0)

    return value


def _row(number: int, line: str) -> tuple[int, list[Fraction]]:
    least, _colon, rest = line.partition(":")
    points = rest.split()
    if not re.fullmatch(r"\s*[0-9]{1,9}\s*", least) or not points:
        words = Phrase("a line is a number of tables, a colon and the points of each place: “8: 1.5 1 0.5”")
        _in_line(number, words)
    if len(points) > MOST_PLACES:
        _in_line(number, Phrase("a line has at most {most} places", most=MOST_PLACES))
    for one in points:
        if not NUMBER.fullmatch(one):
            words = Phrase("“{found}” is not a number such as 1.5, with a point", found=brief(one))
            _in_line(number, words)
    return int(least), [Fraction(one) for one in points]


def _in_line(number: int, words: Phrase) -> NoReturn:
    _refuse(Phrase("line {line}: {words}", line=number, words=words))
