"""Long work leaves the request and the lock: a job says what was asked for, a worker computes it outside any
transaction, and a short one writes what came of it, together with the end of the job.

Whatever ends a worker, another begins the job again once the first one's time is over; since only who holds a
job ends it, twice does what once does. What a job was computed from may change meanwhile: then it is computed
again.
"""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from time import monotonic
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from engines.phrases import LANGUAGES
from engines.public_values import PublicValue

from ..models import Account, Club, Job, Session, Tournament
from ..models.accounts import RoleKind
from ..movements.cooling import Progress
from . import (
    archive_imports,
    archive_reading,
    archives,
    costs,
    evenings,
    events,
    history,
    next_rounds,
    paper_amendments,
    prints,
    queue,
    ratings,
    registrations,
    rehearsals,
    replacing,
    replanning,
    roles,
    rounds,
    sessions,
    states,
)
from .errors import Conflict, Outdated, Refused

log = logging.getLogger(__name__)

HELD_SECONDS = 60.0  # without a sign of life, for the first attempt; as much more for each other
ATTEMPTS = 4
COMPUTATIONS = 5  # of what changes again and again meanwhile
TELL_SECONDS = 0.3  # between two signs of life, at least
BROKEN = "broken"  # the code of an error of the program's
WITHOUT_REQUEST = (Job.Kind.ARCHIVE, Job.Kind.UNPACK, Job.Kind.RATE)

Store = Callable[[], Session | None]
"""What writes the result, in a short transaction; the session that it has made or changed."""


class NotHeld(Exception):
    """Another worker has begun the job, or somebody has cancelled it: nothing is to be written any more."""


# ── Asking ────────────────────────────────────────────────────────────────────────────────────────


@transaction.atomic
def ask(
    kind: Job.Kind,
    *,
    tournament: Tournament,
    sender: history.Actor,
    name: str,
    request: dict[str, Any],
    session: Session | None = None,
) -> Job:
    """A job that waits for a worker. `request`: the arguments of the service that does it, as JSON."""
    asked = {"account": sender} if isinstance(sender, Account) else {"sender": sender}
    job = Job.objects.create(
        kind=kind, tournament=tournament, name=name, request=request, session=session, **asked
    )
    queue.after_commit("work", str(job.pk))
    return job


@transaction.atomic
def ask_for_rehearsal(*, session: Session, sender: history.Actor, request: dict[str, Any]) -> Job:
    """A job in which robots rehearse a session. Conflict while another waits or is done: each has a worker
    to itself for as long as it takes."""
    session = states.locked(session)
    others = Job.objects.filter(session=session, kind=Job.Kind.REHEARSE)
    if others.filter(state__in=[Job.State.WAITING, Job.State.RUNNING]).exists():
        raise Conflict("rehearsed-now", _("This session is being rehearsed already: wait, or cancel that."))
    return ask(
        Job.Kind.REHEARSE,
        tournament=session.tournament,
        session=session,
        sender=sender,
        name=session.name,
        request=request,
    )


def ask_for_prints(*, session: Session, sender: history.Actor, request: dict[str, Any]) -> Job:
    """A job that prints what was asked for; the one that waits or draws already, where the same person has
    just asked for the same. Invalid, Forbidden: as `prints.check` says."""
    assert sender is not None
    wish = prints.check(session=session, actor=sender, request=request)
    own = {"account": sender} if isinstance(sender, Account) else {"sender": sender}
    going = [Job.State.WAITING, Job.State.RUNNING]
    for job in Job.objects.filter(session=session, kind=Job.Kind.PRINT, state__in=going, **own):
        if job.request == wish:
            return job
    return ask(
        Job.Kind.PRINT,
        tournament=session.tournament,
        session=session,
        sender=sender,
        name=session.name,
        request=wish,
    )


def ask_for_archive(*, tournament: Tournament, session: Session | None, sender: history.Actor) -> Job:
    """A job that makes the archive of a session, or of a tournament; the one that waits or works already,
    where the same person has just asked for it. Forbidden, Conflict: as `archives.check` says."""
    archives.check(tournament=tournament, session=session, actor=sender)
    own = {"account": sender} if isinstance(sender, Account) else {"sender": sender}
    going = Job.objects.filter(
        kind=Job.Kind.ARCHIVE,
        tournament=tournament,
        session=session,
        state__in=[Job.State.WAITING, Job.State.RUNNING],
        **own,
    )
    return going.first() or ask(
        Job.Kind.ARCHIVE,
        tournament=tournament,
        session=session,
        sender=sender,
        name=tournament.name if session is None else session.name,
        request={},
    )


