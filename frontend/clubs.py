"""Clubs as everybody sees them: their evenings, their results, the players who agreed; and the feeds."""

from datetime import timedelta
from unicodedata import category

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from tournaments.models import Account, Club, PastSeason, Tournament
from tournaments.services import (
    combined,
    logos,
    names,
    past_seasons,
    public_calendar,
    public_events,
    rankings,
    ratings,
    roles,
    seasons,
    versions,
)

from . import exports, icalendar, presentation, rating_rows
from .accounts.views import absolute
from .clocks import by_clock, render_at
from .views import language, page_of

RESULTS_ON_A_PAGE = 10  # of as many orders as are remembered
COMING_AT_MOST = 30
IN_A_FEED = 30
LEGS_AT_MOST = 8  # of events
REMEMBERED = timedelta(days=366)  # evenings of a calendar that are over


def public_club(slug: str) -> Club:
    """A club that has something public; else there is none."""
    return get_object_or_404(public_calendar.clubs(), slug=slug)


@gzip_page
@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """All clubs that have something public, by name."""
    found = public_calendar.clubs_with_next(timezone.now())
    numbers, pages = page_of(request, found.count())
    return render(request, "clubs/clubs.html", {"clubs": found[numbers.start : numbers.stop], "pages": pages})


@gzip_page
@require_safe
def page(request: HttpRequest, club: str) -> HttpResponse:
    """What is on at a club, what comes, and its results, a page at a time."""
    the_club, now = public_club(club), timezone.now()
    over = public_calendar.over(the_club)
    numbers, pages = page_of(request, over.count(), RESULTS_ON_A_PAGE)
    on = [] if numbers.start else list(public_calendar.on(now, the_club)[:RESULTS_ON_A_PAGE])
    shown = presentation.evenings(on + list(over[numbers.start : numbers.stop]), language())
    players = public_calendar.players(the_club)
    context = {
        "club": the_club,
        "live": shown[: len(on)],
        "finished": shown[len(on) :],
        "pages": pages,
        "coming": public_calendar.coming(now, the_club)[:COMING_AT_MOST],
        "legs_on": presentation.legs(public_events.on(now, the_club)[:LEGS_AT_MOST], language()),
        "legs_coming": presentation.legs(public_events.coming(now, the_club)[:LEGS_AT_MOST], language()),
        "legs_over": presentation.legs(public_events.over(the_club)[:LEGS_AT_MOST], language()),
        "lists": public_calendar.registration_lists(the_club),
        "players": players.count(),
        "is_rated": ratings.is_rated(the_club),
        "running": seasons.of(the_club, None),
        "seasons": past_seasons.of(the_club).defer("places"),
    }
    return render_at(the_club, request, "clubs/club.html", context)


def _season(request: HttpRequest, club: str, pk: int) -> PastSeason:
    """A season of the years before: for everybody once something of the club is public, before for those who
    work there."""
    found = get_object_or_404(PastSeason.objects.select_related("club"), club__slug=club, pk=pk)
    is_public = public_calendar.clubs().filter(pk=found.club_id).exists()
    if not is_public and not roles.works_for(request.user, found.club):
        raise Http404
    return found


def _reader(request: HttpRequest) -> names.Reader:
    return names.reader_for(request.user) if isinstance(request.user, Account) else names.ANYONE


