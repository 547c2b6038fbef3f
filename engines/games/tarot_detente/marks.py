"""Tarot double détente and Triple-Détente: the marks (section 5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...contract import Fact, Outcome, Settings
from ...tricks import number_of

BONUS = ((10, 5, 2), (20, 10, 5), (30, 20, 10))  # by part: exact, one off, two off
PENALTY = (20, 30, 40)  # for a fault, by part


@dataclass(frozen=True, slots=True)
class PartResult:
    """How a part was played; seats are indices. A part stopped by a fault has only its `fault`."""

    contracts: tuple[int, ...]
    tricks: tuple[int, ...]
    petit: int | None = None
    petit_last: bool = False
    excuse_last: int | None = None
    knights: tuple[int, ...] = ()
    aces: tuple[int, ...] = ()
    targets: tuple[int | None, ...] = ()
    fault: int | None = None

    def to_json(self, options: Settings) -> dict[str, Any]:
        """A part that was played, as a sheet has it."""
        part = {
            "contracts": list(self.contracts),
            "tricks": list(self.tricks),
            "petit": number_of(self.petit),
            "petit_last": self.petit_last,
            "excuse_last": number_of(self.excuse_last),
        }
        optional = {
            "cavalry": ("knights", list(self.knights)),
            "winning_ace": ("aces", list(self.aces)),
            "all_or_nothing": ("all_or_nothing", list(map(number_of, self.targets))),
        }
        return part | dict(value for option, value in optional.items() if options[option])


def bonus(contract: int, tricks: int, part: int, effect: str) -> int:
    off = abs(tricks - contract)
    if off > 2 or (off and effect == "exact"):
        return 0
    return BONUS[part][off] * (2 if effect == "doubled" else 1)


def facts_of(result: PartResult, part: int, effect: str, options: Settings, seats: int) -> list[Fact]:
    """The marks of a part line by line; `value` is the part's number."""
    number = part + 1
    if result.fault is not None:
        return [
            Fact("fault", seat + 1, -PENALTY[part], number) if seat == result.fault
            else Fact("annulled_part", seat + 1, 0, number)
            for seat in range(seats)
        ]  # fmt: skip
    facts = []
    earned = [bonus(c, t, part, effect) for c, t in zip(result.contracts, result.tricks, strict=True)]
    exact = [c == t for c, t in zip(result.contracts, result.tricks, strict=True)]
    for seat in range(seats):
        gains = [("bonus", earned[seat]), ("tricks", result.tricks[seat])]
        if result.petit == seat:
            gains += [("petit", 2), ("petit-last", 5 if result.petit_last else 0)]
        if options["cavalry"]:
            gains.append(("knights", 2 * result.knights[seat]))
        if result.targets[seat] is not None and not exact[seat]:
            gains = []
            facts.append(Fact("all-or-nothing-failed", seat + 1, 0, number))
        if result.excuse_last == seat:
            gains.append(("excuse-last", -5))
        if options["winning_ace"]:
            gains.append(("aces", -10 * (sum(result.aces) - result.aces[seat])))
        gains += [
            ("all-or-nothing", -earned[other])
            for other in range(seats)
            if result.targets[other] == seat and exact[other]
        ]
        facts += [Fact(name, seat + 1, points, number) for name, points in gains if points]
    return facts


def marks(result: PartResult, part: int, effect: str, options: Settings) -> tuple[int, ...]:
    seats = len(result.contracts)
    return Outcome.of(facts_of(result, part, effect, options, seats), seats).scores


def outcome_of(results: Sequence[PartResult], effects: Sequence[str], options: Settings) -> Outcome:
    """The sum of the parts. Where a part was stopped by a fault, the others' lines cannot be compared."""
    seats = len(results[0].contracts)
    facts = [
        fact
        for part, (result, effect) in enumerate(zip(results, effects, strict=True))
        for fact in facts_of(result, part, effect, options, seats)
    ]
    stopped = {fact.seat for fact in facts if fact.name == "annulled_part" and fact.seat is not None}
    return Outcome.of(facts, seats, tuple(sorted(stopped)))
