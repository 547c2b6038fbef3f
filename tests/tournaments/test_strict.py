"""Nothing that a caller sends is ignored: what is not known is refused by name, at every route."""

import re
from functools import cache
from typing import Any

import pytest
from django.urls import URLPattern, resolve
from drf_spectacular.generators import SchemaGenerator

from tests.samples import some
from tournaments.api import urls
from tournaments.models import Session, Submission, Tournament

from .test_roles import FILES, ask, right_request
from .worlds import World, a_finding, a_world

pytestmark = pytest.mark.django_db
WITHOUT_FIELDS = {
    "club-ratings",
    "leg-reminders",
    "webhook-secrets",
    "webhook-deliveries",
    "session-archives",
    "tournament-archives",
}  # there is nothing to say but that it be done
METHODS = ("get", "post", "put", "patch", "delete")


def operations() -> list[str]:
    """Each route with each of its methods, as `GET session`."""
    views = {
        str(route.name): route.callback.cls for route in urls.urlpatterns if isinstance(route, URLPattern)
    }  # type: ignore[attr-defined]
    del views["nothing"]
    return [
        f"{method.upper()} {name}"
        for name, view in views.items()
        for method in METHODS
        if hasattr(view, method)
    ]


def begins_with() -> World:
    return a_world(custody="none")  # its organiser may read everything


def strangers_in(response: Any) -> set[str]:
    assert response.status_code == 400, response.content
    assert response.data["error"]["code"] == "invalid"
    return set(response.data["error"]["details"])


def test_every_route_refuses_a_query_parameter_that_it_does_not_know(world: World) -> None:
    for operation in operations():
        response = ask(world, "organiser", operation, query={"surprise": "1", "format": "json"})
        assert strangers_in(response) == {"surprise", "format"}, operation


def test_pages_are_asked_for_only_where_there_are_pages(world: World) -> None:
    lists = {
        name
        for name in operations()
        if ask(world, "organiser", name, query={"page_size": "1"}).status_code == 200
    }
    assert lists == {
        *["GET tournaments", "GET tournament-sessions", "GET session-plays", "GET session-submissions"],
        *["GET session-history", "GET session-boards", "GET session-ranking", "GET traveller"],
        *["GET session-calls", "GET session-announcements"],
        *["GET session-seals", "GET session-rulings", "GET session-objections", "GET session-rounds"],
        *["GET session-flags", "GET session-slip-photos"],
        "GET games",
        *["GET contestant-guides", "GET table-guides", "GET board-guides"],
        *["GET club-players", "GET session-substitutions"],
        *["GET session-lists", "GET list-places", "GET ranking-versions", "GET club-penalties"],
        *["GET club-past-seasons", "GET club-formulas", "GET club-master-points"],
        *["GET session-matches", "GET session-teams", "GET club-ratings"],
        "GET session-contestants",
        "GET tournament-standings",
        *["GET feed", "GET webhooks", "GET webhook-deliveries"],
        *["GET seasons", "GET season-standing", "GET season-versions"],
        *["GET events", "GET event-legs", "GET leg-checks", "GET leg-entries"],
        *["GET leg-field", "GET leg-field-versions"],
        *["GET registration-lists", "GET list-registrations"],
    }


def test_every_route_refuses_a_field_that_it_does_not_know_and_does_nothing(world: World) -> None:
    a_finding(world.session.tournament.club)  # which has a session of its own
    before = [model.objects.count() for model in (Tournament, Session, Submission)]
    for operation in operations():
        if not operation.startswith(("GET", "DELETE")):
            response = ask(world, "organiser", operation, change={"surprise": "1"})
            assert strangers_in(response) == {"surprise"}, operation
    assert [model.objects.count() for model in (Tournament, Session, Submission)] == before


def test_what_cannot_be_written_is_not_known_either(world: World) -> None:
    response = ask(world, "organiser", "POST tournaments", change={"id": 7, "club": "Club B"})
    assert strangers_in(response) == {"id", "club"}


