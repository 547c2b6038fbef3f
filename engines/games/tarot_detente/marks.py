"""Tarot double détente and Triple-Détente: the marks (section 5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from ...contract import Fact, Outcome, Settings
from ...endings import facts
from ...tricks import number_of

BONUS = ((10, 5, 2), (20, 10, 5), (30, 20, 10))  # by part: exact, one off, two off
PENALTY = (20, 30, 40)  # for a fault, by part


@dataclass(frozen=True, slots=True)
class PartResult:
    """How a part was played, by the names of the sheet; seats are indices. A part stopped by a fault has only
    its `fault`."""

    contracts: tuple[int, ...] = ()
    tricks: tuple[int, ...] = ()
    petit: int | None = None
    petit_last: bool = False
    excuse_last: int | None = None
    knights: tuple[int, ...] = ()
    aces: tuple[int, ...] = ()
    all_or_nothing: tuple[int | None, ...] = ()
    fault: int | None = None

    @classmethod
    def told(cls, **parts: Any) -> Self:
        """One of which a sheet tells these; None: nothing."""
        return cls(**{name: value for name, value in parts.items() if value is not None})

    def to_json(self, options: Settings) -> dict[str, Any]:
        """A part that was played, as a sheet has it."""
        told = {
            "contracts": list(self.contracts), "tricks": list(self.tricks),
            "petit": number_of(self.petit), "petit_last": self.petit_last,
            "excuse_last": number_of(self.excuse_last), "knights": list(self.knights),
            "aces": list(self.aces), "all_or_nothing": list(map(number_of, self.all_or_nothing)),
        }  # fmt: skip
        return {name: one for name, one in told.items() if name not in OPTION_OF or options[OPTION_OF[name]]}


OPTION_OF = {"knights": "cavalry", "aces": "winning_ace", "all_or_nothing": "all_or_nothing"}


def bonus(contract: int, tricks: int, part: int, effect: str) -> int:
    off = abs(tricks - contract)
    if off > 2 or (off and effect == "exact"):
        return 0
    return BONUS[part][off] * (2 if effect == "doubled" else 1)


def facts_of(result: PartResult, part: int, effect: str, options: Settings, seats: int) -> list[Fact]:
    """The marks of a part line by line; `value` is the part's number."""
    number, fault = part + 1, result.fault
    if fault is not None:
        lines = facts("annulled_part", range(seats), 0, number)
        lines[fault] = Fact("fault", fault + 1, -PENALTY[part], number)
        return lines
    lines = []
    earned = [bonus(c, t, part, effect) for c, t in zip(result.contracts, result.tricks, strict=True)]
    exact = [c == t for c, t in zip(result.contracts, result.tricks, strict=True)]
    named = result.all_or_nothing or (None,) * seats
    for seat in range(seats):
        gains = [("bonus", earned[seat]), ("tricks", result.tricks[seat])]
        if result.petit == seat:
            gains += [("petit", 2), ("petit-last", 5 if result.petit_last else 0)]
        if options["cavalry"]:
            gains.append(("knights", 2 * result.knights[seat]))
        if named[seat] is not None and not exact[seat]:
            gains = []
            lines += facts("all-or-nothing-failed", (seat,), 0, number)
        if result.excuse_last == seat:
            gains.append(("excuse-last", -5))
        if options["winning_ace"]:
            gains.append(("aces", -10 * (sum(result.aces) - result.aces[seat])))
        gains += [
            ("all-or-nothing", -earned[other])
            for other in range(seats)
            if named[other] == seat and exact[other]
        ]
        lines += [Fact(name, seat + 1, points, number) for name, points in gains if points]
    return lines


def marks(result: PartResult, part: int, effect: str, options: Settings, seats: int) -> tuple[int, ...]:
    return Outcome.of(facts_of(result, part, effect, options, seats), seats).scores


def outcome_of(
    results: Sequence[PartResult], effects: Sequence[str], options: Settings, seats: int
) -> Outcome:
    """The sum of the parts. Where a part was stopped by a fault, the others' lines cannot be compared."""
    parts = enumerate(zip(results, effects, strict=True))
    lines = [one for at, (part, effect) in parts for one in facts_of(part, at, effect, options, seats)]
    stopped = {one.seat for one in lines if one.name == "annulled_part" and one.seat is not None}
    return Outcome.of(lines, seats, tuple(sorted(stopped)))
