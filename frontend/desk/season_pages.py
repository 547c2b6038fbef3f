"""Seasons on the desk: those that somebody runs, and of each its rules in words with a preview, its evenings,
its divisions with who plays in which, its prizes, and what becomes of it."""

from copy import copy
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext

from tournaments.models import Account, CountedEvening, Season, SeasonStanding, access
from tournaments.services import event_entries, names, season_standings, seasons
from tournaments.services.errors import Refused, Stale
from tournaments.services.season_results import Key

from .. import season_words
from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..overtaken import overtake, still_here
from . import season_tables
from .events import FEDERATION
from .season_forms import (
    EMPTY_PRIZES,
    DivisionsForm,
    NewSeasonForm,
    SeasonRulesForm,
    key_of_prize,
    prize_lists,
    prizes_in,
)

State = Season.State
EVENINGS_SHOWN, PREVIEW_ROWS = 200, 10


@forms_and_pages
@signed_in
def mine(request: HttpRequest) -> HttpResponse:
    """The seasons that somebody runs, and a new one; for those who run a club, or administer the
    federation."""
    account = account_of(request)
    _is_federal, own = event_entries.owners(account)
    owners, is_federal = {club.slug: club for club in own}, access.administers_federation(account)
    if not owners and not is_federal:
        raise PermissionDenied
    choices = [(FEDERATION, gettext("The federation"))] * is_federal
    choices += [(slug, club.name) for slug, club in owners.items()]
    form = NewSeasonForm(request.POST or None, choices=choices)
    if request.method == "POST" and form.is_valid():
        club = owners.get(form.cleaned_data["owner"])
        made = seasons.create(actor=account, club=club, name=form.cleaned_data["name"])
        messages.success(request, gettext("The season is made: say how it is counted, and which evenings."))
        return redirect("desk-season", season=made.pk)
    shown = Season.objects.managed_by(account).select_related("club").order_by("-pk")[:EVENINGS_SHOWN]
    status = 400 if request.method == "POST" else 200
    return render(request, "desk/own_seasons.html", {"form": form, "seasons": shown}, status=status)


@forms_and_pages
@signed_in
def page(request: HttpRequest, season: int) -> HttpResponse:
    account = account_of(request)
    found = get_object_or_404(Season.objects.managed_by(account).select_related("club", "follows"), pk=season)
    way = request.POST.get("way", "") if request.method == "POST" else ""
    rules = season_standings.rules_of(found.rules)
    is_rules = way in ("rules", "preview")
    form = SeasonRulesForm(request.POST if is_rules else None, season=found, rules=rules)
    divisions = DivisionsForm(request.POST if way == "divisions" else None, season=found)
    context: dict[str, Any] = {"season": found, "club": found.club, "form": form, "divisions_form": divisions}
    asked = form if is_rules else divisions if way == "divisions" else None
    status = 400 if way else 200
    if way and (asked is None or asked.is_valid()):
        try:
            if way == "preview":
                context |= _preview(found, account, form)
                status = 200
            else:
                following = _done(request, found, account, way, form, divisions)
                return (
                    redirect("desk-seasons")
                    if following is None
                    else redirect("desk-season", season=following.pk)
                )
        except Refused as error:
            found = get_object_or_404(Season.objects.select_related("club", "follows"), pk=season)
            context |= {"season": found, "club": found.club, "refusal": str(error)}
            if isinstance(error, Stale):
                status = 409
                _overtake(found, way, form, divisions, error)
                context["refusal"] = still_here(error) if way in season_tables.WAYS else str(error)
    context |= _shown(found, account)
    if status >= 400 and way in season_tables.WAYS:
        versions = season_tables.keep(context, way, request.POST)
        context |= {"opened": way, "versions": versions if status == 409 else ()}
    return render(request, "desk/season.html", context, status=status)


