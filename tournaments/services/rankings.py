"""From results to standings, and from standings to the versions of a ranking.

The truth is the results. Whoever ranks a session holds the lock of its tally, takes in the results that wait,
and keeps the standings in memory for the next time. Another process that does it later reads only what has
been taken in since it did it last: memory may be behind, and never wrong. What a transaction that failed had
worked out is forgotten with it.
"""

import json
import time
import zlib
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction
from functools import partial
from threading import Lock
from typing import Any, cast

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from engines import registry
from scoring.entries import AVERAGE, Entry
from scoring.lines import Award, Awards
from scoring.ranking import Place, Places
from scoring.ranking import ranking as places_of
from scoring.standings import Line as Comparable
from scoring.standings import Row, Standings
from scoring.totals import Sum, Total

from ..models import Contestant, Line, Play, Ranking, Result, Seating, Session, Tally
from . import comparisons, queue, versions

AT_ONCE = 5_000  # results that one transaction takes in
SMALL_FIELD = 2_000  # plays
PROGRESS_PLAYS_A_SECOND = 10_000  # that large fields may cost: some 5 % of a core

Key = tuple[int, int]
"""A line: the id of the board, and the side (from 0)."""


@dataclass(frozen=True, slots=True)
class Held:
    """The standings of a session in memory: of `position` and `layout` of its tally. `made_at`: when the
    session was, since ids come again where a transaction failed. `rounds`: by play;
    `groups`: by contestant, its line group; `version`, `content`: the newest version made from it."""

    made_at: datetime
    layout: int
    position: int
    standings: Standings[int]
    rounds: Mapping[int, int]
    groups: Mapping[int, int]
    version: int = -1
    content: versions.Content | None = None

    @property
    def plays(self) -> int:
        return len(self.rounds)


class Memory:
    """The standings that this process has ranked lately, as many as fit."""

    def __init__(self, most_plays: int) -> None:
        self.most_plays = most_plays
        self.lock = Lock()
        self.sessions: OrderedDict[int, Held] = OrderedDict()

    def get(self, session_id: int) -> Held | None:
        with self.lock:
            return self.sessions.get(session_id)

    def keep(self, session_id: int, held: Held) -> None:
        with self.lock:
            self.sessions[session_id] = held
            self.sessions.move_to_end(session_id)
            while len(self.sessions) > 1 and self._plays() > self.most_plays:
                self.sessions.popitem(last=False)

    def _plays(self) -> int:
        return sum(held.plays for held in self.sessions.values())

    def forget(self) -> None:
        with self.lock:
            self.sessions.clear()


memory = Memory(most_plays=500_000)


# ── Ranking ───────────────────────────────────────────────────────────────────────────────────────


def seconds_to_wait(*, session_id: int) -> float:
    """How long the next version has to wait, so that there are a few a second at most; 0 for now."""
    ranked_at = Tally.objects.filter(session=session_id).values_list("ranked_at", flat=True).first()
    if ranked_at is None:
        return 0.0
    due = ranked_at + timedelta(seconds=settings.RANKING_SECONDS)
    return max((due - timezone.now()).total_seconds(), 0.0)


@transaction.atomic
def rank(*, session_id: int) -> int | None:
    """Take in the results that wait, and make a new version if any total has changed; the number of the
    newest, or None if nothing waited.

    Twice, late or on two workers at once it does what once does: one at a time holds the tally. The time
    grows with the plays of the boards whose results have changed, and a little with all contestants.
    """
    tallies = Tally.objects.select_for_update(no_key=True, of=("self",)).select_related("session__board_set")
    tally = tallies.filter(session=session_id).first()
    if tally is None:
        return None
    waiting = Result.objects.filter(session=session_id, position=None)
    # Those that are being judged again right now are left to whoever does it.
    taken = list(
        waiting.select_for_update(skip_locked=True, of=("self",))
        .order_by("pk")
        .values_list("pk", flat=True)[:AT_ONCE]
    )
    if not taken and tally.layout == tally.counted_layout:
        return None
    if taken:
        tally.position += 1
        Result.objects.filter(pk__in=taken).update(position=tally.position)
    held = up_to_date(tally)
    is_relaid = tally.layout != tally.counted_layout
    _keep_lines(held, None if is_relaid else set(_boards_of(taken)))
    held = _versioned(tally, held)
    _keep_progress(tally, held)
    tally.counted_layout = tally.layout
    tally.save()
    transaction.on_commit(partial(memory.keep, session_id, held))
    if len(taken) == AT_ONCE:
        queue.after_commit("rank", session_id)
    return tally.version


