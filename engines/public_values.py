"""Public values: what nobody can know when boards are sealed, and what everybody can look up afterwards.

A value that could be written in many ways could be ground: whoever writes it down tries one way after
another until the boards please. So each kind of value has one form, and the kind is sealed with the source.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from .errors import BadField
from .phrases import Phrase


@dataclass(frozen=True, slots=True)
class ValueKind:
    """A kind of value, and the one way to write it: `form` in words, an `example`, and the test of both."""

    name: str
    form: Phrase
    example: str
    fits: Callable[[str], bool]


def lottery(count: int) -> ValueKind:
    """`count` numbers drawn in a lottery. How many is part of the kind: an additional number that may be
    counted or not would be a choice."""
    form = Phrase(
        "{count} different numbers of two digits in ascending order, joined by hyphens", count=count
    )
    example = "-".join(["03", "07", "12", "28", "31", "40", "41"][:count])
    return ValueKind(f"lottery-{count}", form, example, lambda value: is_draw(value, count))


def is_draw(value: str, count: int) -> bool:
    numbers = value.split("-")
    return (
        len(numbers) == count
        and all(re.fullmatch("[0-9]{2}", number) for number in numbers)
        and all(lower < higher for lower, higher in pairwise(numbers))
    )


def matches(pattern: str) -> Callable[[str], bool]:
    return lambda value: re.fullmatch(pattern, value) is not None


KINDS = {
    kind.name: kind
    for kind in (
        lottery(5),
        lottery(6),
        lottery(7),
        ValueKind(
            "index",
            Phrase("a closing value with a decimal point, two decimals and nothing between the thousands"),
            "7423.51",
            matches(r"[1-9][0-9]*\.[0-9]{2}"),
        ),
        ValueKind(
            "digest",
            Phrase("64 hexadecimal digits in lower case (a block of Bitcoin, a round of drand)"),
            "00000000000000000001" + "5c" * 22,
            matches("[0-9a-f]{64}"),
        ),
    )
}


def is_in_form(value: str) -> bool:
    """Whether a value is written as one of the kinds is."""
    return any(kind.fits(value) for kind in KINDS.values())


class BadPublicValue(BadField):
    """A public value of no known kind, from nowhere, or not in the form of its kind."""


@dataclass(frozen=True, slots=True)
class PublicValue:
    """`source`: where anybody will find it, in words that leave no choice; `value`: None until known."""

    kind: str
    source: str
    value: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            known = ", ".join(KINDS)
            raise BadPublicValue("public_value.kind", Phrase("must be one of: {values}", values=known))
        if not self.source or self.source != self.source.strip():
            raise BadPublicValue(
                "public_value.source",
                Phrase("must say where anybody will find the value, with no space before or after"),
            )
        kind = KINDS[self.kind]
        if self.value is not None and not kind.fits(self.value):
            raise BadPublicValue(
                "public_value.value",
                Phrase("must be {form}: for example {example}", form=kind.form, example=kind.example),
            )

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "source": self.source, "value": self.value}
