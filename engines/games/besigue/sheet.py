"""The Bésigues: the result sheet (section 8)."""

from dataclasses import replace
from functools import cache
from typing import Any

from ... import sheets
from ...expressions import expression
from ...forms import Field, Form, Sentence, Step, rule
from ...phrases import Phrase
from .cards import SEATS, Rules
from .marks import FAULTS, FINAL_ERROR, NOT_DRAWN, TOO_MANY, Ending

CHARGE = (
    f"({FAULTS[TOO_MANY]} if fault.kind == '{TOO_MANY}' else {FAULTS[NOT_DRAWN]} if fault.kind == "
    f"'{NOT_DRAWN}' else 0)"
)


def before(seat: str, rules: Rules) -> str:
    """The expression of a seat's total before brisques are counted."""
    others = f"sum({CHARGE} * fault.count for fault in faults if fault.seat != {seat})"
    return f"(points[{seat}] + ({rules.last_trick} if last_trick == {seat} else 0) + {others})"


def form_of(rules: Rules) -> Form:
    counted = f"brisques_asked_by != None or {before('1', rules)} == {before('2', rules)}"
    return Form(
        fields=(
            Field("points", "whole", Phrase("points of combinations"), per_seat=True, step=10,
                  never=tuple(sorted(rules.impossible))),
            Field("last_trick", "seat", Phrase("last trick")),
            Field("faults", "list", Phrase("faults"), optional=True, usual=[], of=(
                Field("seat", "seat", Phrase("seat")),
                Field("kind", "choice", Phrase("kind"), choices=tuple(FAULTS)),
                Field("count", "whole", Phrase("count"), least=1),
            ), rules=(
                rule("count", f"kind != '{FINAL_ERROR}' or count == 1",
                     Phrase("the count is 1 or more, and exactly 1 for an error in the final phase")),
            )),
            Field("brisques_asked_by", "seat", Phrase("who asked for brisques"), optional=True),
            Field("brisques", "whole", Phrase("brisques"), per_seat=True, total=str(8 * rules.packs),
                  when=counted),
        ),
        rules=(
            rule("faults", f"sum(1 for fault in faults if fault.kind == '{FINAL_ERROR}') <= 1",
                 Phrase("an error in the final phase ends it, so there can be only one")),
            rule("last_trick",
                 f"all(fault.kind != '{FINAL_ERROR}' or fault.seat != last_trick for fault in faults)",
                 Phrase("is the other player's after an error in the final phase")),
            rule("brisques_asked_by",
                 f"brisques_asked_by == None or {before('brisques_asked_by', rules)} < {rules.rubicon}",
                 Phrase("a player who has reached the Rubicon cannot ask for brisques")),
        ),
        steps=(
            Step("square", ("points",), first="last_trick", most=10 * (5 * rules.rubicon // 10) - 10),
            Step("facts", ("brisques_asked_by",), rare=True),
            Step("square", ("brisques",)),
            Step("list", ("faults",), rare=True),
        ),
        sentences=(
            Sentence(Phrase("{one} {a}, {two} {b}; {seat} took the last trick."), "",
                     {"one": "1", "a": "points[1]", "two": "2", "b": "points[2]", "seat": "last_trick"},
                     seats=("one", "two", "seat")),
        ),
        example={"points": [5220, 3230] if rules.packs > 4 else [1400, 820], "last_trick": 1},
    )  # fmt: skip


@cache
def without_brisques(form: Form) -> Form:
    return replace(form, fields=form.fields[:-1])


def result_of(form: Form, sheet: Any) -> Ending:
    """The result on a sheet; brisques that are not counted are not looked at."""
    if isinstance(sheet, dict) and "brisques" in sheet:
        bare = {name: value for name, value in sheet.items() if name != "brisques"}
        told = sheets.check(without_brisques(form), bare, seats=SEATS)
        if not expression(form.fields[-1].when).value(told):
            sheet = bare
    return Ending.from_sheet(form, sheets.check(form, sheet, seats=SEATS))