def ask_to_rate(*, club: Club, sender: history.Actor) -> Job:
    """A job that makes a club's ratings from its first evening on; from then on they follow. Conflict: it has
    no tournament."""
    tournament = club.tournaments.order_by("-pk").first()
    if tournament is None:
        raise Conflict("nothing-played", _("Nothing has been played at this club yet."))
    return ask(Job.Kind.RATE, tournament=tournament, sender=sender, name=club.name, request={})


@transaction.atomic
def ask_to_unpack(*, tournament: Tournament, sender: history.Actor, content: bytes) -> Job:
    """A job that takes the sessions of an archive into a tournament. Invalid: it is not an archive, or not
    whole."""
    archive_reading.check(content)
    job = ask(Job.Kind.UNPACK, tournament=tournament, sender=sender, name=tournament.name, request={})
    archive_imports.bring(job=job, content=content)
    return job


@transaction.atomic
def cancel(*, job: Job) -> Job:
    """Give a job up, unless it is over."""
    job = Job.objects.select_for_update(no_key=True, of=("self",)).get(pk=job.pk)
    if not job.is_over:
        _end(job, Job.State.CANCELLED)
    return job


def broken() -> QuerySet[Job]:
    """Those that an error of the program's has ended."""
    return Job.objects.filter(state=Job.State.FAILED, error__en__code=BROKEN)


