"""Lists come in pages, and what a caller has already is not sent again."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from tournaments.api.operations import OPERATIONS
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


# ── Every collection, every resource ──────────────────────────────────────────────────────────────


def looked_at(client: APIClient, world: World) -> dict[str, str]:
    """The address of every GET that has one in this world, by its route."""
    found = {}
    for route in OPERATIONS:
        method, _, path = route.partition(" ")
        fits = {"{number}": "1", "{listing}": "1", "{ruling}": str(world.rows["ruling"])}
        fits |= {"{club}": world.session.tournament.club.slug, "{game}": "comon"}
        fits |= {"tournaments/{id}": f"tournaments/{world.session.tournament_id}"}
        fits |= {"sessions/{id}": f"sessions/{world.session.pk}"}
        fits |= {"submissions/{id}": f"submissions/{world.rows['submission']}"}
        for name, value in fits.items():
            path = path.replace(name, value)
        if method == "GET" and "{" not in path:
            query = "?game=comon&contestants=9&boards=12" if path == "movements/" else ""
            if client.get(f"/api/v1/{path}{query}").status_code == 200:
                found[route] = f"/api/v1/{path}{query}"
    return found


def a_busy_world() -> World:
    world = a_world(published=True, custody="none")
    client, address = world.client("organiser"), f"/api/v1/sessions/{world.session.pk}/"
    played_through(world)
    rows = {}
    for number in (1, 2, 3):
        penalty = {"kind": "penalty", "contestant": number, "amount": "10"}
        made = client.post(f"{address}rulings/", {"contestant": penalty, "reason": "Slow"}, "json")
        rows["ruling"] = made.json()["id"]
        client.post(f"{address}lists/", {"name": f"List {number}", "kind": "overall"}, "json")
        client.post(f"{address}announcements/", {"text": f"Coffee {number}"}, "json")
        client.post(f"{address}calls/", {"section": "A", "table": number, "reason": "director"}, "json")
    rows["submission"] = client.get(f"{address}submissions/").json()["results"][0]["id"]
    work(world.session)
    world.rows = rows
    return world


def test_every_answer_has_an_etag_by_which_it_is_not_sent_again() -> None:
    world = a_busy_world()
    client, french = world.client("organiser"), world.client("organiser", "fr")
    addresses = looked_at(client, world)
    assert len(addresses) > 40
    for route, address in addresses.items():
        first = client.get(address)
        if not first["Content-Type"].startswith("application/json"):
            continue  # a file
        assert first["ETag"], route
        again = client.get(address, headers={"if-none-match": first["ETag"]})
        if route not in SENT_WHOLE:
            assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"]), route
            assert "Authorization" in again["Vary"], route
        assert client.get(address, headers={"if-none-match": '"other"'}).status_code == 200, route
        if french.get(address).content != first.content:
            kept = french.get(address, headers={"if-none-match": first["ETag"]})
            assert kept.status_code == 200, f"{route}: in another language it is something else"
    seen = client.get(addresses["GET sessions/{id}/rulings/"])["ETag"]
    penalty = {"contestant": {"kind": "penalty", "contestant": 4, "amount": "10"}, "reason": "Slow"}
    client.post(addresses["GET sessions/{id}/rulings/"], penalty, "json")
    changed = client.get(addresses["GET sessions/{id}/rulings/"], headers={"if-none-match": seen})
    assert changed.status_code == 200, "it has changed"


SENT_WHOLE = {
    *("GET sessions/{id}/", "GET tournaments/{id}/", "GET clubs/{club}/players/{id}/"),
    *("GET movements/", "GET sessions/{id}/boards/{number}/lists/"),
}
"""More of the first three may be new than what their ETag is about; seats are tried anew for whoever asks for
movements, and each list of hands bears the mark of whoever has it."""


def test_every_collection_is_read_from_its_last_row_as_well() -> None:
    world = a_busy_world()
    client, turned = world.client("organiser"), 0
    for route, address in looked_at(client, world).items():
        answer = client.get(f"{address}?order=descending")
        if route == "GET movements/" or answer.status_code == 400:
            continue  # a ranking, or no collection
        rows = [row for page in rows_of(client, f"{address}?page_size=2", "results") for row in page]
        descending = rows_of(client, f"{address}?page_size=2&order=descending", "results")
        assert [row for page in descending for row in page] == rows[::-1], route
        assert client.get(f"{address}?order=sideways").status_code == 400, route
        if len(descending) > 1:
            second = client.get(f"{address}?page_size=2&order=descending").json()["next"]
            back = client.get(second).json()["previous"]
            assert client.get(back).json()["results"] == descending[0], f"{route}: and back"
            turned += 1
    assert turned >= 10


def test_flags_and_guides_are_asked_for_by_their_table() -> None:
    world = a_world()
    client, address = world.client("organiser"), f"/api/v1/sessions/{world.session.pk}/"
    for play in plays_of(world.session):
        if (play.table.number, play.round) != (2, 1):
            hand_in(world, play, {"sheet": {"outcome": "normal", "tricks": [5, 3, 2]}})
    work(world.session)
    every = client.get(f"{address}flags/").json()["results"]
    assert {(one["kind"], one["table"]) for one in every} == {("missing", 2)}
    for query, count in (("table=2", 1), ("table=1", 0), ("kind=missing&section=A", 1), ("kind=behind", 0)):
        assert len(client.get(f"{address}flags/?{query}").json()["results"]) == count, query
    assert client.get(f"{address}flags/?kind=late").status_code == 400
    (table,) = client.get(f"{address}guides/tables/?section=A&table=2").json()["results"]
    assert table["table"] == 2
    (own,) = client.get(f"{address}guides/contestants/?number=4").json()["results"]
    assert own["number"] == 4


def test_a_result_says_where_it_can_be_read() -> None:
    world = a_world()
    client, play = world.client("organiser"), plays_of(world.session)[0]
    body = {"section": "A", "table": play.table.number, "board": play.board.number, "key": str(uuid4())}
    body["sheet"] = {"outcome": "normal", "tricks": [5, 3, 2]}
    for _twice in range(2):
        sent = client.post(f"/api/v1/sessions/{world.session.pk}/submissions/", body, "json")
        assert sent.status_code == 202
        assert client.get(sent["Location"]).json()["id"] == sent.json()["id"]
