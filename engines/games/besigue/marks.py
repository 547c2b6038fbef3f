"""The Bésigues: the account of a deal (section 5), faults (7) and the result sheet (8)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ... import sheets
from ...contract import Fact, Field, Outcome
from ...errors import BadSheet
from ...phrases import Phrase
from .cards import SEATS, Rules

TOO_MANY, NOT_DRAWN, FINAL_ERROR = "trop_de_cartes", "oubli_de_pioche", "erreur_finale"
FAULTS = {TOO_MANY: 100, NOT_DRAWN: 10, FINAL_ERROR: 0}  # points for the other player
BRISQUE = 10


@dataclass(frozen=True, slots=True)
class Ending:
    """`points`: combinations, cartes blanches and the cut; `last_trick` a seat (index); `faults` as (seat,
    kind, count); `brisques` None where they were not counted."""

    points: tuple[int, ...]
    last_trick: int
    faults: tuple[tuple[int, str, int], ...] = ()
    asked_by: int | None = None
    brisques: tuple[int, ...] | None = None

    def before(self, rules: Rules) -> tuple[int, ...]:
        """The totals before brisques are counted."""
        totals = list(self.points)
        totals[self.last_trick] += rules.last_trick
        for seat, kind, times in self.faults:
            totals[1 - seat] += FAULTS[kind] * times
        return tuple(totals)

    def are_counted(self, rules: Rules) -> bool:
        one, other = self.before(rules)
        return self.asked_by is not None or one == other

    def totals(self, rules: Rules) -> tuple[int, ...]:
        counted = self.brisques if self.are_counted(rules) and self.brisques else (0, 0)
        return tuple(p + BRISQUE * n for p, n in zip(self.before(rules), counted, strict=True))

    def winner(self, rules: Rules) -> int:
        """The higher total; then more brisques; then the last trick."""
        one, other = self.totals(rules)
        if one == other:
            one, other = self.brisques or (0, 0)
        return self.last_trick if one == other else int(one < other)


def outcome_of(result: Ending, rules: Rules, kinds: Sequence[Counter[str]] = ()) -> Outcome:
    """What the winner marks and the other loses. A record knows each kind of points (`kinds` by seat)."""
    totals, winner = result.totals(rules), result.winner(rules)
    loser = 1 - winner
    under = totals[loser] < rules.rubicon
    marked = 1000 + sum(totals) if under else 500 + totals[winner] - totals[loser]
    marked -= marked % 100
    facts = []
    for seat in range(SEATS):
        by_kind = kinds[seat] if kinds else {"points": result.points[seat]}
        facts += [Fact(kind, seat + 1, 0, points) for kind, points in by_kind.items() if points]
        if seat == result.last_trick:
            facts.append(Fact("last-trick", seat + 1, 0, rules.last_trick))
        if result.brisques and result.are_counted(rules):
            facts.append(Fact("brisques", seat + 1, 0, BRISQUE * result.brisques[seat]))
        facts.append(Fact("total", seat + 1, 0, totals[seat]))
    facts += [Fact(kind, seat + 1, 0, times) for seat, kind, times in result.faults]
    facts.append(Fact("rubicon" if under else "difference", winner + 1, marked))
    facts.append(Fact("opponent", loser + 1, -marked))
    scores = (marked, -marked) if winner == 0 else (-marked, marked)
    return Outcome(scores, tuple(facts))


# ── The result sheet (section 8) ──────────────────────────────────────────────────────────────────


def result_of(fields: tuple[Field, ...], sheet: Any, rules: Rules) -> Ending:
    """The result on a sheet; brisques that are not counted are not looked at."""
    known = sheet
    if isinstance(sheet, dict):
        known = {name: v for name, v in sheet.items() if name != "brisques" and v is not None}
    sheets.check(fields, known, seats=SEATS)
    points = tuple(known["points"])
    if any(own % 10 for own in points):
        raise BadSheet("points", Phrase("must be a multiple of {step}", step=10))
    for own in points:
        if own in rules.impossible:
            raise BadSheet("points", Phrase("no combinations add up to {points}", points=own))
    last = known["last_trick"] - 1
    faults = faults_of(known.get("faults", []), last)
    result = Ending(points, last, faults)
    asked = known["brisques_asked_by"] - 1 if "brisques_asked_by" in known else None
    if asked is not None and result.before(rules)[asked] >= rules.rubicon:
        raise BadSheet(
            "brisques_asked_by", Phrase("a player who has reached the Rubicon cannot ask for brisques")
        )
    result = replace(result, asked_by=asked)
    if not result.are_counted(rules):
        return result
    if sheet.get("brisques") is None:
        raise BadSheet("brisques", Phrase("is missing"))
    counted = [field for field in fields if field.name == "brisques"]
    sheets.check(tuple(counted), {"brisques": sheet["brisques"]}, seats=SEATS)
    brisques = tuple(sheet["brisques"])
    if sum(brisques) != 8 * rules.packs:
        raise BadSheet(
            "brisques",
            Phrase("add up to {total}; the pack has {all}", total=sum(brisques), all=8 * rules.packs),
        )
    return replace(result, brisques=brisques)


def faults_of(given: Sequence[Any], last: int) -> tuple[tuple[int, str, int], ...]:
    faults = []
    for fault in given:
        if not isinstance(fault, dict) or set(fault) != {"seat", "kind", "count"}:
            raise BadSheet("faults", Phrase("each needs a seat, a kind and a count"))
        seat, kind, times = fault["seat"], fault["kind"], fault["count"]
        if not sheets.is_whole(seat, 1, SEATS):
            raise BadSheet("faults", Phrase("must be a seat from 1 to {seats}", seats=SEATS))
        if not isinstance(kind, str) or kind not in FAULTS:
            raise BadSheet("faults", Phrase("its kind must be one of: {values}", values=", ".join(FAULTS)))
        if not sheets.is_whole(times, 1, 1 if kind == FINAL_ERROR else None):
            raise BadSheet(
                "faults", Phrase("the count is 1 or more, and exactly 1 for an error in the final phase")
            )
        faults.append((seat - 1, kind, times))
    errors = [seat for seat, kind, _ in faults if kind == FINAL_ERROR]
    if len(errors) > 1:
        raise BadSheet("faults", Phrase("an error in the final phase ends it, so there can be only one"))
    if errors and errors[0] == last:
        raise BadSheet("last_trick", Phrase("is the other player's after an error in the final phase"))
    return tuple(faults)
