"""The rounds of an evening: opened and closed by the director or by the clock. A session that is not paced
has all of its rounds open while it runs, and pays for nothing here."""

import json
from datetime import datetime, timedelta
from hashlib import sha256
from secrets import randbelow
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import Play, Round, Session, Submission, Table, TableAtPlay
from . import embargoes, feed, history, live_lists, sides, states
from .errors import Conflict, Invalid, Missing, Stale
from .states import Actor, State


class Pace(NamedTuple):
    """How rounds follow each other: see `Round`; in seconds."""

    duration: int | None = None
    warning: int | None = None
    grace: int = 0
    pause_before: int | None = None
    is_barometer: bool = False


def pace_of(session: Session) -> dict[str, Any] | None:
    """How the rounds of a session follow each other, as the first of them does; None where all are open."""
    first = session.rounds.order_by("number").first() if session.is_paced else None
    return None if first is None else {name: getattr(first, name) for name in Pace._fields}


@transaction.atomic
def pace(*, session: Session, actor: Actor, pace: Pace, seen: str | None = None) -> Session:
    """From now on the session's rounds are opened and closed, at this pace: those that wait. A round of which
    results have come in already is open. Invalid: a warning longer than its round. Conflict: the session is
    over."""
    if pace.duration is not None and (pace.warning or 0) > pace.duration:
        raise Invalid("bad-pace", _("A warning comes within its round."))
    session = _coming(session)
    states.check_seen(session, seen)
    if not session.is_paced:
        session.is_paced = True
        session.save(update_fields=["is_paced"])
        _note_change(session)
    _note_times(session)
    follow_plan(session, pace)
    session.rounds.filter(state=Round.State.WAITING).update(**pace._asdict(), opens_at=None)
    history.note(actor, "paced", session, session=session, **pace._asdict())
    return session


@transaction.atomic
def stop_pacing(*, session: Session, actor: Actor, seen: str | None = None) -> Session:
    """All rounds are open again, as without a pace. Boards of rounds that were closed stay as open as results
    make them."""
    session = _coming(session)
    states.check_seen(session, seen)
    if session.is_paced:
        session.is_paced = False
        session.save(update_fields=["is_paced"])
        session.rounds.all().delete()
        _note_change(session)
        history.note(actor, "stopped pacing", session, session=session)
    return session


def follow_plan(session: Session, pace: Pace | None = None) -> None:
    """The rounds of a paced session are those of its plays; new ones have the pace of the last."""
    if not session.is_paced:
        return
    there = {one.number: one for one in session.rounds.all()}
    plays = Play.objects.filter(board__board_set__session=session).order_by()
    numbers = dict(plays.values_list("round").annotate(last=Max("submissions")))
    if pace is None:
        last = there[max(there)]
        pace = Pace(last.duration, last.warning, last.grace, last.pause_before, last.is_barometer)
    now = timezone.now()
    Round.objects.bulk_create(
        Round(session=session, number=number, **pace._asdict())
        if submission is None
        else Round(
            session=session,
            number=number,
            state=Round.State.OPEN,
            opened_at=now,
            opened_after=0,
            **pace._asdict(),
        )
        for number, submission in sorted(numbers.items())
        if number not in there
    )
    session.rounds.filter(state=Round.State.WAITING).exclude(number__in=numbers).delete()


def stamp(one: Round) -> str:
    """What changes whenever a round does: whether it is open, and all of its times."""
    row = {name: value for name, value in vars(one).items() if name in ROUND_COLUMNS}
    until = sorted((extension.table_id, extension.until) for extension in one.extensions.all())
    return sha256(json.dumps([row, until], default=str, sort_keys=True).encode()).hexdigest()[:32]


ROUND_COLUMNS = {field.attname for field in Round._meta.concrete_fields}

# ── The director ──────────────────────────────────────────────────────────────────────────────────


@transaction.atomic
def open_round(
    *, session: Session, actor: Actor, number: int, reason: str = "", seen: str | None = None
) -> Round:
    """Its tables may hand in results from now on; the first round that is opened starts the session. One that
    was closed is opened again, with a reason, until the director closes it. Nothing happens to one that is
    open. Its cost does not grow with the tables.

    Conflict: the session is not being played; or, in a barometer, an earlier round is not closed yet; or it
    is too late in its event for another round.
    """
    session = _running(session)
    one = _round(session, number, seen)
    if one.state == Round.State.OPEN:
        return one
    _check_earlier_closed(one)
    again = one.state == Round.State.CLOSED
    if not again:
        embargoes.check_may_play(session)
    if again and not reason.strip():
        raise Invalid("no-reason", _("Say why the round is opened again."))
    _open(one, actor, timezone.now())
    history.note(
        actor,
        "reopened round" if again else "opened round",
        session,
        session=session,
        round=number,
        reason=reason,
    )
    return one


