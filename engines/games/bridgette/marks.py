"""Bridgette: the marks (section 5), the faults (section 7) and the result sheet (section 8)."""

from dataclasses import dataclass
from typing import Any

from ... import sheets
from ...contract import Fact, Field, Outcome
from ...errors import BadSheet
from ...phrases import Phrase
from .cards import SEATS, TRICKS

WORTH = {
    "minimum": 100,
    "partiel": 200,
    "complet": 700,
    "petit-chelem": 1400,
    "sous-chelem": 1500,
    "chelem-geant": 2000,
    "grand-chelem": 2100,
    "super-chelem": 2500,
}
BONUS = {"none": 0, "contre": 400, "surcontre": 1000}
OVERTRICKS = {"none": 100, "contre": 200, "surcontre": 500}
TIMES = {"none": 1, "contre": 3, "surcontre": 4}
FAULTS = {"sa_sans_couleurs": 3, "autre": 2}  # tricks that pass to the other player


@dataclass(frozen=True, slots=True)
class Contract:
    """The declarer's seat is an index; `doubling`: none, contre or surcontre."""

    declarer: int
    level: int
    denomination: str
    doubling: str

    @property
    def kind(self) -> str:
        """The class of the contract."""
        level, no_trump = self.level, self.denomination == "SA"
        if no_trump:
            kinds = ("minimum", "partiel", "partiel", "complet", "complet", "sous-chelem", "chelem-geant",
                     "super-chelem")  # fmt: skip
            return kinds[level]
        if level == 4:
            return "partiel" if self.denomination in "CD" else "complet"
        return {1: "minimum", 2: "partiel", 3: "partiel", 5: "complet", 6: "petit-chelem", 7: "grand-chelem"}[
            level
        ]


@dataclass(frozen=True, slots=True)
class Ending:
    """`tricks` of the declarer at the table; `faults` as (seat, kind)."""

    contract: Contract
    tricks: int
    faults: tuple[tuple[int, str], ...] = ()

    @property
    def counting_tricks(self) -> int:
        """The declarer's tricks after the penalties."""
        moved = sum(
            -FAULTS[kind] if seat == self.contract.declarer else FAULTS[kind] for seat, kind in self.faults
        )
        return min(max(self.tricks + moved, 0), TRICKS)


def facts_of(result: Ending) -> list[Fact]:
    """What the marking seat marks, line by line."""
    contract = result.contract
    declarer, doubling = contract.declarer, contract.doubling
    over = result.counting_tricks - 6 - contract.level
    if over < 0:
        missing = -over
        points = (100 * missing if missing <= 5 else 1000) * TIMES[doubling]
        return [Fact("missing", 2 - declarer, points, missing)]
    facts = [Fact(contract.kind, declarer + 1, WORTH[contract.kind])]
    if doubling != "none":
        facts.append(Fact(f"{doubling}-made", declarer + 1, BONUS[doubling]))
    if over:
        facts.append(Fact("overtricks", declarer + 1, OVERTRICKS[doubling], over))
    return facts


def marks_of(result: Ending | None) -> tuple[int, ...]:
    facts = facts_of(result) if result is not None else []
    return tuple(sum(fact.points for fact in facts if fact.seat == seat) for seat in (1, 2))


def outcome_of(result: Ending | None) -> Outcome:
    """The seat's own marks minus the other's; None stands for a deal that was passed out."""
    if result is None:
        return Outcome((0, 0), (Fact("passed-out"),))
    own, other = marks_of(result)
    contract = result.contract
    declarer = contract.declarer + 1
    facts = [Fact("contract", declarer, 0, f"{contract.level}{contract.denomination}")]
    facts.append(Fact("tricks", declarer, 0, result.counting_tricks))
    facts += [Fact(kind, seat + 1, 0, FAULTS[kind]) for seat, kind in result.faults]
    facts += facts_of(result)
    facts.append(Fact("opponent", 1 if other else 2, -max(own, other)))
    return Outcome((own - other, other - own), tuple(facts))


def result_of(fields: tuple[Field, ...], sheet: Any) -> Ending | None:
    """The result on a sheet; None for a deal that was passed out."""
    sheets.check(fields, sheet, seats=SEATS)
    if sheet.get("passed_out", False):
        for name in sheet:
            if name != "passed_out":
                raise BadSheet(name, Phrase("must be left out: the deal was passed out"))
        return None
    for name in ("declarer", "level", "denomination", "doubling", "tricks"):
        if name not in sheet:
            raise BadSheet(name, Phrase("is missing"))
    if sheet["level"] == 0 and sheet["denomination"] != "SA":
        raise BadSheet("level", Phrase("can be 0 only for sans atout"))
    faults = []
    for fault in sheet.get("faults", []):
        if not isinstance(fault, dict) or set(fault) != {"seat", "kind"}:
            raise BadSheet("faults", Phrase("each needs a seat and a kind"))
        if not sheets.is_whole(fault["seat"], 1, SEATS):
            raise BadSheet("faults", Phrase("must be a seat from 1 to {seats}", seats=SEATS))
        if not isinstance(fault["kind"], str) or fault["kind"] not in FAULTS:
            raise BadSheet("faults", Phrase("its kind must be one of: {values}", values=", ".join(FAULTS)))
        faults.append((fault["seat"] - 1, fault["kind"]))
    contract = Contract(sheet["declarer"] - 1, sheet["level"], sheet["denomination"], sheet["doubling"])
    return Ending(contract, sheet["tricks"], tuple(faults))
