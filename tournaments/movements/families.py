"""The families of movements, by name."""

from collections.abc import Callable

from engines.phrases import Phrase

from .kirkman import kirkman
from .layout import BadMovement, Movement

Family = Callable[[int, int, int], Movement]

FAMILIES: dict[str, Family] = {
    "kirkman": kirkman,
}


def arranged(family: str, *, contestants: int, seats: int, boards_per_round: int) -> Movement:
    """The movement of a family for so many contestants, `seats` to a table."""
    if family not in FAMILIES:
        known = ", ".join(FAMILIES)
        raise BadMovement(
            Phrase("“{name}” is no movement here; there are: {known}", name=family, known=known)
        )
    if boards_per_round < 1:
        raise BadMovement(Phrase("a round has one board or more"))
    return FAMILIES[family](contestants, seats, boards_per_round)
