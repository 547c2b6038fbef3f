"""The states of a session, from a draft to the list that is final. Each arrow is one function: its condition,
its line in the history, and, where nobody has relied on it yet, an arrow that leads back."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import Account, HistoryEntry, Play, Round, Session, Submission, Token, Tournament
from . import (
    board_sets,
    bulk,
    embargoes,
    events,
    feed,
    history,
    live_lists,
    points_news,
    queue,
    rating_news,
    season_news,
)
from .errors import Conflict, Invalid, Missing, Stale

State = Session.State
Actor = Token | Account | None

MISSING_SHOWN = 100


class Grounds(NamedTuple):
    """What comes with a change of state. `confirmed`: whoever asks knows what is missing; `until`: when the
    clock is to make a provisional list final."""

    reason: str = ""
    confirmed: bool = False
    until: datetime | None = None


@transaction.atomic
def change(
    *,
    session: Session,
    actor: Actor,
    to: str,
    reason: str = "",
    confirmed: bool = False,
    until: datetime | None = None,
    seen: str | None = None,
) -> Session:
    """Bring a session into another state; nothing happens where it is in that state. Conflict: no arrow leads
    there, or its condition is not met; Invalid: it wants a reason. Stale: it is not as it was `seen`."""
    session = locked(session)
    check_seen(session, seen)
    if session.state == to:
        return session
    arrow = ARROWS.get((State(session.state), State(to)))
    if arrow is None:
        message = _("A session that is “%(state)s” cannot become “%(to)s”.")
        names = {"state": State(session.state).label, "to": State(to).label}
        facts = {"state": str(session.state), "to": str(to), "possible": next_states(session)}
        raise Conflict("no-such-change", message % names, facts)
    arrow(session, actor, Grounds(reason.strip(), confirmed, until))
    return session


def next_states(session: Session) -> list[str]:
    """The states that somebody may bring a session into, in the order in which an evening has them."""
    there = [str(to) for before, to in ARROWS if before == session.state]
    return sorted(there, key=list(State.values).index)


def locked(session: Session) -> Session:
    """The session as it is now, held until the end of the transaction: whoever stores results for it waits,
    or is done. Missing: somebody has deleted it meanwhile."""
    rows = Session.objects.select_for_update(no_key=True, of=("self",)).select_related("tournament")
    found = rows.filter(pk=session.pk).first()
    if found is None:
        raise Missing("no-such-session", _("There is no such session any more."))
    return found


def stamp(session: Session) -> str:
    """What changes whenever somebody brings a session into another state, lists it, mends it or changes its
    clock, or plans it otherwise; not with its results, nor with what its clock does by itself."""
    times = [one and one.isoformat() for one in (session.starts_at, session.corrections_until)]
    content = [session.name, session.state, session.listed, session.is_paced, session.clock_changes]
    content += [session.live, session.tally.layout, *times]
    return sha256(json.dumps(content).encode()).hexdigest()[:32]


def check_seen(session: Session, seen: str | None) -> None:
    """Stale if this is not what somebody has seen who changes it, by its stamp; None: they do not say."""
    if seen is not None and stamp(session) != seen:
        message = _("Somebody else has changed the session meanwhile: look at it again.")
        raise Stale("changed-meanwhile", message)


def held(session: Session) -> Session:
    """The session as it is now, and stays until the end of the transaction, while others store results for
    it or hold it too."""
    bulk.select(
        "SELECT session.id FROM {wanted} JOIN tournaments_session session ON session.id = wanted.id",
        {"id": ("bigint", [session.pk])},
        lock="FOR SHARE OF session",
    )
    return Session.objects.select_related("tournament").get(pk=session.pk)


# ── Before play ───────────────────────────────────────────────────────────────────────────────────


def make_ready(session: Session, actor: Actor, _grounds: Grounds) -> None:
    """Conflict while its boards wait for a public value, or once it is too late in its event."""
    board_sets.check_dealt(session)
    embargoes.check_may_play(session)
    _move(session, actor, State.READY, "made ready")


def make_draft(session: Session, actor: Actor, _grounds: Grounds) -> None:
    """Conflict once somebody has relied on its being ready."""
    _check_not_begun(session)
    _move(session, actor, State.DRAFT, "made draft")


def start(session: Session, actor: Actor, _grounds: Grounds) -> None:
    """Also automatically: the first round that is opened starts it, or the first result that comes in.
    Conflict once it is too late in its event."""
    embargoes.check_may_play(session)
    _move(session, actor, State.RUNNING, "started")


def take_back_start(session: Session, actor: Actor, _grounds: Grounds) -> None:
    """Conflict once a result has come in, or while a round is open."""
    _check_not_begun(session)
    _move(session, actor, State.READY, "took back start")


def cancel(session: Session, actor: Actor, grounds: Grounds) -> None:
    """Nobody hands in anything any more, and its boards stay closed. Invalid without a reason."""
    _check_reason(grounds)
    _move(session, actor, State.CANCELLED, "cancelled", reason=grounds.reason)


def reinstate(session: Session, actor: Actor, grounds: Grounds) -> None:
    """It takes place after all; Invalid without a reason. Conflict once somebody has handed something in:
    then it goes on where it was (`reopen`). Conflict while its boards wait for a public value: it is a draft
    again before it is anything else. Conflict once it is too late in its event."""
    _check_reason(grounds)
    board_sets.check_dealt(session)
    embargoes.check_may_play(session)
    _check_not_begun(session)
    _move(session, actor, State.READY, "reinstated", reason=grounds.reason)


def reinstate_draft(session: Session, actor: Actor, grounds: Grounds) -> None:
    """It may take place after all, and something is missing still. Invalid without a reason; Conflict once
    somebody has handed something in."""
    _check_reason(grounds)
    embargoes.check_may_play(session)
    _check_not_begun(session)
    _move(session, actor, State.DRAFT, "reinstated", reason=grounds.reason)


# ── The end of play ───────────────────────────────────────────────────────────────────────────────


def end_play(session: Session, actor: Actor, grounds: Grounds) -> None:
    """Tables hand in no more. Where the list is public already, it is provisional from now on. Conflict where
    results are missing, and nobody has confirmed that."""
    if not grounds.confirmed and (plays := missing(session)):
        count, names = len(plays), ("round", "section", "table", "board")
        message = _(
            "Results are missing: %(count)d. The session can end without them, if you confirm that you know."
        )
        rows = [{name: play[name] for name in names} for play in plays[:MISSING_SHOWN]]
        details = {"count": count, "missing": rows}
        raise Conflict("results-missing", message % details, details)
    _move(session, actor, State.PLAYED, "finished")
    session.announcements.filter(ended_at=None).update(ended_at=timezone.now())  # while they played
    if session.listed:
        make_provisional(session, actor, grounds)
    queue.after_commit("judge")


def missing(session: Session) -> list[dict[str, Any]]:
    """The plays of a session with neither a result that counts nor a ruling for every seat, by round and
    table. One query."""
    plays = Play.objects.filter(board__board_set__session=session, result=None)
    rows = plays.order_by("round", "table__section__name", "table__number", "board__number").values(
        "pk",
        "round",
        "ruled__entries",
        section=F("table__section__name"),
        at=F("table__number"),
        number=F("board__number"),
    )
    return [
        {**row, "table": row["at"], "board": row["number"]}
        for row in rows
        if leaves_open(row["ruled__entries"])
    ]


def is_missing_any(session: Session) -> bool:
    """Whether there is one of these. It reads no more than it needs to know."""
    plays = Play.objects.filter(board__board_set__session=session, result=None)
    return any(map(leaves_open, plays.values_list("ruled__entries", flat=True).iterator(chunk_size=100)))


def leaves_open(ruled: Sequence[str | None] | None) -> bool:
    """Whether what was ruled on a play without a result says nothing for some seat."""
    return not ruled or None in ruled


def reopen(session: Session, actor: Actor, grounds: Grounds) -> None:
    """It has been finished too early: tables go on handing in. Invalid without a reason, as boards that were
    open close again only for those who have not looked. Conflict while its boards wait for a public value,
    or once it is too late in its event."""
    _check_reason(grounds)
    board_sets.check_dealt(session)
    embargoes.check_may_play(session)
    session.corrections_until = None
    _move(session, actor, State.RUNNING, "reopened", reason=grounds.reason)
    live_lists.look_again([session.pk])


def make_provisional(session: Session, actor: Actor, grounds: Grounds) -> None:
    """Its list stands, unless somebody objects until it is final: when the director says so or, with `until`
    or by the terms of its event, the clock."""
    session.corrections_until = grounds.until or events.corrections_until(session, now=timezone.now())
    _move(session, actor, State.PROVISIONAL, "made provisional")


@transaction.atomic
def correct_until(*, session: Session, actor: Actor, until: datetime | None) -> Session:
    """Another end of the time for corrections; None: the list becomes final when the director says so.
    Conflict unless it is provisional."""
    session = locked(session)
    if session.state != State.PROVISIONAL:
        raise Conflict("not-provisional", _("Corrections have an end while the list is provisional."))
    changes = {"corrections_until": (_told(session.corrections_until), _told(until))}
    session.corrections_until = until
    session.save(update_fields=["corrections_until"])
    history.note(actor, "mended", session, session=session, changes=changes)
    return session


def take_back_list(session: Session, actor: Actor, _grounds: Grounds) -> None:
    """The list is not to stand yet."""
    session.corrections_until = None
    _move(session, actor, State.PLAYED, "took back list")


def make_final(session: Session, actor: Actor, _grounds: Grounds) -> None:
    _move(session, actor, State.FINAL, "made final")


def amend(session: Session, actor: Actor, grounds: Grounds) -> None:
    """What was final has been changed. Also automatically, where a result comes in after the end. Invalid
    without a reason."""
    _check_reason(grounds)
    _move(session, actor, State.AMENDED, "amended", reason=grounds.reason)


@transaction.atomic
def take_back(*, session: Session, actor: Account, to: str, until: datetime | None = None) -> Session:
    """Undo at once what no arrow leads back from: a list that was made final, or amended, by mistake is what
    it was before. `until`: when the clock is to make it final, unless that is past. Conflict unless this was
    the last change of state, less than `UNDONE_WITHIN` ago, and by the same account: what has been final for
    longer is what people rely on."""
    session = locked(session)
    back = TAKEN_BACK.get((State(session.state), State(to)))
    own = HistoryEntry.objects.of(session=session).filter(verb__in=STATED).order_by("-pk").first()
    if back is None or own is None or (own.verb, own.account_id) != (back.undone, actor.pk):
        raise Conflict("not-yours", _("Somebody else has changed this meanwhile, so it stays."))
    now = timezone.now()
    if own.at < now - UNDONE_WITHIN:
        raise Conflict("relied-on", _("It has been so for too long: somebody may have relied on it."))
    if to == State.PROVISIONAL:
        session.corrections_until = until if until is not None and until > now else None
    _move(session, actor, State(to), back.verb)
    return session


class Back(NamedTuple):
    """What is undone, and what the history says of that."""

    undone: str
    verb: str


TAKEN_BACK: Mapping[tuple[State, State], Back] = {
    (State.FINAL, State.PROVISIONAL): Back("made final", "took back final"),
    (State.AMENDED, State.FINAL): Back("amended", "took back amendment"),
}
UNDONE_WITHIN = timedelta(minutes=15)
STATED = (
    *("finished", "reopened", "made provisional", "took back list"),
    *("made final", "took back final", "amended", "took back amendment"),
)

Arrow = Callable[[Session, Actor, Grounds], None]

ARROWS: Mapping[tuple[State, State], Arrow] = {
    (State.DRAFT, State.READY): make_ready,
    (State.READY, State.DRAFT): make_draft,
    (State.READY, State.RUNNING): start,
    (State.RUNNING, State.READY): take_back_start,
    (State.READY, State.PLAYED): end_play,
    (State.RUNNING, State.PLAYED): end_play,
    (State.PLAYED, State.RUNNING): reopen,
    (State.PROVISIONAL, State.RUNNING): reopen,
    (State.PLAYED, State.PROVISIONAL): make_provisional,
    (State.PROVISIONAL, State.PLAYED): take_back_list,
    (State.PROVISIONAL, State.FINAL): make_final,
    (State.FINAL, State.AMENDED): amend,
    (State.DRAFT, State.CANCELLED): cancel,
    (State.READY, State.CANCELLED): cancel,
    (State.RUNNING, State.CANCELLED): cancel,
    (State.CANCELLED, State.DRAFT): reinstate_draft,
    (State.CANCELLED, State.READY): reinstate,
    (State.CANCELLED, State.RUNNING): reopen,
}


def _move(session: Session, actor: Actor, to: State, verb: str, **detail: Any) -> None:
    before = State(session.state)
    changes = {"state": (str(before), str(to))}
    session.state = to
    session.save(update_fields=["state", "corrections_until"])
    history.note(actor, verb, session, session=session, changes=changes, **detail)
    feed.note_state(session, before)
    events.follow(session)
    season_news.changed_session(session)
    rating_news.changed_session(session)
    points_news.changed_session(session)


def _check_reason(grounds: Grounds) -> None:
    if not grounds.reason:
        raise Invalid("no-reason", _("Say why."))


def _check_not_begun(session: Session) -> None:
    if Submission.objects.filter(play__board__board_set__session=session).exists():
        raise Conflict("begun", _("Results have come in already."))
    if session.rounds.filter(state=Round.State.OPEN).exists():
        raise Conflict("begun", _("A round is open."))


def can_be_taken_back(session: Session) -> bool:
    """Whether nobody has relied yet on a session's being ready, or running. Two queries."""
    try:
        _check_not_begun(session)
    except Conflict:
        return False
    return True


