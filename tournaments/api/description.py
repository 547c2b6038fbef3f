"""How the API describes itself: each operation with its name, its resource, what it is told by headers, and
the problems by which it refuses."""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.urls import resolve
from django.utils.translation import gettext as _
from django_filters import ChoiceFilter, Filter, FilterSet, IsoDateTimeFilter, TypedChoiceFilter
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import build_parameter_type
from rest_framework import exceptions

from ..problems import MEDIA_TYPE
from ..services.errors import Stale
from .conditional import no_condition
from .errors import answer
from .filters import HIGHEST, PositionFilter, WholeFilter
from .idempotency import HEADER, IN_THE_BODY, KEPT, key_was_used
from .operations import MADE, OPERATIONS, TAGS, Operation
from .strict import strangers
from .tables import TableAsCSV, TableAsWorkbook

KEY = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!#-~]+$"}


@cache
def recorded() -> Mapping[str, Mapping[str, Any]]:
    """By operation, a request and its answer as they were once."""
    found: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "examples.json").read_text())
    return found


class Described(AutoSchema):
    """Says of each operation what is the same everywhere, so that its view need not."""

    @property
    def route(self) -> str:
        return f"{self.method} {self.path.removeprefix('/api/v1/')}"

    @property
    def operation(self) -> Operation:
        return OPERATIONS[self.route]

    def get_operation(self, *arguments: Any) -> dict[str, Any] | None:
        operation: dict[str, Any] | None = super().get_operation(*arguments)
        example = recorded().get(self.route)
        if operation is not None and example is not None:
            if "request" in example:
                give(operation["requestBody"]["content"], example["request"])
            if "answer" in example:
                give(operation["responses"][example["status"]]["content"], example["answer"])
        return operation

    def get_operation_id(self) -> str:
        return self.operation.name

    def get_summary(self) -> str:
        return self.operation.summary

    def get_tags(self) -> list[str]:
        return [self.operation.resource]

    @property
    def creates(self) -> bool:
        return self.method == "POST" and getattr(self.view, "idempotency", None) in (KEPT, IN_THE_BODY)

    def _get_parameters(self) -> list[dict[str, Any]]:
        parameters: list[dict[str, Any]] = super()._get_parameters()
        description = (
            "Your own for this request: sent again under it within a day, it is done once, and answered as "
            "before. Another request needs another key."
        )
        named = build_parameter_type(name=HEADER, schema=KEY, location="header", description=description)
        filters = getattr(self.view, "filters", None) if self.is_paged else None
        return [*parameters, *parameters_of(filters), *([named] if self.creates else [])]

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        if direction != "response":
            return bodies
        if getattr(self.view, "row", None) is not None:
            for code, body in bodies.items():
                if JSON in body.get("content", {}):
                    body["content"] = with_tables(body["content"], is_list=self.is_paged and code == "200")
        bodies.setdefault("400", bodies["401"])  # what is not known is refused
        if self.creates:
            bodies |= {code: bodies.get(code, bodies["401"]) for code in ("409", "422")}
        described = {code: as_described(int(code), body) for code, body in sorted(bodies.items())}
        if self.method == "POST":
            for code in ("201", "202"):
                if code in described and (self.is_located or is_job(described[code])):
                    described[code]["headers"] = {"Location": header("Where what was made can be read.")}
        if self.method == "GET" and JSON in described["200"].get("content", {}):
            described["304"] = as_described(304, NOTHING)
            told = {"ETag": header("Send it as `If-None-Match`, and be told whether anything has changed.")}
            if self.is_paged:
                told["Link"] = header("The pages beside this one: `next`, `prev`.")
            described["200"]["headers"] = told
        return described

    @property
    def url_name(self) -> str | None:
        return resolve(re.sub(r"\{\w+\}", "1", self.path)).url_name

    @property
    def is_located(self) -> bool:
        return self.method == "POST" and self.url_name in MADE

    @property
    def is_paged(self) -> bool:
        return self.method == "GET" and bool(getattr(self.view, "is_paged", False))


