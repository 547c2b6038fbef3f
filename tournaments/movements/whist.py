"""Whist tournaments: four individuals to a table, two against two. Everybody has everybody once as partner
and twice as opponent.

Partners sit opposite each other, in the seats 1 and 3 and in the seats 2 and 4. Source: E. H. Moore,
“Tactical memoranda” (1896), for a power of a prime that is one more than a multiple of four; the others are
developed from the first rounds in `whist.json` (see `searches`).
"""

import json
from pathlib import Path

from engines.phrases import Phrase

from .fields import FiniteField, field_of, prime_power
from .layout import BadMovement, Movement, Table, laid_out

FIRST_ROUNDS: dict[int, list[list[int]]] = {
    int(count): tables
    for count, tables in json.loads(Path(__file__).with_name("whist.json").read_text("utf-8")).items()
}


def whist(contestants: int, boards_per_round: int, rounds: int | None = None) -> Movement:
    """All tables play the same boards in a round; of 4n + 1 one sits out. BadMovement for other numbers."""
    if contestants in FIRST_ROUNDS:
        circle = contestants - 1 if contestants % 4 == 0 else contestants  # of 4n the last one stays
        laid = [
            [
                tuple(one if one == circle else (one + step) % circle for one in table)
                for table in FIRST_ROUNDS[contestants]
            ]
            for step in range(circle)
        ]
    elif contestants % 4 == 1 and (field := field_of(contestants)):
        laid = [
            [tuple(field.plus(one, step) for one in table) for table in _first(field)]
            for step in range(contestants)
        ]
    else:
        known = ", ".join(map(str, sizes(max(contestants + 8, 24))))
        raise BadMovement(
            Phrase(
                "there is no whist tournament for {count} contestants, only for {known}",
                count=contestants,
                known=known,
            )
        )
    tables: list[list[Table]] = [
        [(table, number) for table in together] for number, together in enumerate(laid[:rounds])
    ]
    return laid_out(f"whist-{contestants}x{len(tables)}", tables, boards_per_round)


def sizes(most: int) -> list[int]:
    """For how many contestants there is one."""
    return [n for n in range(4, most + 1) if n in FIRST_ROUNDS or (n % 4 == 1 and prime_power(n))]


def _first(field: FiniteField) -> list[tuple[int, ...]]:
    """The tables (x, ix, −x, −ix), where i² is −1: everyone but 0."""
    minus_one = field.minus(0, 1)
    i = next(one for one in range(field.order) if field.times(one, one) == minus_one)
    tables: list[tuple[int, ...]] = []
    seen = {0}
    for x in range(field.order):
        if x not in seen:
            table = (
                x,
                field.times(i, x),
                field.times(minus_one, x),
                field.times(field.times(i, minus_one), x),
            )
            seen |= set(table)
            tables.append(table)
    return tables