# ── What happens automatically ────────────────────────────────────────────────────────────────────


@transaction.atomic
def start_all(ids: Collection[int]) -> None:
    """Results of these sessions have come in: those that were ready are running."""
    for session in _in_state(ids, State.READY):
        _move(session, None, State.RUNNING, "started")  # in time: `storing` has taken them


@transaction.atomic
def amend_all(ids: Collection[int]) -> None:
    """Results of these sessions count that came after the end: those that were final are amended."""
    for session in _in_state(ids, State.FINAL):
        _move(session, None, State.AMENDED, "amended")


def _in_state(ids: Collection[int], state: State) -> list[Session]:
    rows = Session.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=ids, state=state)
    return list(rows.select_related("tournament").order_by("pk"))


@transaction.atomic
def make_due_final(*, now: datetime | None = None) -> int:
    """Make final what has been provisional long enough; the number of sessions."""
    due = Session.objects.select_for_update(no_key=True, skip_locked=True)
    sessions = list(due.filter(_is_due(now or timezone.now())).order_by("pk"))
    for session in sessions:
        make_final(session, None, Grounds())
    return len(sessions)


def is_one_due(*, now: datetime) -> bool:
    return Session.objects.filter(_is_due(now)).exists()


def _is_due(now: datetime) -> Any:
    return Q(state=State.PROVISIONAL, corrections_until__lte=now)


