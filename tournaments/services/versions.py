"""The versions of a ranking: what each contestant had won, exactly, in few bytes.

A version holds what has changed since the one before, and now and then everything (a snapshot): reading one
costs the snapshot before it and the changes since, at most twice what a snapshot costs.
"""

import zlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from math import lcm
from typing import Any, NamedTuple

import msgspec
from django.db.models import Subquery
from django.db.models.functions import Length

from scoring.amounts import BOARDS, LOW, Totals
from scoring.ranking import Place, Places, ranking

from ..models import Ranking

SNAPSHOT_EVERY = 50
LEVEL = 6  # of compression


class Won(NamedTuple):
    """What a contestant has won: `points` / `scale` out of `top` (0 where a method has no top) on so many
    `boards`. `line_group`: those it can be compared with."""

    points: int
    scale: int
    top: int
    boards: int
    line_group: int


Content = Mapping[int, Won]
"""By contestant (its id)."""


def content(totals: Totals[int], groups: Mapping[int, int]) -> dict[int, Won]:
    """What totals say of each contestant; those who have not played have won nothing."""
    return {k: Won(points, scale, top, boards, groups[k]) for k, points, scale, top, boards in totals.exact()}


class VersionTotals(NamedTuple):
    """What everybody had won in a version, their line groups, and who had no place because they were
    disqualified."""

    totals: Totals[int]
    groups: Mapping[int, int]
    disqualified: frozenset[int] = frozenset()


def to_bytes(
    totals: Totals[int], groups: Mapping[int, int], disqualified: Collection[int] = frozenset()
) -> bytes:
    """The columns of these contestants' totals, compressed; ids, which follow each other closely, as
    differences."""
    ids = sorted(totals)
    scale, points, tops, boards = totals.columns(ids)
    columns = {
        "scale": scale,
        "contestants": ids,
        "points": points,
        "top": tops,
        "boards": boards,
        "line_group": [groups[k] for k in ids],
    }
    if disqualified:
        columns["disqualified"] = [k for k in ids if k in disqualified]
    return packed(columns)


def packed(columns: Mapping[str, Any]) -> bytes:
    """Columns as they are kept (`columns_of`); the ids of contestants ascend."""
    contestants = [b - a for a, b in pairwise([0, *columns["contestants"]])]
    return zlib.compress(msgspec.json.encode({**columns, "contestants": contestants}), LEVEL)


def columns_of(content: bytes) -> dict[str, Any]:
    """The columns of a version as they were packed; its contestants by their ids."""
    columns: dict[str, Any] = msgspec.json.decode(zlib.decompress(content))
    return columns | {"contestants": list(accumulate(columns["contestants"]))}


def is_due(session_id: int, length: int, *, is_live: bool = False) -> bool:
    """Whether the next version, whose changes have this length, is to be a snapshot: there is none yet, or
    the changes since the last one weigh more than it does."""
    rows = Ranking.objects.filter(session=session_id, is_live=is_live).order_by("-version")
    for is_snapshot, earlier in rows.values_list("is_snapshot", Length("content"))[:SNAPSHOT_EVERY]:
        if is_snapshot:
            return length > int(earlier)
        length += int(earlier)
    return True


def totals_of(session_id: int, version: int, *, is_live: bool = False) -> VersionTotals:
    """Of a version; nothing before the first."""
    return totals_in(_contents(session_id, version, is_live))


def content_of(session_id: int, version: int, *, is_live: bool = False) -> Content:
    """The same, contestant by contestant."""
    known = totals_of(session_id, version, is_live=is_live)
    return content(known.totals, known.groups)


def _contents(session_id: int, version: int, is_live: bool) -> list[bytes]:
    """The snapshot that a version goes back to, and the changes since."""
    own = Ranking.objects.filter(session=session_id, is_live=is_live)
    until = own.filter(version__lte=version)
    snapshots = until.filter(is_snapshot=True).order_by("-version").values("version")
    rows = until.filter(version__gte=Subquery(snapshots[:1])).order_by("version")
    return [bytes(content) for content in rows.values_list("content", flat=True)]