def _boards_of(results: Sequence[int]) -> Iterable[int]:
    return Result.objects.filter(pk__in=results).values_list("play__board_id", flat=True).distinct()


def up_to_date(tally: Tally) -> Held:
    """The standings at the tally's position: those in memory with what has been taken in since, or made from
    all results."""
    held = memory.get(tally.session_id)
    session = tally.session
    known = (session.created_at, tally.layout)
    if held is None or (held.made_at, held.layout) != known or held.position > tally.position:
        contestants = session.contestants.values_list("pk", "line_group")
        held = Held(*known, 0, Standings({}), {}, dict(contestants))
    if held.position == tally.position:
        return held
    rows, rounds = _rows_since(tally, held.position)
    comparison = comparisons.comparison_of(tally.session)
    lines: dict[Hashable, Comparable[int]] = {}
    plays = tally.session.plays_per_board
    for key, some in rows.items():
        line: Comparable[int] | None = held.standings.lines.get(key)
        if line is None:
            seats = range(len(some[0].entries))
            nothing: list[list[Any]] = [[] for _ in seats]
            line = Comparable.of(comparison, tables=[], contestants=nothing, entries=nothing, plays=plays)
        lines[key] = line.with_rows(some)
    return replace(
        held,
        position=tally.position,
        standings=held.standings.with_lines(lines),
        rounds={**held.rounds, **rounds},
    )


def _rows_since(tally: Tally, position: int) -> tuple[dict[Key, list[Row[int]]], dict[int, int]]:
    """What was taken in after a position, by line; and the round of each of its plays."""
    session = tally.session
    sides = registry.game(session.game).sides_of(session.conditions)
    results = Result.objects.filter(session=session, position__gt=position)
    seated: dict[int, dict[int, int]] = defaultdict(dict)
    seatings = Seating.objects.filter(play__result__session=session, play__result__position__gt=position)
    for play, seat, contestant in seatings.values_list("play_id", "seat", "contestant_id").iterator():
        seated[play][seat] = contestant
    rows: dict[Key, list[Row[int]]] = defaultdict(list)
    rounds: dict[int, int] = {}
    fields = ("play_id", "play__board_id", "play__round", "scores", "averaged")
    for play, board, number, scores, averaged in results.order_by("play_id").values_list(*fields).iterator():
        rounds[play] = number
        for side, seats in enumerate(sides):
            entry: Entry = AVERAGE if seats[0] in averaged else scores[seats[0] - 1]
            contestants = tuple(seated[play].get(seat) for seat in seats)
            rows[board, side].append(Row(play, contestants, (entry,) * len(seats)))
    return rows, rounds


def _keep_lines(held: Held, boards: set[int] | None) -> None:
    """Write the histograms of some boards (None: of all), from which awards are read."""
    changed = [
        Line(board_id=board, side=side, counts=_counts(line.counts.get(None, Counter())))
        for (board, side), line in cast(Mapping[Key, Comparable[int]], held.standings.lines).items()
        if boards is None or board in boards
    ]
    Line.objects.bulk_create(
        changed,
        batch_size=500,
        update_conflicts=True,
        unique_fields=["board", "side"],
        update_fields=["counts"],
    )


