"""Lists come in pages, and what a caller has already is not sent again."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from tournaments.services import board_sets, judging, rankings, replanning, sessions

from .test_roles import right_request
from .worlds import World, a_session, a_world, hand_in, played_through, plays_of, work

pytestmark = pytest.mark.django_db


def begins_with() -> World:
    """A published session."""
    return a_world(published=True)


OF_A_SESSION = (
    *("session-boards", "session-plays", "session-ranking", "traveller"),
    *("contestant-guides", "table-guides", "board-guides"),
)
EVERYTHING = 500


def get(client: APIClient, world: World, name: str, known: str = "", **query: object) -> Any:
    address, _body = right_request(world, name)
    headers = {"if-none-match": known} if known else {}
    return client.get(f"/api/v1/{address}", query, headers=headers)


def rows_of(client: APIClient, address: str | None, name: str) -> list[list[Any]]:
    """The rows of each page of a list, from an address on."""
    pages = []
    while address:
        page = client.get(address).json()
        pages.append(page[name])
        address = page["next"]
    return pages


# ── What has not changed ──────────────────────────────────────────────────────────────────────────


def test_what_has_not_changed_costs_one_small_query() -> None:
    world = a_world(custody="none")
    played_through(world)
    client = world.client("organiser")
    for name in OF_A_SESSION:
        address = f"/api/v1/{right_request(world, name)[0]}"
        first = client.get(address)
        with CaptureQueriesContext(connection) as queries:
            again = client.get(address, headers={"if-none-match": first["ETag"]})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"]), name
        in_charge = name.endswith("-guides")  # are there sections in the caller's charge?
        plays = 2 * (name == "session-ranking")  # does the organiser play? by role, and by name
        assert len(queries) == 2 + in_charge + plays, f"{name}: who asks, and the session"
        for one in (first, again):
            assert one["Cache-Control"] == "private, no-cache", name
            assert "Authorization" in one["Vary"], name


def test_whatever_a_caller_has_is_not_what_is_not_there() -> None:
    """`If-None-Match: *` is 304 for what is there, and for nothing else."""
    world = a_world()
    client, session = world.client("organiser"), f"/api/v1/sessions/{world.session.pk}"
    for address, status in (
        (f"{session}/boards/", 304),
        (f"{session}/boards/?cursor=none", 400),
        (f"{session}/boards/77/traveller/", 404),
        (f"{session}/ranking/?version=99", 404),
    ):
        assert client.get(address, headers={"if-none-match": "*"}).status_code == status


def results_come(world: World) -> None:
    hand_in(world, plays_of(world.session)[0], {"sheet": {"outcome": "normal", "tricks": [3, 5, 2]}})
    judging.judge()


def lists_follow(world: World) -> None:
    work(world.session)


def a_contestant_leaves(world: World) -> None:
    replanning.replan(session=world.refresh(), actor=world.organiser, after=2, leaving=[9], arriving=[])


def a_reserve_is_used(world: World) -> None:
    board_sets.use_reserve(session=world.refresh(), actor=world.organiser, board=4, reason="fouled")


def the_session_ends(world: World) -> None:
    sessions.finish(session=world.refresh(), actor=world.organiser)


def it_is_published(world: World) -> None:
    sessions.publish(session=world.refresh(), actor=world.organiser, listed=True)


def test_whatever_changes_is_sent_again() -> None:
    world = a_world(reserves=1, custody="none")
    client = world.client("organiser")
    changes: tuple[Callable[[World], None], ...] = (
        *(results_come, lists_follow, a_contestant_leaves, a_reserve_is_used),
        *(the_session_ends, it_is_published),
    )
    for change in changes:
        before = {name: get(client, world, name) for name in OF_A_SESSION}
        change(world)
        for name, first in before.items():
            again = get(client, world, name, first["ETag"])
            assert again.status_code == 200, (change, name)
    plays = get(client, world, "session-plays")
    assert get(client, world, "session-plays", plays["ETag"]).status_code == 304


def test_nobody_is_answered_by_what_another_has(world: World) -> None:
    """Not even where both see the same; and what is kept says nothing of the session."""
    played_through(world)
    for name in ("session-plays", "session-boards", "session-ranking"):
        etags = {role: get(world.client(role), world, name)["ETag"] for role in world.texts}
        assert len(set(etags.values())) == len(etags)
        roles = list(etags)
        for role, other in zip(roles, roles[1:] + roles[:1], strict=True):
            client = world.client(role)
            assert get(client, world, name, etags[role]).status_code == 304
            assert get(client, world, name, etags[other]).status_code == 200
        client = world.client("table")
        assert get(client, world, name, etags["table"], page_size=2).status_code == 200
        assert get(world.client("table", "fr"), world, name, etags["table"]).status_code == 200


def test_a_withdrawn_ranking_is_not_unchanged(world: World) -> None:
    client = world.client("anyone")
    etag = get(client, world, "session-ranking")["ETag"]
    sessions.publish(session=world.session, actor=world.organiser, listed=False)
    assert get(client, world, "session-ranking", etag).status_code == 404


# ── Pages ─────────────────────────────────────────────────────────────────────────────────────────


def test_the_pages_of_a_list_are_the_list() -> None:
    world = a_world(custody="none")
    played_through(world)
    for number in (2, 3):
        other = a_session()
        other.tournament, other.number = world.session.tournament, number
        other.save()
    client = world.client("organiser")
    lists = dict.fromkeys((*OF_A_SESSION, "tournament-sessions"), "results")
    for name, rows in (lists | {"session-ranking": "places", "traveller": "plays"}).items():
        whole = get(client, world, name, page_size=EVERYTHING).json()
        assert (whole["next"], whole["previous"]) == (None, None), name
        address, _body = right_request(world, name)
        pages = rows_of(client, f"/api/v1/{address}?page_size=2", rows)
        assert [row for page in pages for row in page] == whole[rows], name
        assert {len(page) for page in pages[:-1]} == {2}, name
        second = client.get(client.get(f"/api/v1/{address}?page_size=2").json()["next"]).json()
        assert client.get(second["previous"]).json()[rows] == pages[0], name


def test_the_pages_of_a_ranking_are_of_one_version(world: World) -> None:
    client = world.client("organiser")
    first_play, second_play, *_ = plays_of(world.session)
    hand_in(world, first_play)
    work(world.session)
    first = get(client, world, "session-ranking", page_size=3).json()
    hand_in(world, second_play)
    work(world.session)
    pages = rows_of(client, first["next"], "places")
    numbers = [place["number"] for page in [first["places"], *pages] for place in page]
    assert sorted(numbers) == list(range(1, 10))
    assert get(client, world, "session-ranking").json()["version"] == 2
    assert client.get(first["next"]).json()["version"] == 1
    old = get(client, world, "session-ranking", version=1).json()
    assert [place["number"] for place in old["places"]] == numbers
    assert [place["change"] for place in old["places"]] == [0] * 9


@pytest.mark.parametrize(("version", "status"), [("2", 404), ("0", 400), ("x", 400), ("9" * 5000, 400)])
def test_a_version_that_there_is_not_is_not_found(world: World, version: str, status: int) -> None:
    response = get(world.client("anyone"), world, "session-ranking", version=version)
    assert response.status_code == status


def test_places_are_made_for_one_page_only(monkeypatch: pytest.MonkeyPatch) -> None:
    world = a_world()
    played_through(world)
    newest = rankings.newest(world.session)
    assert newest is not None
    asked: list[int] = []
    real = rankings.progress.of_version

    def spy(ranking: Any, contestants: list[int]) -> Any:
        asked.extend(contestants)
        return real(ranking, contestants)

    monkeypatch.setattr(rankings.progress, "of_version", spy)
    whole = rankings.standings(newest)
    asked.clear()
    assert rankings.standings(newest, range(3, 5)) == whole[3:5]
    assert asked == [standing.contestant.pk for standing in whole[3:5]]