@transaction.atomic
def retry(*, job: Job, actor: history.Actor) -> Job:
    """Let a worker do again, from the beginning, what an error of the program's has ended. Conflict: nothing
    has, or what was asked for is not kept."""
    job = Job.objects.select_for_update(no_key=True, of=("self",)).select_related("tournament").get(pk=job.pk)
    if not may_be_retried(job):
        raise Conflict("not-retried", _("This work cannot be done again: ask for it anew."))
    job.state, job.error, job.ended_at, job.started_at = Job.State.WAITING, None, None, None
    job.attempt = -(-job.attempt // (ATTEMPTS + 1)) * (ATTEMPTS + 1)
    job.save(update_fields=["state", "error", "ended_at", "started_at", "attempt"])
    history.note(
        actor, "asked to work again", job, session=job.session, tournament=job.tournament, kind=job.kind
    )
    queue.after_commit("work", str(job.pk))
    return job


def may_be_retried(job: Job) -> bool:
    """Whether a failed job was ended by an error of the program's, and what was asked for is still known."""
    if job.state != Job.State.FAILED or job.error is None or job.error["en"]["code"] != BROKEN:
        return False
    return bool(job.request) or job.kind in WITHOUT_REQUEST


# ── Doing ─────────────────────────────────────────────────────────────────────────────────────────


def do(*, job_id: UUID) -> None:
    """Do a job that nobody else is doing. Twice, late or on two workers at once does what once does."""
    job = _take(job_id)
    if job is None:
        return
    try:
        if _tried(job) > ATTEMPTS:
            raise RuntimeError(f"{ATTEMPTS} workers have ended while they did this job")
        _do_or_say_why(job)
    except NotHeld:
        log.info("job %s is no longer ours", job.pk)
    except Exception:
        log.exception("job %s failed", job.pk)
        _fail(job, {language: _internal_error(language) for language in LANGUAGES})


def _take(job_id: UUID) -> Job | None:
    now = timezone.now()
    taken = (
        Job.objects.free(now)
        .filter(pk=job_id)
        .update(
            state=Job.State.RUNNING,
            attempt=F("attempt") + 1,
            held_until=now + timedelta(seconds=HELD_SECONDS),
            started_at=Coalesce("started_at", now),
            progress=0.0,
        )
    )
    if not taken:
        return None
    job = Job.objects.select_related("tournament__club", "session", "sender__role__account", "account").get(
        pk=job_id
    )
    if job.attempt > 1:  # whoever was too slow may have been alive
        mine = Job.objects.filter(pk=job_id, attempt=job.attempt)
        mine.update(held_until=now + _patience(job))
    return job


def _patience(job: Job) -> timedelta:
    return timedelta(seconds=HELD_SECONDS * _tried(job))


def _tried(job: Job) -> int:
    """How many workers have begun it since it was asked for, or last retried. `attempt` itself never comes
    again, by which a worker that was too slow knows that it no longer holds the job."""
    return (job.attempt - 1) % (ATTEMPTS + 1) + 1


def _do_or_say_why(job: Job) -> None:
    """Do the job; where it is refused, ask again in the other language, so that everybody can read why."""
    error = {}
    for language in LANGUAGES:
        with translation.override(language):
            try:
                _compute_and_store(job)
            except Refused as refused:
                error[language] = refused.to_json()
            else:
                return
    _fail(job, error)


def _compute_and_store(job: Job) -> None:
    for _computation in range(COMPUTATIONS):
        store = WORK[Job.Kind(job.kind)](job, _Progress(job))
        try:
            return _store(job, store)
        except Outdated:
            log.info("job %s is computed again: what it rests on has changed", job.pk)
    raise Conflict("busy", _("The session is being changed again and again: please try once more."))


@transaction.atomic
def _store(job: Job, store: Store) -> None:
    """The result, and the end of the job, both or none."""
    held = _own_job(job)
    held.session = store() or held.session
    held.outcome = job.outcome
    _end(held, Job.State.DONE)
    if job.kind in (Job.Kind.REPLAN, Job.Kind.PREVIEW):  # what takes it back; what was asked for, to be done
        Job.objects.filter(pk=job.pk).update(request=job.request)


@transaction.atomic
def _fail(job: Job, error: dict[str, Any]) -> None:
    try:
        held = _own_job(job)
    except NotHeld:
        return
    held.error = error
    is_ours = error[LANGUAGES[0]]["code"] == BROKEN
    _end(held, Job.State.FAILED, request=held.request if is_ours else {})


def _own_job(job: Job) -> Job:
    """The job, locked, if this worker still holds it."""
    mine = Job.objects.filter(pk=job.pk, attempt=job.attempt, state=Job.State.RUNNING)
    held = mine.select_for_update(no_key=True, of=("self",)).first()
    if held is None:
        raise NotHeld
    return held


def _end(job: Job, state: Job.State, *, request: dict[str, Any] | None = None) -> None:
    """`request`: what is kept of what was asked for."""
    job.state = state
    job.ended_at = timezone.now()
    job.request = request or {}
    if state == Job.State.DONE:
        job.progress = 1.0
    job.save(update_fields=["state", "ended_at", "request", "progress", "error", "session", "outcome"])


class _Progress:
    """Writes how far a job is, a few times a second at most, as a sign of life. NotHeld: stop."""

    def __init__(self, job: Job) -> None:
        self.mine = Job.objects.filter(pk=job.pk, attempt=job.attempt, state=Job.State.RUNNING)
        self.patience = _patience(job)
        self.due = 0.0

    def __call__(self, done: float) -> None:
        if monotonic() < self.due:
            return
        if not self.mine.update(progress=min(max(done, 0.0), 1.0), held_until=timezone.now() + self.patience):
            raise NotHeld
        self.due = monotonic() + TELL_SECONDS


def _internal_error(language: str) -> dict[str, Any]:
    with translation.override(language):
        return {"code": BROKEN, "message": _("Internal error; it has been logged.")}


# ── What is done ──────────────────────────────────────────────────────────────────────────────────


def _set_up(job: Job, progress: Progress) -> Store:
    wish = dict(job.request)
    public_value = wish.pop("public_value", None)
    registration = wish.pop("registration", None)
    starts_at, people = wish.pop("starts_at", None), wish.pop("people", ())
    pace, leg, replaced = wish.pop("pace", None), wish.pop("leg", None), wish.pop("replaces", None)
    plan = sessions.plan(
        tournament=job.tournament,
        public_value=PublicValue(**public_value) if public_value else None,
        starts_at=datetime.fromisoformat(starts_at) if starts_at else None,
        shared=None if leg is None else events.shared_boards(leg),
        progress=progress,
        **wish,
    )

    def store() -> Session:
        session = sessions.store(plan, tournament=job.tournament, actor=job.actor)
        _appoint(session, people, job.account)
        if pace is not None:
            rounds.pace(session=session, actor=job.actor, pace=rounds.Pace(**pace))
        if registration is not None:
            registrations.set_up_from(
                list_id=registration, session=session, players=[one.players for one in plan.contestants]
            )
        if replaced is not None:
            replacing.replace(replaced=replaced, by=session, actor=job.actor)
        return session

    return store


def _appoint(session: Session, people: Iterable[tuple[int, str]], actor: Account | None) -> None:
    """These people (accounts by id, with a kind of role) have their roles at the session, as far as whoever
    asked may still grant them."""
    place = roles.RolePlace(session=session)
    kinds = roles.grantable(actor, place) if actor is not None else ()
    wanted = [(account, RoleKind(kind)) for account, kind in people if RoleKind(kind) in kinds]
    accounts = Account.objects.filter(is_active=True).in_bulk([account for account, _kind in wanted])
    for account, kind in wanted:
        if account in accounts:
            roles.grant(account=accounts[account], kind=kind, place=place, actor=actor)


def _replan(job: Job, progress: Progress) -> Store:
    assert job.session is not None
    plan = replanning.plan(session=job.session, progress=progress, **job.request)
    job.outcome = costs.to_json(*plan.cost)

    def store() -> Session:
        undo = replanning.undoing(plan)
        session = replanning.store(plan, actor=job.actor)
        job.request = undo
        return session

    return store


def _preview(job: Job, progress: Progress) -> Store:
    assert job.session is not None
    plan = replanning.plan(session=job.session, progress=progress, **job.request)
    job.outcome = {**costs.to_json(*plan.cost), "newcomers": plan.newcomers, "parts": plan.parts}
    return lambda: None


def _rate(job: Job, progress: Progress) -> Store:
    made = ratings.compute(club=job.tournament.club, anew=True, progress=progress)
    job.outcome = made.to_json()

    def store() -> None:
        ratings.store(made, actor=job.actor, is_asked=True)

    return store


def _plan_next_round(job: Job, progress: Progress) -> Store:
    assert job.session is not None
    plan = next_rounds.plan(session=job.session, progress=progress, **job.request)
    job.outcome = plan.to_json()
    return lambda: next_rounds.store(plan, actor=job.actor)


def _rehearse(job: Job, progress: Progress) -> Store:
    assert job.session is not None
    own = Job.objects.filter(pk=job.pk)
    rehearsals.forget(copy_id=(job.outcome or {}).get("session"), actor=job.actor)  # another attempt's

    def began(copy: Session) -> None:
        job.outcome = {"session": copy.pk}
        own.update(outcome=job.outcome)

    wish = dict(job.request)
    keep = wish.pop("keep")
    report = rehearsals.rehearse(
        session=job.session,
        actor=job.actor,
        wish=rehearsals.RehearsalWish(**wish),
        keep=keep,
        tell=progress,
        began=began,
    )
    job.outcome = report.to_json()
    return lambda: None


def _print(job: Job, progress: Progress) -> Store:
    assert job.session is not None
    assert job.actor is not None
    printed = prints.make(session=job.session, actor=job.actor, tell=progress, **job.request)
    job.outcome = {"kinds": job.request["kinds"], "pages": printed.pages, "bytes": len(printed.content)}
    return lambda: prints.keep(job=job, printed=printed)


def _archive(job: Job, progress: Progress) -> Store:
    made = archives.make(tournament=job.tournament, session=job.session, actor=job.actor, tell=progress)
    job.outcome = {"sessions": len(made.sessions), "bytes": len(made.content), "digest": made.digest}
    return lambda: archives.keep(job=job, made=made)


def _unpack(job: Job, progress: Progress) -> Store:
    found = archive_reading.read(archive_imports.brought(job=job), tell=progress)

    def store() -> Session:
        made = archive_imports.store(found, tournament=job.tournament, actor=job.actor)
        archive_imports.let_go(job=job)
        job.outcome = {"sessions": [one.pk for one in made], "digest": found.digest}
        return made[0]

    return store


def _import(job: Job, progress: Progress) -> Store:
    """A file: an evening of its own, or a second one of a session, which it amends."""
    if job.session is None:
        evening = evenings.read(**job.request, progress=progress)
        return lambda: evenings.store(evening, tournament=job.tournament, actor=job.sender, name=job.name)
    asked = dict(job.request)
    reason = asked.pop("reason")
    amendment = paper_amendments.read(session=job.session, progress=progress, **asked)
    job.outcome = amendment.to_json()
    return lambda: paper_amendments.store(amendment, actor=job.sender, reason=reason)


def _check(job: Job, progress: Progress) -> Store:
    if job.session is None:
        evenings.read(**job.request, progress=progress)
    else:
        asked = {name: value for name, value in job.request.items() if name != "reason"}
        amendment = paper_amendments.read(session=job.session, progress=progress, **asked)
        job.outcome = amendment.to_json()
    return lambda: None


WORK: dict[Job.Kind, Callable[[Job, Progress], Store]] = {
    Job.Kind.SET_UP: _set_up,
    Job.Kind.REPLAN: _replan,
    Job.Kind.PREVIEW: _preview,
    Job.Kind.REHEARSE: _rehearse,
    Job.Kind.PRINT: _print,
    Job.Kind.ARCHIVE: _archive,
    Job.Kind.UNPACK: _unpack,
    Job.Kind.NEXT_ROUND: _plan_next_round,
    Job.Kind.RATE: _rate,
    Job.Kind.IMPORT: _import,
    Job.Kind.CHECK: _check,
}
