"""The examples of the description are true: each was asked, is as it is described, and has today's fields."""

import json
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests import examples

from .test_operations import operations
from .test_strict import description

WITHOUT = {
    "DELETE clubs/{club}/past-seasons/{id}/": "for administrators alone",
    "GET archives/{id}/": "a zipped folder",
    "GET prints/{id}/": "a PDF",
    "GET sessions/{id}/slip-photos/{photo}/": "a picture",
}
NO_ANSWER = {"204"}
"""What has no body."""


@cache
def schemas() -> Any:
    """The description with null as JSON Schema knows it."""
    return as_json_schema(json.loads(json.dumps(description(), default=str)))


def as_json_schema(part: Any) -> Any:
    if isinstance(part, list):
        return [as_json_schema(one) for one in part]
    if not isinstance(part, dict):
        return part
    plain = {name: as_json_schema(one) for name, one in part.items() if name != "nullable"}
    return {"anyOf": [plain, {"type": "null"}]} if part.get("nullable") is True else plain


def mistakes(schema: Any, value: Any) -> list[str]:
    whole = {**as_json_schema(schema), "components": schemas()["components"]}
    return [f"{one.json_path}: {one.message[:200]}" for one in Draft202012Validator(whole).iter_errors(value)]


def bodies(route: str, operation: dict[str, Any], example: dict[str, Any]) -> list[tuple[Any, Any]]:
    """What was sent and answered, each with its schema."""
    found = []
    if "request" in example:
        (content, *_others) = operation["requestBody"]["content"].values()
        found.append((content["schema"], example["request"]))
    if "answer" in example:
        answer = operation["responses"][example["status"]]
        found.append((answer["content"]["application/json"]["schema"], example["answer"]))
    return found


def wrong(found: dict[str, dict[str, Any]]) -> list[str]:
    """What is not as it is described."""
    return [
        f"{route}: {mistake}"
        for route, operation in operations()
        if route in found
        for schema, value in bodies(route, operation, found[route])
        for mistake in mistakes(schema, value)
    ]


def given(content: dict[str, Any]) -> bool:
    return "example" in content or "examples" in content


def test_every_operation_has_an_example_of_what_is_sent_and_answered() -> None:
    for route, operation in operations():
        if route in WITHOUT:
            continue
        sent = operation.get("requestBody", {}).get("content", {})
        assert all(map(given, [*sent.values()][:1])), route
        answers = {code: one for code, one in operation["responses"].items() if code < "300"}
        contents = [one["content"]["application/json"] for one in answers.values() if "content" in one]
        assert (contents == [] and set(answers) == NO_ANSWER) or any(map(given, contents)), route


def test_examples_that_a_view_gives_are_as_it_describes() -> None:
    for route, operation in operations():
        parts = [operation.get("requestBody", {}), *operation["responses"].values()]
        for content in [content for part in parts for content in part.get("content", {}).values()]:
            for name, example in content.get("examples", {}).items():
                assert mistakes(content["schema"], example["value"]) == [], (route, name)


@pytest.mark.campaign
@pytest.mark.django_db
def test_what_was_recorded_is_as_it_is_described_and_has_todays_fields() -> None:
    """Where this fails, `python -m tests.examples` records them anew, if the change is meant."""
    before, today = json.loads(examples.FILE.read_text()), examples.recorded()
    assert wrong(before) == []
    assert wrong(today) == []
    assert {route: fields(one) for route, one in before.items()} == {
        route: fields(one) for route, one in today.items()
    }
    assert {route for route, _operation in operations()} - set(today) == set(WITHOUT)


def fields(part: Any) -> Any:
    """The names in a value that is described, without what depends on a game or on chance."""
    if isinstance(part, dict) and all(isinstance(one, dict | list) for one in part.values()):
        return {name: fields(one) for name, one in part.items()}
    return sorted(part) if isinstance(part, dict) else None


def test_a_wrong_example_is_noticed() -> None:
    before = json.loads(examples.FILE.read_text())
    del before["GET sessions/{id}/"]["answer"]["state"]
    before["GET tournaments/{id}/"]["answer"]["name"] = 7
    assert [one.partition(":")[0] for one in wrong(before)] == ["GET sessions/{id}/", "GET tournaments/{id}/"]
