"""What a change of the plan costs, as it is kept with the job that has worked it out."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ..movements import Quality


def to_json(before: Quality, after: Quality, twice: Sequence[tuple[int, int]] = ()) -> dict[str, Any]:
    """The measures before and after, and what somebody would play twice. Exact numbers are texts."""
    return {
        "before": _measures(before),
        "after": _measures(after),
        "twice": [{"contestant": contestant, "board": board} for contestant, board in twice],
    }


def _measures(quality: Quality) -> dict[str, Any]:
    balance = None if quality.balance is None else str(quality.balance)
    return {**asdict(quality), "balance": balance}
