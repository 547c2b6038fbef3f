"""Frappe: the result sheet (section 8)."""

from typing import Any

from ...forms import Door, Field, Form, Sentence, Step, rule
from ...phrases import Phrase
from .cards import RANKS, ROUNDS
from .marks import Ending

ALL_CARDS = 52

FORM = Form(
    fields=(
        Field("points", "whole", Phrase("points without the cards"), per_seat=True, optional=True,
              needed="penitence == None"),
        Field("cards", "whole", Phrase("cards taken"), per_seat=True, most=ALL_CARDS,
              never=(1, ALL_CARDS - 1), total=str(ALL_CARDS),
              when="penitence == None and ended_early != True"),
        Field("penitence", "seat", Phrase("who won by a pénitence"), optional=True),
        Field("ended_early", "flag", Phrase("stopped at 61"), optional=True),
        Field("undeclared", "list", Phrase("combinations not announced"), optional=True, of=(
            Field("seat", "seat", Phrase("seat")),
            Field("distribution", "whole", Phrase("distribution"), least=1, most=ROUNDS),
            Field("kind", "choice", Phrase("kind"), choices=("paire", "brelan")),
            Field("rank", "choice", Phrase("rank"), choices=tuple(RANKS)),
            Field("noticed", "flag", Phrase("noticed")),
        )),
    ),
    rules=(
        rule("penitence", "penitence == None or ended_early != True",
             Phrase("does not go with a deal that was stopped at 61")),
    ),
    steps=(
        Step("square", ("points",), when="penitence == None", most=149),
        Step("square", ("cards",)),
    ),
    other=(Door(Phrase("pénitence"), {}, ("penitence",)),),
    sentences=(
        Sentence(Phrase("{one} {a} points, {b} cards; {two} {c} points, {d} cards."), "penitence == None",
                 {"one": "1", "a": "points[1]", "b": "cards[1]", "two": "2", "c": "points[2]",
                  "d": "cards[2]"}, seats=("one", "two")),
        Sentence(Phrase("{seat} won by a pénitence."), "penitence != None", {"seat": "penitence"}, ("seat",)),
    ),
    example={"points": [14, 9], "cards": [30, 22]},
)  # fmt: skip


def result_of(told: dict[str, Any]) -> Ending:
    """The result on a complete sheet, of a board or of a match."""
    winner = None if told["penitence"] is None else told["penitence"] - 1
    cards = told["cards"]
    return Ending(tuple(told["points"] or (0, 0)), None if cards is None else tuple(cards), winner)
