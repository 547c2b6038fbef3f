"""What the pages show to a session’s officials alone."""

from django.http import HttpRequest

from tournaments.models import Account, Session
from tournaments.services import custody

from .players import mine


def sees_ranking(request: HttpRequest, session: Session) -> bool:
    """Whether whoever asks sees the ranking while it is not listed: who runs the session or scores it. Who
    plays in it does not, until it has been played: points tell results of boards that are played still."""
    if not isinstance(request.user, Account):
        return False
    if not Session.objects.ranking_shown_to(request.user).filter(pk=session.pk).exists():
        return False
    held = [player.pk for player in mine.myself(request).players]
    return session.is_over or not custody.plays_here(request.user, session, held)
