"""Démons punisseurs: the result sheet (section 9)."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from ...forms import Field, Form, Sentence, Step, rule
from ...phrases import Phrase
from .cards import GAME, PAREIL, SEATS, SUITE, TRICKS
from .marks import ENOUGH

WON = ((1, 0, 0), (2, 1, 0), (2, 2, 0), (3, 0, 1), (3, 1, 1), (3, 0, 2), (0, 0, 2))
"""What a winner marks, and how many of the others lose 2, and 3; 0 where the winner had declined a push."""
NOBODY = ((0, 0), (2, 0), (0, 2), (1, 2))
"""How many lose 2, and 3, where nobody wins."""
REFUSED = (1, 0)
"""An untaken push whose author had no specimen; the jeu needs none."""
LOST = "(count(losses, 2), count(losses, 3))"


def objective(name: str, label: Phrase) -> Field:
    endings = NOBODY if name == GAME else (*NOBODY, REFUSED)
    return Field(name, "object", label, of=(
        Field("winner", "seat", Phrase("winner"), nobody=True),
        Field("points", "whole", Phrase("points"), most=3),
        Field("losses", "whole", Phrase("losses"), per_seat=True, most=3, among=(0, 2, 3)),
    ), rules=(
        rule("losses", f"winner != None or points == 0 and {LOST} in {endings}",
             Phrase("no bets can end like this where nobody wins")),
        rule("losses", "winner == None or losses[winner] == 0 and (points, count(losses, 2), "
                       f"count(losses, 3)) in {WON}",
             Phrase("no bets can end like this where a seat wins {points}"), points="points"),
    ))  # fmt: skip


def shapes(name: str) -> Iterator[Mapping[str, Any]]:
    """All that an objective can end with: ten ways for a winner, and those in which nobody wins."""
    endings = NOBODY if name == GAME else (*NOBODY, REFUSED)
    for winner, losses in product((1, 2, 3, None), product((0, 2, 3), repeat=SEATS)):
        counts = losses.count(2), losses.count(3)
        for points in range(4) if winner else (0,):
            if (winner is None and counts in endings) or (
                winner is not None and losses[winner - 1] == 0 and (points, *counts) in WON
            ):
                yield {name: {"winner": winner, "points": points, "losses": list(losses)}}


WHO_HAS_FOUR = f"sum(seat for seat in seats if tricks[seat] == {ENOUGH})"

FORM = Form(
    fields=(
        objective(PAREIL, Phrase("Pareil: winner, points, losses")),
        objective(SUITE, Phrase("Suite: winner, points, losses")),
        objective(GAME, Phrase("Jeu: winner, points, losses")),
        Field("tricks", "whole", Phrase("tricks"), per_seat=True, most=ENOUGH, optional=True),
    ),
    rules=(
        rule("tricks", f"tricks == None or sum(tricks) <= {TRICKS}",
             Phrase("add up to {total}; at most seven tricks are played"), total="sum(tricks)"),
        rule(GAME, f"tricks == None or max(tricks) < {ENOUGH} or jeu.winner in (None, {WHO_HAS_FOUR})",
             Phrase("only the seat with four tricks can win it")),
        rule(GAME, f"tricks == None or max(tricks) == {ENOUGH} or sum(tricks) < {TRICKS} or "
                   "jeu.winner == None",
             Phrase("nobody wins it where seven tricks are played and no seat has four")),
        rule(GAME, f"tricks == None or max(tricks) == {ENOUGH} or sum(tricks) == {TRICKS} or "
                   "jeu.winner != None",
             Phrase("somebody wins it: with fewer than seven tricks played it was conceded")),
    ),
    steps=tuple(Step("grid", (name,), shapes=tuple(shapes(name))) for name in (PAREIL, SUITE, GAME)),
    sentences=(
        Sentence(Phrase("Pareil: {pareil}; Suite: {suite}; Jeu: {jeu}."), "",
                 {"pareil": "pareil.winner", "suite": "suite.winner", "jeu": "jeu.winner"},
                 seats=("pareil", "suite", "jeu")),
    ),
    example={
        "pareil": {"winner": 2, "points": 2, "losses": [2, 0, 0]},
        "suite": {"winner": None, "points": 0, "losses": [0, 0, 0]},
        "jeu": {"winner": 1, "points": 1, "losses": [0, 0, 0]},
    },
)  # fmt: skip
