"""The projector of a hall: the ranking in pages that turn, the clock, who sits where."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from scoring.methods import METHODS
from tournaments.models import Session
from tournaments.services import comparisons, hall, live_lists, names, rankings, ruling_words

from . import presentation
from .accounts.views import absolute
from .codes import code_of
from .desk.seating import called
from .presentation import WORDS
from .templatetags import cards

ROWS = 13  # on a page of 1920 × 1080
PLACES_AT_MOST = 400


@gzip_page
@require_safe
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """What a hall looks at: as anybody may see it, the names too."""
    sessions = Session.objects.ranking_visible_to(None).select_related("tournament__club", "board_set")
    session = get_object_or_404(sessions, pk=pk)
    newest = live_lists.public_ranking(session)
    standings = rankings.standings(newest, range(PLACES_AT_MOST)) if newest is not None else []
    now = hall.of(session)
    people = [*now.sits_out, *(one for table in now.tables for _seat, one in table.seats)]
    words = called(session, names.ANYONE, people, now.seated)
    public = reverse("ranking-page", args=[session.pk])
    context = {
        "session": session,
        "decided": ruling_words.of_contestants(session, [one.contestant.pk for one in standings]),
        "hall": now,
        "pages": [
            {
                "group": group if len(groups) > 1 else None,
                "rows": rows[start : start + ROWS],
                "places": cards.places_of(rows),
            }
            for groups in [presentation.groups(standings)]
            for group, rows in groups
            for start in range(0, len(rows), ROWS)
        ],
        "tables": [shown(table, words) for table in now.tables],
        "sits_out": [words[one] for one in now.sits_out],
        "sections": len({table.section for table in now.tables}) > 1,
        "late_sections": len({section for section, _table in now.late}) > 1,
        "status": WORDS.get(session.state, ""),
        "is_hidden": session.live == Session.Live.HIDDEN and not session.is_over,
        "unit": METHODS[session.method].unit if comparisons.top(session) is None else "percent",
        "code": code_of(absolute(request, public)),
        "address": absolute(request, public).partition("//")[2].rstrip("/"),
    }
    return render(request, "frontend/screen.html", context)


def shown(table: hall.HallTable, words: dict[int, str]) -> dict[str, Any]:
    """A table of the hall, each who sits there once, with all seats that are theirs in the round."""
    seats: dict[int, list[int]] = {}
    for seat, one in table.seats:
        seats.setdefault(one, []).append(seat)
    return {
        "at": table,
        "seats": [(", ".join(map(str, own)), words[one]) for one, own in seats.items()],
    }
