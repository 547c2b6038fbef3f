"""The standings of sessions, kept in memory: a process that ranks a session again reads only what has come
since it did it last. Memory may be behind, and never wrong; what a transaction that failed had worked out is
forgotten with it.
"""

import json
from collections import OrderedDict, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, lru_cache
from threading import Lock
from typing import Any, cast

from django.db import Error, connection

from engines import registry
from scoring.amounts import Totals
from scoring.entries import AVERAGE, Entry, NoScore
from scoring.standings import ComparedLine, LineRow, Standings

from ..models import Board, Line, Ranking, Session, Tally
from . import bulk, comparisons, ruled_entries, ruled_totals

Sides = tuple[tuple[int, ...], ...]
"""By side: its seats, from 1."""

Key = tuple[int, int]
"""A line: the id of the board, and the side (from 0)."""


@dataclass(frozen=True, slots=True)
class SessionStandings:
    """The standings of a session: of `position` and `layout` of its tally. `made_at`: when the session was,
    since ids come again where a transaction failed. `rounds`: by play, of these and of later positions;
    `groups`: by contestant, its line group; `changes`: what directors have decided about whole contestants;
    `version`, `ranked`: the newest version made from it, and the totals that it says; `unplaced`: whom it
    says to be disqualified. `boards`: the lines are of these alone (ids), None for all; `live`: the part of
    it that everybody may see while the session is played."""

    made_at: datetime
    layout: int
    groups: Mapping[int, int]
    position: int = 0
    standings: Standings[int] = field(default_factory=lambda: Standings({}))
    rounds: dict[int, int] = field(default_factory=dict)
    changes: ruled_totals.Changes = ruled_totals.NONE
    version: int = -1
    ranked: Totals[int] | None = None
    unplaced: frozenset[int] = frozenset()
    boards: frozenset[int] | None = None
    live: "SessionStandings | None" = None

    def of_boards(
        self, boards: frozenset[int], before: "SessionStandings | None" = None
    ) -> "SessionStandings":
        """The part that counts these boards alone. `before`: what it was when it was made last; lines that
        have not changed since are not looked at."""
        before = before or SessionStandings(self.made_at, self.layout, self.groups)
        known = cast(Mapping[Key, ComparedLine[int]], before.standings.lines)
        all_lines = cast(Mapping[Key, ComparedLine[int]], self.standings.lines)
        lines = {key: line for key, line in all_lines.items() if key[0] in boards}
        if known.keys() <= lines.keys():
            changed = {key: line for key, line in lines.items() if known.get(key) is not line}
            standings = before.standings.with_lines(changed) if changed else before.standings
        else:  # a board is in play again
            standings = Standings(lines)
        newest = {"version": before.version, "ranked": before.ranked, "unplaced": before.unplaced}
        return replace(self, standings=standings, boards=boards, live=None, **newest)  # type: ignore[arg-type]

    @property
    def totals(self) -> Totals[int]:
        """What everybody has won, with penalties and whatever else was decided about whole contestants."""
        totals = self.standings.totals
        return self.changes.applied_to(totals, self.groups) if self.changes else totals

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


class Turns:
    """One thread of all workers at a time for each session: others would only work out the same again, and
    leave none for what is handed in. `number`: tells what the turns are for from other locks."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.lock = Lock()
        self.taken: set[int] = set()

    @contextmanager
    def of(self, session_id: int) -> Iterator[bool]:
        """Whether it is this thread's turn, until the end of the block."""
        with self.lock:
            is_free = session_id not in self.taken
            self.taken.add(session_id)
        try:
            with self._of_all_workers(session_id) if is_free else nullcontext(False) as is_mine:
                yield is_mine
        finally:
            if is_free:
                with self.lock:
                    self.taken.discard(session_id)

    @contextmanager
    def _of_all_workers(self, session_id: int) -> Iterator[bool]:
        """On PostgreSQL, where there may be several, by a lock that ends with its holder's connection."""
        if connection.vendor != "postgresql":
            yield True
            return
        key = [(self.number << 48) + session_id]
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", key)
            is_mine = bool(cursor.fetchone()[0])
        try:
            yield is_mine
        finally:
            if is_mine:
                with suppress(Error), connection.cursor() as cursor:
                    cursor.execute("SELECT pg_advisory_unlock(%s)", key)


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
    held = replace(held, position=tally.position, standings=with_rows(session, held.standings, rows))
    if tally.rulings:
        held = replace(held, changes=ruled_totals.of(session))
    return held, set(rows)


def of_session(session: Session) -> SessionStandings:
    """The standings of a session as all results have them, for whoever reads what versions do not keep."""
    tally = Tally.objects.select_related("session__board_set").get(session=session)
    held, _lines = up_to_date(tally)
    if (tally.position, tally.layout) == (tally.ranked_position, tally.counted_layout):
        memory.keep(session.pk, held)  # what was read serves whoever reads next, too
    return held


def with_rows(
    session: Session, standings: Standings[int], rows: Mapping[Key, list[LineRow[int]]]
) -> Standings[int]:
    """The standings of a session with these rows, each in place of the one of its play, or added."""
    comparison = comparisons.comparison_of(session)
    lines: dict[Hashable, ComparedLine[int]] = {}
    for key, some in rows.items():
        line: ComparedLine[int] | None = standings.lines.get(key)
        if line is None:
            seats = range(len(some[0].entries))
            nothing: list[list[Any]] = [[] for _ in seats]
            line = ComparedLine.of(
                comparison, tables=[], contestants=nothing, entries=nothing, plays=session.plays_per_board
            )
        lines[key] = line.with_rows(some)
    return standings.with_lines(lines)


