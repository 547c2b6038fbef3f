"""Pages: each finds what anyone may see, arranges it, and shows it."""

from collections.abc import Sequence
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from engines import registry
from scoring.methods import METHODS
from tournaments.api.pagination import PageCursor
from tournaments.models import Account, Board, Draft, Job, Session, SessionList
from tournaments.models.open_boards import open_in
from tournaments.problems import problem_response
from tournaments.services import (
    board_sets,
    comparisons,
    custody,
    exports,
    lists,
    matches,
    public_calendar,
    public_events,
    rankings,
    ruling_words,
)

from . import board_pages, embedding, presentation
from .accounts import first_start
from .accounts.views import absolute
from .exports import FORMS
from .officials import sees_all, sees_ranking
from .players import mine

LIVE_AT_MOST, FINISHED_AT_MOST = 6, 10  # as many orders as are remembered, or the first page makes them anew
COMING_AT_MOST = 8
LEGS_AT_MOST = 3  # of events, beside the evenings
HAND = ["AH", "AC", "7H", "KH", "AS"]


def published_session(pk: int) -> Session:
    sessions = Session.objects.ranking_visible_to(None).select_related("tournament__club", "board_set")
    return get_object_or_404(sessions, pk=pk)


def open_boards(session: Session) -> QuerySet[Board]:
    return open_in(session, None).order_by("number")


def page_of(request: HttpRequest, count: int, size: int | None = None) -> tuple[range, dict[str, int | None]]:
    """The numbers on the page that is asked for, of a list of so many, and the pages beside it; or 404."""
    page = presentation.page(request.GET.get("page", "1"), count, size)
    if page is None:
        raise Http404
    return page


def language() -> str:
    return (get_language() or "en")[:2]


def server_error(request: HttpRequest) -> HttpResponse:
    """The answer to an internal error, which is in the log."""
    message = _("Internal error; it has been logged.")
    if request.path.startswith("/api/"):
        return problem_response(500, "broken", message)
    try:
        return render(request, "500.html", status=500)
    except Exception:  # the page itself may be what is broken
        return HttpResponse(message, status=500, content_type="text/plain; charset=utf-8")


@gzip_page  # a long table is a tenth of its length
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What is on, the latest results, what comes. Its time grows with what it shows alone, but for rankings
    that nobody has asked for lately: these are read once, whole."""
    if "near" in request.GET:
        return _remembered(request.GET["near"])
    now = timezone.now()
    near = public_calendar.near(request.COOKIES.get(NEAR, "")[:NEAR_LETTERS])
    on = list(public_calendar.on(now)[:LIVE_AT_MOST])
    over = list(public_calendar.over()[:FINISHED_AT_MOST])
    shown = presentation.evenings(on + over, language())
    here = language()
    context = {
        "live": shown[: len(on)],
        "finished": shown[len(on) :],
        "coming": public_calendar.coming(now, places=near)[:COMING_AT_MOST],
        "legs_on": presentation.legs(public_events.on(now)[:LEGS_AT_MOST], here),
        "legs_coming": presentation.legs(public_events.coming(now, places=near)[:LEGS_AT_MOST], here),
        "legs_over": presentation.legs(public_events.over()[:LEGS_AT_MOST], here),
        "near": near,
        "places": public_calendar.places(),
        "clubs": public_calendar.clubs().count(),
        "hand": HAND,
        "set_up": first_start.step(request),
    }
    answer = render(request, "frontend/home.html", context)
    patch_vary_headers(answer, ["Cookie"])
    return answer


NEAR, NEAR_LETTERS, NEAR_SECONDS = "near", 100, 365 * 24 * 60 * 60


def _remembered(chosen: str) -> HttpResponse:
    """The home page, which this browser sees with the evenings of a town or a club from now on; with all,
    where it has chosen none."""
    answer = redirect("home")
    near = public_calendar.near(chosen[:NEAR_LETTERS])
    if near is None:
        answer.delete_cookie(NEAR, samesite="Lax")
    else:
        answer.set_cookie(
            NEAR,
            near.key,
            max_age=NEAR_SECONDS,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return answer


@gzip_page
@require_safe
def ranking(request: HttpRequest, pk: int) -> HttpResponse:
    """For everybody; of a session that is not listed, for its officials."""
    whole = Session.objects.select_related("tournament__club", "board_set", "leg__event")
    session = get_object_or_404(whole, pk=pk)
    if not session.listed and not sees_ranking(request, session):
        raise Http404
    is_live = not sees_all(request, session)
    tabs = list(lists.of(session)) if session.is_over and not is_live else []
    listing = one_of(tabs, request.GET.get("list"))
    is_hidden = is_live and session.live == Session.Live.HIDDEN
    newest = None if is_hidden else rankings.newest(session, is_live=is_live)
    numbers, pages = page_of(request, 0 if newest is None else rankings.count(newest))
    standings = rankings.standings(newest, numbers) if newest is not None and listing is None else []
    own = presentation.own_contestants(session, mine.own_players(request))
    context = {
        "session": session,
        "tabs": tabs,
        "listing": listing,
        "list": presentation.a_list(listing, own) if listing is not None else None,
        "ties": presentation.ties(standings),
        "fewer": presentation.fewer(standings) if session.is_over else [],
        "own": own,
        "own_numbers": [one.contestant.number for one in standings if one.contestant.pk in own],
        "course": public_calendar.under_way(session) if session.listed else None,
        "takes": _taken(request, session, listing),
        "forms": FORMS,
        "pages": pages,
        "cursor": PageCursor((numbers.start - 1,)) if numbers.start else None,
        "game": registry.game(session.game).name.to(language()),
        "groups": presentation.groups(standings),
        "decided": ruling_words.of_contestants(session, [one.contestant.pk for one in standings]),
        "window": presentation.window(standings),
        "preview": preview_of(request, session, request.GET.get("place", "")) if session.listed else None,
        "oembed": embedding.discovery(request, session) if session.listed else None,
        "snippet": _snippet(request, session),
        "version": 0 if newest is None else newest.version,
        "is_live": is_live,
        "is_hidden": is_hidden,
        "follows": session.listed and (is_live or session.is_over) and not is_hidden,
        "method": METHODS[session.method].name.to(language()),
        "unit": METHODS[session.method].unit if comparisons.top(session) is None else "percent",
        "is_alone": session.plays_per_board == 1,
        "adds_up": comparisons.adds_up(session),
        "has_matches": matches.rules_of(session) is not None,
        "words": presentation.WORDS,
        "status": presentation.WORDS.get(session.state, ""),
    }
    answer = render(request, "frontend/ranking.html", context)
    if not session.listed:
        answer["Cache-Control"] = "no-store"
    return answer


def _taken(request: HttpRequest, session: Session, listing: SessionList | None) -> str:
    """Which table of what is shown the reader may take away; "" for none."""
    viewer = request.user if isinstance(request.user, Account) else None
    if not exports.may(session, viewer):
        return ""
    return exports.RANKING if listing is None else f"{exports.LIST}{listing.number}"


def _snippet(request: HttpRequest, session: Session) -> str:
    """What an official of a listed session puts into the club's site; "" for everybody else."""
    viewer = request.user if isinstance(request.user, Account) else None
    is_theirs = session.listed and viewer is not None and custody.is_official(viewer, session)
    return embedding.snippet(request, session) if is_theirs else ""