def with_tables(content: Mapping[str, Any], *, is_list: bool) -> dict[str, Any]:
    """A list leaves as a table, too; what else such a view answers is JSON in whichever form it was asked."""
    if not is_list:
        return {JSON: content[JSON]}
    return {JSON: content[JSON], **{kind: {"schema": dict(schema)} for kind, schema in TABLES.items()}}


def parameters_of(filters: type[FilterSet] | None) -> list[dict[str, Any]]:
    """The query parameters by which a collection is filtered."""
    return [
        build_parameter_type(name=name, schema=schema_of(one), location="query", description=one.label or "")
        for name, one in (filters.base_filters if filters else {}).items()
    ]


def schema_of(one: Filter) -> dict[str, Any]:
    match one:
        case WholeFilter():
            return {"type": "integer", "minimum": 1, "maximum": HIGHEST}
        case PositionFilter():
            return {"type": "integer", "minimum": 0}
        case ChoiceFilter() | TypedChoiceFilter():
            return {"type": "string", "enum": [value for value, _word in one.extra["choices"]]}
        case IsoDateTimeFilter():
            return {"type": "string", "format": "date-time"}
    return {"type": "string", "maxLength": one.extra["max_length"]}


def header(description: str) -> dict[str, Any]:
    return {"schema": {"type": "string"}, "description": description}


def give(content: dict[str, Any], example: Any) -> None:
    """What is sent or answered gets an example, unless its view has given it some."""
    kind = JSON if JSON in content else next(iter(content))
    if "examples" not in content[kind]:
        content[kind] = {**content[kind], "example": example}


# ── Answers ───────────────────────────────────────────────────────────────────────────────────────

MEANINGS: Mapping[int, str] = {
    200: "What was asked for.",
    201: "Created.",
    202: "Taken on: it says what comes of it later.",
    204: "Done.",
    304: "Nothing has changed since you asked.",
}
JSON = "application/json"
TABLES: Mapping[str, Mapping[str, str]] = {
    TableAsCSV.media_type: {"type": "string"},
    TableAsWorkbook.media_type: {"type": "string", "format": "binary"},
}


NOTHING: dict[str, Any] = {"description": "No response body"}


def is_job(body: Mapping[str, Any]) -> bool:
    """Whether an answer is a job, which says itself where it can be read."""
    schema = body.get("content", {}).get(JSON, {}).get("schema", {})
    return str(schema.get("$ref", "")).endswith("/Job")


def as_described(status: int, body: dict[str, Any]) -> dict[str, Any]:
    """An answer with what it means; a refusal is a problem, with one that is really told as its example."""
    if status in MEANINGS:
        return {**body, "description": MEANINGS[status]}
    content = {**body["content"][JSON]}
    if (known := EXAMPLES.get(status)) is not None:
        told = problem_of(known())
        content["examples"] = {told["code"]: {"value": told}}
    return {"description": HTTPStatus(status).phrase, "content": {MEDIA_TYPE: content}}


def problem_of(refusal: Exception) -> Any:
    """What the service tells when this is raised."""
    response = answer(refusal, {})
    assert response is not None
    return response.data


EXAMPLES: Mapping[int, Callable[[], Exception]] = {
    400: lambda: exceptions.ValidationError(strangers(["surprise"], [])),
    401: exceptions.NotAuthenticated,
    403: exceptions.PermissionDenied,
    404: exceptions.NotFound,
    406: exceptions.NotAcceptable,
    412: lambda: Stale(
        "changed-meanwhile", _("Somebody else was quicker: look at what has been done meanwhile.")
    ),
    415: lambda: exceptions.UnsupportedMediaType("text/plain"),
    422: key_was_used,
    428: no_condition,
    429: exceptions.Throttled,
}
"""By status, what is refused so at any operation."""


def name_resources(result: dict[str, Any], **_more: Any) -> dict[str, Any]:
    """The description with what its tags mean (a hook of drf-spectacular)."""
    return {**result, "tags": TAGS}
