"""Seasons: who makes them, which evenings they count and by which rules, their divisions and their prizes."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from engines.phrases import brief
from scoring.divisions import next_divisions
from scoring.errors import BadScoring
from scoring.seasons import Prizes, SeasonRow, prize_list

from ..models import (
    Account,
    Category,
    Club,
    CountedEvening,
    Event,
    Leg,
    Player,
    Season,
    SeasonStanding,
    SeasonTally,
    Session,
    Token,
    access,
)
from . import history, names, past_seasons, season_news, season_results, season_standings
from .errors import Conflict, Forbidden, Invalid, Missing, Stale, refusal
from .exports import ExportTable
from .names import Reader
from .season_results import Key
from .season_standings import HeldStanding, SeasonWish

State = Season.State
RULES = ("combine", "best", "drop", "least", "absent", "half", "enough", "tie_breaks")
PLAIN = ("name", "measure", "ranked", "rules", "divisions", "up", "down", "handicaps", "prizes")
EVENINGS_AT_MOST = 400
DIVISIONS_AT_MOST = 20
PRIZES_AT_MOST = 50
NAME_LETTERS = 80


# ── A season and its rules ────────────────────────────────────────────────────────────────────────


@transaction.atomic
def create(*, actor: history.Actor, club: Club | None, name: str, **how: Any) -> Season:
    """A draft of a season, of a club or (without one) of the federation. Forbidden but for those who set up
    the club's tournaments, and for administrators of the federation. Invalid says what is wrong."""
    check_may_make(club=club, actor=actor)
    season = Season(club=club, name=_named(name), ranked=[Season.Ranked.PLAYERS])
    for field, value in _checked(season, how).items():
        setattr(season, field, value)
    season.save()
    SeasonTally.objects.create(season=season)
    season_news.changed(season=season.pk)
    history.note(actor, "made season", season, club=club, name=season.name)
    return season


def check_may_make(*, club: Club | None, actor: history.Actor) -> None:
    if actor is None:
        return
    may = (
        access.administers_federation(actor)
        if club is None
        else Club.objects.filter(access.managed(actor, club="pk"), pk=club.pk).exists()
    )
    if not may:
        raise Forbidden(
            "may-not-make-seasons",
            _("Those who set up a club’s tournaments, or administer the federation, make its seasons."),
        )


def may_run(season: Season, caller: Account | Token | None) -> bool:
    return Season.objects.managed_by(caller).filter(pk=season.pk).exists()


@transaction.atomic
def change(
    *,
    season: Season,
    actor: history.Actor,
    seen: str | None = None,
    evenings: Mapping[tuple[str, int], str] | None = None,
    **new: Any,
) -> Season:
    """Other rules, other evenings, another state; what is the same stays. `evenings`: all of them, by what
    each is ("session" or "leg") and its id, with its weight. Forbidden but for those who run it. Stale: it is
    not as it was `seen`. Invalid says what is wrong."""
    season = _locked(season, actor, seen)
    changed = {name: value for name, value in _checked(season, new).items() if getattr(season, name) != value}
    told = {name: (getattr(season, name), value) for name, value in changed.items() if name in TOLD}
    for name, value in changed.items():
        setattr(season, name, value)
    there = _chosen(season, actor, evenings)
    _check_evenings(season)
    if not changed and not there:
        return season
    season.changes += 1
    season.save(update_fields=[*changed, "changes"])
    season_news.changed(season=season.pk)
    history.note(actor, "changed season", season, club=season.club, changes=told or None, **there)
    return season


TOLD = ("name", "state", "measure", "ranked", "rules", "up", "down")
"""What the history says of a change: nothing of persons."""


@transaction.atomic
def delete(*, season: Season, actor: history.Actor, seen: str | None = None) -> None:
    """A draft is gone. Conflict for a season that everybody has been able to read, or that another
    follows."""
    season = _locked(season, actor, seen)
    if season.state != State.DRAFT or season.followed_by.exists():
        raise Conflict("season-is-public", _("Only a draft that no other season follows can be deleted."))
    history.note(actor, "deleted season", season, club=season.club, name=season.name)
    season.delete()


