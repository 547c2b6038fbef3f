"""What may stand in a line, as its histogram is kept (`scoring.tokens`)."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

from scoring.entries import Entry, NoScore
from scoring.tokens import of_token, to_token

__all__ = ["counts_of", "entries_with", "of_token", "to_counts", "to_token"]

Counts = Mapping[Hashable, Counter[Entry]]
"""By the deal that was really played (None: the board's own), how often each entry stands in a line."""

BETWEEN = "|"


def to_counts(counts: Counts) -> dict[str, int]:
    """A histogram as it is kept. What is no score takes no part in a comparison, and is left out."""
    return {
        f"{deal}{BETWEEN}{to_token(entry)}" if deal else to_token(entry): count
        for deal, entries in counts.items()
        for entry, count in entries.items()
        if count and not isinstance(entry, NoScore)
    }


def counts_of(kept: Mapping[str, int]) -> dict[Hashable, Counter[Entry]]:
    """A histogram, as it was kept."""
    counts: dict[Hashable, Counter[Entry]] = {}
    for token, count in kept.items():
        deal, _between, entry = token.rpartition(BETWEEN)
        counts.setdefault(deal or None, Counter())[of_token(entry)] += count
    return counts


def entries_with(entries: Sequence[Entry], ruled: Sequence[str | None]) -> list[Entry]:
    """The entries of a play by seat, where a ruling says something else, this in place of the score."""
    return [entry if token is None else of_token(token) for entry, token in zip(entries, ruled, strict=True)]
