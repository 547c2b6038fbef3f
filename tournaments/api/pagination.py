"""Long lists, a page at a time: by cursors, the same way everywhere.

A cursor is opaque to callers. It holds where a page ends (what the list is ordered by, of the last row) and
not how many rows came before, so that nothing is skipped or repeated when rows are added meanwhile, and the
last page costs what the first one does.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from .filters import filtered

PAGE_SIZE, LARGEST_PAGE = 100, 500
PAGE_PARAMETERS = [
    OpenApiParameter(
        "cursor", {"type": "string"}, description="Where a page begins: see `next`, `previous`."
    ),
    OpenApiParameter(
        "page_size",
        {"type": "integer", "minimum": 1, "maximum": LARGEST_PAGE},
        description=f"How many to a page: {PAGE_SIZE}, or 25 guides, unless you say it.",
    ),
]
ASCENDING, DESCENDING = "ascending", "descending"
ORDER = OpenApiParameter(
    "order",
    {"type": "string", "enum": [ASCENDING, DESCENDING], "default": ASCENDING},
    description="`descending`: from the last to the first.",
)
LARGEST_NUMBER = 2**63 - 1

Order = Mapping[str, type]
"""What a list is ordered by: fields that are unique together, each with the type of its values."""
Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class PageCursor:
    """The rows after `key`, or those before it; from the start without a key."""

    key: Key = ()
    is_backwards: bool = False

    def __str__(self) -> str:
        content = json.dumps([self.is_backwards, *self.key], separators=(",", ":"))
        return urlsafe_b64encode(content.encode()).decode().rstrip("=")


@dataclass(frozen=True, slots=True)
class Page:
    """The rows of one page, and the cursors of its neighbours."""

    rows: Sequence[Any] = ()
    following: PageCursor | None = None
    previous: PageCursor | None = None


class Pages(BasePagination):
    """The pages of a view: its `page_order` says what the list is ordered by, by default the primary key."""

    def paginate_queryset(
        self, queryset: QuerySet[Any] | Sequence[Any], request: Request, view: Any = None
    ) -> list[Any]:
        assert isinstance(queryset, QuerySet)
        if (filters := getattr(view, "filters", None)) is not None:
            queryset = filtered(queryset, filters, request.query_params)
        order: Order = getattr(view, "page_order", {"pk": int})
        self.request = request
        size, cursor = size_of(request, getattr(view, "page_size", PAGE_SIZE)), cursor_of(request, order)
        self.page = page_of(queryset, order, cursor, size, is_descending=is_descending(request))
        return list(self.page.rows)

    def get_paginated_response(self, data: Any) -> Response:
        return Response(links(self.request, self.page) | {"results": data})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        link = {"type": "string", "format": "uri", "nullable": True}
        properties = {"next": link, "previous": link, "results": schema}
        return {"type": "object", "required": list(properties), "properties": properties}

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        return [
            {
                **{"name": one.name, "in": "query", "required": False},
                **{"schema": one.type, "description": one.description},
            }
            for one in [*PAGE_PARAMETERS, *([ORDER] if view.may_descend else [])]
        ]


def links(request: Request, page: Page, **parameters: object) -> dict[str, str | None]:
    """The addresses of a page's neighbours, with these parameters besides."""
    here = request.build_absolute_uri()
    for name, value in parameters.items():
        here = replace_query_param(here, name, value)
    cursors = {"next": page.following, "previous": page.previous}
    return {
        name: None if cursor is None else replace_query_param(here, "cursor", str(cursor))
        for name, cursor in cursors.items()
    }


def size_of(request: Request, usual: int = PAGE_SIZE) -> int:
    """How many rows the caller wants to a page."""
    text = request.query_params.get("page_size")
    if text is None:
        return usual
    if text.isascii() and text.isdecimal() and len(text) <= 3 and 1 <= int(text) <= LARGEST_PAGE:
        return int(text)
    message = _("This must be a whole number from 1 to %(most)d.") % {"most": LARGEST_PAGE}
    raise ValidationError({"page_size": [message]})


def is_descending(request: Request) -> bool:
    """Whether the caller wants a list from its last row to its first."""
    text = request.query_params.get(ORDER.name, ASCENDING)
    if text not in (ASCENDING, DESCENDING):
        message = _("This must be “%(first)s” or “%(second)s”.")
        raise ValidationError({ORDER.name: [message % {"first": ASCENDING, "second": DESCENDING}]})
    return text == DESCENDING


def cursor_of(request: Request, order: Order) -> PageCursor:
    """The cursor that the caller sends, of a list with this order."""
    text = request.query_params.get("cursor")
    if text is None:
        return PageCursor()
    try:
        content = json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, RecursionError):
        content = None
    match content:
        case [bool(is_backwards), *key] if len(key) == len(order) and all(map(_fits, key, order.values())):
            return PageCursor(tuple(key), is_backwards)
    raise ValidationError({"cursor": [_("This is not a cursor of this list.")]})


def _fits(value: Any, kind: type) -> bool:
    if kind is int:
        return type(value) is int and abs(value) <= LARGEST_NUMBER
    return isinstance(value, str) and value.isprintable()


def page_of(
    rows: QuerySet[Any], order: Order, cursor: PageCursor, size: int, *, is_descending: bool = False
) -> Page:
    """The page of a list at a cursor: one query; an index in its order keeps it short."""
    names, goes_down = list(order), cursor.is_backwards != is_descending
    if cursor.key:
        rows = rows.filter(beyond(names, cursor.key, "lt" if goes_down else "gt"))
    rows = rows.order_by(*(f"-{name}" if goes_down else name for name in names))
    taken = list(rows[: size + 1])
    has_more, taken = len(taken) > size, taken[:size]
    if cursor.is_backwards:
        taken.reverse()
    if not taken:
        return Page()
    has_next, has_previous = (True, has_more) if cursor.is_backwards else (has_more, bool(cursor.key))
    return Page(
        taken,
        PageCursor(key_of(taken[-1], names)) if has_next else None,
        PageCursor(key_of(taken[0], names), is_backwards=True) if has_previous else None,
    )


def slice_of(count: int, cursor: PageCursor, size: int) -> tuple[range, Page]:
    """The page of a list of so many rows that is known by numbers from 0, and its numbers."""
    if cursor.is_backwards:
        stop = min(max(*cursor.key, 0), count)
        start = max(stop - size, 0)
    else:
        start = min(max(*cursor.key, -1) + 1 if cursor.key else 0, count)
        stop = min(start + size, count)
    numbers = range(start, stop)
    return numbers, Page(
        numbers,
        PageCursor((stop - 1,)) if stop < count else None,
        PageCursor((start,), is_backwards=True) if start else None,
    )


def beyond(names: Sequence[str], key: Key, comparison: str) -> Q:
    """The rows that come before or after a key, compared field by field."""
    condition = Q()
    for at, name in enumerate(names):
        condition |= Q(**dict(zip(names[:at], key, strict=False)), **{f"{name}__{comparison}": key[at]})
    return condition & Q(**{f"{names[0]}__{comparison}e": key[0]})  # from where an index is read


def key_of(row: Any, names: Sequence[str]) -> Key:
    if isinstance(row, Mapping):
        return tuple(row[name] for name in names)
    return tuple(attrgetter(name.replace("__", "."))(row) for name in names)