def test_a_stranger_is_named_beside_what_else_is_wrong(world: World) -> None:
    response = ask(world, "organiser", "POST session-submissions", change={"table": 0, "tables": 1})
    assert strangers_in(response) == {"table", "tables"}
    message = response.json()["error"]["details"]["tables"][0]
    assert "section, table, board, key, actions, sheet, check" in message


def test_fields_within_fields_are_known_too(world: World) -> None:
    _address, body = right_request(world, "session-submissions-bulk")
    assert body is not None
    entries = [body["submissions"][0] | {"surprise": 1}]
    response = ask(world, "organiser", "POST session-submissions-bulk", change={"submissions": entries})
    assert response.json()["error"]["details"]["submissions"]["0"].keys() == {"surprise"}
    value = {"kind": "lottery", "source": "x", "surprise": 1}
    response = ask(world, "organiser", "POST tournament-sessions", change={"public_value": value})
    assert "surprise" in response.json()["error"]["details"]["public_value"]


def test_the_description_says_that_there_are_no_other_fields() -> None:
    """Whatever may be sent, in whole and in its parts; only `options` and `sheet` are the games' own."""
    schema = description()
    components = schema["components"]["schemas"]
    seen: set[str] = set()

    def check(part: Any) -> None:
        if isinstance(part, dict):
            if reference := part.get("$ref"):
                name = reference.rpartition("/")[2]
                if name not in seen:
                    seen.add(name)
                    check(components[name])
            if part.get("type") == "object" and "properties" in part:
                assert part["additionalProperties"] is False, part
            for below in part.values():
                check(below)
        elif isinstance(part, list):
            for below in part:
                check(below)

    for path in schema["paths"].values():
        for operation in path.values():
            check(operation.get("requestBody"))
    assert {"SetUpRequest", "PublicValueRequest", "EntryRequest", "TournamentRequest"} <= seen


@cache
def description() -> Any:
    """The API's own; a quarter of a second to make."""
    return SchemaGenerator().get_schema(public=True)


def fields_of(operation: str, address: str) -> dict[str, Any]:
    """What may be sent to an operation, as the description has it: each field with its schema."""
    path = re.sub("<[a-z]+:([a-z]+)>", r"{\1}", resolve(f"/api/v1/{address}").route).replace("{pk}", "{id}")
    body = description()["paths"][f"/{path}"][operation.partition(" ")[0].lower()]["requestBody"]
    (content, *_others) = body["content"].values()
    name = content["schema"]["$ref"].rpartition("/")[2]
    return dict(description()["components"]["schemas"][name].get("properties", {}))


@pytest.mark.parametrize(
    "operation",
    some(
        [
            one
            for one in operations()
            if not one.startswith(("GET", "DELETE")) and one.removeprefix("POST ") not in FILES
        ],
        one_in=3,
    ),
)
def test_a_field_takes_its_own_type_only_and_is_named(world: World, operation: str) -> None:
    """Not objects, not lists of lists, no numbers for texts, nothing beyond a limit, null only where it is
    described; what is free says so itself."""
    method, _space, name = operation.partition(" ")
    address, body = right_request(world, name)
    fields = fields_of(operation, address)
    assert fields or name in WITHOUT_FIELDS
    for field, schema in fields.items():
        wrong: list[Any] = [{"surprise": {}}, [[{}]], *([] if schema.get("nullable") else [None])]
        wrong += [7] if schema.get("type") == "string" else []
        wrong += [0, 1, "true"] if schema.get("type") == "boolean" else []
        wrong += [[7]] if schema.get("items", {}).get("type") == "string" else []
        wrong += [""] if schema.get("minLength") else []
        wrong += ["x" * (schema["maxLength"] + 1)] if "maxLength" in schema else []
        wrong += [schema["minimum"] - 1] if "minimum" in schema else []
        wrong += [schema["maximum"] + 1] if "maximum" in schema else []
        wrong += [[]] if schema.get("minItems") else []
        if schema.get("additionalProperties") == {}:  # any object
            wrong = wrong[1:]
        for value in wrong:
            sent = {**(body or {}), field: value}
            response = getattr(world.client("organiser"), method.lower())(f"/api/v1/{address}", sent)
            assert response.status_code == 400, (field, value, response.content)
            assert field in response.json()["error"]["details"], (field, value)