# ── Ends, lists and names ───────────────────────────────────────────────────────────────────────────


@transaction.atomic
def finish(*, session: Session, actor: Actor, confirmed: bool = True) -> Session:
    """End the play; nothing happens where it has ended. `confirmed`: whoever asks knows which results are
    missing; otherwise Conflict tells them."""
    session = locked(session)
    return (
        session
        if session.is_over
        else change(session=session, actor=actor, to=State.PLAYED, confirmed=confirmed)
    )


@transaction.atomic
def publish(
    *, session: Session, actor: Actor, listed: bool, reason: str = "", seen: str | None = None
) -> Session:
    """Show the list to everybody, or withdraw it, for a reason if there is one. The list of a session that
    has been played is provisional from then on. Stale: the session is not as it was `seen`."""
    session = locked(session)
    check_seen(session, seen)
    if session.listed != listed:
        session.listed = listed
        session.save(update_fields=["listed"])
        verb, changes = "published" if listed else "withdrew", {"listed": (not listed, listed)}
        why: dict[str, Any] = {"reason": reason.strip()} if reason.strip() else {}
        history.note(actor, verb, session, session=session, changes=changes, **why)
        feed.note_listed(session)
        season_news.changed_session(session)
        rating_news.changed_session(session)
        points_news.changed_session(session)
    if listed and session.state == State.PLAYED:
        make_provisional(session, actor, Grounds())
    return session