def _counts(entries: Mapping[Entry, int]) -> dict[str, int]:
    return {"average" if entry == AVERAGE else str(entry): count for entry, count in entries.items()}


def _versioned(tally: Tally, held: Held) -> Held:
    """The standings with the version that they make, stored if it differs from the one before."""
    totals = held.standings.totals
    nothing = versions.Won(0, 1, 0, 0, 0)
    now = {k: nothing._replace(line_group=group) for k, group in held.groups.items()}
    for k, points, scale, top, boards in totals.exact():
        now[k] = versions.Won(points, scale, top, boards, held.groups[k])
    if held.content is not None and held.version == tally.version:
        before = held.content
    else:
        before = versions.content_of(tally.session_id, tally.version)
    changed = versions.changes(before, now)
    if changed:
        tally.version += 1
        tally.ranked_at = timezone.now()
        content = versions.packed(changed)
        is_snapshot = versions.is_due(tally.session_id, len(content))
        Ranking.objects.create(
            session_id=tally.session_id,
            version=tally.version,
            content=versions.packed(now) if is_snapshot else content,
            is_snapshot=is_snapshot,
        )
    return replace(held, version=tally.version, content=now)


def _keep_progress(tally: Tally, held: Held) -> None:
    """What everyone was ranked by after each round, for the plot: always fresh in small fields; in large
    ones, where it costs more than the ranking itself, it may follow some seconds later. The time grows with
    all plays."""
    if tally.progress_position == tally.position and tally.layout == tally.counted_layout:
        return
    now, due = time.monotonic(), _progress_due.get(tally.session_id, 0.0)
    if held.plays > SMALL_FIELD and now < due:
        queue.send("progress", tally.session_id, countdown=due - now)
        return
    tally.progress = zlib.compress(json.dumps(_progress(held), separators=(",", ":")).encode(), 6)
    tally.progress_position = tally.position
    _progress_due[tally.session_id] = now + held.plays / PROGRESS_PLAYS_A_SECOND


_progress_due: dict[int, float] = {}


def _progress(held: Held) -> dict[int, list[str]]:
    """By contestant: its exact percentage (its points) after each round that it has played in."""
    won: dict[int, dict[int, Sum]] = defaultdict(dict)
    for line in held.standings.lines.values():
        rounds = [held.rounds[cast(int, table)] for table in line.tables]
        for seat, contestants in enumerate(line.winners):
            sums = line.column(seat, _sum)
            for k, number, one in zip(contestants, rounds, sums, strict=True):
                if k is not None:
                    won[k][number] = won[k].get(number, Sum()) + one
    progress: dict[int, list[str]] = {}
    for k, by_round in won.items():
        running = Sum()
        values = []
        for number in sorted(by_round):
            running += by_round[number]
            value = Total(running).value
            if value is not None:
                values.append(str(value))
        progress[k] = values
    return progress


def _sum(award: Award | None) -> Sum:
    return Sum() if award is None else Sum(award.points, award.top or 0, 1)


@transaction.atomic
def refresh_progress(*, session_id: int) -> None:
    """The progress of large fields, a little after their ranking."""
    tallies = Tally.objects.select_for_update(no_key=True, of=("self",)).select_related("session__board_set")
    tally = tallies.filter(session=session_id, progress_position__lt=F("position")).first()
    if tally is not None and tally.layout == tally.counted_layout:
        held = up_to_date(tally)
        _keep_progress(tally, held)
        tally.save(update_fields=["progress", "progress_position"])
        transaction.on_commit(partial(memory.keep, session_id, held))


def changed_layout(session: Session) -> None:
    """Who plays what, how often, or with whom in a line group has changed: everything is counted again."""
    Tally.objects.filter(session=session).update(layout=F("layout") + 1)
    queue.after_commit("rank", session.pk)


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of a ranking, in exact numbers. `line_group`: those who can be compared, and are ranked
    together; `rank`: "3", "3=" when shared, "" before the first board;
    `change`: places won since the version before; `progress`: what it was ranked by after each round."""

    line_group: int
    rank: str
    contestant: Contestant
    total: Total
    change: int
    progress: tuple[Fraction, ...]


def newest(session: Session) -> Ranking | None:
    """The newest version of a session's ranking; None before the first."""
    return Ranking.objects.filter(session=session).order_by("-version").first()


