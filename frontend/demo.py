"""The demo: a link that signs one in as the director of its evening, and a short tour. Nothing of it is there
anywhere else: only `make demo` sets DEMO_SECRET."""

from dataclasses import dataclass
from secrets import compare_digest
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from tournaments.models import Account, Session

from .accounts.context import TOUR, is_touring


@dataclass(frozen=True, slots=True)
class TourStop:
    """A page of the tour, and what to look at there; `afterwards`: once the evening is over, which robots
    play in a minute. `told_on`: the page on which the tour speaks of it, where the page itself has no room
    for a tour."""

    route: str
    words: Promise
    afterwards: Promise | None = None
    of_session: bool = True
    told_on: str = ""


STOPS = (
    TourStop(
        "session-desk",
        gettext_lazy(
            "This is the director’s desk. Robots play the evening: the grid fills, a cell for each board at "
            "each table. Click on one to enter, correct or rule."
        ),
        gettext_lazy(
            "This is the director’s desk. Robots have played the evening: the grid has a cell for each board "
            "at each table. Click on one to correct or rule; the list is final once you make it so."
        ),
    ),
    TourStop(
        "ranking-page",
        gettext_lazy("This is what everybody sees: the ranking moves while results come in."),
        gettext_lazy("This is what everybody sees: the ranking moved while results came in."),
    ),
    TourStop(
        "screen-page",
        gettext_lazy(
            "For the wall of the hall there is a page of its own: ranking, clock, who sits where next. Its "
            "pages turn by themselves."
        ),
        told_on="ranking-page",
    ),
    TourStop(
        "boards-page",
        gettext_lazy(
            "Once the evening is over, every board is here with its traveller and its replay; anybody can "
            "verify in the browser that the deals are those that were sealed."
        ),
    ),
    TourStop(
        "desk",
        gettext_lazy("And here you set up an evening of your own: “New session”."),
        of_session=False,
    ),
)


@require_safe
def sign_in(request: HttpRequest, secret: str) -> HttpResponse:
    """Whoever has the link that `make demo` printed is its director, and begins the tour."""
    from allauth.account.utils import perform_login  # not before somebody comes

    if not settings.DEMO_SECRET or not compare_digest(secret.encode(), settings.DEMO_SECRET.encode()):
        raise Http404
    account = Account.objects.filter(email=settings.DEMO_DIRECTOR, is_active=True).first()
    if account is None:
        raise Http404
    if not request.user.is_authenticated:
        perform_login(request, account, email_verification="none")
    request.session[TOUR] = 0
    return redirect(address_of(STOPS[0]))


@require_POST
def tour(request: HttpRequest) -> HttpResponse:
    """On to the next page of the tour, or to its end; the page from which it was ended stays."""
    if not settings.DEMO_SECRET:
        raise Http404
    at = request.session.get(TOUR, 0) + 1
    if request.POST.get("way") != "next" or at >= len(STOPS):
        request.session.pop(TOUR, None)
        return redirect("desk" if request.user.is_authenticated else "home")
    request.session[TOUR] = at
    return redirect(address_of(STOPS[at], STOPS[at].told_on))


def address_of(stop: TourStop, route: str = "") -> str:
    """Of a stop, or of another page (`route`) of its evening. The demo has one; before it is there, its
    desk."""
    newest = Session.objects.order_by("-pk").values_list("pk", flat=True).first()
    if not stop.of_session or newest is None:
        return reverse("desk")
    return reverse(route or stop.route, args=[newest])


def banner(request: HttpRequest) -> dict[str, Any]:
    """Of the tour, for every page: where it is; nothing outside the demo."""

    def now() -> dict[str, Any] | None:
        if not is_touring(request)():
            return None
        at = min(request.session[TOUR], len(STOPS) - 1)
        stop = STOPS[at]
        newest = Session.objects.order_by("-pk").first() if stop.afterwards else None
        is_over = newest is not None and newest.is_over
        return {
            "number": at + 1,
            "count": len(STOPS),
            "words": stop.afterwards if is_over else stop.words,
            "address": address_of(stop),
            "is_apart": bool(stop.told_on),
            "is_last": at + 1 == len(STOPS),
        }

    return {"tour": now}