@gzip_page
@require_safe
def season(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """How a season of the years before has ended, with names as consent says."""
    found = _season(request, club, pk)
    places = past_seasons.shown(found, _reader(request))
    context = {
        **{"club": found.club, "season": found, "places": places},
        "is_even": all(place.total.denominator == 1 for place in places),  # else all have two decimals
        "has_numbers": any(place.number for place in places),
        "has_evenings": any(place.evenings is not None for place in places),
    }
    return render_at(found.club, request, "clubs/season.html", context)


@require_safe
def season_file(request: HttpRequest, club: str, pk: int, form: str) -> HttpResponse:
    """The same as a file."""
    found = _season(request, club, pk)
    if form not in exports.FORMS:
        raise Http404
    table = past_seasons.table(found, _reader(request))
    name = f"{slugify(found.title) or 'etui'}-{found.year}"
    return exports.as_file(exports.table_as(table, form), name, form)


@gzip_page
@require_safe
def players(request: HttpRequest, club: str) -> HttpResponse:
    """The players of a club who agreed that their names be published."""
    the_club = public_club(club)
    found = public_calendar.players(the_club)
    numbers, pages = page_of(request, found.count())
    context = {
        "club": the_club,
        "players": [
            {"pk": one.pk, "name": one.public_name or one.name} for one in found[numbers.start : numbers.stop]
        ],
        "pages": pages,
    }
    return render(request, "clubs/players.html", context)


@gzip_page
@require_safe
def player(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """Where a player who agreed has been ranked, the newest first."""
    the_club = public_club(club)
    the_player = get_object_or_404(public_calendar.players(the_club), pk=pk)
    own = public_calendar.results_of(the_player)
    numbers, pages = page_of(request, own.count(), RESULTS_ON_A_PAGE)
    ranked = list(own[numbers.start : numbers.stop])
    orders = {
        one.session_id: versions.order_of(one) for one in rankings.newest_of([r.session_id for r in ranked])
    }
    shown = names.of_contestants([one.pk for one in ranked], names.ANYONE)
    rows = []
    for one in ranked:
        order = orders.get(one.session_id)
        if order is None:
            continue
        place = next((p for places in order.groups.values() for p in places if p.contestant == one.pk), None)
        game = presentation.game_name(one.session, language())
        rows.append(
            {
                "session": one.session,
                "game": game,
                "place": place,
                "of": order.count,
                "name": shown[one.pk].name,
            }
        )
    context = {
        "club": the_club,
        "name": the_player.public_name or the_player.name,
        "rows": rows,
        "pages": pages,
        "ratings": rating_rows.with_histories(ratings.public_of(the_player), [the_player.pk], language()),
    }
    return render_at(the_club, request, "clubs/player.html", context)


@gzip_page
@require_safe
def tournament(request: HttpRequest, pk: int) -> HttpResponse:
    """A tournament's evenings that are listed: what is on, what comes, what has been."""
    tournaments = Tournament.objects.visible_to(None).select_related("club")
    the_tournament, now = get_object_or_404(tournaments, pk=pk), timezone.now()
    over = public_calendar.over().filter(tournament=the_tournament)
    numbers, pages = page_of(request, over.count(), RESULTS_ON_A_PAGE)
    on = [] if numbers.start else list(public_calendar.on(now).filter(tournament=the_tournament)[:6])
    shown = presentation.evenings(on + list(over[numbers.start : numbers.stop]), language())
    context = {
        "tournament": the_tournament,
        "club": the_tournament.club,
        "live": shown[: len(on)],
        "finished": shown[len(on) :],
        "pages": pages,
        "has_standings": combined.are_there(the_tournament, None),
        "coming": public_calendar.coming(now).filter(tournament=the_tournament)[:COMING_AT_MOST],
        "lists": public_calendar.registration_lists(the_tournament.club).filter(tournament=the_tournament),
    }
    return render_at(the_tournament.club, request, "clubs/tournament.html", context)


@require_safe
def logo(request: HttpRequest, club: str) -> HttpResponse:
    """The logo of a club: for everybody once something of it is public, before for those who work there. Its
    address changes with it, so that it is kept by those who have it."""
    the_club = get_object_or_404(Club.objects.exclude(logo=""), slug=club)
    is_public = public_calendar.clubs().filter(pk=the_club.pk).exists()
    if not is_public and not roles.works_for(request.user, the_club):
        raise Http404
    content = logos.content_of(the_club)
    if content is None:
        raise Http404
    answer = HttpResponse(content, content_type="image/webp")
    answer["Cache-Control"] = f"{'public' if is_public else 'private'}, max-age=86400"
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


# ── Feeds ─────────────────────────────────────────────────────────────────────────────────────────


@gzip_page
@require_safe
def calendar(request: HttpRequest, club: str) -> HttpResponse:
    """A club's evenings for calendars (RFC 5545): of the last year, and all that come."""
    the_club = public_club(club)
    found = public_calendar.dated(the_club, timezone.now() - REMEMBERED)
    events = icalendar.events_of(request, found, "ranking-page")
    answer = HttpResponse(icalendar.calendar(the_club.name, events), content_type=icalendar.TYPE)
    answer["Content-Disposition"] = f'inline; filename="etui-{the_club.pk}.ics"'
    return answer


def printable(text: str) -> str:
    """A text without the control characters that no XML can hold."""
    return "".join(letter for letter in text if letter.isprintable() or category(letter) == "Zs")


@gzip_page
@require_safe
def results(request: HttpRequest, club: str) -> HttpResponse:
    """A club's newest results as an Atom feed: an entry for each evening, with its first places."""
    the_club = public_club(club)
    own = reverse("public-club", args=[the_club.slug])
    feed = Atom1Feed(
        title=printable(_("Results: %(club)s") % {"club": the_club.name}),
        link=absolute(request, own),
        description="",
        language=language(),
        feed_url=absolute(request, request.path),
    )
    for one in presentation.evenings(list(public_calendar.over(the_club)[:IN_A_FEED]), language()):
        session = one["session"]
        address = absolute(request, reverse("ranking-page", args=[session.pk]))
        lines = [f"{place.rank} {place.name}" for place in one["leaders"]]
        when = session.starts_at or session.created_at
        feed.add_item(
            title=printable(f"{session.tournament.name}, {session.name}"),
            link=address,
            unique_id=f"tag:{request.get_host()},{session.created_at:%Y-%m-%d}:session-{session.pk}",
            description=printable(
                " · ".join([one["game"], by_clock(session, "j F Y"), *lines]).replace(" ·  · ", " · ")
            ),
            pubdate=when,
            updateddate=when,
        )
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)
