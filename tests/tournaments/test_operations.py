"""A walk over the description: what it says of every operation, so that a program can be made from it."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests import examples
from tests.running import ROOT
from tournaments import problems
from tournaments.api.operations import OPERATIONS, RESOURCES

from .test_roles import ask, first_play
from .test_strict import description
from .worlds import a_ruling, a_world, hand_in

VERBS = (
    *("add", "answer", "cancel", "change", "compute", "confirm", "create", "delete", "export", "extend"),
    *("get", "give", "import", "list", "pause", "plan", "preview", "publish", "register", "remove", "replan"),
    *("report", "reseat", "retire", "reverse", "set", "start", "submit", "undo", "use", "withdraw"),
)
METHODS = {"get", "post", "put", "patch", "delete"}
CREATES_NOTHING = {
    "previewSheet": "says what a sheet would be worth",
    "previewRuling": "says whom a ruling would move",
}


def operations() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each operation by its route, as the description has it."""
    for path, found in description()["paths"].items():
        for method, operation in found.items():
            if method in METHODS:
                yield f"{method.upper()} {path.removeprefix('/api/v1/')}", operation


def refusals() -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Each refusal that is described, with its operation and its status."""
    for route, operation in operations():
        for status, answer in operation["responses"].items():
            if int(status) >= 400:
                yield route, int(status), answer


def test_every_operation_has_a_name_of_its_own_a_line_and_a_resource() -> None:
    names = [operation["operationId"] for _route, operation in operations()]
    assert sorted(names) == sorted(set(names))
    for route, operation in operations():
        name = operation["operationId"]
        assert re.fullmatch(rf"({'|'.join(VERBS)})([A-Z][a-z]+)+", name), (route, name)
        assert 5 <= len(operation["summary"]) <= 60, route
        assert not operation["summary"].endswith("."), route
        (resource,) = operation["tags"]
        assert resource in RESOURCES, route


def test_no_name_is_left_of_what_is_gone() -> None:
    assert set(OPERATIONS) == {route for route, _operation in operations()}
    assert [tag["name"] for tag in description()["tags"]] == list(RESOURCES)


def test_every_refusal_is_a_problem() -> None:
    schema = {"$ref": "#/components/schemas/Problem"}
    for route, status, answer in refusals():
        assert list(answer["content"]) == [problems.MEDIA_TYPE], (route, status)
        assert answer["content"][problems.MEDIA_TYPE]["schema"] == schema, (route, status)
    for route, operation in operations():
        always = {"400", "401", "403", "406", "429"} | ({"415"} if "requestBody" in operation else set())
        assert always <= set(operation["responses"]), route


def codes() -> dict[int, set[str]]:
    """The codes that docs/api.md lists, by status."""
    found: dict[int, set[str]] = {}
    page = (ROOT / "docs" / "api.md").read_text().partition("## Codes")[2]
    for statuses, names in re.findall(r"^\| ([0-9, ]+) \| (.+) \|$", page, re.MULTILINE):
        for status in statuses.split(", "):
            found.setdefault(int(status), set()).update(re.findall(r"`([a-z-]+)`", names))
    return found


@pytest.mark.django_db
def test_each_example_of_a_refusal_is_told_so_and_its_code_is_listed() -> None:
    listed, seen = codes(), set()
    for route, status, answer in refusals():
        for code, example in answer["content"][problems.MEDIA_TYPE].get("examples", {}).items():
            told = example["value"]
            assert code == told["code"], (route, status)
            assert code in listed[status], (route, status)
            assert told == problems.problem(status, code, told["detail"], told.get("details")), route
            seen.add(status)
    assert seen == {400, 401, 403, 404, 406, 412, 415, 422, 428, 429}


WITHOUT_AN_ADDRESS = {
    "addClubEntries": "several, each with its id",
    "addFormula": "the formulas are read whole",
    "addLeg": "the legs of an event are read together",
    "addPenalty": "the catalogue is read whole",
    "addPlayers": "several, each with its id",
    "answerCheck": "the findings are read together",
    "confirmResult": "it stands at its play",
    "createAnnouncement": "they are read together",
    "createCall": "calls are read together",
    "createDelivery": "deliveries are read together",
    "createReminders": "they are mails",
    "createSubstitution": "they are read together",
    "createTableLinks": "several, whose secrets are told once",
    "createTableTokens": "several, whose secrets are told once",
    "createWebhookSecret": "it is told once",
    "extendRound": "it stands at its round",
    "registerPlayers": "a list is read whole, in its order",
    "reseatTable": "the plays are read together",
    "useReserve": "the boards are read together",
}


TOLD_ONCE = {("webhooks", "secret")}
"""What is made by the name of its route, and a field of it that nothing else tells."""


@pytest.mark.django_db
def test_what_is_made_says_where_it_is_read() -> None:
    """Each creation asked; whatever has an address of its own names it, and there it is."""
    world, without = a_world(custody="none", reserves=1), set()
    hand_in(world, first_play(world))
    for route, operation in operations():
        if "201" not in operation["responses"]:
            continue
        if "headers" not in operation["responses"]["201"]:
            without.add(operation["operationId"])
            continue
        name = examples.routes()[route.partition(" ")[2]]
        made = ask(world, "organiser", f"POST {name}")
        assert made.status_code == 201, (route, made.content)
        there = world.client("organiser").get(made["Location"])
        assert there.status_code == 200, route
        if there["Content-Type"] == "image/webp":
            continue  # a photo is looked at
        again = {field: value for field, value in made.json().items() if (name, field) not in TOLD_ONCE}
        assert there.json() == again or name == "objection-steps", route
    assert without == set(WITHOUT_AN_ADDRESS)


@pytest.mark.django_db
def test_every_collection_is_paged_in_one_shape_with_links() -> None:
    """What is cut into pages says its neighbours in its body and as RFC 8288 has them; nothing else is a
    list."""
    world = a_world(custody="none")
    for _play in range(2):
        hand_in(world, first_play(world))
    pages = 0
    for route, operation in operations():
        parameters = {one["name"] for one in operation["parameters"]}
        answer = operation["responses"].get("200", {})
        schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
        if route.startswith("GET") and "cursor" not in parameters:
            assert schema.get("type") != "array" or route in LISTED_WHOLE, route
        if "cursor" not in parameters:
            continue
        assert "page_size" in parameters, route
        assert "Link" in answer["headers"], route
        told = ask(
            world, "organiser", f"GET {examples.routes()[route.partition(' ')[2]]}", query={"page_size": "1"}
        )
        if told.status_code == 404:
            continue  # a traveller before its board is over
        page = told.json()
        assert {"next", "previous"} <= set(page), route
        if page["next"] is not None:
            assert told["Link"] == f'<{page["next"]}>; rel="next"', route
            second = world.client("organiser").get(page["next"])
            back = f'<{second.json()["previous"]}>; rel="prev"'
            assert back in second["Link"], route
            pages += 1
    assert pages >= 8


LISTED_WHOLE = {
    "GET movements/": "computed for whoever asks, and few",
    "GET sessions/{id}/exports/{what}/": "a file",
}


def test_every_creation_takes_a_key() -> None:
    without = {
        operation["operationId"]
        for route, operation in operations()
        if route.startswith("POST")
        and not any(one["name"] == "Idempotency-Key" for one in operation["parameters"])
    }
    assert without == set(CREATES_NOTHING)


UNFILTERED = {
    "getField": "a ranking is read in its order; it has parameters of its own",
    "getListPlaces": "a ranking is read in its order",
    "getRanking": "a ranking is read in its order",
    "getSeasonStanding": "a ranking is read in its order; it has parameters of its own",
    "getStandings": "a ranking is read in its order; it has parameters of its own",
    "getTraveller": "one board, table by table",
    "listAnnouncements": "few, and the newest holds",
    "listBoardGuides": "printed whole",
    "listFieldVersions": "in their order",
    "listFormulas": "few, and read whole",
    "listGames": "few",
    "listRankingVersions": "in their order",
    "listRegistrations": "read whole, in its order",
    "listSeals": "a chain, read whole",
    "listSeasonVersions": "in their order",
    "listTeams": "few",
    "listWebhooks": "few",
}


def filters_of(operation: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The query parameters that are not those of pages, each with its schema."""
    pages = {"cursor", "page_size", "order"}
    return {
        one["name"]: one["schema"]
        for one in operation["parameters"]
        if one["in"] == "query" and one["name"] not in pages
    }


