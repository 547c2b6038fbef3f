"""A session that nobody has begun is set up again: another one takes its place, with boards that nobody has
seen, and only then does it go."""

from django.utils.translation import gettext as _

from ..models import FeePayment, RegistrationList, Session
from . import deleting, fees, history, states
from .errors import Conflict

BEFORE_PLAY = (Session.State.DRAFT, Session.State.READY)
"""The states from which a session can be set up again."""


def check(session: Session) -> None:
    """Conflict where a session has begun or is a trial, plays the boards of an event, or fees were taken for
    it."""
    if session.is_trial or session.state not in BEFORE_PLAY or not states.can_be_taken_back(session):
        raise Conflict("begun", _("The session has begun, or is over: it cannot be set up again."))
    if session.leg is not None:
        message = _("The boards of this session are an event’s: delete it, and begin your club’s part anew.")
        raise Conflict("shared-boards", message)
    if FeePayment.objects.filter(member__session=session, undone_at=None).exists():
        raise Conflict("fees-taken", _("Entry fees have been taken: give them back first."))


def replace(*, replaced: int, by: Session, actor: history.Actor) -> None:
    """Let a session (its id) go whose place another has taken: it is deleted with its boards, or, where
    somebody may rely on them, cancelled. Its registration list and its entry fees are the other one's then;
    that one is listed where it was. Nothing happens where it is gone already. Conflict: it has begun
    meanwhile, or fees were taken (`check`). Within the transaction that sets up the other."""
    found = Session.objects.filter(pk=replaced).first()
    if found is None:
        return
    session = states.locked(found)
    if session.state != Session.State.CANCELLED:
        check(session)
    RegistrationList.objects.filter(session=session).update(session=by)
    was_listed = session.listed
    if asked := fees.of(session):
        fees.set_fees(session=by, actor=actor, fees=asked)
    try:
        deleting.delete(session=session, actor=actor)
    except Conflict as conflict:
        if conflict.code not in ("relied-on", "in-use"):
            raise
        reason = _("Set up again: “%(name)s” takes its place.") % {"name": by.name}
        states.change(session=session, actor=actor, to=Session.State.CANCELLED, reason=reason)
    if was_listed:
        states.publish(session=by, actor=actor, listed=True)
