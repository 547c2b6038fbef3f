"""Divisions: which contestants go up and which go down when a season is over."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from engines.phrases import Phrase

from .errors import BadScoring

K = TypeVar("K", bound=Hashable)


def next_divisions(
    divisions: Mapping[str, Sequence[tuple[str, K]]], *, up: int, down: int
) -> dict[str, tuple[K, ...]]:
    """The divisions of the next season, from the ranking of each: (rank, contestant), the best first, the
    highest division first. The first `up` of each division change places with the last `down` of the one
    above it. Contestants who come down stand before those who stay, and those who come up after them.

    BadScoring for a contestant in two divisions, for a division that is too small, and for a tie across a
    border, which a tie-break (or a play-off) has to decide first.
    """
    for field, count in (("up", up), ("down", down)):
        if type(count) is not int or count < 0:
            raise BadScoring(field, Phrase("must be 0 or more, not {value}", value=repr(count)))
    names = list(divisions)
    seen: set[K] = set()
    for name, places in divisions.items():
        for _, contestant in places:
            if contestant in seen:
                raise BadScoring("divisions", Phrase("{contestant} appears twice", contestant=contestant))
            seen.add(contestant)
        leaving = (up if name != names[0] else 0) + (down if name != names[-1] else 0)
        if leaving > len(places):
            constraint = Phrase(
                "division {division} has {count} contestants, and {leaving} would leave",
                division=name,
                count=len(places),
                leaving=leaving,
            )
            raise BadScoring("divisions", constraint)
    following: dict[str, tuple[K, ...]] = {}
    for at, name in enumerate(names):
        places = divisions[name]
        first = up if at else 0
        last = len(places) - (down if at < len(names) - 1 else 0)
        _check_border(name, places, first)
        _check_border(name, places, last)
        above = divisions[names[at - 1]] if at else ()
        below = divisions[names[at + 1]] if at < len(names) - 1 else ()
        moved = [*above[len(above) - down :], *places[first:last], *below[:up]]
        following[name] = tuple(contestant for _, contestant in moved)
    return following


def _check_border(name: str, places: Sequence[tuple[str, K]], border: int) -> None:
    """BadScoring where a shared rank lies on both sides of a border."""
    if 0 < border < len(places) and places[border - 1][0] == places[border][0]:
        constraint = Phrase(
            "in division {division} the tie at {rank} must be broken: only some of these would move",
            division=name,
            rank=places[border][0],
        )
        raise BadScoring("divisions", constraint)
