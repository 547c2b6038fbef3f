"""Nobody plays the boards of an event at two clubs."""

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from ..models import Member, Player, Session, Substitution
from .errors import Conflict


def check_once(session: Session) -> None:
    """Conflict if somebody plays the boards of an event at two clubs, by one name and one membership number;
    whose accounts are one, `entries.check_free` knows. Whoever seats somebody asks this afterwards, in the
    same transaction, and holds the boards of the event. Nothing for a session with boards of its own."""
    if session.leg_id is None:
        return
    own = {(one.folded, one.number): one for one in _seated([session.pk]).exclude(number="")}
    there = Session.objects.filter(leg=session.leg_id).exclude(pk=session.pk)
    there = there.exclude(state=Session.State.CANCELLED)
    numbers = [number for _folded, number in own]
    for other in _seated(there.values("pk")).filter(number__in=numbers).select_related("club"):
        if (player := own.get((other.folded, other.number))) is not None:
            names = {"name": player.name, "club": other.club.name, "here": session.tournament.club.name}
            raise Conflict("entered-already", twice() % names, {"player": player.pk})


def _seated(sessions: Any) -> QuerySet[Player]:
    """Who plays in some sessions, as a member or in the place of one."""
    member = Member.objects.filter(session__in=sessions, player=OuterRef("pk"))
    played = Substitution.objects.filter(contestant__session__in=sessions, undone_at=None)
    return Player.objects.filter(Exists(member) | Exists(played.filter(player=OuterRef("pk"))))


def twice() -> str:
    """What is said of somebody who plays at another club: with `name`, `club` and `here`."""
    return _("%(name)s is entered at %(club)s for this event already, and cannot play at %(here)s.")
