"""What a club gets of an event before it plays: when its deal officers may take it, and that they have."""

from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import ClubEntry, Session
from .errors import Conflict


def check_released(session: Session) -> None:
    """Conflict before the material of an event is given out."""
    leg = session.leg if session.leg_id is not None else None
    if leg is not None and timezone.now() < leg.material_at:
        message = _("The material of this event is given out on %(when)s.")
        when = timezone.localtime(leg.material_at, session.tournament.club.zone).isoformat()
        raise Conflict("material-not-released", message % {"when": when}, {"when": when})


def note_taken(session: Session) -> None:
    """The dealing lists of a club's part have been taken."""
    if session.leg_id is not None:
        taken = ClubEntry.objects.filter(session=session, material_taken_at=None)
        taken.update(material_taken_at=timezone.now())
