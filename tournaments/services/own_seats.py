"""Where a player sits now and next, and when that begins."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from django.db.models import Count, F, Prefetch, Q, QuerySet
from django.utils import timezone

from ..models import Contestant, Member, Play, Player, Round, RuledPlay, Seating, Session, Substitution
from . import names
from .names import Named

AT_MOST = 6  # sessions
REMEMBERED = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class SeatRound:
    """A round that is still to be played, or is being played. `seats`: one's own; `beside`: who else sits
    there, by seat; `boards`: their numbers; `moves`: where one changes seats from board to board, the boards
    and the seats at them, in order. `is_open`: it is being played; `opens_at`, `ends_at`: when the clock says
    so, if there is one."""

    number: int
    section: str
    table: int
    seats: Sequence[int]
    beside: Mapping[int, int]
    boards: Sequence[int]
    moves: Sequence[tuple[Sequence[int], Sequence[int]]]
    is_open: bool
    opens_at: datetime | None = None
    ends_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """A session that a player is about to play, or is playing: its next rounds, two at most. None is left
    where all has been played. `sits_out`: the round that is open, and that they do not play; `is_replaced`:
    because somebody plays it for them. `plays_for`: the contestant whose member they play some rounds for;
    `has_sections`: its tables are named with their sections, for there are several."""

    session: Session
    contestant: int
    name: str
    rounds: Sequence[SeatRound]
    sits_out: int | None = None
    is_replaced: bool = False
    plays_for: str = ""
    has_sections: bool = False
    named: Mapping[int, Named] = field(default_factory=dict)


def coming(players: Sequence[Player]) -> list[OwnSeat]:
    """Of whoever these players are: their sessions that have not ended, those that are being played first,
    then the earliest. A few queries, and a time that grows with what they play there."""
    ready = (Session.State.READY, Session.State.RUNNING)
    members = Member.objects.filter(player__in=players, session__state__in=ready, session__is_trial=False)
    there = Contestant.objects.filter(session__state__in=ready, session__is_trial=False)
    instead = Substitution.objects.filter(contestant__in=there, undone_at=None)
    put_in = instead.filter(player__in=players).values("contestant")
    rows = there.filter(Q(pk__in=members.values("contestant")) | Q(pk__in=put_in))
    rows = rows.select_related("session__tournament__club").order_by(
        "-session__state", F("session__starts_at").asc(nulls_last=True), "session", "pk"
    )
    shown_contestants = list(rows.annotate(sections=Count("session__sections", distinct=True))[:AT_MOST])
    own = {one.pk: one.session for one in shown_contestants}
    several = {one.pk for one in shown_contestants if one.sections > 1}
    changes = list(instead.filter(contestant__in=own))
    people = {one.pk for one in players}
    for_others = {one.contestant_id for one in changes if one.player_id in people}
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
    found = []
    for contestant, session in own.items():
        for_them = contestant in for_others
        rounds = {
            number
            for one in changes
            if one.contestant_id == contestant
            and (one.player_id if for_them else one.for_player_id) in people
            for number in range(one.first_round, one.last_round + 1)
        }
        seat = _seat(
            session,
            contestant,
            [one for one in by_contestant[contestant] if (one.round in rounds) == for_them],
            decided,
            paces[session.pk],
            named,
            contestant in several,
        )
        if for_them:
            seat = replace(seat, plays_for=seat.name, sits_out=None)
        elif seat.sits_out in rounds:
            seat = replace(seat, is_replaced=True)
        found.append(seat)
    return found


def dated(players: Sequence[Player]) -> QuerySet[Session]:
    """Their sessions that have a time, of the last year and to come, the earliest first; no drafts."""
    instead = Substitution.objects.filter(player__in=players, undone_at=None)
    part = Q(members__player__in=players) | Q(pk__in=instead.values("contestant__session"))
    own = Session.objects.filter(part, is_trial=False)
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
        sits_out=open_now if open_now is not None and open_now not in rounds else None,
        has_sections=has_sections,
        named=named,
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
    at_boards: list[tuple[list[int], list[int]]] = []
    for one in plays:
        seats = [seating.seat for seating in one.seatings.all() if seating.contestant_id == contestant]
        if at_boards and at_boards[-1][1] == seats:
            at_boards[-1][0].append(one.board.number)
        else:
            at_boards.append(([one.board.number], seats))
    is_running = session.state == Session.State.RUNNING
    return SeatRound(
        number,
        play.table.section.name,
        play.table.number,
        [one.seat for one in seatings if one.contestant_id == contestant],
        {one.seat: one.contestant_id for one in seatings if one.contestant_id != contestant},
        [one.board.number for one in plays],
        at_boards if len(at_boards) > 1 else [],
        pace.state == Round.State.OPEN if pace is not None else is_running and number == first,
        None if pace is None else pace.opens_at,
        None if pace is None else pace.ends_at,
    )
