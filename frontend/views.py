"""Pages: each finds what anyone may see, arranges it, and shows it."""

from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from engines import registry
from scoring.methods import METHODS
from tournaments.models import Board, Play, Session
from tournaments.services import board_sets, comparisons, rankings

from . import presentation


def published_session(pk: int) -> Session:
    sessions = Session.objects.ranking_visible_to(None).select_related("tournament__club", "board_set")
    return get_object_or_404(sessions, pk=pk)


def open_boards(session: Session) -> Any:
    return Board.objects.open_to(None).filter(board_set__session=session).order_by("number")


def language() -> str:
    return (get_language() or "en")[:2]


@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """For a supervisor or a load balancer: the process answers and reaches its database."""
    connection.ensure_connection()
    return HttpResponse("ok", content_type="text/plain")


def server_error(request: HttpRequest) -> HttpResponse:
    """The answer to an internal error, which is in the log."""
    message = _("Internal error; it has been logged.")
    if request.path.startswith("/api/"):
        return JsonResponse({"error": {"code": "broken", "message": message}}, status=500)
    return HttpResponse(message, status=500, content_type="text/plain; charset=utf-8")


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    sessions = (
        Session.objects.ranking_visible_to(None).select_related("tournament__club").order_by("-pk")[:50]
    )
    return render(request, "frontend/home.html", {"sessions": sessions})


@require_safe
def ranking(request: HttpRequest, pk: int) -> HttpResponse:
    session = published_session(pk)
    newest = rankings.newest(session)
    standings = rankings.standings(newest) if newest is not None else []
    context = {
        "session": session,
        "game": registry.game(session.game).name.to(language()),
        "groups": presentation.groups(standings),
        "window": presentation.window(standings),
        "version": session.version,
        "method": METHODS[session.method].name.to(language()),
        "unit": METHODS[session.method].unit if comparisons.top(session) is None else "percent",
        "boards_open": session.state == Session.State.FINISHED,
    }
    return render(request, "frontend/ranking.html", context)


@require_safe
def boards(request: HttpRequest, pk: int) -> HttpResponse:
    session = published_session(pk)
    return render(request, "frontend/boards.html", {"session": session, "boards": open_boards(session)})


@require_safe
def traveller(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    session = published_session(pk)
    board = get_object_or_404(open_boards(session), number=number)
    game = registry.game(session.game)
    deal = board_sets.deal_of(session, number)
    plays = (
        Play.objects.filter(board=board, result__isnull=False)
        .select_related("table__section", "result__submission")
        .prefetch_related("seatings__contestant")
    )
    context = {
        "session": session,
        "board": board,
        "dealer": game.dealer_of(number, session.conditions),
        "hands": presentation.hands(game, deal) if deal is not None else [],
        "others": presentation.other_cards(game, deal, language()) if deal is not None else [],
        "lines": presentation.lines(game, session, plays, language()),
        "top": comparisons.top(session),
        "unit": METHODS[session.method].unit,
        "numbers": presentation.neighbours(number, [b.number for b in open_boards(session)]),
    }
    return render(request, "frontend/traveller.html", context)


@require_safe
def replay(request: HttpRequest, pk: int, number: int, play: int) -> HttpResponse:
    session = published_session(pk)
    board = get_object_or_404(open_boards(session), number=number)
    plays = Play.objects.select_related("table__section", "result__submission")
    the_play = get_object_or_404(plays, pk=play, board=board, result__submission__content__has_key="actions")
    game = registry.game(session.game)
    deal = board_sets.deal_of(session, number)
    actions = the_play.result.submission.content["actions"]
    seatings = the_play.seatings.select_related("contestant").order_by("seat")
    steps = presentation.steps(game, deal, session.options, actions, len(seatings))
    context = {
        "session": session,
        "board": board,
        "play": the_play,
        "dealer": game.dealer_of(number, session.conditions),
        "hands": presentation.hands(game, deal, [s.contestant.name for s in seatings]),
        "others": presentation.other_cards(game, deal, language()),
        "steps": steps,
        "tricks": presentation.tricks(steps),
        "speeches": presentation.speeches(game, deal, steps, language()),
        "facts": presentation.facts(game, the_play.result.facts, language()),
    }
    return render(request, "frontend/replay.html", context)
