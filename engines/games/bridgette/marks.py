"""Bridgette: the marks (section 5) and the faults (section 7)."""

from dataclasses import dataclass
from typing import Any

from ...contract import Fact, Outcome
from .cards import SEATS, TRICKS

WORTH = {
    "minimum": 100, "partiel": 200, "complet": 700, "petit-chelem": 1400, "sous-chelem": 1500,
    "chelem-geant": 2000, "grand-chelem": 2100, "super-chelem": 2500,
}  # fmt: skip
PART = "partiel"
SUIT_KINDS = ("", "minimum", PART, PART, PART, "complet", "petit-chelem", "grand-chelem")  # by level
NO_TRUMP_KINDS = ("minimum", PART, PART, "complet", "complet", "sous-chelem", "chelem-geant", "super-chelem")
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
        if self.denomination == "SA":
            return NO_TRUMP_KINDS[self.level]
        return "complet" if self.level == 4 and self.denomination in "HS" else SUIT_KINDS[self.level]

    def to_json(self) -> dict[str, Any]:
        """As sheets and accounts have it."""
        return {
            "declarer": self.declarer + 1, "level": self.level, "denomination": self.denomination,
            "doubling": self.doubling,
        }  # fmt: skip


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
    return Outcome.of(facts_of(result) if result is not None else (), SEATS).scores


def outcome_of(result: Ending | None) -> Outcome:
    """The seat's own marks minus the other's; None stands for a deal that was passed out."""
    if result is None:
        return Outcome.of([Fact("passed-out")], SEATS)
    own, other = marks_of(result)
    contract = result.contract
    declarer = contract.declarer + 1
    facts = [Fact("contract", declarer, 0, f"{contract.level}{contract.denomination}")]
    facts.append(Fact("tricks", declarer, 0, result.counting_tricks))
    facts += [Fact(kind, seat + 1, 0, FAULTS[kind]) for seat, kind in result.faults]
    facts += facts_of(result)
    facts.append(Fact("opponent", 1 if other else 2, -max(own, other)))
    return Outcome.of(facts, SEATS)