@transaction.atomic
def close_round(*, session: Session, actor: Actor, number: int, seen: str | None = None) -> Round:
    """Its tables have the grace still, and those with an extension that; then scorers and directors alone
    enter results of it. Nothing happens to one that is closed. Conflict: it has not been opened."""
    session = _running(session)
    one = _round(session, number, seen)
    if one.state == Round.State.WAITING:
        raise Conflict("round-waits", _("Round %(round)d has not been opened.") % {"round": number})
    if one.state == Round.State.OPEN:
        _close(one, timezone.now())
        history.note(actor, "closed round", session, session=session, round=number)
    return one


@transaction.atomic
def take_back_closing(*, session: Session, actor: Actor, number: int, ends_at: datetime | None) -> Round:
    """The round was closed by mistake: it is open as it was, until `ends_at` or, without, until somebody
    closes it. Conflict once the next one has been opened, or while it waits for its own opening."""
    session = _running(session)
    one = _round(session, number)
    if one.state == Round.State.OPEN:
        return one
    following = session.rounds.filter(number=number + 1).first()
    if one.state == Round.State.WAITING or (following and following.state != Round.State.WAITING):
        raise Conflict("round-open", _("Another round is open by now: open this one again with a reason."))
    _open(one, actor, timezone.now())
    if ends_at is not None and ends_at > timezone.now():
        one.ends_at = ends_at
        one.save(update_fields=["ends_at"])
    session.rounds.filter(number=number + 1).update(opens_at=None)
    history.note(actor, "took back closing", session, session=session, round=number)
    return one


@transaction.atomic
def take_back_opening(*, session: Session, actor: Actor, number: int, seen: str | None = None) -> Round:
    """The round was opened too early: it waits again. Conflict once a result of it has come in, or once it
    has been closed."""
    session = _running(session)
    one = _round(session, number, seen)
    if one.state == Round.State.WAITING:
        return one
    if one.state == Round.State.CLOSED:
        raise Conflict("round-closed", _("Round %(round)d is closed.") % {"round": number})
    own = Submission.objects.filter(play__board__board_set__session=session, play__round=number)
    if own.exists():
        message = _("Results of round %(round)d have come in already.")
        raise Conflict("round-begun", message % {"round": number}, {"round": number})
    one.extensions.all().delete()
    one.state, one.opened_at, one.opened_after = Round.State.WAITING, None, None
    one.ends_at = one.paused_at = None
    one.save()
    _note_change(session)
    history.note(actor, "took back round", session, session=session, round=number)
    return one


@transaction.atomic
def pause(*, session: Session, actor: Actor, number: int, paused: bool, seen: str | None = None) -> Round:
    """Stop the clock of an open round, or let it go on: it then ends so much later. Tables hand in what they
    have meanwhile."""
    session = _running(session)
    one = _round(session, number, seen)
    if one.state != Round.State.OPEN:
        raise Conflict("round-not-open", _("Round %(round)d is not open.") % {"round": number})
    now = timezone.now()
    if paused == (one.paused_at is not None):
        return one
    if one.paused_at is None:
        one.paused_at = now
    else:
        _go_on(one, now)
    one.save(update_fields=["ends_at", "paused_at"])
    _note_times(session)
    history.note(actor, "paused round" if paused else "resumed round", session, session=session, round=number)
    return one


