"""Search over everything, and the keys by which pages are used without a mouse."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_safe

from tournaments.models import Account, Player, Session
from tournaments.services import finding, table_links

from . import presentation
from .clocks import by_clock
from .views import language

SUGGESTED = 8
KEYS = (
    ("/", gettext_lazy("search")),
    ("?", gettext_lazy("these keys")),
    ("g h", gettext_lazy("the first page")),
    ("g c", pgettext_lazy("where people play", "clubs")),
    ("g d", gettext_lazy("my desk")),
    ("g m", gettext_lazy("my page as a player")),
)


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """What has all words of a text in its name, by kind."""
    asked = request.GET.get("q", "").strip()[: finding.LETTERS]
    kinds = findings(request, asked)
    context = {"asked": asked, "kinds": kinds, "count": sum(len(kind["found"]) for kind in kinds)}
    return render(request, "frontend/search.html", context)


@require_safe
def suggestions(request: HttpRequest) -> HttpResponse:
    """The same, a few of all kinds, for the field that asks while somebody types."""
    found = [one for kind in findings(request, request.GET.get("q", "").strip()) for one in kind["found"]]
    return JsonResponse({"suggestions": found[:SUGGESTED]})


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """The keys that every page understands."""
    return render(request, "frontend/keys.html", {"keys": KEYS})


def findings(request: HttpRequest, asked: str) -> list[dict[str, Any]]:
    """What was found, kind by kind: its name, where it is, and what tells it from others of the name."""
    account = request.user if isinstance(request.user, Account) else None
    found = finding.find(asked, account)
    kinds = [
        (_("Your sessions"), [_evening(one, "session-desk") for one in found.own_sessions]),
        (_("Your register"), [_entry(one) for one in found.own_players]),
        (_("Clubs"), [_link(c.name, reverse("public-club", args=[c.slug]), _("club")) for c in found.clubs]),
        (
            _("Tournaments"),
            [
                _link(one.name, reverse("public-tournament", args=[one.pk]), one.club.name)
                for one in found.tournaments
            ],
        ),
        (_("Evenings"), [_evening(one, "ranking-page") for one in found.sessions]),
        (_("Players"), [_player(one) for one in found.players]),
    ]
    code = table_links.read(asked)
    if table_links.is_code(code):
        link = _link(
            table_links.shown(code),
            table_links.path_of(code),
            _("the phone’s page of the table with this code"),
        )
        kinds.insert(0, (_("Tables"), [link]))
    return [{"title": title, "found": some} for title, some in kinds if some]


def _link(name: str, address: str, about: str) -> dict[str, str]:
    return {"name": name, "address": address, "about": about}


def _evening(session: Session, route: str) -> dict[str, str]:
    address = reverse(route, args=[session.pk])
    parts = (
        session.tournament.club.name,
        presentation.game_name(session, language()),
        by_clock(session, "j N Y"),
    )
    name = f"{session.tournament.name}, {session.name}"
    return _link(name, address, " · ".join(part for part in parts if part))


def _player(player: Player) -> dict[str, str]:
    address = reverse("public-player", args=[player.club.slug, player.pk])
    return _link(player.public_name or player.name, address, player.club.name)


def _entry(player: Player) -> dict[str, str]:
    address = reverse("register-player", args=[player.club.slug, player.pk])
    return _link(player.name, address, " · ".join(part for part in (player.number, player.club.name) if part))
