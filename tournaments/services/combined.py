"""The standings of a tournament: the rankings of its sessions, combined by one rule."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from scoring.combined import SUM, CombinedPlace, combined_ranking
from scoring.errors import BadScoring
from scoring.methods import METHODS
from scoring.seasons import standings

from ..models import Account, Member, Session, Token, Tournament
from ..models.tournaments import not_under_embargo
from . import comparisons, counting, list_contents, matches, rankings, versions
from .errors import Invalid, refusal
from .list_contents import FieldSize

Key = tuple[int, ...]
"""Who is ranked: the ids of a contestant's players in their order, or of one player."""

Viewer = Account | Token | None

SCORE, MASTER_POINTS, MATCHES = "score", "master-points", "matches"
VALUES = (SCORE, MASTER_POINTS, MATCHES)
CONTESTANTS, PLAYERS = "contestants", "players"
RANKED = (CONTESTANTS, PLAYERS)


@dataclass(frozen=True, slots=True)
class StandingsWish:
    """How sessions are combined, as `scoring.combined` has it. `value`: what is added up of each (of
    `matches`: what teams have gained in them); `ranked`: contestants (or teams), who are the same where
    their players are, or each player alone; `weights`: by the number of a
    session in its tournament; `factor`: of master points."""

    rule: str = SUM
    value: str = SCORE
    ranked: str = CONTESTANTS
    best: int | None = None
    weights: Mapping[str, Fraction] | None = None
    least: int = 1
    factor: Fraction = field(default=Fraction(1))


@dataclass(frozen=True, slots=True)
class TournamentRanking:
    """`sessions`: those that are combined, by their numbers."""

    sessions: Mapping[str, Session]
    places: Sequence[CombinedPlace[Key]]


def of(tournament: Tournament, viewer: Viewer, wish: StandingsWish) -> TournamentRanking:
    """The standings over those sessions whose rankings the viewer may see, and which are at least
    provisional; trials count for nothing. Invalid: the sessions count different things, or the rule does not
    fit. A few queries for each session; the time grows with the contestants of all."""
    rows = (
        _ranked(tournament, viewer)
        .select_related("board_set")
        .annotate(table_count=Count("sections__tables"))
    )
    sessions = {str(session.number): session for session in rows.order_by("number")}
    if wish.value == SCORE:
        _check_alike(list(sessions.values()))
    if wish.value == MATCHES:
        sessions = {number: one for number, one in sessions.items() if matches.rules_of(one) is not None}
        _check_alike_matches(list(sessions.values()))
    players: dict[int, list[int]] = {}
    members = Member.objects.filter(session__in=[one.pk for one in sessions.values()])
    for contestant, player in members.order_by("player").values_list("contestant", "player"):
        players.setdefault(contestant, []).append(player)
    results: dict[str, dict[Key, Fraction]] = {}
    newest = {one.session_id: one for one in rankings.newest_of([one.pk for one in sessions.values()])}
    for number, session in sessions.items():
        if wish.value == MATCHES:
            results[number] = _by_key(*_of_matches(session, players), wish.ranked)
            continue
        order = versions.order_of(newest[session.pk]) if session.pk in newest else versions.Order({})
        results[number] = _by_key(_values(session, order, wish), players, wish.ranked)
    try:
        return TournamentRanking(sessions, _combined(results, wish))
    except BadScoring as error:
        raise refusal("bad-standings", error) from error


def are_there(tournament: Tournament, viewer: Viewer) -> bool:
    """Whether the viewer may see the ranking of any session that is combined."""
    return _ranked(tournament, viewer).exists()


def usual(tournament: Tournament, viewer: Viewer) -> StandingsWish:
    """How sessions are combined where nobody says: the sum of their scores; of their master points, where
    they count different things."""
    counted = _counted(_ranked(tournament, viewer).select_related("board_set"))
    return StandingsWish(value=SCORE if len(counted) < 2 else MASTER_POINTS)


def _ranked(tournament: Tournament, viewer: Viewer) -> QuerySet[Session]:
    return Session.objects.ranking_visible_to(viewer).filter(
        not_under_embargo(), tournament=tournament, is_trial=False, state__in=Session.RANKED
    )


def _combined(
    results: Mapping[str, Mapping[Key, Fraction]], wish: StandingsWish
) -> Sequence[CombinedPlace[Key]]:
    if wish.value == MASTER_POINTS and wish.rule in {SUM, "best"}:
        return standings(results, best=wish.best, least=wish.least)
    return combined_ranking(results, rule=wish.rule, best=wish.best, weights=wish.weights, least=wish.least)


def _counted(sessions: Iterable[Session]) -> set[str]:
    """The units in which sessions are ranked."""
    return {
        "percent" if comparisons.top(session) is not None else METHODS[session.method].unit
        for session in sessions
    }


def _check_alike(sessions: Sequence[Session]) -> None:
    counted = _counted(sessions)
    if len(counted) > 1:
        message = _("These sessions count different things: add up their master points instead.")
        raise Invalid("not-alike", message, {"counted": sorted(counted)})


def _check_alike_matches(sessions: Sequence[Session]) -> None:
    counted = {(rules.worth, rules.whole) for one in sessions if (rules := matches.rules_of(one))}
    if len(counted) > 1:
        message = _("The matches of these sessions count in different ways.")
        raise Invalid("not-alike", message, {"counted": sorted(worth for worth, _whole in counted)})


def _of_matches(
    session: Session, players: Mapping[int, Sequence[int]]
) -> tuple[dict[int, Fraction], dict[int, list[int]]]:
    """By team: what it has gained in its matches; and its players. Nothing for those without a place."""
    found = matches.standings(session, matches.states(session), counting.of_session(session).changes)
    own: dict[int, list[int]] = {}
    of_team = session.contestants.filter(team__isnull=False)
    for contestant, team in of_team.values_list("pk", "team_id"):
        own[team] = sorted({*own.get(team, ()), *players.get(contestant, ())})
    ranked = dict(found.places().positions())
    values = {k: total.value for k, total in found.totals.items() if k in ranked}
    return {k: value for k, value in values.items() if value is not None}, {k: v for k, v in own.items() if v}


def _values(session: Session, order: versions.Order, wish: StandingsWish) -> dict[int, Fraction]:
    """By contestant: what it has got for its place, or won; nothing for those without a place."""
    if wish.value == MASTER_POINTS:
        size = FieldSize(order.count, session.table_count)  # type: ignore[attr-defined]  # annotated
        given = list_contents.points_for_places(order.groups, size, wish.factor)
        return {k: given.get(k, Fraction(0)) for k in order.positions}
    return {k: value for k in order.positions if (value := order.totals[k].value) is not None}


def _by_key(
    values: Mapping[int, Fraction], players: Mapping[int, Sequence[int]], ranked: str
) -> dict[Key, Fraction]:
    """By who is ranked. A contestant without players cannot be known again, and is left out."""
    if ranked == PLAYERS:
        return {(one,): value for k, value in values.items() for one in players.get(k, ())}
    return {tuple(players[k]): value for k, value in values.items() if k in players}
