"""Who asks, and which sessions they may reach."""

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.request import Request

from ...models import Club, PartnerKey, Session, Token, Tournament, access
from ...services import clubs, live_lists, partner_keys
from ..errors import ProblemSerializer
from ..serializers.fields import is_plain_text

REFUSALS = {
    code: OpenApiResponse(ProblemSerializer)
    for code in (400, 401, 403, 404, 405, 406, 409, 412, 415, 428, 429)
}


def viewer_of(request: Request) -> Token | None:
    return request.auth if isinstance(request.auth, Token) else None


def caller_of(request: Request) -> Token:
    """The caller's token; NotAuthenticated without one, Forbidden for a partner's key."""
    if viewer := viewer_of(request):
        return viewer
    if isinstance(request.auth, PartnerKey):
        raise partner_keys.beyond()
    raise NotAuthenticated


def refusals(*codes: int) -> dict[int, OpenApiResponse]:
    return {code: REFUSALS[code] for code in sorted({*codes, 401, 403, 406, 429})}


def seen_session(request: Request, pk: int) -> Session:
    """A session that the caller may see, or 404."""
    return get_object_or_404(with_rest(Session.objects.visible_to(viewer_of(request))), pk=pk)


def session_with_lists(request: Request, pk: int) -> Session:
    """A session whose ranking and lists the caller may see, or 404."""
    visible = Session.objects.ranking_visible_to(viewer_of(request))
    return get_object_or_404(with_rest(visible), pk=pk)


def ranked_session(request: Request, pk: int) -> tuple[Session, bool]:
    """The same, and whether the caller sees its live list alone; 404 while it shows them none."""
    session = session_with_lists(request, pk)
    return session, live_lists.is_live_for(session, viewer_of(request))


def with_rest(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """The sessions with the single rows that belong to each, but for what only rankings show."""
    with_tally = sessions.select_related("board_set", "tournament", "tally")
    return with_tally.defer("tally__progress", "tally__live_progress")


def organised_session(request: Request, pk: int) -> Session:
    """A session that the caller runs: 401 without a token, 404 for one that they may not see, 403 for one
    that they may see but do not run."""
    caller = caller_of(request)
    session = seen_session(request, pk)
    if not Session.objects.directed_by(caller).filter(pk=session.pk).exists():
        raise PermissionDenied
    return session


def organised_tournament(request: Request, pk: int) -> Tournament:
    """A tournament that the caller sets up: 401 without a token, 404 for one that they may not see, 403 for
    one that they may see but do not set up."""
    caller = caller_of(request)
    tournament = get_object_or_404(Tournament.objects.visible_to(caller), pk=pk)
    if not Tournament.objects.managed_by(caller).filter(pk=pk).exists():
        raise PermissionDenied
    return tournament


def known_club(request: Request, slug: str) -> Club:
    """A club that the caller may know of; 404 for another as for none."""
    club = Club.objects.filter(slug=slug if is_plain_text(slug) else "").first()
    if club is None or not clubs.is_known(club, viewer_of(request)):
        raise Http404
    return club


def managed_club(request: Request) -> Club:
    """The club whose tournaments the caller sets up: 401 without a token, 403 without such a club."""
    club = Club.objects.filter(access.managed(caller_of(request), club="pk")).first()
    if club is None:
        raise PermissionDenied
    return club
