"""What may change the ratings of a club: whoever brings it about says so here, and a worker looks."""

from collections.abc import Collection

from django.db.models import F, Q

from ..models import RatedSession, RatingTally, Session
from . import queue


def changed_session(session: Session) -> None:
    """What came of a session, or whether everybody may see it. Nothing for one that is still to be played; a
    query for others."""
    if session.is_over:
        _changed(Q(club__tournaments=session.tournament_id))


def changed_leg(leg_id: int) -> None:
    """Whether everybody may see what came of its sessions."""
    _changed(Q(club__tournaments__sessions__leg=leg_id))


def changed_players(players: Collection[int]) -> None:
    """Lines of the register are one player, or two again, or nobody any more: what they have played is read
    anew."""
    theirs = RatedSession.objects.filter(session__members__player__in=players)
    clubs = set(theirs.values_list("club", flat=True))
    if clubs:
        RatedSession.objects.filter(pk__in=theirs.values("pk")).update(taken="")
        _changed(Q(club__in=clubs))


def _changed(which: Q) -> None:
    clubs = set(RatingTally.objects.filter(which).values_list("pk", flat=True))
    if clubs:
        RatingTally.objects.filter(pk__in=clubs).update(changes=F("changes") + 1)
        for club in sorted(clubs):
            queue.after_commit("rate_club", club)