@transaction.atomic
def extend(
    *,
    session: Session,
    actor: Actor,
    number: int,
    minutes: int,
    section: str | None = None,
    table: int | None = None,
) -> Round:
    """So much more time, for all tables, or for one (`section` and `table`) after the others have ended.

    Missing: no such table. Conflict: the round has no clock that could be put back, or is over even with its
    grace.
    """
    session = _running(session)
    one = _round(session, number)
    if one.state == Round.State.WAITING or one.settled_at is not None:
        raise Conflict("round-not-open", _("Round %(round)d is not open.") % {"round": number})
    more = timedelta(minutes=minutes)
    is_closed = one.state == Round.State.CLOSED
    if (end := one.takes_until if is_closed else one.ends_at) is None:
        message = _("Round %(round)d ends when it is closed: it needs no more time.")
        raise Conflict("round-without-end", message % {"round": number})
    if table is None:
        if is_closed:
            message = _("Round %(round)d is closed: give one table more time, or open it again.")
            raise Conflict("round-closed", message % {"round": number})
        one.ends_at = end + more
        one.save(update_fields=["ends_at"])
    else:
        own = Table.objects.filter(section__session=session, number=table, section__name=section or "A")
        if (the_table := own.first()) is None:
            raise Missing("no-such-table", _("There is no such table."))
        end += timedelta() if is_closed else timedelta(seconds=one.grace)
        before = one.extensions.filter(table=the_table).first()
        until = (end if before is None else max(before.until, end)) + more
        one.extensions.update_or_create(table=the_table, defaults={"until": until})
        if is_closed:
            one.settles_at = until if one.settles_at is None else max(one.settles_at, until)
            one.save(update_fields=["settles_at"])
    _note_times(session)
    at = None if table is None else f"{section or 'A'}{table}"
    history.note(actor, "extended round", session, session=session, round=number, minutes=minutes, table=at)
    return one


@transaction.atomic
def take_back_extension(
    *,
    session: Session,
    actor: Actor,
    number: int,
    minutes: int,
    table: int | None = None,
    until: datetime | None = None,
) -> Round:
    """More time was given by mistake, to all tables or to one (its id); `until`: when the round, or the
    table's time, ended after that. Conflict where it no longer does, or the time would be over already: it
    is taken back once."""
    session = _running(session)
    one, less, now = _round(session, number), timedelta(minutes=minutes), timezone.now()
    if table is None:
        rows, end = session.rounds.filter(pk=one.pk, state=Round.State.OPEN), "ends_at"
    else:
        rows, end = one.extensions.filter(table=table), "until"  # type: ignore[assignment]
    if until is not None:
        rows = rows.filter(**{end: until})
    if not rows.filter(**{f"{end}__gt": now + less}).update(**{end: F(end) - less}):
        raise Conflict("time-over", _("The time that was given has been used by now."))
    one.refresh_from_db()
    _note_times(session)
    history.note(actor, "took back extension", session, session=session, round=number, minutes=minutes)
    return one


@transaction.atomic
def seat(*, session: Session, actor: Actor, number: int, table: Table, seated: bool) -> None:
    """A table says that it sits, and begins to play a round; or that it does not after all. Nothing happens
    where that is known. Missing: it does not play in that round. Conflict: the session, or the round, is not
    being played; or a result of the table has come in, and it has played."""
    session = states.held(session)
    if session.state not in (State.READY, State.RUNNING):
        raise Conflict("session-not-played", _("The session is not being played now."))
    plays = Play.objects.filter(table=table, round=number)
    if not plays.exists():
        raise Missing("no-such-play", _("This table does not play in round %(round)d.") % {"round": number})
    if session.is_paced and _round(session, number).state == Round.State.WAITING:
        raise Conflict("round-waits", _("Round %(round)d has not been opened.") % {"round": number})
    if not seated and Submission.objects.filter(play__in=plays).exists():
        message = _("Results of round %(round)d have come in already.")
        raise Conflict("round-begun", message % {"round": number}, {"round": number})
    own = TableAtPlay.objects.filter(session=session, table=table, round=number)
    if seated == own.exists():
        return
    if seated:
        TableAtPlay.objects.create(session=session, table=table, round=number)
    else:
        own.delete()
    sides.note_change([session.pk])
    verb = "seated" if seated else "took back seated"
    history.note(
        actor, verb, table, session=session, round=number, section=table.section.name, table=table.number
    )


# ── The clock ─────────────────────────────────────────────────────────────────────────────────────


def keep_time(*, now: datetime | None = None) -> int:
    """Open, close and settle what is due, in one transaction for each session; the number of rounds. Doing it
    twice, or late, does what doing it once does, only later."""
    now = now or timezone.now()
    sessions = Round.objects.due(now).order_by("session").values_list("session", flat=True).distinct()
    return sum(_keep_time_of(pk, now) for pk in list(sessions))


@transaction.atomic
def _keep_time_of(session_id: int, now: datetime) -> int:
    session = states.locked(Session(pk=session_id))
    due = list(session.rounds.due(now).order_by("number"))
    for one in due:
        if one.state == Round.State.OPEN:
            _close(one, now)
            history.note(None, "closed round", session, session=session, round=one.number)
        elif one.state == Round.State.CLOSED:
            one.settled_at = now
            one.save(update_fields=["settled_at"])
            _note_change(session)
        elif embargoes.is_too_late(session):
            one.opens_at = None
            one.save(update_fields=["opens_at"])
        elif not _is_held_up(one):
            _open(one, None, now)
            history.note(None, "opened round", session, session=session, round=one.number)
    return len(due)


