"""Where a player sits now and next, and when that begins."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Count, F, Prefetch, QuerySet
from django.utils import timezone

from ..models import Member, Play, Player, Round, RuledPlay, Seating, Session
from . import names
from .names import Named

AT_MOST = 6  # sessions
REMEMBERED = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class SeatRound:
    """A round that is still to be played, or is being played. `seats`: one's own; `beside`: who else sits
    there, by seat; `boards`: their numbers. `is_open`: it is being played; `opens_at`, `ends_at`: when the
    clock says so, if there is one."""

    number: int
    section: str
    table: int
    seats: Sequence[int]
    beside: Mapping[int, int]
    boards: Sequence[int]
    is_open: bool
    opens_at: datetime | None = None
    ends_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """A session that a player is about to play, or is playing: its next rounds, two at most. None is left
    where all has been played. `sits_out`: the round that is open, and that they do not play;
    `has_sections`: its tables are named with their sections, for there are several."""

    session: Session
    contestant: int
    name: str
    rounds: Sequence[SeatRound]
    sits_out: int | None = None
    has_sections: bool = False
    named: Mapping[int, Named] = field(default_factory=dict)


def coming(players: Sequence[Player]) -> list[OwnSeat]:
    """Of whoever these players are: their sessions that have not ended, those that are being played first,
    then the earliest. A few queries, and a time that grows with what they play there."""
    ready = (Session.State.READY, Session.State.RUNNING)
    members = Member.objects.filter(player__in=players, session__state__in=ready, session__is_trial=False)
    rows = members.select_related("session__tournament__club").order_by(
        "-session__state", F("session__starts_at").asc(nulls_last=True), "session", "pk"
    )
    rows = rows.annotate(sections=Count("session__sections", distinct=True))
    shown_members = list(rows[:AT_MOST])
    own = {one.contestant_id: one.session for one in shown_members}
    several = {one.contestant_id for one in shown_members if one.sections > 1}
    plays = (
        Play.objects.filter(seatings__contestant__in=own)
        .distinct()
        .select_related("table__section", "board", "result")
        .prefetch_related(Prefetch("seatings", Seating.objects.order_by("seat")))
        .order_by("round", "board__number", "pk")
    )
    shown = list(plays)
    whole = RuledPlay.objects.filter(play__in=[one.pk for one in shown], is_whole=True)
    decided = set(whole.values_list("play", flat=True))
    paces: dict[int, dict[int, Round]] = defaultdict(dict)
    for pace in Round.objects.filter(session__in={session.pk for session in own.values()}):
        paces[pace.session_id][pace.number] = pace
    by_contestant: dict[int, list[Play]] = defaultdict(list)
    for play in shown:
        for contestant in {one.contestant_id for one in play.seatings.all()} & own.keys():
            by_contestant[contestant].append(play)
    reader = names.in_hall(*own.values(), players=[one.pk for one in players])
    seated = {one.contestant_id for play in shown for one in play.seatings.all()}
    named = names.of_contestants(seated | own.keys(), reader)
    return [
        _seat(
            session,
            contestant,
            by_contestant[contestant],
            decided,
            paces[session.pk],
            named,
            contestant in several,
        )
        for contestant, session in own.items()
    ]


def dated(players: Sequence[Player]) -> QuerySet[Session]:
    """Their sessions that have a time, of the last year and to come, the earliest first; no drafts."""
    own = Session.objects.filter(members__player__in=players, is_trial=False)
    own = own.filter(starts_at__gte=timezone.now() - REMEMBERED).exclude(state=Session.State.DRAFT)
    return own.select_related("tournament__club").distinct().order_by("starts_at", "pk")


def _seat(
    session: Session,
    contestant: int,
    plays: Sequence[Play],
    decided: set[int],
    paces: Mapping[int, Round],
    named: Mapping[int, Named],
    has_sections: bool,
) -> OwnSeat:
    rounds: dict[int, list[Play]] = defaultdict(list)
    for play in plays:
        rounds[play.round].append(play)
    open_now = next((one.number for one in paces.values() if one.state == Round.State.OPEN), None)
    left = [number for number in sorted(rounds) if _is_left(rounds[number], decided, paces.get(number))]
    return OwnSeat(
        session,
        contestant,
        named[contestant].name,
        [_round(session, number, rounds[number], contestant, paces, left[0]) for number in left[:2]],
        open_now if open_now is not None and open_now not in rounds else None,
        has_sections,
        named,
    )


def _is_left(plays: Sequence[Play], decided: set[int], pace: Round | None) -> bool:
    if pace is not None:
        return pace.state != Round.State.CLOSED
    return any(not hasattr(one, "result") and one.pk not in decided for one in plays)


def _round(
    session: Session,
    number: int,
    plays: Sequence[Play],
    contestant: int,
    paces: Mapping[int, Round],
    first: int,
) -> SeatRound:
    play, pace = plays[0], paces.get(number)
    seatings = play.seatings.all()
    is_running = session.state == Session.State.RUNNING
    return SeatRound(
        number,
        play.table.section.name,
        play.table.number,
        [one.seat for one in seatings if one.contestant_id == contestant],
        {one.seat: one.contestant_id for one in seatings if one.contestant_id != contestant},
        [one.board.number for one in plays],
        pace.state == Round.State.OPEN if pace is not None else is_running and number == first,
        None if pace is None else pace.opens_at,
        None if pace is None else pace.ends_at,
    )