def totals_in(contents: Sequence[bytes]) -> VersionTotals:
    """What a snapshot and the changes since lead to. Columns become whole numbers and nothing else: most
    totals are never looked at."""
    parts = [columns_of(content) for content in contents]
    scale = lcm(*(part["scale"] for part in parts))
    amounts: dict[int, int] = {}
    groups: dict[int, int] = {}
    disqualified: set[int] = set()
    for part in parts:
        factor = scale // part["scale"]
        rows = zip(part["points"], part["top"], part["boards"], strict=True)
        column = [(points * factor << LOW) + (top << BOARDS) + boards for points, top, boards in rows]
        amounts.update(zip(part["contestants"], column, strict=True))
        groups.update(zip(part["contestants"], part["line_group"], strict=True))
        disqualified -= set(part["contestants"]) if disqualified else set()
        disqualified |= set(part.get("disqualified", ()))
    return VersionTotals(Totals(amounts, scale), groups, frozenset(disqualified))


# ── In order ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Order:
    """A version in order: the places of each line group, the best first. Contestants who share one stand in
    the order in which they were entered."""

    groups: Mapping[int, Places[int]]
    totals: Totals[int] = field(default_factory=lambda: Totals({}, 1))
    disqualified: frozenset[int] = frozenset()

    @property
    def count(self) -> int:
        return sum(map(len, self.groups.values()))

    @cached_property
    def played(self) -> int:
        """How many of them have played a board: not who never came."""
        return sum(1 for *_won, boards in self.totals.exact() if boards)

    def places(self, numbers: range) -> Iterator[tuple[int, Place[int]]]:
        """Those with these numbers, counted from 0, each with its line group; no other is made."""
        first = 0
        for group, places in self.groups.items():
            for place in places[max(numbers.start - first, 0) : max(numbers.stop - first, 0)]:
                yield group, place
            first += len(places)

    @cached_property
    def positions(self) -> Mapping[int, int]:
        """By contestant: the number of its rank; those who have none are left out."""
        return {k: position for places in self.groups.values() for k, position in places.positions()}


class VersionKey(NamedTuple):
    """Which version it is, by what never comes again: not by a number alone, which a transaction that failed
    may have given."""

    session: int
    version: int
    is_live: bool
    pk: int | None
    made_at: datetime


def key_of(version: Ranking) -> VersionKey:
    own = (version.session_id, version.version, version.is_live)
    return VersionKey(*own, version.pk, version.created_at)


def order_of(version: Ranking) -> Order:
    """A version in order. The time grows with all contestants."""
    return order_at(key_of(version))


def order_before(version: Ranking) -> Order:
    """The version before one, in order."""
    earlier = Ranking.objects.filter(session=version.session_id, is_live=version.is_live)
    before = earlier.filter(version=version.version - 1).defer("content").first()
    return Order({}) if before is None else order_of(before)


@lru_cache(maxsize=16)
def order_at(key: VersionKey) -> Order:
    """The same; the few that were asked for last are remembered."""
    return in_order(_contents(key.session, key.version, key.is_live))


def in_order(contents: Sequence[bytes]) -> Order:
    """What a snapshot and the changes since lead to, in order: the places of most contestants are never
    looked at."""
    return in_groups(*totals_in(contents))


def in_groups(
    totals: Totals[int], groups: Mapping[int, int], disqualified: frozenset[int] = frozenset()
) -> Order:
    """These totals in order, each line group (by contestant) by itself; who is disqualified comes last."""
    held: dict[int, list[int]] = defaultdict(list)
    for contestant in sorted(totals):
        held[groups[contestant]].append(contestant)
    places = {group: ranking(totals.of(held[group]), unranked=disqualified) for group in sorted(held)}
    return Order(places, totals, disqualified)


def forget() -> None:
    """Read every version from the database again."""
    order_at.cache_clear()
