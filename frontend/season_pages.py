"""A season as everybody sees it: its lists, the way the places moved, its rules in words, its prizes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from tournaments.models import Account, Season, SeasonStanding
from tournaments.services import names, season_standings, seasons
from tournaments.services.season_results import Key
from tournaments.services.season_standings import HeldStanding, SeasonWish
from tournaments.services.seasons import ShownRow

from . import exports, season_words
from .season_words import query_of
from .views import page_of

ON_A_PAGE, VERSIONS_SHOWN, DRAWN = 100, 10, 8
WIDTH, SIDE, STEP = 364.0, 14.0, 22.0


def seen_season(request: HttpRequest, pk: int) -> Season:
    """One that the reader may see."""
    viewer = request.user if isinstance(request.user, Account) else None
    return get_object_or_404(Season.objects.visible_to(viewer).select_related("club", "follows"), pk=pk)


def reader_of(request: HttpRequest) -> names.Reader:
    return names.reader_for(request.user) if isinstance(request.user, Account) else names.ANYONE


@gzip_page
@require_safe
def page(request: HttpRequest, season: int) -> HttpResponse:
    """The queries do not grow with the season."""
    found = seen_season(request, season)
    version = season_standings.newest(found)
    context: dict[str, Any] = {"season": found, "club": found.club, "version": version}
    context["behind"] = found.evenings.exists() and season_standings.behind(found)
    context["words"] = list(
        season_words.rules_in_words(season_standings.rules_of(found.rules), found.measure)
    )
    if version is not None:
        context |= _list(request, found, version)
    return render(request, "clubs/standing.html", context)


def _list(request: HttpRequest, season: Season, version: SeasonStanding) -> dict[str, Any]:
    held = season_standings.held(version)
    wish = wish_of(request, held)
    reader = reader_of(request)
    shown = seasons.shown(version, wish, reader)
    numbers, pages = page_of(request, len(shown), ON_A_PAGE)
    named = {one.pk: seasons.name_of(one) for one in season_standings.in_order(season)}
    given = [
        {"name": one.name, "number": one.number, "people": names_in(one.winners, reader)}
        for one in seasons.prizes_of(season, version)
    ]
    rows = shown[numbers.start : numbers.stop]
    return {
        "lists": [
            {"name": season_words.list_name(one, held), "query": query_of(one), "is_here": one == wish}
            for one in seasons.wishes(held)
        ],
        "name": season_words.list_name(wish, held),
        "rows": [
            {"shown": one, "why": season_words.tie_words(one.row, held.rules),
             "move": season_words.MOVES.get(one.move, ""), "query": query_of(wish, who=one.row.contestant),
             "line": _line(one.positions, len(held.evenings), len(shown))}
            for one in rows
        ],
        "plot": plot(shown[:DRAWN], len(held.evenings)),
        "who": _who(request, shown, held, named),
        "evenings": [named.get(pk, "") for pk in held.evenings],
        "prizes": given,
        "query": query_of(wish),
        "is_even": all(one.row.value.denominator == 1 for one in shown),
        "pages": {**pages, "query": f"{query_of(wish)}&"},
        "history": _history(season, named),
    }  # fmt: skip


def names_in(keys: Sequence[Key], reader: names.Reader) -> list[str]:
    people = seasons.names_of(keys, reader)
    return [people[key] for key in keys]


# ── Which list ────────────────────────────────────────────────────────────────────────────────────


def wish_of(request: HttpRequest, held: HeldStanding) -> SeasonWish:
    """The list that is asked for, by default the first; 404 for one that there is not."""
    asked = {name: request.GET.get(name, "") for name in ("ranked", "division", "category", "handicap")}
    if not any(asked.values()):
        return seasons.wishes(held)[0]
    division = asked["division"]
    wish = SeasonWish(
        asked["ranked"] or held.ranked[0],
        int(division) if division.isdecimal() and len(division) < 4 else None,
        asked["category"],
        bool(asked["handicap"]),
    )
    if wish not in seasons.wishes(held):
        raise Http404
    return wish


def _who(
    request: HttpRequest, shown: Sequence[ShownRow], held: HeldStanding, named: dict[int, str]
) -> dict[str, Any] | None:
    """Somebody's evenings, by the calendar: what each was worth, and why it counts or not."""
    asked = request.GET.get("who", "")
    one = next((row for row in shown if "-".join(map(str, row.row.contestant)) == asked), None)
    if one is None:
        return None
    parts = [(part, True) for part in one.row.parts] + [(part, False) for part in one.row.rest]
    at = {str(pk): number for number, pk in enumerate(held.evenings)}
    rows = [
        {
            "evening": named.get(int(part.evening), ""),
            "part": part,
            "counts": counts,
            "words": season_words.part_words(part, counted=counts, half=held.rules.half),
            "place": one.positions[at[part.evening]] if one.positions else None,
        }
        for part, counts in sorted(parts, key=lambda both: at[both[0].evening])
    ]
    return {"name": one.name, "rows": rows, "is_weighted": any(part.weight != 1 for part, _counts in parts)}