def _overtake(
    season: Season, way: str, form: SeasonRulesForm, divisions: DivisionsForm, error: Stale
) -> None:
    if way == "rules":
        rules = season_standings.rules_of(season.rules)
        overtake(form, SeasonRulesForm(None, season=season, rules=rules), error)
    elif way == "divisions":
        overtake(divisions, DivisionsForm(None, season=season), error)


def _done(
    request: HttpRequest,
    season: Season,
    account: Account,
    way: str,
    form: SeasonRulesForm,
    divisions: DivisionsForm,
) -> Season | None:
    """Do what a form asks for; the season to go on with, None where it is gone."""
    posted, seen = request.POST, request.POST.get("seen", "")
    save = partial(seasons.change, season=season, actor=account, seen=seen)
    if way == "rules":
        given = form.cleaned_data
        plain = {name: given[name] for name in ("name", "ranked", "measure")}
        save(**plain, rules=form.rules)
        said = gettext("The rules are saved; the standing is counted by them.")
    elif way == "evenings":
        save(evenings=_evenings_in(posted))
        said = gettext("The evenings are saved; the standing is counted anew.")
    elif way == "divisions":
        save(**_divisions_in(posted, season, divisions.cleaned_data))
        said = gettext("Divisions and handicaps are saved; the standing is counted by them.")
    elif way == "prizes":
        save(prizes=list(prizes_in(posted, prize_lists(season))))
        said = gettext("The prizes are saved.")
    elif way in (State.OPEN, State.OVER):
        save(state=way)
        said = (
            gettext("Everybody can read the season now.")
            if way == State.OPEN
            else gettext("The season is over.")
        )
    elif way == "delete":
        seasons.delete(season=season, actor=account, seen=seen)
        messages.success(request, gettext("The draft is deleted."))
        return None
    elif way == "follow":
        season = seasons.follow(
            season=season, actor=account, name=posted.get("name", "")[: seasons.NAME_LETTERS]
        )
        said = gettext("The next season is made, a draft with the same rules: choose its evenings.")
    else:
        return season
    messages.success(request, said)
    return season


def _evenings_in(posted: Any) -> dict[tuple[str, int], str]:
    found = {}
    for key in posted.getlist("evening"):
        kind, _dash, pk = str(key).partition("-")
        if kind in ("session", "leg") and pk.isdecimal() and len(pk) < 19:
            found[kind, int(pk)] = posted.get(f"weight-{key}", "").strip().replace(",", ".") or "1"
    return found


def _divisions_in(posted: Any, season: Season, given: dict[str, Any]) -> dict[str, Any]:
    members: dict[str, list[list[int]]] = {name: [] for name in given["names"]}
    numbered = list(members)
    for key in _keys_of(season):
        at = posted.get(f"division-{_text(key)}", "")
        if at.isdecimal() and len(at) < 4 and 1 <= int(at) <= len(numbered):
            members[numbered[int(at) - 1]].append(list(key))
    handicaps = {
        str(key[0]): text
        for key in _keys_of(season)
        if len(key) == 1 and (text := posted.get(f"handicap-{key[0]}", "").strip().replace(",", "."))
    }
    kept = season.handicaps if season.ranked[0] != Season.Ranked.PLAYERS else handicaps
    return {
        "divisions": [{"name": name, "members": own} for name, own in members.items()],
        **{"up": given["up"], "down": given["down"], "handicaps": kept},
    }


def _text(key: Key) -> str:
    return "-".join(map(str, key))


def _keys_of(season: Season) -> list[Key]:
    """Those of the first list: who has played, and who has been put into a division."""
    version = season_standings.newest(season)
    played: set[Key] = set()
    if version is not None:
        held = season_standings.held(version)
        if season.ranked[0] in held.ranked:
            played = {key for one in held.evenings_of(season.ranked[0]) for key in one.values}
    return sorted(played | {tuple(key) for one in season.divisions for key in one["members"]})


