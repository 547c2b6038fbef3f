"""The season of the demo, at small size: three games, two divisions, promotion; its event of two clubs."""

from random import Random

import pytest
from rest_framework.test import APIClient

from tournaments.management import event_demo, season_demo
from tournaments.models import RatedSession, Role, Season, Session
from tournaments.services import season_standings, seasons, tokens
from tournaments.services.names import ANYONE
from tournaments.services.season_standings import SeasonWish

from .worlds import a_club, forget

pytestmark = pytest.mark.django_db


def test_robots_play_a_season_of_three_games_and_the_best_go_up() -> None:
    forget()
    season_standings.forget()
    club = a_club("Club de l’Étui")
    organiser, _text = tokens.issue_for_role(person="Étui", club=club, kind=Role.Kind.ORGANISER)
    told: list[int] = []
    season, following = season_demo.play_season(
        club=club, organiser=organiser, evenings=3, random=Random(7), tell=lambda: told.append(1)
    )
    played = Session.objects.filter(tournament__club=club, listed=True, state__in=Session.RANKED)
    assert {one.game for one in played} == {one.game for one in season_demo.GAMES}
    assert (len(told), season.state, following.state) == (3, Season.State.OVER, Season.State.OPEN)
    assert following.follows == season
    version = season_standings.newest(season)
    assert version is not None
    assert len(season_standings.held(version).evenings) == 3
    first, second = (seasons.shown(version, SeasonWish("players", at), ANYONE) for at in (1, 2))
    assert first[0].name in season_demo.PLAYERS, "they have agreed that everybody reads their names"
    before, after = (
        [{tuple(key) for key in one["members"]} for one in some.divisions] for some in (season, following)
    )
    assert {one.session for one in RatedSession.objects.filter(club=club)} == set(played), "all are rated"
    moved_up = {one.row.contestant for one in second if one.move == seasons.UP}
    assert after[0] - before[0] == moved_up
    assert (len(moved_up), len(before[0] - after[0])) == (3, 3)
    played = {one.row.contestant for one in first}
    never = before[0] - played
    assert len(never & after[0]) == max(len(never) - 3, 0), "who never came goes down first"
    assert {one.row.contestant for one in first if one.move != seasons.DOWN} <= after[0]
    assert after[0] | after[1] == before[0] | before[1]
    given = seasons.prizes_of(season, version)
    winners = [key for one in given for key in one.winners]
    assert len(winners) == len(set(winners)) >= 4, "nobody has two"


def test_two_clubs_play_an_event_for_those_who_try_the_api() -> None:
    forget()
    club = a_club("Club de l’Étui")
    organiser, _text = tokens.issue_for_role(person="Étui", club=club, kind=Role.Kind.ORGANISER)
    event = event_demo.play_event(club=club, organiser=organiser, neighbour="Club du Port", random=Random(7))
    played, coming = event.legs.order_by("number")
    anyone = APIClient()
    field = anyone.get(f"/api/v1/legs/{played.pk}/field/").json()
    assert (field["clubs"], field["count"]) == (sorted([club.slug, "club-du-port"]), 18)
    closed = anyone.get(f"/api/v1/legs/{coming.pk}/field/").json()
    assert (closed["version"], closed["places"]) == (0, []), "nothing of it before it is played"
