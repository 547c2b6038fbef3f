"""Pages: each finds what anyone may see, arranges it, and shows it."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from engines import registry
from scoring.methods import METHODS
from tournaments.api.pagination import PageCursor
from tournaments.models import Account, Draft, Job, Play, Result, Session
from tournaments.models.open_boards import open_in
from tournaments.services import board_sets, comparisons, names, rankings

from . import presentation
from .accounts import first_start
from .officials import sees_ranking

LIVE_AT_MOST, FINISHED_AT_MOST = 6, 10  # as many orders as are remembered, or the first page makes them anew
WORDS = {
    "played": gettext_lazy("played"),
    "provisional": gettext_lazy("provisional ranking"),
    "final": gettext_lazy("final ranking"),
    "amended": gettext_lazy("amended ranking"),
    "cancelled": gettext_lazy("cancelled"),
}
"""What a ranking is called once the play has ended, by the state of its session."""
HAND = ["AH", "AC", "7H", "KH", "AS"]


def published_session(pk: int) -> Session:
    sessions = Session.objects.ranking_visible_to(None).select_related("tournament__club", "board_set")
    return get_object_or_404(sessions, pk=pk)


def open_boards(session: Session) -> Any:
    return open_in(session, None).order_by("number")


def page_of(request: HttpRequest, count: int) -> tuple[range, dict[str, int | None]]:
    """The numbers on the page that is asked for, of a list of so many, and the pages beside it; or 404."""
    page = presentation.page(request.GET.get("page", "1"), count)
    if page is None:
        raise Http404
    return page


def language() -> str:
    return (get_language() or "en")[:2]


def server_error(request: HttpRequest) -> HttpResponse:
    """The answer to an internal error, which is in the log."""
    message = _("Internal error; it has been logged.")
    if request.path.startswith("/api/"):
        return JsonResponse({"error": {"code": "broken", "message": message}}, status=500)
    try:
        return render(request, "500.html", status=500)
    except Exception:  # the page itself may be what is broken
        return HttpResponse(message, status=500, content_type="text/plain; charset=utf-8")


@gzip_page  # a long table is a tenth of its length
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What is being played, and the latest results. Its time grows with what it shows alone, but for rankings
    that nobody has asked for lately: these are read once, whole."""
    sessions = Session.objects.ranking_visible_to(None).select_related("tournament__club").order_by("-pk")
    live = sessions.filter(state__in=Session.COMING)[:LIVE_AT_MOST]
    finished = sessions.filter(state__in=Session.OVER)[:FINISHED_AT_MOST]
    shown = {"live": list(live), "finished": list(finished)}
    newest = rankings.newest_of([one.pk for part in shown.values() for one in part])
    leaders = presentation.leaders(newest)
    context = {
        name: [presentation.evening(one, leaders.get(one.pk), language()) for one in part]
        for name, part in shown.items()
    }
    return render(
        request, "frontend/home.html", context | {"hand": HAND, "set_up": first_start.step(request)}
    )


@gzip_page
@require_safe
def ranking(request: HttpRequest, pk: int) -> HttpResponse:
    """For everybody; of a session that is not listed, for its officials."""
    session = get_object_or_404(Session.objects.select_related("tournament__club", "board_set"), pk=pk)
    if not session.listed and not sees_ranking(request, session):
        raise Http404
    newest = rankings.newest(session)
    numbers, pages = page_of(request, 0 if newest is None else rankings.count(newest))
    standings = rankings.standings(newest, numbers) if newest is not None else []
    context = {
        "session": session,
        "pages": pages,
        "cursor": PageCursor((numbers.start - 1,)) if numbers.start else None,
        "game": registry.game(session.game).name.to(language()),
        "groups": presentation.groups(standings),
        "window": presentation.window(standings),
        "version": session.version,
        "method": METHODS[session.method].name.to(language()),
        "unit": METHODS[session.method].unit if comparisons.top(session) is None else "percent",
        "words": WORDS,
        "status": WORDS.get(session.state, ""),
    }
    answer = render(request, "frontend/ranking.html", context)
    if not session.listed:
        answer["Cache-Control"] = "no-store"
    return answer


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
    context = {
        "job": the_job,
        "percent": int(100 * the_job.progress),
        "error": the_job.error and the_job.error[language()],
        "public": the_job.session is not None and the_job.session.listed,
        "knows": knows,
        "draft": Draft.objects.managed_by(account).filter(job=the_job).first() if knows else None,
    }
    answer = render(request, "frontend/job.html", context)
    answer["Cache-Control"] = "no-store"
    return answer


@gzip_page
@require_safe
def boards(request: HttpRequest, pk: int) -> HttpResponse:
    session = published_session(pk)
    return render(request, "frontend/boards.html", {"session": session, "boards": open_boards(session)})


@gzip_page
@require_safe
def traveller(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    session = published_session(pk)
    board = get_object_or_404(open_boards(session), number=number)
    game = registry.game(session.game)
    deal = board_sets.deal_of(session, number)
    numbers, pages = page_of(request, Result.objects.filter(play__board=board).count())
    rows = presentation.traveller(game, session, board, language(), numbers)
    context = {
        "session": session,
        "board": board,
        "pages": pages,
        "dealer": game.dealer_of(number, session.conditions),
        "hands": presentation.hands(game, deal) if deal is not None else [],
        "others": presentation.other_cards(game, deal, language()) if deal is not None else [],
        "sides": game.sides_of(session.conditions),
        "rows": rows,
        "any_disputed": any(row["is_disputed"] for row in rows),
        "top": comparisons.top(session),
        "unit": METHODS[session.method].unit,
        "numbers": presentation.neighbours(number, [b.number for b in open_boards(session)]),
    }
    return render(request, "frontend/traveller.html", context)


@gzip_page
@require_safe
def replay(request: HttpRequest, pk: int, number: int, play: int) -> HttpResponse:
    session = published_session(pk)
    board = get_object_or_404(open_boards(session), number=number)
    plays = Play.objects.select_related("table__section", "result__submission")
    the_play = get_object_or_404(plays, pk=play, board=board, result__submission__content__has_key="actions")
    game = registry.game(session.game)
    deal = board_sets.deal_of(session, number)
    actions = the_play.result.submission.content["actions"]
    seated = list(the_play.seatings.order_by("seat").values_list("contestant_id", flat=True))
    contestants = names.of_contestants(seated, names.ANYONE)
    steps = presentation.steps(game, deal, session.options, actions, len(seated))
    context = {
        "session": session,
        "board": board,
        "play": the_play,
        "dealer": game.dealer_of(number, session.conditions),
        "hands": presentation.hands(game, deal, [contestants[one].name for one in seated]),
        "others": presentation.other_cards(game, deal, language()),
        "steps": steps,
        "tricks": presentation.tricks(steps),
        "speeches": presentation.speeches(game, deal, steps, language()),
        "facts": presentation.facts(game, the_play.result.facts, language()),
    }
    return render(request, "frontend/replay.html", context)