def _preview(season: Season, account: Account, form: SeasonRulesForm) -> dict[str, Any]:
    """The rules of a form in words, and the first places by them; nothing is stored. There are no places
    where evenings would have to be read in another way."""
    rules = season_standings.rules_of(form.rules)
    rules.check()
    measure = form.cleaned_data["measure"]
    context: dict[str, Any] = {"previewed": list(season_words.rules_in_words(rules, measure))}
    version = season_standings.newest(season)
    if version is not None and measure == season.measure:
        held = copy(season_standings.held(version))
        held.rules = rules
        rows = held.rows(seasons.wishes(held)[0])[:PREVIEW_ROWS]
        people = seasons.names_of([row.contestant for row in rows], names.reader_for(account))
        context["first"] = [(row, people[row.contestant]) for row in rows]
    return context


def _shown(season: Season, account: Account) -> dict[str, Any]:
    version = season_standings.newest(season)
    reader = names.reader_for(account)
    chosen = {
        f"session-{one.session_id}" if one.session_id else f"leg-{one.leg_id}": one
        for one in season_standings.in_order(season)
    }
    published = season_standings.published_in(season)
    sessions = seasons.sessions_for(season).select_related("tournament").order_by("-starts_at", "-pk")
    legs = seasons.legs_for(season).select_related("event").order_by("-opens_at")
    things = {f"session-{one.pk}": _evening(one) for one in sessions[:EVENINGS_SHOWN]}
    things |= {f"leg-{one.pk}": (str(one), one.opens_at) for one in legs[:EVENINGS_SHOWN]}
    things |= {key: (seasons.name_of(one), None) for key, one in chosen.items() if key not in things}
    keys = _keys_of(season)
    people = seasons.names_of(keys, reader)
    divisions = {tuple(key): at for at, one in enumerate(season.divisions, 1) for key in one["members"]}
    return {
        "version": version,
        "behind": bool(chosen) and season_standings.behind(season),
        "stamp": seasons.stamp(season),
        "words": list(
            season_words.rules_in_words(season_standings.rules_of(season.rules), season.measure)
        ),
        "evenings": [
            {"key": key, "name": name, "day": day, "chosen": (one := chosen.get(key)) is not None,
             "weight": one.weight if one else "1", "state": _state(one, published)}
            for key, (name, day) in things.items()
        ],
        "count": len(chosen),
        "players": [
            {"key": _text(key), "name": people[key], "division": divisions.get(key, 0),
             "handicap": season.handicaps.get(str(key[0]), "") if len(key) == 1 else ""}
            for key in sorted(keys, key=lambda key: people[key])
        ],
        "prize_lists": prize_lists(season),
        "prizes": [
            *(
                {"name": one["name"], "count": one["count"], "key": key_of_prize(one)}
                for one in season.prizes
            ),
            *({"name": "", "count": 1, "key": ""} for _line in range(EMPTY_PRIZES)),
        ],
        "given": _given(season, version, reader),
        "first_rows": [] if version is None else _first_rows(version, reader),
    }  # fmt: skip


def _first_rows(version: SeasonStanding, reader: names.Reader) -> list[seasons.ShownRow]:
    wish = seasons.wishes(season_standings.held(version))[0]
    return seasons.shown(version, wish, reader)[:PREVIEW_ROWS]


def _evening(session: Any) -> tuple[str, Any]:
    return f"{session.tournament.name}, {session.name}", session.starts_at or session.created_at


def _state(evening: CountedEvening | None, published: set[int]) -> str:
    """Whether a chosen evening counts already."""
    if evening is None:
        return ""
    if evening.pk in published:
        return gettext("counts")
    return gettext("counts once its ranking is published")


def _given(season: Season, version: SeasonStanding | None, reader: names.Reader) -> list[dict[str, Any]]:
    if version is None:
        return []
    given = seasons.prizes_of(season, version)
    people = seasons.names_of([key for one in given for key in one.winners], reader)
    return [
        {"name": one.name, "number": one.number, "people": [people[key] for key in one.winners]}
        for one in given
    ]
