"""What a table's phones are shown: who sits where, which boards are played, what has been said of them.

Whoever holds the phone may play the same boards elsewhere later. So results are shown of the round that is
being played, to those who sit there. An earlier round's have been handed on with the phone: they are shown
where nobody who sits there now has still to play its boards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Prefetch
from django.utils import timezone

from engines import registry
from engines.errors import EngineError

from ..models import (
    Confirmation,
    Play,
    Result,
    Round,
    RoundExtension,
    RuledPlay,
    Seating,
    Session,
    Submission,
    Table,
    TableAtPlay,
)
from . import disputes, judging, play_states
from .games import language
from .play_states import PlayState

EARLIER = 3  # rounds that a phone shows again


@dataclass(frozen=True, slots=True)
class BeforeThat:
    """What a table had entered for a play, and something else has replaced: who had sent it."""

    sheet: Mapping[str, Any]
    scores: Sequence[int]
    by: int | None


@dataclass(frozen=True, slots=True)
class OwnBoard:
    """A board that the table plays in a round. `seats`: contestants by seat; `known`: the conditions that
    everybody knows of it. `submission`: of the result that counts, `sheet` and `scores` what it says, `by`:
    the seat that sent it (None: the phone of all, or an official); `agreed`: the seats that have agreed with
    it; `opposing`: the sheet of another side that says something else, `opposed_by` the seat that sent it.
    `is_official`: an official entered it; `entered_at`: when; `before`: what the table had said until then,
    where it was something else. `said`: what became of what the table has sent, by key."""

    play: int
    number: int
    dealer: int
    known: Mapping[str, Any]
    seats: Mapping[int, int]
    state: PlayState
    submission: int | None = None
    sheet: Mapping[str, Any] | None = None
    scores: Sequence[int] | None = None
    averaged: Sequence[int] = ()
    by: int | None = None
    is_official: bool = False
    entered_at: datetime | None = None
    before: BeforeThat | None = None
    agreed: Sequence[int] = ()
    opposing: Mapping[str, Any] | None = None
    opposed_by: int | None = None
    said: Mapping[str, tuple[str, str, str | None, str | None]] = field(default_factory=dict)

    @property
    def is_entered(self) -> bool:
        return self.state not in (PlayState.EXPECTED, PlayState.AT_PLAY)


@dataclass(frozen=True, slots=True)
class OwnRound:
    """A round as a table plays it. `takes`: it may enter results now; `is_waiting`: not yet; `pace`: its
    clock, where the session has one; `is_seated`: the table has said that it sits."""

    number: int
    boards: Sequence[OwnBoard]
    takes: bool
    is_waiting: bool
    is_seated: bool
    pace: Round | None

    @property
    def next_board(self) -> OwnBoard | None:
        return next((one for one in self.boards if not one.is_entered), None)

    @property
    def is_done(self) -> bool:
        return self.next_board is None


@dataclass(frozen=True, slots=True)
class OwnTable:
    """`rounds`: of the session; `now`: the round that the table plays or waits for, None once it has played
    all of its own; `before`: the one that it has just played, as long as it has not begun another; `goes`:
    where those who sit there, or have sat there just now, play in the round `following`, by contestant, with
    the section and the table there; `rests`: who of them plays nowhere in it; `later`: the rounds that this
    table plays after this one, without what has been said of them; `earlier`: those that it may still agree
    with, the newest first; `past`: the boards of which it may ask for a correction."""

    session: Session
    table: Table
    rounds: int
    now: OwnRound | None
    before: OwnRound | None
    later: Sequence[OwnRound]
    goes: Mapping[int, tuple[str, int]]
    following: int
    rests: Sequence[int] = ()
    earlier: Sequence[OwnRound] = ()
    past: Sequence[int] = ()


def of(table: Table) -> OwnTable:
    """What the phones of a table are shown now: a few queries, whatever the table has played."""
    session = table.section.session
    plays = list(_plays(table))
    numbers = sorted({play.round for play in plays})
    paces = {one.number: one for one in session.rounds.all()} if session.is_paced else {}
    seated = set(TableAtPlay.objects.filter(table=table).values_list("round", flat=True))
    said = {play.round for play in plays if play.said}
    longer = _longer(table, paces)
    takes = {number: _takes(session, paces.get(number), number in longer) for number in numbers}
    decided = _decided(plays)
    done = {
        number: all(hasattr(one, "result") or one.pk in decided for one in plays if one.round == number)
        for number in numbers
    }
    now, before = _turn(numbers, takes, done, seated | said, paces)
    over = [number for number in numbers if now is not None and number < now and number != before]
    shown_again = _shown_again(session, plays, [one for one in over if takes[one]], now)
    rounds = {
        number: OwnRound(
            number,
            [
                _board(session, one, decided.get(one.pk), number in seated)
                for one in plays
                if one.round == number
            ],
            takes[number],
            number in paces and paces[number].state == Round.State.WAITING,
            number in seated or number in said,
            paces.get(number),
        )
        for number in numbers
        if number == before or number in shown_again or (now is not None and number >= now)
    }
    shown = rounds.get(now or 0)
    leaving = rounds.get(before or 0) or shown
    sitting = {one for board in leaving.boards for one in board.seats.values()} if leaving else set()
    last = (
        Play.objects.filter(table__section__session=session)
        .order_by("-round")
        .values_list("round", flat=True)
    )
    count = last.first() or 0
    goes = _goes(session, sitting, leaving.number if leaving else None)
    return OwnTable(
        session,
        table,
        count,
        shown,
        rounds.get(before or 0),
        [rounds[number] for number in numbers if now is not None and number > now],
        goes,
        (leaving.number if leaving else 0) + 1,
        sorted(sitting - goes.keys()) if leaving and leaving.number < count else (),
        [rounds[number] for number in shown_again],
        [
            one.board.number
            for one in plays
            if one.round in over or _is_past(one.round, paces, takes, now, done)
        ],
    )


def _shown_again(session: Session, plays: Sequence[Play], over: Sequence[int], now: int | None) -> list[int]:
    """Of rounds that are over, and may still be entered, the newest few whose boards nobody who sits at the
    table now has still to play, here or elsewhere: their results tell nobody anything."""
    if not over:
        return []
    sitting = {one.contestant_id for play in plays if play.round == now for one in play.seatings.all()}
    boards = {play.board_id: play.round for play in plays if play.round in over}
    ahead = Seating.objects.filter(contestant__in=sitting, play__round__gte=now, play__board__in=boards)
    ahead = ahead.filter(play__table__section__session=session)
    hidden = {boards[board] for board in ahead.values_list("play__board", flat=True).distinct()}
    return [number for number in reversed(over) if number not in hidden][:EARLIER]


def _plays(table: Table) -> Any:
    said = Submission.objects.filter(table=table).order_by("pk")
    confirmed = Confirmation.objects.order_by("pk")
    return (
        Play.objects.filter(table=table)
        .select_related("board", "result__submission", "confirmation")
        .prefetch_related(
            Prefetch("seatings", Seating.objects.order_by("seat")),
            Prefetch("submissions", said, to_attr="said"),
            Prefetch("result__submission__confirmations", confirmed),
        )
        .order_by("round", "board__number")
    )


def _longer(table: Table, paces: Mapping[int, Round]) -> set[int]:
    """The rounds for which the table has more time than others."""
    if not paces:
        return set()
    own = RoundExtension.objects.filter(table=table, until__gt=timezone.now())
    return set(own.values_list("round__number", flat=True))


def _takes(session: Session, pace: Round | None, has_longer: bool) -> bool:
    """Whether tables may enter results of a round now: as those who store them decide."""
    if session.state not in (Session.State.READY, Session.State.RUNNING):
        return False
    if not session.is_paced:
        return True
    if pace is None or pace.state == Round.State.WAITING:
        return False
    if pace.state == Round.State.OPEN:
        return True
    in_grace = pace.takes_until is not None and pace.takes_until > timezone.now()
    return pace.settled_at is None and (in_grace or has_longer)


def _turn(
    numbers: Sequence[int],
    takes: Mapping[int, bool],
    done: Mapping[int, bool],
    begun: set[int],
    paces: Mapping[int, Round],
) -> tuple[int | None, int | None]:
    """The round that a table is in, and the one before it, which it may still correct. A round that has been
    closed without its results is past; one that is done gives way once the next can begin."""
    last = max(begun, default=0)
    open_ones = [one for one in numbers if not done[one] and (takes[one] or _comes(paces.get(one)))]
    if not paces and not any(takes.values()):
        open_ones = []
    now = open_ones[0] if open_ones else None
    if now is None:
        there = [one for one in numbers if takes[one]]
        return (there[-1] if there else None), None
    before = max((one for one in numbers if one < now and takes[one] and done[one]), default=None)
    return now, before if before is not None and last <= before else None


def _is_past(
    number: int,
    paces: Mapping[int, Round],
    takes: Mapping[int, bool],
    now: int | None,
    done: Mapping[int, bool],
) -> bool:
    """Whether a table has played a round, and may no longer correct it."""
    if takes[number] or _comes(paces.get(number)):
        return False
    return done[number] or now is None or number < now


def _comes(pace: Round | None) -> bool:
    return pace is not None and pace.state == Round.State.WAITING


def _decided(plays: Sequence[Play]) -> dict[int, list[str | None]]:
    """By play, what directors have decided for all of it."""
    own = RuledPlay.objects.filter(play__in=[play.pk for play in plays], is_whole=True)
    return {one.play_id: list(one.entries) for one in own}


def _board(session: Session, play: Play, ruled: Sequence[str | None] | None, is_seated: bool) -> OwnBoard:
    game = registry.game(session.game)
    conditions = game.conditions_of(play.board.number, session.conditions)
    result: Result | None = getattr(play, "result", None)
    state = play_states.state_of(
        play_states.PlayFacts(
            is_seated=is_seated,
            submission=None if result is None else result.submission_id,
            by_official=result is not None and result.submission.role_id is not None,
            confirmed=None if play.confirmation is None else play.confirmation.submission_id,
            disagreement=play.disagreement_id,
            ruled=ruled,
        )
    )
    said = {
        str(one.key): (disputes.state_shown(one), *_refusal(one, play.board.number))
        for one in play.said  # type: ignore[attr-defined]  # prefetched
    }
    place: dict[str, Any] = {
        **{"play": play.pk, "number": play.board.number, "state": state, "said": said},
        "dealer": conditions["dealer"],
        "known": game.known(None, conditions),
        "seats": {one.seat: one.contestant_id for one in play.seatings.all()},
    }
    if result is None:
        return OwnBoard(**place)
    other: Submission | None = None
    if state == PlayState.DISPUTED:
        others = [one for one in play.said if one.state == Submission.State.OPPOSED]  # type: ignore[attr-defined]
        other = others[-1] if others else None
    return OwnBoard(
        **place,
        submission=result.submission_id,
        sheet=result.sheet,
        scores=result.scores,
        averaged=result.averaged,
        by=result.submission.seat,
        is_official=result.submission.role_id is not None,
        entered_at=result.submission.created_at,
        before=_before(session, play, result),
        agreed=[one.seat for one in result.submission.confirmations.all() if one.seat is not None],
        opposing=None if other is None else other.content.get("sheet"),
        opposed_by=None if other is None else other.seat,
    )


def _before(session: Session, play: Play, result: Result) -> BeforeThat | None:
    """What counted of the table until the result that counts now, where it says something else."""
    earlier: list[Submission] = [
        one
        for one in play.said  # type: ignore[attr-defined]  # prefetched
        if one.state in Submission.COUNTED and one.pk < result.submission_id
    ]
    if not earlier:
        return None
    try:
        told = judging.judgement_of(judging.board_of(session, play.board.number), earlier[-1].content)
    except EngineError:  # options were changed since
        return None
    if told.sheet == result.sheet:
        return None
    return BeforeThat(told.sheet, told.outcome.scores, earlier[-1].seat)


def _refusal(submission: Submission, board: int) -> tuple[str, str | None, str | None]:
    """Why it was refused, in the reader's language, where the rules say so, and the field of the sheet it is
    about, if any."""
    shown = (disputes.refusal_shown(submission, board) or {}).get(language(), {})
    return str(shown.get("message", "")), shown.get("clause"), shown.get("field")


def _goes(session: Session, sitting: set[int], now: int | None) -> dict[int, tuple[str, int]]:
    """Where these contestants play in the round after this one."""
    if now is None or not sitting:
        return {}
    own = Seating.objects.filter(contestant__in=sitting, play__round=now + 1)
    own = own.filter(play__table__section__session=session)
    rows = own.values_list("contestant", "play__table__section__name", "play__table__number")
    return {contestant: (section, number) for contestant, section, number in rows}
