"""Ranks by seat, for the accounts of matches."""

from collections.abc import Sequence
from typing import Any


def shared_ranks(values: Sequence[Any]) -> list[int]:
    """The rank of each value, the highest first; equals share the better rank.

    >>> shared_ranks([10, 30, 10])
    [2, 1, 2]
    """
    return [1 + sum(other > value for other in values) for value in values]
