"""Duel à Las Vegas: the result sheet (section 8)."""

from ...forms import Door, Field, Form, Sentence, Step, rule
from ...phrases import Phrase
from .cards import MAINS

FORM = Form(
    fields=(
        Field("mains", "whole", Phrase("hands won"), per_seat=True, most=MAINS),
        Field("packs_exhausted", "flag", Phrase("both packs ran out"), optional=True, usual=False),
    ),
    rules=(
        rule("mains", f"min(mains) < {MAINS}", Phrase("the game is over with the sixth main of one seat")),
        rule("packs_exhausted", f"packs_exhausted == (max(mains) < {MAINS})",
             Phrase("must be true where nobody has six mains, and only there")),
    ),
    steps=(
        Step("grid", ("mains",), when="not packs_exhausted", shapes=tuple(
            {"mains": mains} for other in range(MAINS) for mains in ([MAINS, other], [other, MAINS])
        )),
        Step("keys", ("mains",), when="packs_exhausted", most=MAINS - 1),
    ),
    other=(Door(Phrase("both packs ran out"), {"packs_exhausted": True}),),
    sentences=(
        Sentence(Phrase("{one} won {a} hands, {two} {b}."), "",
                 {"one": "1", "a": "mains[1]", "two": "2", "b": "mains[2]"}, seats=("one", "two")),
    ),
    example={"mains": [6, 3], "packs_exhausted": False},
)  # fmt: skip
