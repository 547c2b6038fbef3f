"""A ranking in another site: the page that stands in a frame there, and what oEmbed says of it."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import Resolver404, resolve, reverse
from django.utils import translation
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from scoring.methods import METHODS
from tournaments.models import Session
from tournaments.services import comparisons, live_lists, rankings, ruling_words

from . import presentation, previews
from .accounts.views import absolute
from .embedding import HEIGHT, WIDTH, snippet, title
from .presentation import WORDS
from .views import page_of

AGAIN_SECONDS = 60
KEPT_SECONDS = 15
PLAIN = "text/plain; charset=utf-8"


@gzip_page
@xframe_options_exempt
@require_safe
def ranking(request: HttpRequest, pk: int) -> HttpResponse:
    """The ranking as anybody may see it, whoever asks: no cookie is read. While something may still change,
    a script asks for the page again; afterwards there is none."""
    session = get_object_or_404(listed(), pk=pk)
    newest = live_lists.public_ranking(session)
    numbers, pages = page_of(request, 0 if newest is None else rankings.count(newest))
    standings = rankings.standings(newest, numbers) if newest is not None else []
    context = {
        "session": session,
        "groups": presentation.groups(standings) if standings else [],
        "decided": ruling_words.of_contestants(session, [one.contestant.pk for one in standings]),
        "pages": pages,
        "unit": METHODS[session.method].unit if comparisons.top(session) is None else "percent",
        "status": WORDS.get(session.state, ""),
        "is_hidden": session.live == Session.Live.HIDDEN and not session.is_over,
        "whole": absolute(request, reverse("ranking-page", args=[session.pk])),
        "again": 0 if session.are_boards_over else AGAIN_SECONDS,
    }
    answer = render(request, "frontend/embed.html", context)
    answer["Cache-Control"] = f"public, max-age={KEPT_SECONDS}"
    nothing = ["'none'"]
    still = {"script-src": nothing, "connect-src": nothing} if session.are_boards_over else {}
    policy = {"frame-ancestors": ["*"], "form-action": nothing} | still
    answer._csp_replace = policy  # type: ignore[attr-defined]  # django-csp reads it
    return answer


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """What oEmbed 1.0 says of the address of a ranking: a frame, and its picture. 404 for any other address
    and for a session that is not listed; 400 without one, 501 for XML."""
    if request.GET.get("format", "json") != "json":
        return HttpResponse("oEmbed: format=json", status=501, content_type=PLAIN)
    if "url" not in request.GET:
        return HttpResponse("oEmbed: url=", status=400, content_type=PLAIN)
    place = place_of(request, request.GET["url"])
    session = get_object_or_404(listed(), pk=place.pk)
    width = at_most(request.GET.get("maxwidth"), WIDTH)
    height = at_most(request.GET.get("maxheight"), HEIGHT)
    with translation.override(place.language):
        picture = absolute(request, reverse("ranking-preview", args=[session.pk]))
        answer = JsonResponse(
            {
                "version": "1.0",
                "type": "rich",
                "title": title(session),
                "author_name": session.tournament.club.name,
                "provider_name": "Étui",
                "provider_url": absolute(request, "/"),
                "cache_age": 3600,
                "html": snippet(request, session, width, height),
                "width": width,
                "height": height,
            }
            | thumbnail(request, picture)
        )
    answer["Cache-Control"] = f"public, max-age={KEPT_SECONDS}"
    return answer


def thumbnail(request: HttpRequest, picture: str) -> dict[str, str | int]:
    """The picture of the ranking, where it is no larger than the caller wants."""
    wide, high = previews.SIZE
    if (
        at_most(request.GET.get("maxwidth"), wide) < wide
        or at_most(request.GET.get("maxheight"), high) < high
    ):
        return {}
    return {"thumbnail_url": picture, "thumbnail_width": wide, "thumbnail_height": high}


# ── What both need ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class RankingPlace:
    """Where the address of a ranking leads to: a session, in a language."""

    pk: int
    language: str


def listed() -> QuerySet[Session]:
    sessions = Session.objects.ranking_visible_to(None)
    return sessions.select_related("tournament__club", "board_set")


def place_of(request: HttpRequest, address: str) -> RankingPlace:
    """The session that an address of this service shows the ranking of; or 404."""
    try:
        wanted, own = urlsplit(address), urlsplit(absolute(request, "/"))
    except ValueError:
        raise Http404 from None
    language, is_here = wanted.path[1:3], (wanted.scheme, wanted.netloc) == (own.scheme, own.netloc)
    if not is_here or language not in dict(settings.LANGUAGES):
        raise Http404
    with translation.override(language):  # an address is in its language alone
        try:
            found = resolve(wanted.path)
        except Resolver404:
            raise Http404 from None
    if found.url_name != "ranking-page":
        raise Http404
    return RankingPlace(found.kwargs["pk"], language)


def at_most(wanted: str | None, usual: int) -> int:
    """A width or height: the usual one, or what the caller has less of; what is no number counts nothing."""
    is_number = wanted is not None and wanted.isascii() and wanted.isdigit() and len(wanted) < 6
    return max(1, min(usual, int(wanted))) if is_number and wanted is not None else usual
