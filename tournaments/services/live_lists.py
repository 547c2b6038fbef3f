"""What of a session's lists is seen while it is played, and while its boards are under the
embargo of an event: the one home of this rule.

Officials who do not play in it see everything at once. Everybody else sees the live list, which counts only
boards that are over, as the session's setting `live` says. It is a list of its own with versions of its own:
neither their numbers nor their digests, differences, drawings or ETags follow from anything else.
"""

from collections.abc import Collection

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from ..models import Account, Ranking, Session, Tally, Token, access
from ..models.tournaments import not_under_embargo
from . import custody, queue
from .errors import Missing

Live = Session.Live


def sees_all(session: Session, caller: Token | Account | None, held: Collection[int] = ()) -> bool:
    """Whether somebody sees lists with every result that has been counted. `held`: players whose links have
    been used in the browser that asks."""
    if session.are_boards_over:
        return True
    if caller is None or not is_official(session, caller):
        return False
    return not custody.plays_here(caller, session, held)


def is_official(session: Session, caller: Token | Account | None) -> bool:
    """Whether somebody runs the session, or enters its results."""
    if caller is None:
        return False
    if isinstance(caller, Token):
        return access.officiates(caller, session=session.pk, club=session.tournament.club_id)
    return Session.objects.officiated_by(caller).filter(pk=session.pk).exists()


def is_live_for(session: Session, caller: Token | Account | None, held: Collection[int] = ()) -> bool:
    """Whether a list is shown to somebody as the live list; False where they see all of it. Missing: the
    session shows none while it is played."""
    if sees_all(session, caller, held):
        return False
    if session.live == Live.HIDDEN:
        message = _("The lists of this session are shown once it has been played.")
        raise Missing("not-over-yet", message)
    return True


def public_rankings(sessions: Collection[int]) -> QuerySet[Ranking]:
    """Of each of these sessions, the newest version that everybody sees; none where there is none yet, or
    where none is shown."""
    over = Q(session__state__in=Session.OVER) & not_under_embargo("session")
    whole = Q(is_live=False, version=F("session__tally__version")) & over
    live = Q(is_live=True, version=F("session__tally__live_version")) & ~Q(
        over | Q(session__live=Live.HIDDEN)
    )
    return Ranking.objects.filter(whole | live, session__in=sessions).defer("content")


def public_ranking(session: Session) -> Ranking | None:
    """The same of one session."""
    return public_rankings([session.pk]).first()


def look_again(sessions: Collection[int]) -> None:
    """Other boards may be over now, though no result has come: the live lists of these sessions follow. Which
    boards they count, `open_boards.over_in` says."""
    Tally.objects.filter(session__in=sessions).update(revealed=F("revealed") + 1)
    for session in sessions:
        queue.after_commit("rank", session)
