"""Affine planes: as many contestants as the square of a table, and everyone meets everyone exactly once."""

from engines.phrases import Phrase

from .fields import field_of
from .layout import BadMovement, Movement, Table, laid_out


def plane(contestants: int, seats: int, boards_per_round: int, rounds: int | None = None) -> Movement:
    """The points of a square of side `seats` in its `seats` + 1 directions of parallel lines; all tables play
    the same boards in a round. BadMovement unless the side is a power of a prime, and the contestants its
    square."""
    field = field_of(seats)
    if field is None or contestants != seats * seats:
        wanted = Phrase(
            "there is no plane movement for {count} contestants at tables of {seats}",
            count=contestants,
            seats=seats,
        )
        raise BadMovement(wanted)
    numbers = range(seats)
    laid = [
        [[x * seats + field.plus(field.times(slope, x), shift) for x in numbers] for shift in numbers]
        for slope in numbers
    ]
    laid.append([[x * seats + y for y in numbers] for x in numbers])
    tables: list[list[Table]] = [
        [(table, number) for table in parallel] for number, parallel in enumerate(laid[:rounds])
    ]
    return laid_out(f"plane-{contestants}x{len(tables)}", tables, boards_per_round, turning=True)