def is_due(*, now: datetime) -> bool:
    return Round.objects.due(now).exists()


# ── How a round changes ───────────────────────────────────────────────────────────────────────────


def _open(one: Round, actor: Actor, now: datetime) -> None:
    session = one.session
    if session.state == State.READY:
        states.start(session, actor, states.Grounds())
    if one.state == Round.State.WAITING:
        feed.note_round(session, one.number)
        one.opened_after = Submission.objects.aggregate(last=Max("pk"))["last"] or 0
        one.ends_at = None if one.duration is None else now + timedelta(seconds=one.duration)
    else:
        one.ends_at = None  # the director closes it
    one.state, one.opened_at = Round.State.OPEN, one.opened_at or now
    one.opens_at = one.closed_at = one.takes_until = one.settles_at = one.settled_at = None
    one.save()
    _note_change(session)


def _go_on(one: Round, now: datetime) -> None:
    """The clock of a paused round goes on: everything comes later by as long as it stood."""
    if one.paused_at is not None:
        later = now - one.paused_at
        one.ends_at, one.paused_at = one.ends_at and one.ends_at + later, None
        one.extensions.update(until=F("until") + later)


def _close(one: Round, now: datetime) -> None:
    _go_on(one, now)  # tables with an extension have what was left of it
    one.state, one.closed_at = Round.State.CLOSED, now
    one.ends_at = None
    one.takes_until = now + timedelta(seconds=one.grace)
    extended = one.extensions.aggregate(last=Max("until"))["last"]
    one.settles_at = max(one.takes_until, extended or one.takes_until)
    one.settled_at = now if one.settles_at <= now else None
    one.save()
    following = Round.objects.filter(
        session=one.session_id, number=one.number + 1, state=Round.State.WAITING, pause_before__isnull=False
    ).first()
    if following is not None:
        following.opens_at = now + timedelta(seconds=following.pause_before or 0)
        following.save(update_fields=["opens_at"])
    _note_change(one.session)


def _is_held_up(one: Round) -> bool:
    """Whether a round of a barometer waits for an earlier one."""
    earlier = one.session.rounds.filter(number__lt=one.number)
    return one.is_barometer and earlier.exclude(settled_at__isnull=False).exists()


def _check_earlier_closed(one: Round) -> None:
    if _is_held_up(one):
        message = _("All tables play the same boards: an earlier round than round %(round)d is not over yet.")
        raise Conflict("earlier-round", message % {"round": one.number}, {"round": one.number})


def _note_change(session: Session) -> None:
    """Whoever has an answer about the session asks anew: somebody may see more or less of its boards. Drawn,
    not counted: a count comes again once a transaction was rolled back, with what a process found in it."""
    Session.objects.filter(pk=session.pk).update(round_changes=1 + randbelow(2**31 - 1))
    live_lists.look_again([session.pk])


def _note_times(session: Session) -> None:
    """Whoever has an answer about the session asks anew, though nobody sees more or less of its boards."""
    Session.objects.filter(pk=session.pk).update(clock_changes=F("clock_changes") + 1)


# ── What is asked for ─────────────────────────────────────────────────────────────────────────────


def _coming(session: Session) -> Session:
    session = states.locked(session)
    if session.state not in Session.COMING:
        raise Conflict("session-finished", _("The session is finished."))
    return session


def _running(session: Session) -> Session:
    """A session whose rounds are opened and closed now."""
    session = states.locked(session)
    if session.state not in (State.READY, State.RUNNING):
        raise Conflict("session-not-played", _("The session is not being played now."))
    if not session.is_paced:
        message = _("The rounds of this session are not opened and closed: give it a pace first.")
        raise Conflict("not-paced", message)
    return session


def _round(session: Session, number: int, seen: str | None = None) -> Round:
    one = session.rounds.filter(number=number).first()
    if one is None:
        message = _("The session has no round %(number)d.") % {"number": number}
        raise Missing("no-such-round", message)
    if seen is not None and stamp(one) != seen:
        message = _("Round %(round)d has changed meanwhile: look at it again.") % {"round": number}
        raise Stale("changed-meanwhile", message)
    return one