def boards_of(version: Ranking) -> frozenset[int]:
    """The boards (ids) that a version of a live list counts."""
    own = Board.objects.filter(board_set__session=version.session_id, number__in=version.boards or ())
    return frozenset(own.values_list("pk", flat=True))


def sides_of(session: Session) -> Sides:
    return tuple(map(tuple, registry.game(session.game).sides_of(session.conditions)))


def _rows_since(tally: Tally, held: SessionStandings) -> dict[Key, list[LineRow[int]]]:
    """What has come since a position, by line. Only where directors have ruled are rulings looked for."""
    session, since = tally.session, [tally.session_id, held.position, tally.position]
    count = sum(map(len, sides_of(session)))
    if tally.rulings:
        found = bulk.select(_plays(count, CHANGED), {}, more=since + since)
    else:
        found = bulk.select(_results(count), {}, more=since)
    return _by_line(session, found, held.rounds)


def rows_of(session: Session, plays: Sequence[int]) -> list[tuple[Any, ...]]:
    """How some plays stand now, one to a row, for `rows_with`."""
    count = sum(map(len, sides_of(session)))
    return bulk.select(_plays(count, "SELECT play AS id FROM {wanted}"), {"play": ("bigint", plays)})


def rows_with(
    session: Session, rows: Sequence[tuple[Any, ...]], ruled: Mapping[int, ruled_totals.Ruled]
) -> dict[Key, list[LineRow[int]]]:
    """By line, plays as they would stand with these rulings."""
    changed = []
    for row in rows:
        entries, deal = ruled[row[0]]
        changed.append((*row[: SEATED - 2], json.dumps(entries) if entries else None, deal, *row[SEATED:]))
    return _by_line(session, changed, {})


def _by_line(
    session: Session, found: Sequence[tuple[Any, ...]], rounds: dict[int, int]
) -> dict[Key, list[LineRow[int]]]:
    sides = sides_of(session)
    rows: dict[Key, list[LineRow[int]]] = defaultdict(list)
    places = [(side, [SEATED + seat - 1 for seat in seats]) for side, seats in enumerate(sides)]
    for row in found:
        play, board, number, text, ruled, deal = row[:SEATED]
        rounds[play] = number
        by_side = _entries(text, sides) if ruled is None else _ruled_entries(text, ruled, sides)
        for (side, seats), entries in zip(places, by_side, strict=True):
            rows[board, side].append(LineRow(play, tuple([row[at] for at in seats]), entries, deal or None))
    return rows


SEATED = 6  # the first column that says who sat there

CHANGED = """
    SELECT play_id AS id FROM tournaments_result
    WHERE session_id = %s AND position > %s AND position <= %s
    UNION SELECT play_id FROM tournaments_ruledplay
    WHERE session_id = %s AND position > %s AND position <= %s
"""


def _seat_columns(seats: int) -> str:
    return ", ".join(
        f"(SELECT contestant_id FROM tournaments_seating WHERE play_id = play.id AND seat = {seat})"  # noqa: S608
        for seat in range(1, seats + 1)
    )


def _text(column: str) -> str:
    return f"{column}::text" if connection.vendor == "postgresql" else column


@cache
def _results(seats: int) -> str:
    """The question for results between two positions, one to a row. Scores and averaged seats are read as
    texts: they are few, and each is taken apart once."""
    return f"""
        SELECT result.play_id, play.board_id, play.round,
            {_text("result.scores")} || {_text("result.averaged")}, NULL, NULL, {_seat_columns(seats)}
        FROM tournaments_result result JOIN tournaments_play play ON play.id = result.play_id
        WHERE result.session_id = %s AND result.position > %s AND result.position <= %s
        ORDER BY result.play_id
    """  # noqa: S608 - numbers


@cache
def _plays(seats: int, which: str) -> str:
    """The same question for the plays that `which` names, with what was ruled on each."""
    return f"""
        SELECT play.id, play.board_id, play.round,
            {_text("result.scores")} || {_text("result.averaged")},
            {_text("ruled.entries")}, ruled.deal, {_seat_columns(seats)}
        FROM ({which}) AS asked JOIN tournaments_play play ON play.id = asked.id
        LEFT JOIN tournaments_result result ON result.play_id = play.id
        LEFT JOIN tournaments_ruledplay ruled ON ruled.play_id = play.id
        ORDER BY play.id
    """  # noqa: S608 - texts from here


@lru_cache(maxsize=10_000)
def _entries(text: str | None, sides: Sides) -> tuple[tuple[Entry, ...], ...]:
    """By side and seat, from the scores and the averaged seats of a result; without one, it is still to be
    played."""
    if text is None:
        return tuple((NoScore.LATE,) * len(seats) for seats in sides)
    scores, averaged = json.loads(text.replace("][", "],[").join("[]"))
    return tuple((AVERAGE if seats[0] in averaged else scores[seats[0] - 1],) * len(seats) for seats in sides)


@lru_cache(maxsize=10_000)
def _ruled_entries(text: str | None, ruled: str, sides: Sides) -> tuple[tuple[Entry, ...], ...]:
    """The same, with what was ruled by seat."""
    tokens = json.loads(ruled)
    return tuple(
        tuple(ruled_entries.entries_with(entries, [tokens[seat - 1] for seat in seats]))
        for seats, entries in zip(sides, _entries(text, sides), strict=True)
    )


def keep_lines(held: SessionStandings, keys: Iterable[Key]) -> None:
    """Write the histograms of some lines, from which awards are read."""
    lines = cast(Mapping[Key, ComparedLine[int]], held.standings.lines)
    written = list(keys)
    bulk.insert(
        Line,
        {
            "board": [board for board, _side in written],
            "side": [side for _board, side in written],
            "counts": [ruled_entries.to_counts(lines[key].counts) for key in written],
        },
        conflict=bulk.replacement(Line, unique=["board", "side"], update=["counts"]),
    )
