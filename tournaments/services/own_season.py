"""A player over many evenings: their form, their places in seasons, with and against whom they have played,
their ratings."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Count, Max, Q

from engines import registry
from scoring.seasons import SeasonRow

from ..models import (
    Contestant,
    CountedEvening,
    Member,
    Player,
    PlayerRating,
    Season,
    Seating,
    Session,
    Substitution,
    Tournament,
)
from ..models.tournaments import not_under_embargo
from . import combined, names, own_results, rankings, season_standings, versions
from . import seasons as season_lists
from .combined import StandingsWish
from .errors import Invalid
from .names import Reader
from .season_results import Key
from .season_standings import HeldStanding, SeasonWish

EVENINGS = 12  # of each the whole ranking is read
SEASONS = 4  # of each all rankings are read
COMPANIONS = 12


@dataclass(frozen=True, slots=True)
class PastEvening:
    """An evening with a ranking that everybody sees. `share`: of those they were compared with, how many are
    behind, from 0 to 1; who shares their place is half behind."""

    session: Session
    rank: str
    count: int
    share: Fraction


def form(players: Sequence[Player]) -> list[PastEvening]:
    """The latest evenings of whoever these players are, the earliest of them first; those where they were
    ranked alone are left out, as nobody was behind."""
    listed = {"session__listed": True, "session__is_trial": False, "session__state__in": Session.RANKED}
    members = Member.objects.filter(
        not_under_embargo("session"), player__in=players, **listed
    ).select_related("session__tournament__club")
    own = {one.contestant_id: one.session for one in members.order_by("-session", "pk")[:EVENINGS]}
    newest = {one.session_id: one for one in rankings.newest_of([one.pk for one in own.values()])}
    found = []
    for contestant, session in own.items():
        order = versions.order_of(newest[session.pk]) if session.pk in newest else versions.Order({})
        for places in order.groups.values():
            ranks = [place.rank for place in places if place.rank]
            rank = next((place.rank for place in places if place.contestant == contestant), "")
            if rank and len(ranks) > 1:
                found.append(PastEvening(session, rank, len(ranks), _share(rank, ranks)))
    return found[::-1]


def _share(rank: str, ranks: Sequence[str]) -> Fraction:
    same = ranks.count(rank)
    behind = len(ranks) - ranks.index(rank) - same
    return (behind + Fraction(same - 1, 2)) / (len(ranks) - 1)


# ── Seasons ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class SeasonPlace:
    """A place in the standings that everybody sees of a tournament, over all its evenings that are ranked and
    listed: each player alone. `points`: master points where its evenings count different things; `evenings`:
    those that the player has a result of, of `all`."""

    tournament: Tournament
    rank: str
    count: int
    evenings: int
    all: int
    points: bool


def seasons(players: Sequence[Player]) -> list[SeasonPlace]:
    """Where they stand in the latest tournaments of at least two such evenings that they have played in. A
    few queries for each of their sessions; the time grows with the contestants of all."""
    ranked = Session.objects.filter(
        not_under_embargo(), listed=True, is_trial=False, state__in=Session.RANKED
    )
    mine = ranked.filter(members__player__in=players).values("tournament")
    several = Tournament.objects.filter(pk__in=mine).annotate(
        evening_count=Count("sessions", filter=Q(sessions__in=ranked), distinct=True),
        newest=Max("sessions", filter=Q(sessions__in=ranked)),
    )
    latest = several.filter(evening_count__gte=2).select_related("club").order_by("-newest", "-pk")
    own = {one.pk for one in players}
    return [place for one in latest[:SEASONS] if (place := _season(one, own)) is not None]


def _season(tournament: Tournament, own: set[int]) -> SeasonPlace | None:
    points = False
    try:
        found = combined.of(tournament, None, StandingsWish(ranked=combined.PLAYERS))
    except Invalid:  # they cannot be added up
        points = True
        wish = StandingsWish(ranked=combined.PLAYERS, value=combined.MASTER_POINTS)
        found = combined.of(tournament, None, wish)
    place = next((one for one in found.places if own.intersection(one.contestant)), None)
    if place is None:
        return None
    evenings = len(place.parts) + len(place.rest)
    return SeasonPlace(tournament, place.rank, len(found.places), evenings, len(found.sessions), points)


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A line of theirs in the newest standing of a season. `wish`: the list that it stands in; `count`: how
    many that ranks; `held`: what the standing says."""

    season: Season
    wish: SeasonWish
    row: SeasonRow[Key]
    count: int
    held: HeldStanding

    @property
    def evenings(self) -> int:
        """How many they have played."""
        return sum(1 for one in (*self.row.parts, *self.row.rest) if not one.is_absent)


