"""The standings of sessions, kept in memory: a process that ranks a session again reads only what has come
since it did it last. Memory may be behind, and never wrong; what a transaction that failed had worked out is
forgotten with it.
"""

import json
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from threading import Lock
from typing import Any, cast

from django.db.models import TextField
from django.db.models.functions import Cast, Concat

from engines import registry
from scoring.amounts import Totals
from scoring.entries import AVERAGE, Entry
from scoring.standings import ComparedLine, LineRow, Standings

from ..models import Line, Result, Seating, Tally
from . import comparisons

Sides = tuple[tuple[int, ...], ...]
"""By side: its seats, from 1."""

Key = tuple[int, int]
"""A line: the id of the board, and the side (from 0)."""


@dataclass(frozen=True, slots=True)
class SessionStandings:
    """The standings of a session: of `position` and `layout` of its tally. `made_at`: when the session was,
    since ids come again where a transaction failed. `rounds`: by play, of these and of later positions;
    `groups`: by contestant, its line group; `version`, `ranked`: the newest version made from it, and the
    totals that it says."""

    made_at: datetime
    layout: int
    groups: Mapping[int, int]
    position: int = 0
    standings: Standings[int] = field(default_factory=lambda: Standings({}))
    rounds: dict[int, int] = field(default_factory=dict)
    version: int = -1
    ranked: Totals[int] | None = None

    @property
    def plays(self) -> int:
        return len(self.rounds)


class Memory:
    """The standings that this process has ranked lately, as many as fit."""

    def __init__(self, most_plays: int) -> None:
        self.most_plays = most_plays
        self.lock = Lock()
        self.sessions: OrderedDict[int, SessionStandings] = OrderedDict()

    def get(self, session_id: int) -> SessionStandings | None:
        with self.lock:
            return self.sessions.get(session_id)

    def keep(self, session_id: int, held: SessionStandings) -> None:
        with self.lock:
            self.sessions[session_id] = held
            self.sessions.move_to_end(session_id)
            while len(self.sessions) > 1 and self._plays() > self.most_plays:
                self.sessions.popitem(last=False)

    def _plays(self) -> int:
        return sum(held.plays for held in self.sessions.values())

    def forget(self, session_id: int | None = None) -> None:
        """One session, or all."""
        with self.lock:
            if session_id is None:
                self.sessions.clear()
            else:
                self.sessions.pop(session_id, None)


memory = Memory(most_plays=150_000)  # some 170 MB


def up_to_date(tally: Tally) -> tuple[SessionStandings, set[Key]]:
    """The standings at the tally's position, and the lines that are other than before: those in memory with
    what has come since, or all from all results. The time grows with the plays of these lines."""
    held = memory.get(tally.session_id)
    session = tally.session
    known = (session.created_at, tally.layout)
    if held is None or (held.made_at, held.layout) != known or held.position > tally.position:
        held = SessionStandings(*known, dict(session.contestants.values_list("pk", "line_group")))
    if held.position == tally.position:
        return held, set()
    rows = _rows_since(tally, held)
    comparison = comparisons.comparison_of(session)
    lines: dict[Hashable, ComparedLine[int]] = {}
    for key, some in rows.items():
        line: ComparedLine[int] | None = held.standings.lines.get(key)
        if line is None:
            seats = range(len(some[0].entries))
            nothing: list[list[Any]] = [[] for _ in seats]
            line = ComparedLine.of(
                comparison, tables=[], contestants=nothing, entries=nothing, plays=session.plays_per_board
            )
        lines[key] = line.with_rows(some)
    return replace(held, position=tally.position, standings=held.standings.with_lines(lines)), set(rows)


def _rows_since(tally: Tally, held: SessionStandings) -> dict[Key, list[LineRow[int]]]:
    """What has come since a position, by line."""
    session = tally.session
    sides: Sides = tuple(map(tuple, registry.game(session.game).sides_of(session.conditions)))
    came = {"position__gt": held.position, "position__lte": tally.position}
    results = Result.objects.filter(session=session, **came)
    seated: dict[int, dict[int, int]] = defaultdict(dict)
    seatings = Seating.objects.filter(
        play__result__session=session, **{f"play__result__{name}": value for name, value in came.items()}
    )
    for play, seat, contestant in seatings.values_list("play_id", "seat", "contestant_id").iterator():
        seated[play][seat] = contestant
    rows: dict[Key, list[LineRow[int]]] = defaultdict(list)
    # As texts: they are few, and each is read once.
    texts = results.annotate(texts=Concat(Cast("scores", TextField()), Cast("averaged", TextField())))
    fields = ("play_id", "play__board_id", "play__round", "texts")
    for play, board, number, text in texts.order_by("play_id").values_list(*fields).iterator():
        held.rounds[play] = number
        here = seated[play]
        for side, (seats, entries) in enumerate(zip(sides, _entries(text, sides), strict=True)):
            rows[board, side].append(LineRow(play, tuple(map(here.get, seats)), entries))
    return rows


@lru_cache(maxsize=10_000)
def _entries(text: str, sides: Sides) -> tuple[tuple[Entry, ...], ...]:
    """By side and seat, from the scores and the averaged seats of a result."""
    scores, averaged = json.loads(text.replace("][", "],[").join("[]"))
    return tuple((AVERAGE if seats[0] in averaged else scores[seats[0] - 1],) * len(seats) for seats in sides)


def keep_lines(held: SessionStandings, keys: Iterable[Key]) -> None:
    """Write the histograms of some lines, from which awards are read."""
    lines = cast(Mapping[Key, ComparedLine[int]], held.standings.lines)
    Line.objects.bulk_create(
        [Line(board_id=k[0], side=k[1], counts=_counts(lines[k].counts.get(None, Counter()))) for k in keys],
        batch_size=500,
        update_conflicts=True,
        unique_fields=["board", "side"],
        update_fields=["counts"],
    )


def _counts(entries: Mapping[Entry, int]) -> dict[str, int]:
    return {"average" if entry == AVERAGE else str(entry): count for entry, count in entries.items()}


def entries_of(counts: Mapping[str, int]) -> Counter[Entry]:
    """What a histogram holds, as it was written."""
    return Counter({AVERAGE if name == "average" else int(name): count for name, count in counts.items()})
