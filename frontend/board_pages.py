"""A board and a record of it, as those see them who may: anybody, or whoever has played it. Which boards that
are, the caller says."""

from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _

from engines import registry
from engines.contract import Game
from scoring.methods import METHODS
from tournaments.models import Account, Board, Play, Session
from tournaments.services import board_sets, comparisons, exports, names
from tournaments.services.games import language

from . import presentation
from .accounts.views import absolute


def board_page(
    request: HttpRequest,
    session: Session,
    boards: QuerySet[Board],
    number: int,
    *,
    own: Collection[int],
    reader: names.Reader = names.ANYONE,
    is_mine: bool = False,
) -> HttpResponse:
    """One of the boards that a reader may see. `own`: who of its contestants they are; `is_mine`: whoever has
    played it sees it among their own."""
    board = get_object_or_404(boards, number=number)
    viewer = request.user if isinstance(request.user, Account) else None
    game = registry.game(session.game)
    deal = board_sets.deal_of(session, number)
    plays = presentation.on_traveller(game, session, board)
    page = presentation.page(request.GET.get("page", "1"), len(plays))
    if page is None:
        raise Http404
    numbers, pages = page
    shown = list(plays)[numbers.start : numbers.stop]
    rows = presentation.traveller(game, session, board, language(), shown, reader)
    chosen = chosen_row(request.GET.get("play", ""), rows, own)
    seen = [one.number for one in boards]
    context = {
        "session": session,
        "board": board,
        "pages": pages,
        "dealer": game.dealer_of(number, session.conditions),
        "hands": presentation.hands(game, deal) if deal is not None else [],
        "others": presentation.other_cards(game, deal, language()) if deal is not None else [],
        "sides": game.sides_of(session.conditions),
        "rows": rows,
        "results": sum(plays.values()),
        "is_alone": session.plays_per_board == 1,
        "is_compared": session.plays_per_board > 1 or comparisons.adds_up(session),
        "chosen": chosen,
        "counted": presentation.counted(game, session, board, chosen) if chosen else [],
        "departures": departures(session, board, deal, rows, chosen) if chosen else [],
        "game": game.name.to(language()),
        "tells_common": any(row["in_common"] for row in rows),
        "any_bound": any(side["bound"] for row in rows for side in row["sides"]),
        "any_disputed": any(row["is_disputed"] for row in rows),
        "top": comparisons.top(session),
        "unit": METHODS[session.method].unit,
        "numbers": presentation.neighbours(number, seen),
        "is_mine": is_mine,
        "takes": f"{exports.TRAVELLER}{number}" if exports.may(session, viewer) else "",
        "forms": exports.FORMS,
        "several": session.sections.count() > 1,
        "shared": shared_board(request, session, board, chosen) if chosen else None,
    }
    return render(request, "frontend/traveller.html", context)


def shared_board(
    request: HttpRequest, session: Session, board: Board, chosen: dict[str, Any]
) -> dict[str, str] | None:
    """What is handed on of a result that anybody may see; None of any other."""
    if not session.is_open_to_all:
        return None
    ids = [session.pk, board.number]
    play = chosen["play"].pk
    number = _("Board %(number)s") % {"number": board.number}
    return {
        "address": absolute(request, f"{reverse('traveller-page', args=ids)}?play={play}"),
        "picture": absolute(request, reverse("board-preview", args=[*ids, play])),
        "title": f"{session.tournament.name} – {number}",
    }


def departures(
    session: Session, board: Board, deal: Any, rows: list[dict[str, Any]], chosen: dict[str, Any]
) -> list[presentation.Departure]:
    """Where other tables, of those on the page, first did something else than the table whose result is
    counted; nothing where the play was not recorded."""
    recorded = [row for row in rows if row["has_record"]][: presentation.RECORDS_COMPARED]
    if not chosen["has_record"] or len(recorded) < 2:
        return []
    game = registry.game(session.game)
    own = _actions(game, deal, session, chosen["play"])
    others = [
        (row, _actions(game, deal, session, row["play"]))
        for row in recorded
        if row["play"].pk != chosen["play"].pk
    ]
    seats = chosen["play"].seatings.count()
    steps = presentation.steps(game, deal, session.options, own, seats)
    return presentation.departures(game, deal, own, others, steps, language())


def _actions(game: Game[Any], deal: Any, session: Session, play: Play) -> Sequence[str]:
    """The actions of the record that counts."""
    return game.whole(deal, session.options, play.result.submission.content["actions"])


def chosen_row(wanted: str, rows: list[dict[str, Any]], own: Collection[int]) -> dict[str, Any] | None:
    """The result of a traveller that is counted point by point: the one that is asked for, else one's own,
    else the first; None where there is none."""
    for row in rows:
        row["is_own"] = any(one.contestant_id in own for one in row["play"].seatings.all())
    counted = [row for row in rows if row["has_result"]]
    asked = (row for row in counted if str(row["play"].pk) == wanted)
    own_row = (row for row in counted if row["is_own"])
    return next(asked, None) or next(own_row, None) or next(iter(counted), None)


def replay_page(
    request: HttpRequest,
    session: Session,
    boards: QuerySet[Board],
    number: int,
    play: int,
    *,
    reader: names.Reader = names.ANYONE,
    is_mine: bool = False,
) -> HttpResponse:
    """A record of one of the boards that a reader may see, card by card."""
    board = get_object_or_404(boards, number=number)
    plays = Play.objects.select_related("table__section", "result__submission")
    the_play = get_object_or_404(plays, pk=play, board=board, result__submission__content__has_key="actions")
    game = registry.game(session.game)
    deal = board_sets.deal_of(session, number)
    actions = _actions(game, deal, session, the_play)
    seated = list(the_play.seatings.order_by("seat").values_list("contestant_id", flat=True))
    contestants = names.of_contestants(seated, reader)
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
        "is_mine": is_mine,
        "several": session.sections.count() > 1,
    }
    return render(request, "frontend/replay.html", context)
