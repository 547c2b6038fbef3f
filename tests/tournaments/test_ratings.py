"""Ratings of a club's players, and divisions, through the API."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from scoring.ratings import ratings_after
from tournaments.models import Member, Player, PlayerRating, Session
from tournaments.services import erasing, jobs, sessions

from .worlds import World, a_list, a_session, a_world, hand_in, played_through, plays_of, work

pytestmark = pytest.mark.django_db

ADDRESS = "/api/v1/clubs/club-a/ratings/"


def an_evening(world: World, session: Session) -> None:
    """Played by robots, and listed."""
    played_through(World(session, world.tokens, world.texts))
    sessions.finish(session=session, actor=None)
    sessions.publish(session=session, actor=None, listed=True)


def rate(world: World) -> dict[str, Any]:
    client = world.client("organiser")
    asked = client.post(ADDRESS, {}, format="json")
    assert asked.status_code == 202, asked.content
    jobs.do(job_id=asked.json()["id"])
    job: dict[str, Any] = client.get(f"/api/v1/jobs/{asked.json()['id']}/").json()
    assert (job["state"], job["progress"]) == ("done", 1.0), job
    return job


def shown(world: World, role: str = "organiser") -> list[dict[str, Any]]:
    answer = world.client(role).get(ADDRESS, {"game": "comon"})
    assert answer.status_code == 200, answer.content
    found: list[dict[str, Any]] = answer.json()["results"]
    return found


def test_ratings_are_made_anew_evening_by_evening() -> None:
    """And once more, they are the same: what is stored is never the start of what follows."""
    world = a_world()
    later = a_session()
    a_session()  # neither played nor listed: it does not count
    for session in (world.session, later):
        an_evening(world, session)
    by_hand: dict[str, Any] = {}
    for session in (world.session, later):
        places = world.client("organiser").get(f"/api/v1/sessions/{session.pk}/ranking/").json()["places"]
        boards = {place["contestant"]: place["boards"] for place in places}
        by_hand = ratings_after(by_hand, [(p["rank"], [p["contestant"]]) for p in places], boards=boards)
    assert rate(world)["outcome"] == {"sessions": 2, "games": 1, "players": 9}
    for _again in range(2):
        found = shown(world)
        assert [one["rank"] for one in found] == list(range(1, 10))
        assert [one["mean"] for one in found] == sorted((one["mean"] for one in found), reverse=True)
        for one in found:
            right = by_hand[one["player"]]
            assert (one["mean"], one["spread"]) == pytest.approx((right.mean, right.spread))
            assert (one["low"], one["high"]) == pytest.approx(right.interval)
            assert (one["boards"], one["events"], one["provisional"]) == (8, 2, True)
        rate(world)
    assert world.client("organiser").get(ADDRESS, {"game": "no-such"}).status_code == 400
    assert world.client("scorer").post(ADDRESS, {}, format="json").status_code == 403


def test_a_rating_shows_who_has_agreed_and_ends_with_the_player() -> None:
    world = a_world()
    an_evening(world, world.session)
    rate(world)
    strongest = shown(world)[0]["player"]
    given, family = strongest.split(" ")
    person = Player.objects.get(club__slug="club-a", given_name=given, family_name=family)
    Player.objects.filter(pk=person.pk).update(consent=False)
    assert strongest in {one["player"] for one in shown(world)}, "the club's officials keep its register"
    for role in ("anyone", "foreign organiser", "table"):
        names = [one["player"] for one in shown(world, role)]
        assert len(names) == 8, role
        assert strongest not in names
    erasing.erase_player(player=person, actor=None)
    assert len(shown(world)) == 8
    assert not PlayerRating.objects.filter(player=person).exists()
    rate(world)
    assert not PlayerRating.objects.filter(player=person).exists(), "nor is it rated again"


def test_ratings_say_when_somebody_last_played_and_are_forgotten_when_asked() -> None:
    world = a_world()
    an_evening(world, world.session)
    rate(world)
    client = world.client("organiser")
    assert {one["game"] for one in client.get(ADDRESS).json()["results"]} == {"comon", "all"}
    over_all = client.get(ADDRESS, {"game": "all"}).json()["results"]
    assert len(over_all) == 9
    assert not any(one["inactive"] for one in over_all)
    PlayerRating.objects.filter(game="all").update(played_at=timezone.now() - timedelta(days=366))
    over_all = client.get(ADDRESS, {"game": "all"}).json()["results"]
    assert all(one["inactive"] for one in over_all)
    for role in ("scorer", "foreign organiser", "anyone"):
        assert world.client(role).delete(ADDRESS).status_code in (401, 403), role
    assert len(shown(world)) == 9
    assert client.delete(ADDRESS).status_code == 204
    assert shown(world) == []


def divisions(world: World, role: str = "organiser", **query: Any) -> Any:
    address = f"/api/v1/tournaments/{world.session.tournament_id}/divisions/"
    return world.client(role).get(address, query)


def test_the_best_go_up_and_the_last_come_down() -> None:
    world = a_world(game="comon")
    other = a_session()
    Session.objects.filter(pk=other.pk).update(tournament=world.session.tournament, number=2)
    for number, player in enumerate(Member.objects.filter(session=other).order_by("pk"), 1):
        new = Player.objects.create(club_id=player.player.club_id, given_name=f"B{number}", consent=True)
        Member.objects.filter(pk=player.pk).update(player=new)
    other.refresh_from_db()
    for session in (world.session, other):
        for play in plays_of(session):
            n = play.table.number
            tricks = [[10, 0, 0], [0, 10, 0], [5, 3, 2]][(play.board.number + n) % 3]
            here = World(session, world.tokens, world.texts)
            hand_in(here, play, {"sheet": {"outcome": "normal", "tricks": tricks}})
        work(session)
    early = divisions(world, sessions="1,2")
    assert early.status_code == 404, "nothing is provisional yet"
    for session in (world.session, other):
        sessions.finish(session=session, actor=None)
        sessions.publish(session=session, actor=None, listed=True)
    places = []
    for session in (world.session, other):
        found = world.client("organiser").get(f"/api/v1/sessions/{session.pk}/ranking/").json()["places"]
        places.append([(one["rank"], one["contestant"]) for one in found])
    answer = divisions(world, "anyone", sessions="1,2", up="2", down="2")
    borders = [places[0][-3:-1], places[1][1:3]]
    tied = any(one[0] == two[0] for one, two in borders)
    assert answer.status_code == (400 if tied else 200), answer.content
    if tied:
        assert answer.json()["error"]["code"] == "bad-divisions"
    count = next(
        n
        for n in range(1, 8)
        if places[0][-n - 1][0] != places[0][-n][0] and places[1][n - 1][0] != places[1][n][0]
    )
    answer = divisions(world, "anyone", sessions="1,2", up=str(count), down=str(count)).json()
    first, second = ([one["players"][0] for one in part["contestants"]] for part in answer["divisions"])
    down = [name for _rank, name in places[0][-count:]]
    up = [name for _rank, name in places[1][:count]]
    assert first == [name for _rank, name in places[0][:-count]] + up
    assert second == down + [name for _rank, name in places[1][count:]]
    moved = {one["players"][0]: one["before"] for part in answer["divisions"] for one in part["contestants"]}
    assert all(moved[name] == 1 for name in down)
    assert all(moved[name] == 2 for name in up)
    listing = a_list(world.session)
    by_list = divisions(world, sessions="1,2", up=str(count), down=str(count), lists=f"1:{listing}")
    assert by_list.json() == answer, "a list of everybody says the same"
    assert divisions(world, sessions="1,7").status_code == 404
    assert divisions(world, sessions="1,2", up="10").status_code == 400
