"""Search over everything, and the keys by which pages are used without a mouse."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from django.views.decorators.http import require_safe

from engines import registry, rules
from tournaments.models import Account, Event, Player, Season, Session
from tournaments.services import finding, table_links

from . import helping, presentation
from .clocks import by_clock
from .views import language

SUGGESTED = 8
LEAST_IN_TEXTS = 3  # letters, which are looked for in the text of the help, too
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
    """What has all words of a text in its name, by kind; and what the help says of them."""
    asked = request.GET.get("q", "").strip()[: finding.LETTERS]
    kinds = findings(request, asked)
    context = {"asked": asked, "kinds": kinds, "count": sum(len(kind["found"]) for kind in kinds)}
    return render(request, "frontend/search.html", context)


@require_safe
def suggestions(request: HttpRequest) -> HttpResponse:
    """The same, a few of all kinds, for the field that asks while somebody types: the first of each kind
    before the second of any."""
    kinds = findings(request, request.GET.get("q", "").strip()[: finding.LETTERS])
    places = [(nth, kind) for kind, one in enumerate(kinds) for nth in range(len(one["found"]))]
    chosen = sorted((kind, nth) for nth, kind in sorted(places)[:SUGGESTED])
    return JsonResponse({"suggestions": [kinds[kind]["found"][nth] for kind, nth in chosen]})


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
        (pgettext("of many clubs", "Events"), [_event(*one) for one in found.events]),
        (_("Seasons"), [_season(one) for one in found.seasons]),
        (_("The games"), _games(asked)),
        (_("Help"), _help(asked)),
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


def _event(event: Event, begins_at: datetime | None) -> dict[str, str]:
    begins = "" if begins_at is None else formats.date_format(begins_at.astimezone(event.zone), "j N Y")
    state = event.get_state_display() if event.state == Event.State.DRAFT else ""
    return _link(
        event.name, reverse("public-event", args=[event.pk]), _run_by(event, _("event"), begins, state)
    )


def _season(season: Season) -> dict[str, str]:
    state = "" if season.state == Season.State.OPEN else season.get_state_display()
    return _link(season.name, reverse("season-page", args=[season.pk]), _run_by(season, _("season"), state))


def _run_by(one: Event | Season, kind: str, *more: str) -> str:
    """What it is, whose, and what else there is to say."""
    whose = _("The federation") if one.club is None else one.club.name
    return " · ".join(part for part in (kind, whose, *more) if part)


def _games(asked: str) -> list[dict[str, str]]:
    """By name, by what stands over the rules, or by id."""
    here = language()
    found = [
        one
        for one in registry.games().values()
        if finding.stands_in(asked, one.id, one.name.to(here), rules.title(one.id, here))
    ]
    about = _("the rules of the game")
    return [
        _link(one.name.to(here), reverse("rules-page", args=[one.id]), about)
        for one in found[: finding.AT_MOST]
    ]


def _help(asked: str) -> list[dict[str, str]]:
    """What has it in its title, then what has it in its text, where words begin."""
    sections = helping.sections(language()).values()
    found = [one for one in sections if finding.stands_in(asked, one.title)]
    if len(asked) >= LEAST_IN_TEXTS:
        rest = (one for one in sections if one not in found)
        found += [one for one in rest if finding.stands_in(asked, one.title, one.words, begins=True)]
    return [_link(one.title, one.address, _("help")) for one in found[: finding.AT_MOST]]