@transaction.atomic
def mend(*, session: Session, actor: Actor, seen: str | None = None, **new: Any) -> Session:
    """Another `name`, another time at which it begins (`starts_at`), or other lists for everybody while it is
    played (`live`): at any time. The history says what it was. Stale: the session is not as it was `seen`."""
    session = locked(session)
    check_seen(session, seen)
    if "name" in new and not new["name"].strip():
        raise Invalid("no-name", _("A session needs a name."))
    if new.get("starts_at") is not None and session.leg is not None:
        events.check_start(session.leg, session.tournament.club, new["starts_at"])
    before = {name: getattr(session, name) for name in new}
    changed = {name: value for name, value in new.items() if before[name] != value}
    for name, value in changed.items():
        setattr(session, name, value)
    if changed:
        session.save(update_fields=list(changed))
        told = {name: (_told(before[name]), _told(value)) for name, value in changed.items()}
        history.note(actor, "mended", session, session=session, changes=told)
    if "live" in changed:
        live_lists.look_again([session.pk])
    return session


@transaction.atomic
def mend_tournament(
    *, tournament: Tournament, actor: Actor, name: str, seen: str | None = None
) -> Tournament:
    """Another name, which all of its sessions show. Stale: it has not the name that was `seen`, by its
    stamp."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    if seen is not None and tournament_stamp(tournament) != seen:
        raise Stale("changed-meanwhile", _("Somebody else has changed the tournament meanwhile."))
    if tournament.name != name:
        changes = {"name": (tournament.name, name)}
        tournament.name = name
        tournament.save(update_fields=["name"])
        history.note(actor, "mended", tournament, tournament=tournament, changes=changes)
    return tournament


def tournament_stamp(tournament: Tournament) -> str:
    """What changes with its name."""
    return sha256(json.dumps([tournament.pk, tournament.name]).encode()).hexdigest()[:32]


def _told(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
