"""Démons: the result sheet (section 8)."""

from typing import Any

from ... import sheets
from ...forms import Door, Field, Form, Sentence, Step, rare, rule
from ...phrases import Phrase
from .cards import FIGURES, SEATS, TRICKS, Deal
from .marks import COMPLETE, FAULTS, FIRST, PARTIAL, RAISES, REVOKE, Ending

MOST_OF_A_PLAYER, MOST_OF_THE_DEVIL = 58, 64
COUNTED = f"not any(fault.kind == '{REVOKE}' for fault in faults)"
SUCH = Phrase("there is no such combination")


def levels(kind: str) -> tuple[int, ...]:
    return tuple(FIRST[kind] * 2**raises for raises in range(RAISES + 1))


def bet(kind: str, label: Phrase) -> Field:
    first = levels(kind)[0]
    return Field(kind, "object", label, nobody=True, usual=None, when=COUNTED, of=(
        Field("stake", "whole", Phrase("stake"), among=levels(kind)),
        Field("risk", "whole", Phrase("risked"), per_seat=True, among=(0, *levels(kind))),
    ), rules=(
        rule("risk", "max(risk) == stake",
             Phrase("nobody can have risked more than the stake, and somebody must have risked it")),
        rule("risk", f"stake == {first} or sum(1 for one in risk if one * 2 >= stake) >= 2",
             Phrase("at least one seat must have risked a raised stake, and another at least half of it")),
    ))  # fmt: skip


def best(name: str, label: Phrase, rank: Field, most: int, holds: str) -> Field:
    return Field(name, "object", label, per_seat=True, nobody=True, usual=[None] * SEATS, when=COUNTED, of=(
        Field("length", "whole", Phrase("length"), least=2, most=most), rank,
    ), rules=(rule(rank.name, holds, SUCH),))  # fmt: skip


LENGTHS = " + ".join(
    f"(0 if {name}[seat] == None else {name}[seat].length)" for name in ("best_suite", "best_pareil")
)
FAILED = "penalised_failures[seat] + (1 if penalised_failures[seat] > 0 else 0)"  # and the free one

FORM = Form(
    fields=(
        Field("tricks", "whole", Phrase("tricks"), per_seat=True, most=TRICKS, total=str(TRICKS),
              when=COUNTED),
        Field("card_points", "whole", Phrase("card points"), per_seat=True, most=MOST_OF_THE_DEVIL,
              when=COUNTED, implied="0 if tricks[seat] == 0 else None"),
        best("best_suite", Phrase("best suites"), Field("top", "choice", Phrase("top card"),
             choices=tuple("CQK")), 4, "top == 'K' or top == 'Q' and length <= 3 or length == 2"),
        best("best_pareil", Phrase("best pareils"), Field("rank", "choice", Phrase("rank"),
             choices=tuple(FIGURES)), 8, "length <= 4 or rank not in ('J', 'Q')"),
        Field("penalised_failures", "whole", Phrase("penalised failures"), per_seat=True, most=8,
              when=COUNTED, usual=[0] * SEATS),
        bet(PARTIAL, Phrase("bet on the partial gain")),
        bet(COMPLETE, Phrase("bet on the complete gain")),
        Field("faults", "list", Phrase("faults"), optional=True, usual=[], of=(
            Field("seat", "seat", Phrase("seat")),
            Field("kind", "choice", Phrase("kind"), choices=tuple(FAULTS)),
        )),
    ),
    rules=(
        rule("faults", f"sum(1 for fault in faults if fault.kind == '{REVOKE}') <= 1",
             Phrase("only one fault can annul a deal")),
        rule("card_points", f"card_points[seat] <= (0 if tricks[seat] == 0 else {MOST_OF_THE_DEVIL})",
             Phrase("seat {seat}: {most} at most"), each="seat in seats", seat="seat",
             most=f"0 if tricks[seat] == 0 else {MOST_OF_THE_DEVIL}"),
        rule("card_points", f"known.devil == seat or card_points[seat] <= {MOST_OF_A_PLAYER}",
             Phrase("seat {seat}: {most} at most"), each="seat in seats", seat="seat",
             most=str(MOST_OF_A_PLAYER)),
        rule("penalised_failures", f"{LENGTHS} + {FAILED} <= {TRICKS}",
             Phrase("seat {seat} plays only nine cards"), each="seat in seats", seat="seat"),
        rule(COMPLETE, "partial == None or complete == None or complete.risk[seat] == 0 or "
                       "partial.risk[seat] == partial.stake",
             Phrase("seat {seat} had conceded the partial bet"), each="seat in seats", seat="seat"),
    ),
    steps=(
        Step("keys", ("tricks",)),
        Step("square", ("card_points",)),
        *rare("facts", "best_pareil", "best_suite", "penalised_failures"),
        *rare("list", PARTIAL, COMPLETE),
    ),
    other=(Door(Phrase("fault"), {}, ("faults",)),),
    sentences=(
        Sentence(Phrase("Tricks {a}, {b}, {c}; cards {d}, {e}, {f}."), COUNTED,
                 {"a": "tricks[1]", "b": "tricks[2]", "c": "tricks[3]", "d": "card_points[1]",
                  "e": "card_points[2]", "f": "card_points[3]"}),
        Sentence(Phrase("A fault annulled the deal."), f"not ({COUNTED})"),
    ),
    example={
        "tricks": [4, 2, 3], "card_points": [23, 12, 12], "best_suite": [None] * 3,
        "best_pareil": [None, {"length": 2, "rank": "Q"}, None], "penalised_failures": [0] * 3,
        "partial": None, "complete": None,
    },
)  # fmt: skip


def result_of(sheet: Any, deal: Deal | None = None) -> Ending:
    """The result on a sheet; a known deal gives the seat of the Diable. After a fault that annuls the deal
    nothing else is looked at."""
    known = {} if deal is None else {"devil": deal.devil + 1}
    sheet = sheets.annulled(FORM, sheet, {REVOKE})
    return Ending.from_sheet(FORM, sheets.check(FORM, sheet, seats=SEATS, known=known))