# ── The way it moved ──────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class MovedLine:
    """Somebody's places as a line, and where its end stands."""

    name: str
    rank: str
    points: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class MovedPlot:
    height: float
    lines: Sequence[MovedLine]


def plot(shown: Sequence[ShownRow], evenings: int) -> MovedPlot | None:
    """The first of a list after each evening; None with fewer than two evenings, and for lists whose places
    are not kept."""
    drawn = [one for one in shown if one.row.rank and any(one.positions)]
    if evenings < 2 or not drawn:
        return None
    lowest = max(at for one in drawn for at in one.positions if at is not None)
    step = min(STEP, 240 / max(lowest - 1, 1))
    width = WIDTH - 2 * SIDE - 20
    lines = []
    for one in drawn:
        places = [(number, at) for number, at in enumerate(one.positions) if at is not None]
        points = [
            (round(SIDE + number * width / (evenings - 1), 1), round(SIDE + (at - 1) * step, 1))
            for number, at in places
        ]
        text = " ".join(f"{x:g},{y:g}" for x, y in points)
        lines.append(MovedLine(one.name, one.row.rank, text, *points[-1]))
    return MovedPlot(round(2 * SIDE + (lowest - 1) * step, 1), lines)


def _line(positions: Sequence[int | None], evenings: int, count: int) -> str:
    """The same for everybody, small: in a box of 100 by 24."""
    if evenings < 2:
        return ""
    points = [
        (number * 100 / (evenings - 1), 2 + (at - 1) * 20 / max(count - 1, 1))
        for number, at in enumerate(positions)
        if at is not None
    ]
    return " ".join(f"{round(x, 1):g},{round(min(y, 22.0), 1):g}" for x, y in points)


def _history(season: Season, named: dict[int, str]) -> list[dict[str, Any]]:
    """The newest versions, with what is other than before in words."""
    words = {
        season_standings.IN: _("%(evening)s counts"),
        season_standings.OUT: _("an evening counts no more"),
        season_standings.MENDED: _("%(evening)s has been amended"),
    }
    published = season_standings.published_in(season)
    return [
        {
            "version": one.version,
            "created_at": one.created_at,
            "news": [
                words[what] % {"evening": named[pk]}
                for pk, what in one.news
                if what == season_standings.OUT or (pk in named and pk in published)
            ]
            or [_("other rules")],
        }
        for one in season_standings.versions_of(season)[:VERSIONS_SHOWN]
    ]


@require_safe
def file(request: HttpRequest, season: int, form: str) -> HttpResponse:
    """A list of the season as a file."""
    found = seen_season(request, season)
    version = season_standings.newest(found)
    if form not in exports.FORMS or version is None:
        raise Http404
    wish = wish_of(request, season_standings.held(version))
    table = seasons.table(version, wish, reader_of(request))
    return exports.as_file(exports.table_as(table, form), slugify(found.name) or "etui", form)
