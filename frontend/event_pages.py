"""Events of many clubs, for everybody: what is on and what comes; of each what is played when, by which
clubs, and since when its boards may be known; and the joint ranking of all of them."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from engines import registry
from scoring.methods import METHODS
from tournaments.models import Account, Club, Event, FieldRanking, Leg
from tournaments.services import event_entries, field_lists, fields, names, public_events, seasons

from . import presentation
from .exports import FORMS, as_file, table_as
from .movement_words import movement_name
from .views import language, page_of

ON_A_PAGE, VERSIONS_SHOWN = 100, 10
LISTED_AT_MOST, RANKED_ON_A_PAGE = 50, 20


@gzip_page
@require_safe
def listed(request: HttpRequest) -> HttpResponse:
    """All that have been announced: on, coming, and with a joint ranking, these a page at a time; and the
    seasons of the federation."""
    now, over = timezone.now(), public_events.over()
    numbers, pages = page_of(request, over.count(), RANKED_ON_A_PAGE)
    here = language()
    context = {
        "live": presentation.legs(public_events.on(now)[:LISTED_AT_MOST], here),
        "coming": presentation.legs(public_events.coming(now)[:LISTED_AT_MOST], here),
        "ranked": presentation.legs(over[numbers.start : numbers.stop], here),
        "pages": pages,
        "seasons": seasons.of(None, None),
    }
    return render(request, "clubs/events.html", context)


@gzip_page
@require_safe
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """For everybody, once it has been announced; for those who run it before, too. The queries do not grow
    with its legs and clubs."""
    viewer = request.user if isinstance(request.user, Account) else None
    event = get_object_or_404(Event.objects.visible_to(viewer).select_related("club"), pk=pk)
    playing = event_entries.playing(event)
    here = language()
    legs = [
        (leg, registry.game(leg.game).name.to(here), METHODS[leg.method].name.to(here), playing.get(leg.pk))
        for leg in event.legs.order_by("number")
    ]
    with timezone.override(event.zone):
        movements = [movement_name(one) for one in event.movements]
        context = {"event": event, "club": event.club, "legs": legs, "movements": movements}
        return render(request, "clubs/event.html", context)


@gzip_page
@require_safe
def field(request: HttpRequest, pk: int, leg: int) -> HttpResponse:
    """The joint ranking of a leg: the whole field, a region or a club. For everybody, once the embargo has
    been lifted; before that the page says that there is none. The queries do not grow with the field."""
    event, the_leg = _seen(request, pk, leg)
    version, which = field_lists.newest(the_leg), _which(request)
    context: dict[str, Any] = {"event": event, "leg": the_leg, "version": version, **which}
    context["game"] = registry.game(the_leg.game).name.to(language())
    if version is not None:
        context |= _list(request, version, which)
    elif which:
        raise Http404
    with timezone.override(event.zone):
        return render(request, "clubs/field.html", context)


@require_safe
def field_file(request: HttpRequest, pk: int, leg: int, form: str) -> HttpResponse:
    """The list of the page as a file, in its newest version. The queries do not grow with the field."""
    event, the_leg = _seen(request, pk, leg)
    version = field_lists.newest(the_leg)
    if version is None or form not in FORMS:
        raise Http404
    which = _which(request)
    found = field_lists.content(version, club=which.get("club", ""), region=which.get("region", ""))
    if not found.among:
        raise Http404
    content = table_as(field_lists.table(found, _reader(request)), form)
    return as_file(content, f"{slugify(event.name) or 'etui'}-{the_leg.number}-field", form)


def _seen(request: HttpRequest, pk: int, leg: int) -> tuple[Event, Leg]:
    viewer = request.user if isinstance(request.user, Account) else None
    event = get_object_or_404(Event.objects.visible_to(viewer).select_related("club"), pk=pk)
    the_leg = get_object_or_404(event.legs, number=leg)
    the_leg.event = event
    return event, the_leg


def _which(request: HttpRequest) -> dict[str, str]:
    """Of whom the list is: a club, a region, or everybody."""
    return {name: request.GET[name] for name in ("club", "region") if request.GET.get(name)}


def _reader(request: HttpRequest) -> names.Reader:
    return names.reader_for(request.user) if isinstance(request.user, Account) else names.ANYONE


def _list(request: HttpRequest, version: FieldRanking, which: dict[str, str]) -> dict[str, Any]:
    found = field_lists.content(version, club=which.get("club", ""), region=which.get("region", ""))
    if not found.among:
        raise Http404
    numbers, pages = page_of(request, found.count, ON_A_PAGE)
    shown = list(found.places(numbers))
    named = names.of_contestants([one.place.contestant for one in shown], _reader(request))
    rows = [{**one._asdict(), "name": named[one.place.contestant].name} for one in shown]
    clubs = {one.slug: one for one in sorted(found.clubs.values(), key=lambda one: (one.name, one.pk))}
    club = clubs.get(which.get("club", ""))
    return {
        "clubs": clubs,
        "club": club,
        "regions": found.regions,
        "name": club.name if club else which.get("region") or _("Whole field"),
        "groups": [(group, list(some)) for group, some in groupby(rows, key=lambda row: row["line_group"])],
        "forms": list(FORMS),
        "query": f"?{urlencode(which)}" if which else "",
        "pages": {**pages, "query": f"{urlencode(which)}&" if which else ""},
        "history": versions(field_lists.versions_of(version.leg).order_by("-version")[:VERSIONS_SHOWN]),
    }


def versions(shown: Iterable[FieldRanking]) -> list[dict[str, Any]]:
    """Versions of a joint ranking, with what is other than before in words. A query besides their own."""
    found = list(shown)
    clubs = dict(
        Club.objects.filter(pk__in={club for one in found for club, _what, _why in one.news}).values_list(
            "pk", "name"
        )
    )
    words = {
        fields.IN: _("%(club)s counts"),
        fields.OUT: _("%(club)s counts no more"),
        fields.MENDED: _("%(club)s has mended its results"),
    }
    return [
        {
            "version": one.version,
            "created_at": one.created_at,
            "news": [
                words[what] % {"club": clubs[club]} + (_(": %(reason)s") % {"reason": why} if why else "")
                for club, what, why in one.news
            ],
        }
        for one in found
    ]
