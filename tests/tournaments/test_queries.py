"""What a GET costs does not grow with what is there: every route, at two sizes, for every kind of caller."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern
from pytest_django import DjangoAssertNumQueries

from tournaments.api import urls
from tournaments.models import (
    Job,
    Leg,
    Player,
    Registrant,
    Registration,
    RegistrationList,
    Season,
    Session,
    Submission,
    WebhookDelivery,
)
from tournaments.services import (
    counting,
    differences,
    events,
    feed,
    guides,
    jobs,
    season_standings,
    seasons,
    sessions,
    versions,
)

from .worlds import (
    World,
    a_club,
    a_club_entry,
    a_delivery,
    a_formula,
    a_list,
    a_past_season,
    a_penalty,
    a_ruling,
    a_running_season,
    a_session,
    a_slip_photo,
    a_team,
    a_world,
    an_objection,
    played_through,
    plays_of,
    work,
)

pytestmark = pytest.mark.django_db


def routes() -> dict[str, URLPattern]:
    return {str(route.name): route for route in urls.urlpatterns if isinstance(route, URLPattern)}


# Queries of an organiser's GET, the one that finds the token among them.
QUERIES = {
    "tournaments": 2,
    "tournament": 2,
    "tournament-sessions": 4,
    "events": 2,
    "feed": 2,
    "seasons": 2,
    "season": 5,
    "season-standing": 6,
    "season-prizes": 6,
    "season-versions": 3,
    "webhooks": 2,
    "webhook": 2,
    "webhook-deliveries": 3,
    "event": 2,
    "event-legs": 3,
    "leg-entries": 4,
    "leg-checks": 7,
    "leg-field": 3,
    "leg-field-versions": 3,
    "registration-lists": 3,
    "registration-list": 2,
    "list-registrations": 6,
    "games": 1,
    "game": 1,
    "movements": 2,
    "job": 2,
    "print": 5,
    "archive": 6,
    "session-export": 9,
    "session": 3,
    "contestant-guides": 10,
    "table-guides": 7,
    "board-guides": 7,
    "session-rounds": 3,
    "session-flags": 9,
    "session-boards": 6,  # one of them for the lists that were printed
    "session-deals": 2,
    "traveller": 16,  # likewise; two of them because directors have ruled
    "board-lists": 7 if connection.vendor == "postgresql" else 8,  # with its line in the history
    "board-proof": 3,
    "session-plays": 13,  # likewise
    "session-submissions": 4,
    "session-ranking": 8,
    "session-history": 4,
    "session-seals": 3,
    "submission": 3,
    "club-players": 3,
    "club-player": 3,
    "club-player-licence": 3,
    "session-substitutions": 4,
    "session-rulings": 5,
    "session-objections": 4,
    "session-objection": 4,
    "session-calls": 4,
    "session-announcements": 4,
    "session-slip-photos": 4,
    "session-slip-photo": 4,
    "ranking-difference": 11,
    "ranking-versions": 3,
    "session-lists": 3,
    "session-list": 3,
    "list-places": 7,
    "club-ratings": 4,
    "tournament-divisions": 8,
    "session-matches": 3,
    "session-match-rules": 3,
    "session-teams": 6,
    "session-contestants": 6,
    "session-team": 6,
    "club-penalties": 3,
    "club-formulas": 3,
    "club-master-points": 3,
    "club-past-seasons": 3,
    "club-past-season": 6,
    "tournament-standings": 7,
    "session-ruling": 5,
    "ruling-reversal": 16 if connection.vendor == "postgresql" else 18,  # three for its list
}
PAGED = {
    name
    for name, route in routes().items()
    if getattr(route.callback.cls, "is_paged", False)  # type: ignore[attr-defined]
}
NOT_FROM_THE_DATABASE = {"schema", "nothing"}
STREAMS = {"session-live"}
MOVEMENTS = {"small": {"contestants": 6, "boards": 2}, "large": {"contestants": 9, "boards": 2}}
ROLES = ("anyone", "organiser", "scorer", "table", "player")


def gets() -> set[str]:
    """The names of all routes that answer a GET from the database."""
    return {
        name
        for name, route in routes().items()
        if name not in NOT_FROM_THE_DATABASE | STREAMS and hasattr(route.callback.cls, "get")  # type: ignore[attr-defined]
    }


@dataclass(frozen=True)
class PlayedWorld:
    """A played world, and the addresses of its resources."""

    world: World
    submission: int
    job: UUID
    printed: UUID
    archived: UUID
    registration_list: int
    ruling: int
    objection: int
    listing: int
    photo: int
    past_season: int
    leg: Leg
    webhook: int
    season: int
    size: str

    def address(self, name: str) -> str:
        parts = {"pk": self.world.session.pk, "number": 1}
        if name.startswith("tournament") or name == "registration-lists":
            parts["pk"] = self.world.session.tournament_id
        elif name in ("registration-list", "list-registrations"):
            parts["pk"] = self.registration_list
        elif name.startswith("event"):
            parts["pk"] = self.leg.event_id
        elif name.startswith("leg-"):
            parts["pk"] = self.leg.pk
        elif name.startswith("webhook-") or name == "webhook":
            parts["pk"] = self.webhook
        elif name.startswith("season"):
            parts["pk"] = self.season
        elif name == "submission":
            parts["pk"] = self.submission
        elif name.startswith("club"):
            path = str(routes()[name].pattern).replace("<str:club>", "club-a")
            player = self.world.holder("player").player_id
            pk = self.past_season if name == "club-past-season" else player
            return f"/api/v1/{path.replace('<int:pk>', str(pk))}"
        elif name == "job":
            return f"/api/v1/jobs/{self.job}/"
        elif name == "session-export":
            return f"/api/v1/sessions/{self.world.session.pk}/exports/results/"
        elif name == "print":
            return f"/api/v1/prints/{self.printed}/"
        elif name == "archive":
            return f"/api/v1/archives/{self.archived}/"
        path = str(routes()[name].pattern).replace("<str:game>", "comon")
        path = path.replace("<int:ruling>", str(self.ruling))
        path = path.replace("<int:objection>", str(self.objection))
        path = path.replace("<int:listing>", str(self.listing)).replace("<int:team>", "1")
        path = path.replace("<int:photo>", str(self.photo))
        for part, value in parts.items():
            path = path.replace(f"<int:{part}>", str(value))
        return f"/api/v1/{path}"

    def get(self, role: str, name: str, query: dict[str, str] | None = None) -> Any:
        wish = {"game": "comon"} | MOVEMENTS[self.size] if name == "movements" else {}
        return self.world.client(role).get(self.address(name), wish | (query or {}))


def a_place(size: str, *, players: int, boards_per_round: int, more: int) -> PlayedWorld:
    """A published session that is over, and beside it `more` sessions and tournaments of the same club."""
    world = a_world(players=players, boards_per_round=boards_per_round, published=True, custody="none")
    played_through(world)
    sessions.finish(session=world.session, actor=world.organiser)
    ruling = a_ruling(world.session, plays_of(world.session)[0])
    work(world.session)
    listing = a_list(world.session)
    a_team(world.session)
    a_penalty(world.session)
    a_formula(world.session)
    past_season = a_past_season(world.session.tournament.club)
    objection = an_objection(world.session, plays_of(world.session)[0], world.organiser)
    for number in range(more):
        Session.objects.filter(pk=a_session(published=True).pk).update(
            tournament=world.session.tournament, number=number + 2
        )
        a_session(published=True)
    submission = Submission.objects.filter(play__table=world.table.table).latest("pk")
    asked = [Job.objects.create(tournament=world.session.tournament, name="Next") for _ in range(more + 1)]
    printed = a_print(world)
    archived = jobs.ask_for_archive(
        tournament=world.session.tournament, session=world.session, sender=world.organiser
    )
    jobs.do(job_id=archived.pk)
    leg, organiser = a_club_entry(world.session.tournament.club).leg, world.organiser
    for number in range(more):
        events.invite(leg=leg, clubs=[a_club(f"Invited {number}")], actor=organiser)
        window = {"opens_at": leg.opens_at, "closes_at": leg.closes_at}
        events.add_leg(event=leg.event, actor=organiser, game="comon", board_count=4, **window)
        events.create(actor=organiser, club=world.session.tournament.club, name="Next")
    feed.place_new()
    webhook, _delivery = a_delivery(world.session.tournament.club)
    for _ in range(more):
        WebhookDelivery.objects.create(webhook_id=webhook, state="delivered", next_at=None)
    season = a_running_season(world.session)
    prizes = [{"name": f"Prize {number}", "count": more + 1} for number in range(more + 1)]
    seasons.change(season=Season.objects.get(pk=season), actor=None, measure="standard", prizes=prizes)
    season_standings.rank(season_id=season)
    for _ in range(more):
        seasons.create(actor=None, club=world.session.tournament.club, name="Next")
    lists = [
        RegistrationList.objects.create(tournament=world.session.tournament, name="Next")
        for _ in range(more + 1)
    ]
    for player in Player.objects.filter(club=world.session.tournament.club)[: 2 + more]:
        registration = Registration.objects.create(list=lists[0])
        Registrant.objects.create(list=lists[0], registration=registration, player=player)
    return PlayedWorld(
        world,
        submission.pk,
        asked[0].pk,
        printed.pk,
        archived.pk,
        lists[0].pk,
        ruling,
        objection,
        listing,
        a_slip_photo(submission.play),
        past_season,
        leg,
        webhook,
        season,
        size,
    )


def a_print(world: World) -> Job:
    wish = {"kinds": ["slips"], "language": "fr"}
    job = jobs.ask_for_prints(session=world.session, sender=world.organiser, request=wish)
    jobs.do(job_id=job.pk)
    return job


def test_every_get_asks_the_database_as_often_whatever_is_there(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    assert gets() == QUERIES.keys(), "each route that is read has its line"
    small = a_place("small", players=9, boards_per_round=1, more=0)
    costs = {(role, name): cost(small, role, name) for role in ROLES for name in QUERIES}
    assert {name: costs["organiser", name] for name in QUERIES} == {
        name: (200, queries) for name, queries in QUERIES.items()
    }
    large = a_place("large", players=15, boards_per_round=1, more=3)
    for name, queries in QUERIES.items():
        forget()
        with django_assert_num_queries(queries):
            assert large.get("organiser", name).status_code == 200
    assert {(role, name): cost(large, role, name) for role in ROLES for name in QUERIES} == costs
    with connection.execute_wrapper(has_few_parameters):
        for name in QUERIES:
            wish = {"page_size": "2"} if name in PAGED else {}
            assert large.get("organiser", name, wish).status_code == 200


def has_few_parameters(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
    """Statements do not get longer with what is there (35 plays, 105 seatings), but for a page at most."""
    assert len(params or ()) <= 30, sql
    return execute(sql, params, many, context)


def cost(place: PlayedWorld, role: str, name: str) -> tuple[int, int]:
    """The status of an answer, and how many queries it took."""
    forget()
    with CaptureQueriesContext(connection) as queries:
        response = place.get(role, name)
    return response.status_code, len(queries)


def forget() -> None:
    """What this process remembers of earlier questions."""
    versions.forget()
    differences.forget()
    guides.rounds_in.cache_clear()
    counting.memory.forget()
    season_standings.forget()
