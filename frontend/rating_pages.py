"""How strong the players of a club are, as everybody sees it: those who agreed to their names on pages, and
how well such ratings have foretold what came. For those who set up its sessions, the desk has it done."""

from fractions import Fraction
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from scoring.ratings import BINS, COIN, Forecasts
from tournaments.models import Account, PlayerRating
from tournaments.models.ratings import ALL_GAMES
from tournaments.services import jobs, names, ratings
from tournaments.services.errors import Refused

from .accounts.keeping import signed_in
from .accounts.views import account_of, forms_and_pages
from .clubs import public_club
from .desk.wizard import managed_club
from .rating_rows import game_name, row_of
from .views import language, page_of

HALF = Fraction(1, 2)


@gzip_page
@require_safe
def page(request: HttpRequest, club: str) -> HttpResponse:
    """The strongest of a club at a game, or over all; 404 where nobody is rated. Everybody sees those who
    agreed, and themselves: officials have the others from the API."""
    the_club = public_club(club)
    if not ratings.is_rated(the_club):
        raise Http404
    games = ratings.games_rated(the_club)
    game = request.GET.get("game", ALL_GAMES if len(games) > 1 else (games or [ALL_GAMES])[0])
    if game not in (ALL_GAMES, *games):
        raise Http404
    found = ratings.of(the_club, game, _themselves(request))
    numbers, pages = page_of(request, len(found))
    shown = found[numbers.start : numbers.stop]
    named = names.of_players([one.player_id for _rank, one in shown], _themselves(request)) if shown else {}
    told = language()
    context = {
        "club": the_club,
        "rows": [{"rank": rank, "name": named[one.player_id]} | row_of(one, told) for rank, one in shown],
        "games": [
            {"id": one, "name": game_name(one, told), "is_here": one == game}
            for one in (ALL_GAMES, *games)
            if len(games) > 1
        ],
        "pages": {**pages, "query": f"game={game}&"},
        "whole": ratings.is_whole(the_club),
        "foretold": foretold(ratings.foretold(the_club)),
    }
    return render(request, "clubs/ratings.html", context)


def _themselves(request: HttpRequest) -> names.Reader:
    account = request.user
    own = account.players.values_list("pk", flat=True) if isinstance(account, Account) else ()
    return names.Reader(players=frozenset(own))


def foretold(told: Forecasts) -> dict[str, Any] | None:
    """What a table says of forecasts; None before there were any."""
    if not told.pairs:
        return None
    width = Fraction(1, 2 * BINS)
    return {
        "pairs": told.pairs,
        "losses": [told.loss / told.pairs, told.elo_loss / told.pairs, COIN],
        "bins": [
            {"low": HALF + width * at, "high": HALF + width * (at + 1), "pairs": n, "won": Fraction(won, n)}
            for at, (n, won) in enumerate(told.bins)
            if n
        ],
    }


# ── At the desk ───────────────────────────────────────────────────────────────────────────────────


@forms_and_pages
@signed_in
def desk(request: HttpRequest, club: str) -> HttpResponse:
    """Whether the players of a club are rated, and the way to have it begun, done anew or ended."""
    the_club, account = managed_club(request, club), account_of(request)
    way = request.POST.get("way", "") if request.method == "POST" else ""
    if way == "forget":
        ratings.forget(club=the_club, actor=account)
        messages.success(request, _("Nobody is rated any more, and the ratings are gone."))
        return redirect("desk-ratings", club=the_club.slug)
    if way == "rate":
        try:
            job = jobs.ask_to_rate(club=the_club, sender=account)
        except Refused as error:
            messages.error(request, str(error))
            return redirect("desk-ratings", club=the_club.slug)
        return redirect("job-page", pk=job.pk)
    own = PlayerRating.objects.filter(club=the_club, game=ALL_GAMES)
    context = {
        "club": the_club,
        "is_rated": ratings.is_rated(the_club),
        "players": own.count(),
        "agreed": own.filter(player__consent=True).count(),
        "foretold": foretold(ratings.foretold(the_club)),
    }
    return render(request, "desk/ratings.html", context)
