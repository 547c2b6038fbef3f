"""Promotion and relegation: the sessions of a tournament as divisions, and who plays where next time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from scoring.divisions import next_divisions
from scoring.errors import BadScoring
from scoring.ranking import Places

from ..models import Contestant, Member, Session, SessionList, Token, Tournament
from ..models.tournaments import not_under_embargo
from . import list_contents, lists, rankings, versions
from .errors import Conflict, Missing, refusal

Key = tuple[int, ...]
"""Who moves: the ids of a contestant's players, in their order; of one without players, its own below 0."""


@dataclass(frozen=True, slots=True)
class DivisionsWish:
    """`sessions`: the numbers of those that are the divisions, the highest first; none for all. `up`,
    `down`: how many of each go up and come down. `lists`: by the number of a session, that of its list that
    decides; by default its ranking."""

    sessions: Sequence[int]
    up: int
    down: int
    lists: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mover:
    """Somebody in a division of the next season: where it was, and at which rank."""

    players: Key
    before: int
    rank: str


@dataclass(frozen=True, slots=True)
class NextDivision:
    session: Session
    contestants: Sequence[Mover]


def of(tournament: Tournament, viewer: Token | None, wish: DivisionsWish) -> list[NextDivision]:
    """The divisions of the next season, from the rankings that the viewer may see and that are at least
    provisional. Contestants without a place (disqualified, or with too few boards) stay out of it. Missing:
    no such session, or list. Conflict: a session has several rankings. Invalid: a tie lies across a border,
    somebody is in two divisions, or one is too small. A few queries for each session."""
    visible = Session.objects.ranking_visible_to(viewer).filter(
        not_under_embargo(), tournament=tournament, is_trial=False, state__in=Session.RANKED
    )
    there = {session.number: session for session in visible.select_related("tournament").order_by("number")}
    numbers = wish.sessions or list(there)
    divisions: dict[str, list[tuple[str, Key]]] = {}
    before: dict[Key, tuple[int, str]] = {}
    for place, number in enumerate(numbers, 1):
        if number not in there:
            message = _("The tournament has no session %(number)d with a ranking.") % {"number": number}
            raise Missing("no-such-session", message, {"session": number})
        divisions[str(place)] = _places(there[number], wish.lists.get(number))
        before |= {key: (place, rank) for rank, key in divisions[str(place)]}
    try:
        after = next_divisions(divisions, up=wish.up, down=wish.down)
    except BadScoring as error:
        raise refusal("bad-divisions", error) from error
    return [
        NextDivision(there[number], [Mover(key, *before[key]) for key in after[str(place)]])
        for place, number in enumerate(numbers, 1)
    ]


def _places(session: Session, number: int | None) -> list[tuple[str, Key]]:
    of_teams = False
    groups: Mapping[int, Places[int]]
    if number is None:
        newest = rankings.newest(session)
        groups = {} if newest is None else versions.order_of(newest).groups
    else:
        the_list = lists.with_number(session, number)
        the_list.session = session
        groups = list_contents.content(the_list, list_contents.members_of(the_list)).groups
        of_teams = the_list.kind in SessionList.OF_TEAMS
    if len(groups) > 1:
        message = _("Session %(number)d has several rankings: a division has one.")
        raise Conflict("several-rankings", message % {"number": session.number})
    keys = _keys(session, of_teams=of_teams)
    return [
        (place.rank, keys[place.contestant]) for places in groups.values() for place in places if place.rank
    ]


def _keys(session: Session, *, of_teams: bool) -> dict[int, Key]:
    """By contestant, or by team, its players."""
    column = "contestant__team_id" if of_teams else "contestant_id"
    players: dict[int, list[int]] = {}
    rows = Member.objects.filter(session=session).order_by("player")
    for one, player in rows.values_list(column, "player"):
        players.setdefault(one, []).append(player)
    own = Contestant.objects.filter(session=session).values_list("team_id" if of_teams else "pk", flat=True)
    return {one: tuple(players.get(one, [-one])) for one in own if one is not None}
