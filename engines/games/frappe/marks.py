"""Frappe: the marks (section 5) and the result sheet (section 8)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ... import sheets
from ...contract import Fact, Field, Outcome
from ...errors import BadSheet
from ...phrases import Phrase
from .cards import RANKS, ROUNDS, SEATS

TARGET = 61
ALL_CARDS = 52


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


def result_of(fields: tuple[Field, ...], sheet: Any) -> Ending:
    """The result on a sheet, of a board or of a match."""
    if isinstance(sheet, dict):
        sheet = {name: value for name, value in sheet.items() if value is not None or name != "penitence"}
    sheets.check(fields, sheet, seats=SEATS)
    for one in sheet.get("undeclared", []):
        check_undeclared(one)
    winner = sheet["penitence"] - 1 if "penitence" in sheet else None
    early = bool(sheet.get("ended_early", False))
    if winner is not None and early:
        raise BadSheet("penitence", Phrase("does not go with a deal that was stopped at 61"))
    if "points" not in sheet and winner is None:
        raise BadSheet("points", Phrase("is missing"))
    points = tuple(sheet.get("points", (0, 0)))
    if winner is not None or early:
        if "cards" in sheet:
            raise BadSheet("cards", Phrase("must be left out: the deal was not played to its end"))
        return Ending(points, None, winner)
    if "cards" not in sheet:
        raise BadSheet("cards", Phrase("is missing"))
    cards = tuple(sheet["cards"])
    if sum(cards) != ALL_CARDS:
        raise BadSheet(
            "cards", Phrase("add up to {total}; the pack has {all}", total=sum(cards), all=ALL_CARDS)
        )
    if 1 in cards:
        raise BadSheet("cards", Phrase("nobody can have taken just one card"))
    return Ending(points, cards)


def check_undeclared(one: Any) -> None:
    if not isinstance(one, dict) or set(one) != {"seat", "distribution", "kind", "rank", "noticed"}:
        raise BadSheet("undeclared", Phrase("each needs a seat, a distribution, a kind, a rank and noticed"))
    good = (
        sheets.is_whole(one["seat"], 1, SEATS)
        and sheets.is_whole(one["distribution"], 1, ROUNDS)
        and one["kind"] in ("paire", "brelan")
        and isinstance(one["rank"], str)
        and len(one["rank"]) == 1
        and one["rank"] in RANKS
        and isinstance(one["noticed"], bool)
    )
    if not good:
        raise BadSheet(
            "undeclared",
            Phrase(
                "each needs a seat, a distribution from 1 to 8, paire or brelan, a rank from A to K, and "
                "true or false"
            ),
        )
