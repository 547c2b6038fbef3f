"""Objections: a contestant says on which play what is wrong; a director answers; the contestant may appeal,
and a committee decides. Nothing is edited: each of these is a step of its own, and comes once."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import Case, Model, OuterRef, Q, QuerySet, Subquery, Value, When
from django.utils.translation import gettext as _

from ..models import (
    Contestant,
    Objection,
    ObjectionStep,
    Play,
    Player,
    Remark,
    Ruling,
    RulingPart,
    Seating,
    Session,
    Submission,
    Substitution,
    Token,
    access,
)
from . import history, own_plays, rulings
from .errors import Conflict, Forbidden, Invalid, Missing

Step = ObjectionStep.Kind

STATES: dict[str, str] = {
    "": "open",
    Step.ANSWER: "answered",
    Step.APPEAL: "appealed",
    Step.DECISION: "decided",
    Step.WITHDRAWAL: "withdrawn",
}
"""Where an objection stands, by the last of its steps; "" is the objection itself."""

AFTER: dict[str, tuple[str, ...]] = {
    Step.ANSWER: ("",),
    Step.APPEAL: (Step.ANSWER,),
    Step.DECISION: (Step.APPEAL,),
    Step.WITHDRAWAL: ("", Step.ANSWER, Step.APPEAL),
}
"""After which step each may come; "" is the objection itself."""

BY_DIRECTORS = (Step.ANSWER, Step.DECISION)
AT_MOST = 5
"""Objections of one contestant on one play."""

CLOSED = ("final", "amended", "cancelled")
"""States of a session in which the time for objections is over."""

DONE = {
    Step.ANSWER: "answered objection",
    Step.APPEAL: "appealed",
    Step.DECISION: "decided appeal",
    Step.WITHDRAWAL: "withdrew objection",
}


def may_object(viewer: Token, session: Session) -> bool:
    """Whether somebody has a say in the objections of a session: its players, and those who run it."""
    return directs(viewer, session) or bool(
        viewer.player_id and _contestants_of(session, viewer.player_id).exists()
    )


def directs(viewer: Token, session: Session) -> bool:
    return access.directs(viewer, session=session.pk, club=session.tournament.club_id)


def of(session: Session, viewer: Token) -> QuerySet[Objection]:
    """The objections of a session that somebody may see, the oldest first; `stands`: as `state_of`."""
    last = ObjectionStep.objects.filter(objection=OuterRef("pk")).order_by("-pk").values("kind")[:1]
    words = (When(last=kind, then=Value(state)) for kind, state in STATES.items() if kind)
    own = Objection.objects.visible_to(viewer).filter(session=session).distinct()
    own = own.annotate(last=Subquery(last)).annotate(stands=Case(*words, default=Value(STATES[""])))
    shown = own.select_related("play__table__section", "play__board", "contestant", "remark", "role__account")
    return shown.prefetch_related("steps__remark", "steps__role__account").order_by("pk")


@transaction.atomic
def object_to(
    *,
    session: Session,
    actor: Token,
    place: rulings.PlayPlace,
    text: str,
    contestant: int | None = None,
    by: history.Actor = None,
) -> Objection:
    """A contestant objects to what came of a play that it sat at. A director who writes it down says for
    which `contestant` (its number). Conflict once the list of the session is final, before anything has
    come of the play's round, and after a handful of objections to it; Forbidden for those who do not sit
    there. `by`: who did it, for the history, where a player comes by an account."""
    if session.state in CLOSED:
        message = _("The time for objections is over: the ranking is final.")
        raise Conflict("too-late", message, {"state": session.state})
    play = rulings.play_at(session, place)
    seated = Contestant.objects.filter(pk__in=Seating.objects.filter(play=play).values("contestant"))
    if directs(actor, session):
        if contestant is None:
            raise Invalid("objection", _("Say for which contestant you write the objection down."))
        own = seated.filter(number=contestant)
    else:
        played = _contestants_of(session, actor.player_id or 0, play.round)
        own = seated.filter(pk__in=played.values("pk"))
        if contestant is not None:
            own = own.filter(number=contestant)
    found = own.select_for_update(no_key=True, of=("self",)).first()
    if found is None:
        raise Forbidden("not-at-this-table", _("Only those who sat at this table object to its result."))
    _check_played(play)
    if Objection.objects.filter(play=play, contestant=found).count() >= AT_MOST:
        raise Conflict("too-many", _("Enough has been objected to this result: wait for an answer."))
    objection = Objection.objects.create(
        session=session, play=play, contestant=found, role=actor.role, remark=_remark(text)
    )
    _note(
        by or actor,
        "objected",
        objection,
        objection.remark,
        session,
        **place._asdict(),
        contestant=found.number,
    )
    return objection


@transaction.atomic
def follow(
    *,
    objection: Objection,
    actor: Token,
    kind: str,
    text: str,
    outcome: str = "",
    ruling: int | None = None,
    committee: Sequence[int] = (),
    by: history.Actor = None,
) -> ObjectionStep:
    """The next step of an objection. A director answers, and records what a committee (the ids of players of
    the club's register) has decided, each with its outcome and, if it was followed by one, the ruling. The
    contestant appeals, or withdraws, and so does the director who wrote it down for them. Conflict: it is not
    time for this step. Forbidden also for directors who sat at that table."""
    session = objection.session
    is_director = directs(actor, session)
    speaks_for_them = not is_director or has_written(actor, objection)
    if not (is_director if kind in BY_DIRECTORS else speaks_for_them):
        raise Forbidden("not-yours", _("Directors answer and decide; the contestant appeals or withdraws."))
    if kind in BY_DIRECTORS:
        message = _("You sat at this table: somebody else answers the objection.")
        own_plays.check_sat_elsewhere(actor, session, [objection.play_id], message)
    locked = Objection.objects.select_for_update(no_key=True, of=("self",)).get(pk=objection.pk)
    newest = locked.steps.order_by("pk").last()
    if (newest.kind if newest else "") not in AFTER[kind]:
        raise Conflict("not-now", _("This step is not to be taken now: look at what has been said."))
    if bool(outcome) != (kind in BY_DIRECTORS):
        raise Invalid("objection", _("An answer and a decision have an outcome, and nothing else has."))
    if committee and kind != Step.DECISION:
        raise Invalid("objection", _("Only a decision has a committee."))
    members = sorted(set(committee))
    register = Player.objects.in_register().filter(club=session.tournament.club_id, pk__in=members)
    if register.count() < len(members):
        raise Missing("no-such-player", _("A member of the committee is not in the club’s register."))
    if ruling is not None and not Ruling.objects.filter(session=session, pk=ruling).exists():
        raise Missing("no-such-ruling", _("The session has no such ruling."))
    step = ObjectionStep.objects.create(
        objection=objection,
        kind=kind,
        outcome=outcome,
        role=actor.role,
        remark=_remark(text),
        ruling_id=ruling,
        committee=members,
    )
    _note(by or actor, DONE[Step(kind)], objection, step.remark, session, outcome=outcome)
    return step


def has_written(actor: Token, objection: Objection) -> bool:
    """Whether a director wrote it down, and says what the contestant wishes."""
    wrote, acts = objection.role, actor.role
    return wrote is not None and acts is not None and wrote.account_id == acts.account_id


def state_of(objection: Objection) -> str:
    """Where an objection stands, from its steps."""
    steps = sorted(objection.steps.all(), key=lambda step: step.pk)
    return STATES[steps[-1].kind if steps else ""]


def _check_played(play: Play) -> None:
    """Conflict for a play of a round to come, which may yet be planned again, unless it has been ruled on."""
    handed_in = Submission.objects.filter(
        play__round=play.round, play__table__section__session=play.table.section.session_id
    )
    if not (handed_in.exists() or RulingPart.objects.filter(play=play).exists()):
        raise Conflict(
            "not-played-yet", _("This round has not been played yet: there is nothing to object to.")
        )


def _contestants_of(session: Session, player: int, number: int | None = None) -> QuerySet[Contestant]:
    """The contestants that a player is a member of, or plays for as a substitute (in a round)."""
    then = {} if number is None else {"first_round__lte": number, "last_round__gte": number}
    substituted = Substitution.objects.filter(player=player, undone_at=None, **then)
    return Contestant.objects.filter(
        Q(pk__in=session.members.filter(player=player).values("contestant"))
        | Q(pk__in=substituted.values("contestant")),
        session=session,
    )


def _remark(text: str) -> Remark:
    pk = history.remark_of(text)
    if pk is None:
        raise Invalid("objection", _("Say what you object to, or why."))
    return Remark.objects.get(pk=pk)


def _note(
    actor: history.Actor, verb: str, subject: Model, remark: Remark, session: Session, **detail: Any
) -> None:
    """The history's entry, with the same remark: what empties one empties the other."""
    history.note(actor, verb, subject, session=session, remark=remark.pk, **detail)


def answered_to(session: Session, player: Player) -> bool:
    """Whether an objection of a player's contestants has been answered, or decided."""
    said = ObjectionStep.objects.filter(objection__session=session, kind__in=BY_DIRECTORS)
    return said.filter(objection__contestant__in=_contestants_of(session, player.pk)).exists()


def waiting_count(session: Session) -> int:
    """Objections that wait for the director, or for the committee. One query."""
    own = Objection.objects.filter(session=session)
    done = ObjectionStep.objects.filter(kind__in=["decision", "withdrawal"]).values("objection")
    answered = ObjectionStep.objects.filter(kind="answer").values("objection")
    appealed = ObjectionStep.objects.filter(kind="appeal").values("objection")
    open_ones = own.exclude(pk__in=done).exclude(pk__in=answered)
    return (open_ones | own.exclude(pk__in=done).filter(pk__in=appealed)).distinct().count()
