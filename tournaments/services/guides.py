"""What is printed for an evening: where everybody goes, who comes to each table, where each board travels."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from engines import registry

from ..models import Section, Session
from ..movements import Movement, by_board, by_contestant, by_table
from ..movements.guides import Stop
from .layouts import movement_of


def guides(session: Session, sections: Iterable[Section]) -> list[dict[str, Any]]:
    """The guides of some sections of a session; seats are those of the game."""
    sides = registry.game(session.game).sides_of(session.conditions)
    names = dict(session.contestants.order_by("number").values_list("number", "name"))
    alone = session.sections.count() == 1
    return [_guide(section, movement_of(section, sides), sides, names, alone) for section in sections]


def _guide(
    section: Section,
    movement: Movement,
    sides: Sequence[Sequence[int]],
    names: dict[int, str],
    alone: bool,
) -> dict[str, Any]:
    seated = {contestant for s in movement.sittings for contestant in s.contestants}
    seats = sides if len(movement.sittings[0].contestants) == len(sides) else None
    stops = by_contestant(movement, max(names))
    return {
        "section": section.name,
        "contestants": [
            {
                "number": number,
                "name": name,
                "rounds": [_in_seats(stop, seats) for stop in stops[number]],
            }
            for number, name in names.items()
            if alone or number in seated
        ],
        "tables": [
            {"table": table, "rounds": rounds} for table, rounds in sorted(by_table(movement).items())
        ],
        "boards": [
            {"board": board, "places": [{"round": number, "table": table} for number, table in places]}
            for board, places in by_board(movement).items()
        ],
    }


def _in_seats(stop: Stop, sides: Sequence[Sequence[int]] | None) -> Stop:
    """With the seats of a side in place of its number."""
    if sides is None:
        return stop
    return replace(stop, seats=tuple(seat for side in stop.seats for seat in sides[side - 1]))
