"""Kirkman triple systems, and nearly: three to a table, and everyone meets everyone exactly once (of an even
number, everyone but one).

Source: T. Kirkman, “On a problem in combinations” (1847); nearly Kirkman systems by A. Kotzig and A. Rosa
(1974). There is one for every multiple of three from 9 on but 12. The first rounds stand in `kirkman.json`
(see `searches`): players in circles, of whom each goes one place further from round to round, and players who
stay. Some tables make a round of their own when they go round their circles alone.
"""

import json
from pathlib import Path
from typing import Any

from engines.phrases import Phrase

from .layout import BadMovement, Movement, Table, laid_out

FIRST_ROUNDS: dict[int, dict[str, Any]] = {
    int(players): found
    for players, found in json.loads(Path(__file__).with_name("kirkman.json").read_text("utf-8")).items()
}


def kirkman(contestants: int, boards_per_round: int, rounds: int | None = None) -> Movement:
    """All tables play the same boards in a round, and change seats after each board. `rounds`: by default as
    many as there are. BadMovement for another number of contestants."""
    if contestants not in FIRST_ROUNDS:
        raise BadMovement(
            Phrase(
                "there is no Kirkman movement for {players} players, only for multiples of 3 from {least} to "
                "{most}, except 12",
                players=contestants,
                least=min(FIRST_ROUNDS),
                most=max(FIRST_ROUNDS),
            )
        )
    found = FIRST_ROUNDS[contestants]
    circle = found["circle"]
    moving = contestants - contestants % circle  # the rest stay
    laid = [
        [further(table, circle, moving, step) for table in first]
        for first in found["rounds"]
        for step in range(circle)
    ]
    laid += [[further(table, circle, moving, step) for step in range(circle)] for table in found["alone"]]
    tables: list[list[Table]] = [
        [(table, number) for table in tables] for number, tables in enumerate(laid[:rounds])
    ]
    name = "kirkman" if contestants % 2 else "nearly-kirkman"
    return laid_out(f"{name}-{contestants}x{len(tables)}", tables, boards_per_round, turning=True)


def further(table: list[int], circle: int, moving: int, steps: int) -> list[int]:
    """The table when those of its players who move have gone so many places on in their circles."""
    return [
        player // circle * circle + (player + steps) % circle if player < moving else player
        for player in table
    ]