@pytest.mark.django_db
def test_every_collection_is_filtered_or_needs_no_filter_and_refuses_wrong_values() -> None:
    world = a_world(custody="none")
    unfiltered = set()
    for route, operation in operations():
        names = {one["name"] for one in operation["parameters"]}
        filters = filters_of(operation)
        if "cursor" not in names:
            continue
        if not filters or operation["operationId"] in {
            *("getField", "getListPlaces", "getRanking", "getSeasonStanding", "getStandings")
        }:
            unfiltered.add(operation["operationId"])
            continue
        request = f"GET {examples.routes()[route.partition(' ')[2]]}"
        for name, schema in filters.items():
            if schema["type"] == "string" and not {"enum", "format"} & set(schema):
                continue  # any text may be asked for
            for value in ("nonsense", ""):
                wrong = ask(world, "organiser", request, query={name: value})
                assert wrong.status_code == 400, (route, name, value)
                assert set(wrong.json()["details"]) == {name}, route
            for value in schema.get("enum", []):
                assert ask(world, "organiser", request, query={name: value}).status_code == 200, (
                    route,
                    value,
                )
    assert unfiltered == set(UNFILTERED)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("request_", "query", "field", "expected"),
    [
        ("GET session-plays", {"round": "2"}, "round", {2}),
        ("GET session-plays", {"table": "1", "section": "A"}, "table", {1}),
        ("GET session-plays", {"board": "3"}, "board", {3}),
        ("GET session-submissions", {"table": "1"}, "table", {1}),
        ("GET session-submissions", {"table": "2"}, "table", set()),
        ("GET session-submissions", {"since": "2001-01-01T00:00:00Z"}, "board", {1}),
        ("GET session-contestants", {"line_group": "1"}, "line_group", {1}),
        ("GET session-contestants", {"team": "1"}, "team", set()),
        ("GET tournament-sessions", {"game": "comon"}, "game", {"comon"}),
        ("GET tournament-sessions", {"state": "final"}, "state", set()),
        ("GET tournaments", {"search": "of Club A"}, "name", {"Tournament of Club A"}),
        ("GET tournaments", {"search": "no such"}, "name", set()),
        ("GET session-rulings", {"reversed": "true"}, "state", set()),
        ("GET session-rulings", {"reversed": "false"}, "state", {"in force"}),
    ],
)
def test_a_filter_leaves_what_was_asked_for(
    request_: str, query: dict[str, str], field: str, expected: set[Any]
) -> None:
    world = a_world(custody="none")
    play = first_play(world)
    hand_in(world, play)
    a_ruling(world.session, play)
    found = ask(world, "organiser", request_, query=query).json()["results"]
    assert {one[field] for one in found} == expected


@pytest.mark.django_db
@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
@pytest.mark.parametrize("request_", ["GET session-submissions", "GET tournament-sessions"])
def test_a_moment_beyond_all_clocks_is_refused(request_: str, moment: str) -> None:
    answer = ask(a_world(), "organiser", request_, query={"since": moment})
    assert (answer.status_code, answer.json()["details"].keys()) == (400, {"since"})
