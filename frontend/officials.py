"""What the pages show to a session’s officials alone."""

from django.http import HttpRequest

from tournaments.models import Account, Session
from tournaments.services import live_lists

from .players import mine


def sees_all(request: HttpRequest, session: Session) -> bool:
    """Whether the caller sees lists with every result: the officials of a session that is played, but for
    those who play in it themselves."""
    account = request.user if isinstance(request.user, Account) else None
    return live_lists.sees_all(session, account, held_players(request))


def held_players(request: HttpRequest) -> list[int]:
    """The players whose links have been used in the browser of whoever has signed in."""
    is_signed_in = isinstance(request.user, Account)
    return [player.pk for player in mine.myself(request).players] if is_signed_in else []


def sees_ranking(request: HttpRequest, session: Session) -> bool:
    """Whether the caller may see the ranking of a session at all."""
    account = request.user if isinstance(request.user, Account) else None
    return Session.objects.ranking_visible_to(account).filter(pk=session.pk).exists()