def _locked(season: Season, actor: history.Actor, seen: str | None) -> Season:
    found = Season.objects.select_for_update(no_key=True, of=("self",)).filter(pk=season.pk)
    season = found.select_related("club").get()
    if actor is not None and not may_run(season, actor):
        raise Forbidden("not-your-season", _("Those who run the season change it."))
    if seen is not None and stamp(season) != seen:
        raise Stale("changed-meanwhile", _("Somebody else has changed the season meanwhile: look again."))
    return season


def stamp(season: Season) -> str:
    """What changes whenever a season does."""
    return f"{season.pk}-{season.changes}"


def _named(name: str) -> str:
    if not name.strip():
        raise Invalid("no-name", _("A season needs a name."))
    return name.strip()


def _checked(season: Season, new: Mapping[str, Any]) -> dict[str, Any]:
    """What is to be stored; Invalid says what cannot be."""
    found = {name: value for name, value in new.items() if name in (*PLAIN, "state", "follows")}
    if "name" in found:
        found["name"] = _named(found["name"])
    if found.get("state") == State.DRAFT and season.state not in ("", State.DRAFT):
        raise Conflict("season-is-public", _("Everybody has been able to read it: it is no draft any more."))
    if "ranked" in found:
        found["ranked"] = list(dict.fromkeys(found["ranked"]))
        if not found["ranked"]:
            raise _bad("ranked", _("Say who is ranked."))
    if "rules" in found:
        found["rules"] = _rules(found["rules"])
    ranked = found.get("ranked", season.ranked)
    if "divisions" in found:
        found["divisions"] = _divisions(season, found["divisions"])
    if "handicaps" in found:
        found["handicaps"] = _handicaps(season, found["handicaps"])
    divisions = found.get("divisions", season.divisions)
    if "prizes" in found:
        found["prizes"] = [_prize(one, ranked, len(divisions)) for one in found["prizes"]]
        if len(found["prizes"]) > PRIZES_AT_MOST:
            raise _bad("prizes", _("There are too many prizes."))
    return found


def _bad(field: str, message: str) -> Invalid:
    return Invalid("bad-season", message, {"field": field})


def _rules(said: Mapping[str, Any]) -> dict[str, Any]:
    if unknown := sorted(set(said) - set(RULES)):
        raise _bad("rules", _("There is no rule “%(name)s”.") % {"name": unknown[0]})
    kept = {name: said[name] for name in RULES if name in said}
    for name in ("absent", "enough"):
        if kept.get(name) is not None:
            kept[name] = str(_exact(name, kept[name]))
    try:
        season_standings.rules_of(kept).check()
    except BadScoring as error:
        raise refusal("bad-season", error) from error
    return kept


def _exact(field: str, value: Any) -> Fraction:
    number = past_seasons.exact(str(value))
    if number is None:
        raise _bad(field, _("“%(value)s” is not a number.") % {"value": brief(str(value))})
    return number