def standings(players: Sequence[Player]) -> list[SeasonLine]:
    """Where they stand in the latest seasons that everybody sees and for which they have played. A few
    queries for each of these; the time grows with the contestants of their lists."""
    own = {one.pk for one in players}
    sessions = Member.objects.filter(player__in=own).values("session")
    played = Q(session__in=sessions) | Q(leg__sessions__in=sessions)
    counted = CountedEvening.objects.published().filter(played).values("season")
    latest = Season.objects.visible_to(None).filter(pk__in=counted).select_related("club").order_by("-pk")
    return [line for one in latest[:SEASONS] for line in _lines(one, own)]


def _lines(season: Season, own: set[int]) -> Iterator[SeasonLine]:
    version = season_standings.newest(season)
    if version is None:
        return
    held = season_standings.held(version)
    for wish in season_lists.wishes(held):
        if not wish.category and not wish.handicap:
            rows = season_standings.of_list(version, wish)
            count = sum(1 for one in rows if one.rank)
            mine = (one for one in rows if own.intersection(one.contestant))
            yield from (SeasonLine(season, wish, one, count, held) for one in mine)


# ── With whom ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Companion:
    """Somebody who sat at the same tables: how many boards on the same side, and on another."""

    name: str
    beside: int
    against: int


def companions(players: Sequence[Player], reader: Reader) -> list[Companion]:
    """With whom they have played most in their latest sessions that have a ranking, listed or not; those on
    their own side first. In a round that a substitute plays, the substitute sits there and not the member. A
    few queries; the time grows with what they have played there."""
    own_players = {one.pk for one in players}
    part = own_results.plays_as(own_players)
    over = Contestant.objects.filter(part, session__state__in=Session.RANKED).distinct()
    own = {
        one.pk: one.session for one in over.select_related("session").order_by("-session", "pk")[:EVENINGS]
    }
    sides = {one.pk: registry.game(one.game).sides_of(one.conditions) for one in {*own.values()}}
    rows = Seating.objects.filter(play__seatings__contestant__in=own, play__result__isnull=False).distinct()
    tables: dict[tuple[int, int], dict[int, int]] = defaultdict(dict)  # by play with its round, and seat
    for play, number, seat, contestant in rows.values_list("play", "play__round", "seat", "contestant"):
        tables[play, number][seat] = contestant
    people = _AtTables({one for seated in tables.values() for one in seated.values()})
    with_whom: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}
    for (_play, number), seated in tables.items():
        mine = next(one for one in seated.values() if one in own)
        if not own_players & people.at(mine, number):
            continue
        seat = next(at for at, one in seated.items() if one == mine)
        side = next(seats for seats in sides[own[mine].pk] if seat in seats)
        for contestant in {*seated.values()}:
            is_beside = any(one == contestant and at in side for at, one in seated.items())
            with_whom[is_beside].update(people.at(contestant, number) - own_players)
    most = sorted(
        {*with_whom[True], *with_whom[False]},
        key=lambda one: (-with_whom[True][one], -with_whom[False][one], one),
    )[:COMPANIONS]
    shown = names.of_players(most, reader)
    return [Companion(shown[one], with_whom[True][one], with_whom[False][one]) for one in most]


class _AtTables:
    """Who has sat for these contestants, round by round, but for those who have been erased."""

    def __init__(self, contestants: Collection[int]) -> None:
        self.members: dict[int, set[int]] = defaultdict(set)
        own = Member.objects.filter(contestant__in=contestants, player__erased_at=None)
        for contestant, player in own.values_list("contestant", "player"):
            self.members[contestant].add(player)
        self.instead: dict[int, list[Substitution]] = defaultdict(list)
        put_in = Substitution.objects.filter(contestant__in=contestants, undone_at=None)
        for one in put_in.filter(player__erased_at=None):
            self.instead[one.contestant_id].append(one)

    def at(self, contestant: int, number: int) -> set[int]:
        now = [one for one in self.instead[contestant] if one.first_round <= number <= one.last_round]
        there = self.members[contestant] - {one.for_player_id for one in now}
        return there | {one.player_id for one in now}


def ratings(players: Sequence[Player]) -> list[PlayerRating]:
    """Their own ratings, game by game; none where their clubs have made none."""
    own = PlayerRating.objects.filter(player__in=players).select_related("club")
    return list(own.order_by("club__name", "game", "pk"))
