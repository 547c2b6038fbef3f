"""What the projector of a hall shows beside the ranking: the clock, who sits where, the tables that are
waited for, and what the directors have told everybody. It tells no result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Min, Q, QuerySet

from ..models import Play, Round, Seating, Session
from . import calls
from .public_calendar import WITHOUT_RESULT

State = Round.State


@dataclass(frozen=True, slots=True)
class HallTable:
    """A table of a round: who sits where, by seat (contestants' ids)."""

    section: str
    table: int
    boards: tuple[int, ...]
    seats: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class WallView:
    """`number`: the round that is being played, 0 before the first; `rounds`: how many there are;
    `opened_at`, `ends_at`: by its clock; `is_paused`: it stands. `seated`: the round whose seats are shown,
    0 after the last: the one that is being played until the first table has finished it, then the next;
    `sits_out`: contestants' ids. `late`: tables of which a round that is over lacks a result."""

    number: int
    rounds: int
    opened_at: datetime | None
    ends_at: datetime | None
    is_paused: bool
    seated: int
    tables: Sequence[HallTable]
    sits_out: Sequence[int]
    late: Sequence[tuple[str, int]]
    announcement: str


def of(session: Session) -> WallView:
    """Nine queries at most; the time grows with the plays of the session."""
    plays = Play.objects.filter(table__section__session=session)
    rounds = plays.aggregate(last=Max("round"))["last"] or 0
    clock, number = None, 0
    is_going = session.state in Session.COMING
    if is_going and session.is_paced:
        open_rounds = Round.objects.filter(session=session, state=State.OPEN).order_by("-number")
        begun = Round.objects.filter(session=session).exclude(state=State.WAITING)
        clock = open_rounds.first()
        number = clock.number if clock else begun.aggregate(last=Max("number"))["last"] or 0
    elif is_going and session.state == Session.State.RUNNING:
        number = plays.filter(WITHOUT_RESULT).aggregate(first=Min("round"))["first"] or rounds
    is_played = bool(clock) if session.is_paced else number > 0
    shown = number
    if not is_played or _has_finished(plays.filter(round=number)):
        shown = number + 1 if is_going and number < rounds else 0
    tables = _tables(plays.filter(round=shown)) if shown else []
    there = {contestant for table in tables for _seat, contestant in table.seats}
    playing = session.contestants.filter(Q(left_after=None) | Q(left_after__gte=shown))
    sits_out = list(playing.exclude(pk__in=there).order_by("number").values_list("pk", flat=True))
    late = plays.filter(WITHOUT_RESULT, round__lt=number) if is_going else plays.none()
    told = calls.announced(session)
    return WallView(
        number,
        rounds,
        clock.opened_at if clock else None,
        clock.ends_at if clock else None,
        bool(clock and clock.paused_at),
        shown,
        tables,
        sits_out if shown else [],
        sorted(set(late.values_list("table__section__name", "table__number"))),
        told.remark.text if told and told.remark else "",
    )


def _has_finished(plays: QuerySet[Play]) -> bool:
    """Whether a table has all results of these plays."""
    by_table = plays.values("table").annotate(lacking=Count("pk", filter=WITHOUT_RESULT))
    return by_table.filter(lacking=0).exists()


def _tables(plays: QuerySet[Play]) -> list[HallTable]:
    rows = Seating.objects.filter(play__in=plays).order_by(
        "play__table__section__name", "play__table__number", "seat"
    )
    found: dict[tuple[str, int], tuple[set[int], set[tuple[int, int]]]] = {}
    for section, table, board, seat, contestant in rows.values_list(
        "play__table__section__name", "play__table__number", "play__board__number", "seat", "contestant"
    ):
        boards, seats = found.setdefault((section, table), (set(), set()))
        boards.add(board)
        seats.add((seat, contestant))
    return [
        HallTable(section, table, tuple(sorted(boards)), tuple(sorted(seats)))
        for (section, table), (boards, seats) in found.items()
    ]
