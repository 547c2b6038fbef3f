"""Bridgette: the marks (section 5) and the faults (section 7)."""

from dataclasses import dataclass

from ...contract import Fact, Outcome
from .cards import TRICKS

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
