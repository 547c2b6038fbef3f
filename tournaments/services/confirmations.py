"""Somebody agrees with what counts for a play, without handing in a sheet: another seat of the table, or an
official, who thereby settles what the sides disagree about."""

from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from engines import registry

from ..models import Confirmation, Play, Result, Round, RoundExtension, Session, Submission, Token
from . import history, own_plays, play_states, rulings, sides, states
from .errors import Conflict, Forbidden, Invalid


@transaction.atomic
def confirm(
    *,
    session: Session,
    actor: Token,
    place: rulings.PlayPlace,
    submission: int,
    seat: int | None = None,
    shared: bool = False,
) -> Confirmation:
    """What was handed in as `submission` is right: so says the `seat` of the play's table, on its own phone
    or on one that the table shares (`shared`), or an official. Said again, it is the same confirmation.

    Conflict: something else counts by now, the sheet is of the seat's own side, or the table is late.
    Invalid: a table has to say which seat, an official has none. Forbidden for those who do not enter this
    play, and for an official who sat there.
    """
    session = states.held(session)
    play = rulings.play_at(session, place)
    if not Play.objects.entered_by(actor).filter(pk=play.pk).exists():
        raise Forbidden("not-yours", _("You do not enter the results of this table."))
    _check_seat(session, actor, seat, shared=shared)
    message = _("You sat at this table: somebody else confirms its results.")
    own_plays.check_sat_elsewhere(actor, session, [play.pk], message)
    if actor.table_id:
        check_table_may_enter(session, play)
    play = Play.objects.select_for_update(no_key=True, of=("self",)).get(pk=play.pk)
    result = Result.objects.select_related("submission").filter(play=play).first()
    if result is None or result.submission_id != submission:
        raise Conflict("superseded", _("Something else has been entered meanwhile: look at it first."))
    _check_other_side(session, result.submission, seat)
    own = Confirmation.objects.filter(submission=submission, seat=seat, role=actor.role)
    is_open = play_states.is_disputed(submission, play.disagreement_id)
    if (before := own.order_by("pk").last()) is not None and not (is_open and seat is None):
        return before
    made = Confirmation.objects.create(
        submission_id=submission, table_id=actor.table_id, seat=seat, role=actor.role, is_shared=shared
    )
    play.confirmation = made
    if seat is None:
        play.disagreement = None
    play.save(update_fields=["confirmation", "disagreement"])
    sides.note_change([session.pk])
    detail: dict[str, Any] = {"play": play.pk, "submission": submission, "seat": seat, "shared": shared}
    history.note(actor, "confirmed", play, session=session, **place._asdict(), **detail)
    return made


def _check_seat(session: Session, actor: Token, seat: int | None, *, shared: bool) -> None:
    count = registry.game(session.game).seat_count(session.conditions)
    if actor.table_id is None:
        if seat is not None or shared:
            raise Invalid("bad-seat", _("Only a table says which of its seats agrees."))
    elif seat is None or not 1 <= seat <= count:
        raise Invalid("bad-seat", _("Say which seat agrees: 1 to %(count)d.") % {"count": count})


def _check_other_side(session: Session, sheet: Submission, seat: int | None) -> None:
    if seat is None or sheet.seat is None:
        return
    sides = registry.game(session.game).sides_of(session.conditions)
    if any(seat in side and sheet.seat in side for side in sides):
        raise Conflict("own-sheet", _("Your own side has entered it: another side confirms."))


def check_table_may_enter(session: Session, play: Play) -> None:
    """Conflict unless a table may hand in results of this play now: as those who store results say it of many
    at once."""
    if session.state not in (Session.State.READY, Session.State.RUNNING):
        raise Conflict("session-not-played", _("The session is not being played now."))
    if not session.is_paced:
        return
    now = timezone.now()
    longer = RoundExtension.objects.filter(table=play.table_id, until__gt=now).values("round")
    takes = Q(state=Round.State.OPEN) | Q(state=Round.State.CLOSED, settled_at=None) & (
        Q(takes_until__gt=now) | Q(pk__in=longer)
    )
    if not session.rounds.filter(takes, number=play.round).exists():
        message = _("Round %(round)d is not open.") % {"round": play.round}
        raise Conflict("round-not-open", message, {"round": play.round})