def _divisions(season: Season, said: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    if len(said) > DIVISIONS_AT_MOST:
        raise _bad("divisions", _("There are too many divisions."))
    kept = [
        {"name": str(one["name"]).strip(), "members": [sorted(key) for key in one.get("members", ())]}
        for one in said
    ]
    called = [one["name"] for one in kept]
    if "" in called or len(set(called)) < len(called):
        raise _bad("divisions", _("Each division needs a name of its own."))
    members = [tuple(key) for one in kept for key in one["members"]]
    if len(set(members)) < len(members):
        raise _bad("divisions", _("Somebody is in two divisions."))
    _check_players(season, {player for key in members for player in key}, "divisions")
    return kept


def _handicaps(season: Season, said: Mapping[Any, Any]) -> dict[str, str]:
    kept = {str(player): str(_exact("handicaps", value)) for player, value in said.items()}
    _check_players(season, {int(player) for player in kept}, "handicaps")
    return {player: value for player, value in kept.items() if Fraction(value)}


def _check_players(season: Season, players: set[int], field: str) -> None:
    own = Player.objects.filter(pk__in=players)
    if season.club_id is not None:
        own = own.filter(club=season.club_id)
    if missing := players - set(own.values_list("pk", flat=True)):
        message = _("The register has no player with the id %(player)d.") % {"player": min(missing)}
        raise Invalid("no-such-player", message, {"field": field, "player": min(missing)})


def _prize(said: Mapping[str, Any], ranked: Sequence[str], divisions: int) -> dict[str, Any]:
    kept: dict[str, Any] = {
        "name": str(said["name"]).strip(),
        "count": int(said.get("count", 1)),
        "ranked": said.get("ranked") or ranked[0],
        "category": said.get("category") or "",
        "handicap": bool(said.get("handicap", False)),
        "division": said.get("division"),
    }
    if not kept["name"] or not 1 <= kept["count"] <= 100:
        raise _bad("prizes", _("A prize has a name, and there are from 1 to 100 of it."))
    if kept["ranked"] not in ranked or kept["category"] not in ("", *Category.values):
        raise _bad("prizes", _("The season has no such list."))
    if kept["division"] is not None and not 1 <= kept["division"] <= divisions:
        raise _bad("prizes", _("The season has no such division."))
    return kept


# ── Its evenings ──────────────────────────────────────────────────────────────────────────────────


def sessions_for(season: Season) -> QuerySet[Session]:
    """What a club's season may count: its own sessions that were not cancelled. The federation's counts legs
    of events alone."""
    own = Session.objects.filter(is_trial=False).exclude(state=Session.State.CANCELLED)
    return own.filter(tournament__club=season.club_id, leg=None) if season.club_id else own.none()


def legs_for(season: Season) -> QuerySet[Leg]:
    """Legs of announced events: of the federation's, for a season of its own; for a club's, those that it
    plays."""
    announced = Leg.objects.filter(event__state=Event.State.ANNOUNCED)
    if season.club_id is None:
        return announced.filter(event__club=None)
    return announced.filter(entries__club=season.club_id, entries__state="entered")


def _chosen(
    season: Season, actor: history.Actor, wanted: Mapping[tuple[str, int], str] | None
) -> dict[str, Any]:
    """Store which evenings count; what is other, for the history."""
    if wanted is None:
        return {}
    if len(wanted) > EVENINGS_AT_MOST:
        raise _bad("evenings", _("A season has at most %(most)d evenings.") % {"most": EVENINGS_AT_MOST})
    weights = {key: _weight(value) for key, value in wanted.items()}
    there = {
        ("session", one.session_id) if one.session_id else ("leg", one.leg_id or 0): one
        for one in CountedEvening.objects.filter(season=season).defer("results")
    }
    new = weights.keys() - there.keys()
    for kind, own in (("session", sessions_for(season)), ("leg", legs_for(season))):
        ids = {pk for one, pk in new if one == kind}
        if missing := ids - set(own.filter(pk__in=ids).values_list("pk", flat=True)):
            message = _("The season cannot count this evening: %(number)d.") % {"number": min(missing)}
            raise Invalid("no-such-evening", message, {"field": "evenings", kind: min(missing)})
    CountedEvening.objects.bulk_create(
        CountedEvening(season=season, weight=weights[kind, pk], **{f"{kind}_id": pk})
        for kind, pk in sorted(new)
    )
    gone = [one.pk for key, one in there.items() if key not in weights]
    CountedEvening.objects.filter(pk__in=gone).delete()
    other = [one for key, one in there.items() if key in weights and one.weight != weights[key]]
    for one in other:
        one.weight = weights["session", one.session_id] if one.session_id else weights["leg", one.leg_id or 0]
    CountedEvening.objects.bulk_update(other, ["weight"])
    counts = {"added": len(new), "removed": len(gone), "weighted": len(other)}
    return {name: count for name, count in counts.items() if count}


def _weight(value: Any) -> str:
    weight = _exact("evenings", value)
    if not 0 < weight <= 1000:
        raise _bad("evenings", _("A weight is above 0."))
    return str(weight)


def _check_evenings(season: Season) -> None:
    """Invalid where evenings count different things, and the season says nothing to make them alike."""
    if season.measure == Season.Measure.STANDARD:
        return
    rows = CountedEvening.objects.filter(season=season).select_related("session", "leg").defer("results")
    things = [one.session or one.leg for one in rows]
    counted = {season_results.unit_of(one) for one in things if one is not None}
    if season.measure == Season.Measure.PERCENT and counted - {"percent"}:
        message = _("Some of these evenings have no percentages: count standard scores instead.")
    elif season.measure == Season.Measure.SCORE and len(counted) > 1:
        message = _("These evenings count different things: count standard scores instead.")
    else:
        return
    raise Invalid("not-alike", message, {"counted": sorted(counted)})


# ── What it shows ─────────────────────────────────────────────────────────────────────────────────


def with_id(pk: int, viewer: Account | Token | None) -> Season:
    """Missing where there is none that the viewer may read."""
    found = Season.objects.visible_to(viewer).select_related("club", "follows").filter(pk=pk).first()
    if found is None:
        raise Missing("no-such-season", _("There is no such season."))
    return found


def of(club: Club | None, viewer: Account | Token | None) -> QuerySet[Season]:
    """Of a club, or of the federation, those that the viewer may read; the newest first."""
    return Season.objects.visible_to(viewer).filter(club=club).select_related("club").order_by("-pk")


def evening_names(season: Season) -> dict[int, str]:
    """By evening what it is called, as far as everybody may know of it."""
    return {one.pk: name_of(one) for one in season_standings.in_order(season)}


def name_of(evening: CountedEvening) -> str:
    if evening.leg is not None:
        return str(evening.leg)
    assert evening.session is not None
    return evening.session.name or evening.session.tournament.name


def wishes(held: HeldStanding) -> list[SeasonWish]:
    """The lists that a season has: of players and of contestants, by division, with handicaps, and of each
    category."""
    found: list[SeasonWish] = []
    for ranked in held.ranked:
        if held.has_divisions(ranked):
            found += [SeasonWish(ranked, division=one.number) for one in held.divisions]
        else:
            found.append(SeasonWish(ranked))
        if held.handicaps:
            found.append(SeasonWish(ranked, handicap=True))
    return found + [SeasonWish(held.ranked[0], category=one) for one in Category.values]


UP, DOWN, TIED = "up", "down", "tied"


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A line as a reader sees it. `move`: whether it would go up or come down if the season were over, or is
    tied with one that would; `change`: places won on the last evening; `positions`: after each evening."""

    row: SeasonRow[Key]
    name: str
    division: int
    move: str
    change: int
    positions: tuple[int | None, ...]


def shown(version: SeasonStanding, wish: SeasonWish, reader: Reader) -> list[ShownRow]:
    """A list of a version, with names as consent says. Two queries for thousands, one more of a category."""
    held = season_standings.held(version)
    rows = season_standings.of_list(version, wish)
    people = names_of([row.contestant for row in rows], reader)
    moves = moves_of(held, wish, rows)
    plain = not wish.handicap and not wish.category
    after = held.positions.get(wish.ranked, []) if plain else []
    is_divided = held.has_divisions(wish.ranked)
    found = []
    for row in rows:
        key = row.contestant
        places = tuple(some.get(key) for some in after)
        before = places[-2] if len(places) > 1 else None
        change = 0 if before is None or places[-1] is None else before - places[-1]
        division = held.division_of(key) if is_divided else 0
        found.append(ShownRow(row, people[key], division, moves.get(key, ""), change, places))
    return found


def names_of(keys: Sequence[Key], reader: Reader) -> dict[Key, str]:
    """What a reader calls them: one query for thousands."""
    people = names.of_players({player for key in keys for player in key}, reader)
    return {key: " – ".join(people.get(player, "") for player in key) for key in keys}


def moves_of(held: HeldStanding, wish: SeasonWish, rows: Sequence[SeasonRow[Key]]) -> dict[Key, str]:
    """Who of a division would go up or come down: nothing for other lists."""
    if wish.division is None or wish.handicap or wish.category or not held.has_divisions(wish.ranked):
        return {}
    ranked = [row for row in rows if row.rank]
    up = held.up if wish.division > 1 else 0
    down = held.down if wish.division < len(held.divisions) else 0
    found: dict[Key, str] = {}
    for count, where, at in ((up, UP, up), (down, DOWN, len(ranked) - down)):
        own = ranked[:at] if where == UP else ranked[max(at, 0) :]
        found |= dict.fromkeys([row.contestant for row in own], where) if count else {}
        if count and 0 < at < len(ranked) and ranked[at - 1].rank == ranked[at].rank:
            found |= {row.contestant: TIED for row in ranked if row.rank == ranked[at].rank}
    return found


def next_divisions_of(version: SeasonStanding) -> list[tuple[str, list[Key]]]:
    """Who plays where next season. Those without a rank, and those who have never played, come last of their
    division. Invalid: a tie lies across a border, or a division is too small."""
    held = season_standings.held(version)
    ranked = held.ranked[0]
    divisions: dict[str, list[tuple[str, Key]]] = {}
    for one in held.divisions:
        rows = season_standings.of_list(version, SeasonWish(ranked, division=one.number))
        played = {row.contestant for row in rows}
        unranked = sorted((row for row in rows if not row.rank), key=lambda row: (-row.value, row.contestant))
        last = [*(row.contestant for row in unranked), *sorted(one.members - played)]
        divisions[one.name] = [(row.rank, row.contestant) for row in rows if row.rank]
        divisions[one.name] += [(f"–{at}", key) for at, key in enumerate(last)]
    try:
        after = next_divisions(divisions, up=held.up, down=held.down)
    except BadScoring as error:
        raise refusal("bad-divisions", error) from error
    return [(name, list(keys)) for name, keys in after.items()]


@transaction.atomic
def follow(*, season: Season, actor: history.Actor, name: str) -> Season:
    """The next season: a draft with the same rules, without evenings, and with the divisions that the
    standing leads to. Conflict while there is none, or while evenings are still to be counted."""
    version = season_standings.newest(season)
    if version is None or season_standings.behind(season):
        raise Conflict("being-counted", _("The standing is being counted: try again in a moment."))
    how = {field: getattr(season, field) for field in ("measure", "ranked", "rules", "up", "down")}
    divisions = season.divisions
    if len(season.divisions) > 1:
        divisions = [
            {"name": one, "members": [list(key) for key in keys]} for one, keys in next_divisions_of(version)
        ]
    others = {"divisions": divisions, "prizes": season.prizes, "handicaps": season.handicaps}
    return create(actor=actor, club=season.club, name=name, follows=season, **how, **others)


@dataclass(frozen=True, slots=True)
class GivenPrize:
    """`number`: of the prizes of this name, from 1; who share it."""

    name: str
    number: int
    winners: tuple[Key, ...]


def prizes_of(season: Season, version: SeasonStanding) -> list[GivenPrize]:
    """The prize list, as it would be if the season ended now: nobody has two. A query for each category."""
    lists = [
        Prizes(
            str(at), one["count"],
            [
                (row.rank, row.contestant)
                for row in season_standings.of_list(
                    version, SeasonWish(one["ranked"], one["division"], one["category"], one["handicap"])
                )
            ],
        )
        for at, one in enumerate(season.prizes)
    ]  # fmt: skip
    persons = {key: key for one in lists for _rank, key in one.places}
    return [
        GivenPrize(season.prizes[int(at)]["name"], number, winners)
        for at, own in prize_list(lists, persons=persons)
        for number, winners in own
    ]


def about(players: Collection[Player]) -> list[dict[str, Any]]:
    """What seasons say of these players: their places, and what they are given as a handicap. The time grows
    with the seasons of their clubs and of the federation."""
    ids = {player.pk for player in players}
    clubs = {player.club_id for player in players}
    found: list[dict[str, Any]] = []
    for season in Season.objects.filter(Q(club__in=clubs) | Q(club=None)).order_by("pk"):
        said = {"season": season.pk, "name": season.name, "state": season.state}
        found += [
            said | {"handicap": value} for player, value in season.handicaps.items() if int(player) in ids
        ]
        if (version := season_standings.newest(season)) is not None:
            found += [said | place for place in _places_of(version, ids)]
    return found


def _places_of(version: SeasonStanding, ids: AbstractSet[int]) -> Iterator[dict[str, Any]]:
    held = season_standings.held(version)
    for ranked in held.ranked:
        keys = {key for one in held.evenings_of(ranked) for key in one.values if not ids.isdisjoint(key)}
        divisions = {held.division_of(key) if held.has_divisions(ranked) else None for key in keys}
        for division in sorted(divisions, key=lambda one: one or 0):
            for row in season_standings.of_list(version, SeasonWish(ranked, division)):
                if row.contestant in keys:
                    yield {
                        **{"list": ranked, "division": division, "rank": row.rank},
                        **{"total": str(row.value), "evenings": str(row.played)},
                    }


def table(version: SeasonStanding, wish: SeasonWish, reader: Reader) -> ExportTable:
    """A list as a table to take away; docs/formats.md says what each column means."""
    rows = [
        [
            *(
                one.row.rank,
                one.name,
                one.division or None,
                past_seasons.cell(one.row.value),
                past_seasons.cell(one.row.played),
            ),
            *(len(one.row.parts), one.move),
        ]
        for one in shown(version, wish, reader)
    ]
    return ExportTable("season", ["rank", "name", "division", "total", "evenings", "counted", "move"], rows)
