"""What may change the master points that a session's lists have given: whoever brings it about says so here,
and a worker looks."""

from collections.abc import Collection

from django.db.models import F, Q

from ..models import PointsGiven, PointsTally, Session
from . import queue


def changed_list(session: Session, award_factor: str) -> None:
    """A list of a session was set up, in this way or another, or removed. From its first factor on the points
    of the session are followed."""
    if award_factor:
        PointsTally.objects.get_or_create(session=session)
    _changed(Q(session=session))


def changed_session(session: Session) -> None:
    """What came of a session, or whether everybody may see it. Nothing for one that is still to be played; a
    query for others."""
    if session.is_over:
        _changed(Q(session=session))


def changed_leg(leg_id: int) -> None:
    """Whether everybody may see what came of its sessions."""
    _changed(Q(session__leg=leg_id))


def changed_players(players: Collection[int]) -> None:
    """Lines of the register are one player, or two again, or nobody any more."""
    given = PointsGiven.objects.filter(player__in=players, reversed_at=None).values("session")
    _changed(Q(session__members__player__in=players) | Q(session__in=given))


def _changed(which: Q) -> None:
    sessions = set(PointsTally.objects.filter(which).values_list("pk", flat=True))
    if sessions:
        PointsTally.objects.filter(pk__in=sessions).update(changes=F("changes") + 1)
        for session in sorted(sessions):
            queue.after_commit("give_points", session)
