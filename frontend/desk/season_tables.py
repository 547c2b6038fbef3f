"""The tables of a season's page that somebody fills in: its evenings, who plays in which division, its
prizes. What was filled in stays where it is refused, and stands beside what somebody else has saved
meanwhile."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext

from tournaments.services import seasons

from ..overtaken import Versions

Context = dict[str, Any]
Told = Mapping[str, tuple[str, str]]
"""By the key of a row: its label, and what it says in words."""


def keep(context: Context, way: str, posted: QueryDict) -> Versions:
    """Let the table of a page (`season_pages.page`) say what was filled in; where that differs from what is
    stored, both."""
    told, fill = WAYS[way]
    stored = told(context)
    fill(context, posted)
    own = told(context)
    return [
        (label, stored.get(key, ("", ""))[1], own.get(key, ("", ""))[1])
        for key, (label, _words) in {**stored, **own}.items()
        if stored.get(key, ("", ""))[1] != own.get(key, ("", ""))[1]
    ]


def _evenings(context: Context) -> Told:
    words = gettext("chosen, with the weight %(weight)s")
    return {
        one["key"]: (one["name"], words % {"weight": one["weight"]} if one["chosen"] else "")
        for one in context["evenings"]
    }


def _fill_evenings(context: Context, posted: QueryDict) -> None:
    chosen = set(posted.getlist("evening"))
    for one in context["evenings"]:
        one["chosen"] = one["key"] in chosen
        one["weight"] = posted.get(f"weight-{one['key']}", one["weight"])


def _divisions(context: Context) -> Told:
    named = {str(at): one["name"] for at, one in enumerate(context["season"].divisions, 1)}
    return {
        one["key"]: (
            one["name"],
            ", ".join(filter(None, [named.get(str(one["division"]), ""), one["handicap"]])),
        )
        for one in context["players"]
    }


def _fill_divisions(context: Context, posted: QueryDict) -> None:
    for one in context["players"]:
        division = posted.get(f"division-{one['key']}", "")
        one["division"] = int(division) if division.isdecimal() and len(division) < 4 else 0
        one["handicap"] = posted.get(f"handicap-{one['key']}", one["handicap"])


def _prizes(context: Context) -> Told:
    lists = dict(context["prize_lists"])
    return {
        str(at): (
            f"{gettext('Prize')} {at}",
            f"{one['name']} × {one['count']}, {lists.get(one['key'], '')}" if one["name"] else "",
        )
        for at, one in enumerate(context["prizes"], 1)
    }


def _fill_prizes(context: Context, posted: QueryDict) -> None:
    context["prizes"] = list(_prize_lines(posted))


def _prize_lines(posted: QueryDict) -> Iterator[dict[str, Any]]:
    for at in range(seasons.PRIZES_AT_MOST):
        if f"prize-{at}" not in posted:
            return
        count, key = posted.get(f"prize-{at}-count", "1"), posted.get(f"prize-{at}-list", "")
        yield {"name": posted[f"prize-{at}"], "count": count, "key": key}


WAYS: Mapping[str, tuple[Callable[[Context], Told], Callable[[Context, QueryDict], None]]] = {
    "evenings": (_evenings, _fill_evenings),
    "divisions": (_divisions, _fill_divisions),
    "prizes": (_prizes, _fill_prizes),
}
