"""A table calls, and a director comes; a director says something to all tables."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import Account, Announcement, Call, Seating, Section, Session, Table, Token
from . import history, states
from .errors import Conflict, Forbidden, Invalid, Missing

State = Call.State
Caller = Token | Account

TEXT_LETTERS = 200
ANNOUNCEMENT_LETTERS = 500
DONE = {
    State.COMING: "goes to table",
    State.DONE: "answered call",
    State.WITHDRAWN: "withdrew call",
    State.WAITING: "took back answer",
}


class Sat(NamedTuple):
    """How a table says that it sits in a round: for each seat, the planned seat of whoever sits there."""

    round: int
    order: Sequence[int]


def of(session: Session, viewer: Caller) -> QuerySet[Call]:
    """The calls of a session that somebody may know of, in the order in which tables called."""
    own = Call.objects.visible_to(viewer).filter(session=session)
    return own.select_related("table__section", "board", "remark", "role__account").order_by("pk")


def announced(session: Session) -> Announcement | None:
    """What all tables are told now."""
    return session.announcements.filter(ended_at=None).select_related("remark").first()


@transaction.atomic
def call(
    *,
    table: Table,
    actor: Caller,
    reason: str = Call.Reason.DIRECTOR,
    board: int | None = None,
    text: str = "",
    sat: Sat | None = None,
) -> Call:
    """A table calls, or an official writes it down for one (`board`: its number, if it is about one; `sat`:
    how it says that it sits). A table that waits keeps its place in the queue. Forbidden
    for another table; Conflict unless the session is being played; Invalid for seats in no other order."""
    session = states.held(Session(pk=table.section.session_id))
    if session.state not in (Session.State.READY, Session.State.RUNNING):
        raise Conflict("session-not-played", _("The session is not being played now."))
    if not _speaks_for(actor, table):
        raise Forbidden("not-yours", _("You do not call for this table."))
    about = None
    if board is not None:
        about = session.board_set.boards.filter(number=board).first()
        if about is None:
            message = _("There is no board %(board)d in this session.")
            raise Missing("no-such-board", message % {"board": board}, {"boards": board})
    if sat is not None and (sorted(sat.order) != sorted(_seats(table, sat.round)) or _is_planned(sat)):
        raise Invalid("bad-order", _("Say for each seat who sits there, each once."))
    if (waits := Call.objects.open().filter(table=table).first()) is not None:
        return waits
    made, is_new = Call.objects.get_or_create(
        table=table,
        state=State.WAITING,
        defaults={
            **{"session": session, "board": about, "reason": reason},
            "remark_id": history.remark_of(text[:TEXT_LETTERS]),
            **({"round": sat.round, "order": list(sat.order)} if sat is not None else {}),
        },
    )
    if is_new:
        _note(actor, "called", made)
    return made


@transaction.atomic
def answer(*, call: Call, actor: Caller, state: str) -> Call:
    """An official says that they come, have been there, or that this was a mistake and the table still waits;
    the table, or an official, takes the call back. Nothing happens where it is so already. Conflict once it
    has ended, but for a mistake; and for that once its table has called again. Forbidden for others."""
    one = Call.objects.select_for_update(no_key=True, of=("self",)).get(pk=call.pk)
    if not _scores(actor, one) and not (state == State.WITHDRAWN and _speaks_for(actor, one.table)):
        raise Forbidden("not-yours", _("Officials of the session answer calls."))
    if one.state == state:
        return one
    now = timezone.now()
    if state == State.WAITING:
        if one.ended_at is not None and Call.objects.open().filter(table=one.table_id).exists():
            raise Conflict("called-again", _("The table has called again meanwhile."))
        one.answered_at, one.ended_at, one.role_id = None, None, None
    elif one.ended_at is not None:
        raise Conflict("call-ended", _("This call has been answered already."), {"state": one.state})
    elif state == State.COMING:
        one.answered_at, one.role_id = now, _role_of(actor, one.session)
    else:
        one.ended_at = now
    one.state = state
    one.save(update_fields=["state", "answered_at", "ended_at", "role"])
    _note(actor, DONE[State(state)], one)
    return one


@transaction.atomic
def take_back(*, call: Call, actor: Caller) -> Call:
    """The last answer of an official was a mistake: whoever was on the way when the call was settled still
    is; otherwise the table waits again. Conflict and Forbidden as `answer` has them."""
    was_settled = call.state == State.DONE
    on_the_way = (call.answered_at, call.role_id)
    one = answer(call=call, actor=actor, state=State.WAITING)
    if was_settled and on_the_way[0] is not None:
        one.state, (one.answered_at, one.role_id) = State.COMING, on_the_way
        one.save(update_fields=["state", "answered_at", "role"])
    return one


@transaction.atomic
def announce(*, session: Session, actor: Caller, text: str) -> Announcement:
    """All tables of a session are told something, in place of what they were told before. The caller runs
    the session. Invalid: it says nothing."""
    session = states.locked(session)
    remark = history.remark_of(text[:ANNOUNCEMENT_LETTERS])
    if remark is None:
        raise Invalid("no-text", _("Say what the tables are to know."))
    session.announcements.filter(ended_at=None).update(ended_at=timezone.now())
    made = Announcement.objects.create(session=session, remark_id=remark)
    history.note(actor, "announced", made, session=session, remark=remark)
    return made


@transaction.atomic
def withdraw(*, announcement: Announcement, actor: Caller) -> None:
    """The tables are not told any more; a second time nothing happens."""
    own = Announcement.objects.filter(pk=announcement.pk, ended_at=None)
    if own.update(ended_at=timezone.now()):
        session = announcement.session
        history.note(actor, "withdrew announcement", announcement, session=session)


@transaction.atomic
def settle_seats(*, table: Table, actor: Caller) -> None:
    """The seats of a table have been written down: its call about them is settled. Nothing happens where it
    has not called, or somebody else settles it at this moment."""
    waiting = Call.objects.open().filter(table=table, reason=Call.Reason.SEATS)
    found = waiting.select_for_update(no_key=True, of=("self",)).first()
    if found is not None:
        answer(call=found, actor=actor, state=State.DONE)


def _seats(table: Table, number: int) -> list[int]:
    """The seats of a table in a round; none where it does not play."""
    own = Seating.objects.filter(play__table=table, play__round=number)
    return list(own.order_by("seat").values_list("seat", flat=True).distinct())


def _is_planned(sat: Sat) -> bool:
    return list(sat.order) == sorted(sat.order)


def _speaks_for(actor: Caller, table: Table) -> bool:
    if isinstance(actor, Token) and actor.table_id:
        return actor.table_id == table.pk
    return Section.objects.scored_by(actor).filter(pk=table.section_id).exists()


def _scores(actor: Caller, one: Call) -> bool:
    return Section.objects.scored_by(actor).filter(pk=one.table.section_id).exists()


def _role_of(actor: Caller, session: Session) -> int | None:
    return actor.role_id if isinstance(actor, Token) else history.nearest_role(actor, session, None)


def _note(actor: Caller, verb: str, one: Call) -> None:
    table = one.table
    detail: dict[str, Any] = {"section": table.section.name, "table": table.number, "why": str(one.reason)}
    remark = one.remark_id if verb == "called" else None
    history.note(actor, verb, one, session=one.session, remark=remark, **detail)
