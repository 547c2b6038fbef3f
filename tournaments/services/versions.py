"""The versions of a ranking: what each contestant had won, exactly, in few bytes.

A version holds what has changed since the one before, and now and then everything (a snapshot): reading one
costs the snapshot before it and the changes since, at most twice what a snapshot costs.
"""

import json
import zlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from itertools import accumulate, pairwise
from math import lcm
from typing import NamedTuple

from django.db.models.functions import Length

from scoring.amounts import BOARDS, LOW, Totals

from ..models import Ranking

SNAPSHOT_EVERY = 50


class Won(NamedTuple):
    """What a contestant has won: `points` / `scale` out of `top` (0 where a method has no top) on so many
    `boards`. `line_group`: those it can be compared with."""

    points: int
    scale: int
    top: int
    boards: int
    line_group: int

    def equals(self, other: "Won") -> bool:
        return (
            self[2:] == other[2:] and self.points * other.scale == other.points * self.scale  # exact
        )


Content = Mapping[int, Won]
"""By contestant (its id)."""


def changes(before: Content, now: Content) -> dict[int, Won]:
    """What is other in `now` than `before`; contestants do not disappear."""
    return {k: won for k, won in now.items() if k not in before or not won.equals(before[k])}


def packed(content: Content) -> bytes:
    """The columns of a content, compressed; ids, which follow each other closely, as differences."""
    scale = lcm(*{won.scale for won in content.values()})
    ids = sorted(content)
    rows = [content[k] for k in ids]
    columns = {
        "scale": scale,
        "contestants": [b - a for a, b in pairwise([0, *ids])],
        "points": [won.points * (scale // won.scale) for won in rows],
        "top": [won.top for won in rows],
        "boards": [won.boards for won in rows],
        "line_group": [won.line_group for won in rows],
    }
    return zlib.compress(json.dumps(columns, separators=(",", ":")).encode(), 6)


def unpacked(content: bytes) -> dict[int, Won]:
    columns = json.loads(zlib.decompress(content))
    scale = columns["scale"]
    rows = zip(columns["points"], columns["top"], columns["boards"], columns["line_group"], strict=True)
    return {
        k: Won(points, scale, top, boards, group)
        for k, (points, top, boards, group) in zip(accumulate(columns["contestants"]), rows, strict=True)
    }


def is_due(session_id: int, length: int) -> bool:
    """Whether the next version, whose changes have this length, is to be a snapshot: there is none yet, or
    the changes since the last one weigh more than it does."""
    rows = Ranking.objects.filter(session=session_id).order_by("-version")
    for is_snapshot, earlier in rows.values_list("is_snapshot", Length("content"))[:SNAPSHOT_EVERY]:
        if is_snapshot:
            return length > int(earlier)
        length += int(earlier)
    return True


def content_of(session_id: int, version: int) -> Content:
    """What everybody had won in a version; nothing before the first. The newest few are remembered."""
    row = Ranking.objects.filter(session=session_id, version=version)
    made = row.values_list("pk", "created_at").first()
    return {} if made is None else _content(session_id, version, *made)


@lru_cache(maxsize=16)
def _content(session_id: int, version: int, _pk: int, _made_at: datetime) -> Content:
    """A version is known by what never comes again: not by a number that a transaction which failed gave."""
    rows = Ranking.objects.filter(session=session_id, version__lte=version).order_by("-version")
    since: list[bytes] = []
    for is_snapshot, content in rows.values_list("is_snapshot", "content").iterator(chunk_size=10):
        since.append(bytes(content))
        if is_snapshot:
            break
    return folded(since[::-1])


def forget() -> None:
    """Read every version from the database again."""
    _content.cache_clear()


def folded(contents: Iterable[bytes]) -> Content:
    content: dict[int, Won] = {}
    for one in contents:
        content |= unpacked(one)
    return content


def totals(content: Content, contestants: Iterable[int]) -> Totals[int]:
    """The totals of these contestants, as `scoring` ranks them; the others have won nothing."""
    known = {k: content[k] for k in contestants if k in content}
    scale = lcm(*{won.scale for won in known.values()})
    return Totals(
        {
            k: (won.points * (scale // won.scale) << LOW) + (won.top << BOARDS) + won.boards
            for k, won in known.items()
        },
        scale,
    )
