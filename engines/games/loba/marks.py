"""Loba: the penalties (section 5)."""

from dataclasses import dataclass

from ...contract import Fact, Outcome


@dataclass(frozen=True, slots=True)
class Ending:
    """Penalties by seat; the finisher (index), if there is one."""

    points: tuple[int, ...]
    finisher: int | None


def outcome_of(result: Ending) -> Outcome:
    """The penalties, as points lost."""
    facts = [
        Fact("finisher" if seat == result.finisher else "left", seat + 1, -points)
        for seat, points in enumerate(result.points)
    ]
    if result.finisher is None:
        facts.insert(0, Fact("no-finisher"))
    return Outcome(tuple(-points for points in result.points), tuple(facts))
