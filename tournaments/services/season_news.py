"""What may change the standing of a season: whoever brings it about says so here, and a worker looks."""

from collections.abc import Collection

from django.db.models import F, Q

from ..models import CountedEvening, SeasonTally, Session
from . import queue


def changed(*, season: int) -> None:
    """Its rules, its evenings, or what came of these."""
    _changed(Q(season=season))


def changed_session(session: Session) -> None:
    """What came of a session, or whether everybody may see it. Nothing for one that is still to be played; a
    query for others."""
    if session.is_over:
        _changed(Q(season__evenings__session=session.pk))


def changed_field(leg_id: int) -> None:
    """The joint field of a leg, or whether everybody may see it and what came of its sessions."""
    _changed(Q(season__evenings__leg=leg_id) | Q(season__evenings__session__leg=leg_id))


def changed_players(players: Collection[int]) -> None:
    """Lines of the register are one player, or two again: their evenings are read anew."""
    of_session = Q(session__members__player__in=players)
    theirs = CountedEvening.objects.filter(of_session | Q(leg__sessions__members__player__in=players))
    ids = set(theirs.values_list("pk", flat=True))
    if ids:
        CountedEvening.objects.filter(pk__in=ids).update(taken="")
        _changed(Q(season__evenings__in=ids))


def _changed(which: Q) -> None:
    seasons = set(SeasonTally.objects.filter(which).values_list("pk", flat=True))
    if seasons:
        SeasonTally.objects.filter(pk__in=seasons).update(changes=F("changes") + 1)
        for season in sorted(seasons):
            queue.after_commit("rank_season", season)