def preview_of(request: HttpRequest, session: Session, place: str = "") -> str:
    """The address of the picture of a ranking, another one with each version: others keep what they have.
    `place`: the number of the contestant whose place was handed on."""
    path = reverse("ranking-preview", args=[session.pk])
    if place.isascii() and place.isdecimal() and len(place) < 9:
        path = reverse("place-preview", args=[session.pk, int(place)])
    return f"{absolute(request, path)}?{session.public_version}-{session.state}"


def one_of(tabs: Sequence[SessionList], asked: str | None) -> SessionList | None:
    """The list that is asked for by its number; None for the ranking itself; or 404."""
    if asked is None:
        return None
    found = next((one for one in tabs if str(one.number) == asked), None)
    if found is None:
        raise Http404
    return found


@require_safe
def job(request: HttpRequest, pk: UUID) -> HttpResponse:
    """How far long work is. Whoever has been given the address may look: it cannot be guessed. What it is
    about, and why it was refused, may name people: that is for those who run the session, or its club."""
    jobs = Job.objects.select_related("tournament__club", "session__tally")
    the_job = get_object_or_404(jobs, pk=pk)
    account = request.user if isinstance(request.user, Account) else None
    knows = Job.objects.visible_to(account).filter(pk=pk).exists()
    is_there = the_job.state == Job.State.DONE and the_job.session is not None
    if is_there and knows and request.GET.get("then") == "desk":
        return redirect("session-desk", session=the_job.session_id)
    if is_there and request.GET.get("then") == "matches":
        return redirect("matches-page", pk=the_job.session_id)
    context = {
        "job": the_job,
        "percent": int(100 * the_job.progress),
        "error": the_job.error and the_job.error[language()],
        "public": the_job.session is not None and the_job.session.listed,
        "knows": knows,
        "draft": Draft.objects.managed_by(account).filter(job=the_job).first() if knows else None,
    }
    answer = render(request, "frontend/job.html", context)
    if the_job.kind == Job.Kind.PRINT:
        answer._csp_update = {"frame-src": ["'self'"]}  # type: ignore[attr-defined]  # django-csp reads it
    answer["Cache-Control"] = "no-store"
    return answer


@gzip_page
@require_safe
def boards(request: HttpRequest, pk: int) -> HttpResponse:
    session = published_session(pk)
    return render(request, "frontend/boards.html", {"session": session, "boards": open_boards(session)})


@gzip_page
@require_safe
def verify(request: HttpRequest, pk: int) -> HttpResponse:
    """Where a browser checks the sealed file and deals every board again; of one board, if it is open, also
    that it was shown as it was dealt."""
    session = published_session(pk)
    if not session.board_set.manifest:
        raise Http404
    board, deal = None, None
    if number := request.GET.get("board"):
        numbers = {str(one.number): one for one in open_boards(session)}
        if (board := numbers.get(number)) is None:
            raise Http404
        deal = board_sets.deal_of(session, board.number)
    shown = registry.game(session.game).show_deal(deal) if deal is not None else None
    return render(request, "frontend/verify.html", {"session": session, "board": board, "board_deal": shown})


@gzip_page
@require_safe
def traveller(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    session = published_session(pk)
    own = presentation.own_contestants(session, mine.own_players(request))
    return board_pages.board_page(request, session, open_boards(session), number, own=own)


@gzip_page
@require_safe
def replay(request: HttpRequest, pk: int, number: int, play: int) -> HttpResponse:
    session = published_session(pk)
    return board_pages.replay_page(request, session, open_boards(session), number, play)