def standings(ranking: Ranking) -> list[Standing]:
    """A version of a ranking, line group by line group, the best first; ranks follow from the totals."""
    session_id = ranking.session_id
    contestants = {one.pk: one for one in Contestant.objects.filter(session=session_id).order_by("number")}
    groups = _places(versions.content_of(session_id, ranking.version), contestants)
    before: dict[int, int] = {}
    if ranking.version > 1:
        earlier = versions.content_of(session_id, ranking.version - 1)
        before = _positions(_places(earlier, contestants))
    now = _positions(groups)
    progress = _progress_of(ranking)
    both = before.keys() & now.keys()
    return [
        Standing(
            group,
            place.rank,
            contestants[place.contestant],
            place.total,
            before[place.contestant] - now[place.contestant] if place.contestant in both else 0,
            progress.get(place.contestant, ()),
        )
        for group, places in groups.items()
        for place in places
    ]


def _progress_of(ranking: Ranking) -> dict[int, tuple[Fraction, ...]]:
    """Of the newest version; earlier ones have none."""
    newest = Tally.objects.filter(session=ranking.session_id, version=ranking.version)
    packed = newest.values_list("progress", flat=True).first()
    if not packed:
        return {}
    lines = json.loads(zlib.decompress(bytes(packed)))
    return {int(k): tuple(map(Fraction, values)) for k, values in lines.items()}


def _places(content: versions.Content, contestants: Iterable[int]) -> dict[int, Places[int]]:
    """The places of a version by line group; contestants who share one stand in the given order."""
    groups: dict[int, list[int]] = defaultdict(list)
    for pk in contestants:
        if pk in content:
            groups[content[pk].line_group].append(pk)
    return {group: places_of(versions.totals(content, groups[group])) for group in sorted(groups)}


def _positions(groups: Mapping[int, Sequence[Place[int]]]) -> dict[int, int]:
    """By contestant: the number of its rank; those who have none are left out."""
    return {
        place.contestant: int(place.rank.rstrip("="))
        for places in groups.values()
        for place in places
        if place.rank
    }


class AwardBook:
    """The awards of a session's plays, read from the histograms of their lines: one query for all of them,
    when the first is asked for."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.lines: dict[Key, Awards] | None = None

    def of(self, play: Play) -> list[str] | None:
        """By seat, exactly; None until the lists have taken the result in."""
        result = play.result
        if result.position is None:
            return None
        sides = registry.game(self.session.game).sides_of(self.session.conditions)
        won = [""] * sum(len(side) for side in sides)
        for side, seats in enumerate(sides):
            line = self._lines.get((play.board_id, side))
            entry: Entry = AVERAGE if seats[0] in result.averaged else result.scores[seats[0] - 1]
            try:
                award = None if line is None else line[entry]
            except KeyError:  # it was taken in after the histograms were read
                award = None
            if award is None:
                return None
            for seat in seats:
                won[seat - 1] = str(award.points)
        return won

    @property
    def _lines(self) -> dict[Key, Awards]:
        if self.lines is None:
            comparison = comparisons.comparison_of(self.session)
            plays = self.session.plays_per_board
            rows = Line.objects.filter(board__board_set__session=self.session)
            self.lines = {
                (board, side): Awards(_entries(counts), comparison, plays)
                for board, side, counts in rows.values_list("board_id", "side", "counts")
            }
        return self.lines


def _entries(counts: Mapping[str, int]) -> Counter[Entry]:
    return Counter({AVERAGE if name == "average" else int(name): count for name, count in counts.items()})
