"""The methods of comparison by name. A method is one function and one line here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from . import matchpoints


@dataclass(frozen=True, slots=True)
class Method:
    """`awards` takes the scores of a line (None: not comparable) and how often the board is to be
    played; `top` is the most that one of its awards can be."""

    awards: Callable[[Sequence[int | None], int], tuple[Fraction, ...]]
    top: Callable[[int], int]


def _matchpoints(scores: Sequence[int | None], plays: int) -> tuple[Fraction, ...]:
    return matchpoints.matchpoints(scores, plays=plays)


METHODS: dict[str, Method] = {
    "matchpoints": Method(_matchpoints, matchpoints.top),
}
