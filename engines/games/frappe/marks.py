"""Frappe: the marks (section 5)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...contract import Fact, Outcome
from .cards import SEATS

TARGET = 61


@dataclass(frozen=True, slots=True)
class Mark:
    """Points that were marked; the seat is an index."""

    seat: int
    kind: str
    points: int

    def to_json(self) -> dict[str, Any]:
        return {"seat": self.seat + 1, "kind": self.kind, "points": self.points}


@dataclass(frozen=True, slots=True)
class Ending:
    """`points` without the cards; `cards` None where the deal was not played to its end; `winner`: by a
    pénitence."""

    points: tuple[int, ...]
    cards: tuple[int, ...] | None
    winner: int | None = None

    def totals(self) -> tuple[int, ...]:
        if self.cards is None:
            return self.points
        own, other = self.cards
        return self.points[0] + max(0, own - other), self.points[1] + max(0, other - own)


def outcome_of(result: Ending, events: Sequence[Mark] = ()) -> Outcome:
    """The seat's own points minus the other's; a pénitence stands for 61 to nothing. A record tells each kind
    of points, a sheet their sum."""
    if result.winner is not None:
        lines = [
            ("penitence", TARGET) if seat == result.winner else ("penitence-lost", -TARGET)
            for seat in range(SEATS)
        ]
        facts = tuple(Fact(name, seat, points) for seat, (name, points) in enumerate(lines, 1))
        return Outcome(tuple(fact.points for fact in facts), facts)
    totals = result.totals()
    all_facts = []
    for seat in range(SEATS):
        all_facts += own_facts(result, [event for event in events if event.seat == seat], seat)
        all_facts.append(Fact("opponent", seat + 1, -totals[1 - seat]))
    scores = (totals[0] - totals[1], totals[1] - totals[0])
    return Outcome(scores, tuple(all_facts))


def own_facts(result: Ending, events: Sequence[Mark], seat: int) -> list[Fact]:
    kinds = Counter[str]()
    for event in events:
        kinds[event.kind] += event.points
    if not events:
        kinds["points"] = result.points[seat]
        kinds["cards"] = result.totals()[seat] - result.points[seat]
    held = result.cards[seat] if result.cards else None
    return [
        Fact(kind, seat + 1, points, held if kind == "cards" else None)
        for kind, points in kinds.items()
        if points
    ]
