"""Lists as tables to take away: CSV or XLSX, whole, where `Accept` or the end of the address asks for it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from django.http import QueryDict
from drf_spectacular.types import OpenApiTypes
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer, Serializer

from ..problems import MEDIA_TYPE
from ..services import spreadsheets
from ..services.exports import Cell, ExportTable
from .pagination import LARGEST_PAGE, size_of
from .rendering import JSONRenderer

# ── Forms ─────────────────────────────────────────────────────────────────────────────────────────


class TableRenderer(BaseRenderer, ABC):
    """Writes a table; a refusal, and what has been made, is JSON whatever was asked for."""

    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        response = (renderer_context or {}).get("response")
        if not isinstance(data, ExportTable):
            if response is not None:
                is_refusal = response.status_code >= 400
                response["Content-Type"] = MEDIA_TYPE if is_refusal else JSONRenderer.media_type
            return JSONRenderer().render(data)
        return self.written(data)

    @abstractmethod
    def written(self, table: ExportTable) -> bytes: ...


class TableAsJSON(TableRenderer):
    media_type = "application/json"
    format = "json"

    def written(self, table: ExportTable) -> bytes:
        return JSONRenderer().render(table.to_json())


class TableAsCSV(TableRenderer):
    media_type = "text/csv"
    format = "csv"

    def written(self, table: ExportTable) -> bytes:
        return spreadsheets.as_csv([table.header, *table.rows], ",")


class TableAsWorkbook(TableRenderer):
    media_type = spreadsheets.CONTENT_TYPES["xlsx"]
    format = "xlsx"

    def written(self, table: ExportTable) -> bytes:
        return spreadsheets.as_workbook([table.header, *table.rows], table.name)


LIST_FORMS: list[type[BaseRenderer]] = [JSONRenderer, TableAsCSV, TableAsWorkbook]
"""Of a list that leaves as JSON, in pages, or whole as a table."""

MEDIA_TYPES = {one.format: one.media_type for one in (TableAsCSV, TableAsWorkbook)}
"""By the end of an address."""

AS_TABLE: Mapping[tuple[int, str], Any] = {
    (200, TableAsCSV.media_type): OpenApiTypes.STR,
    (200, TableAsWorkbook.media_type): OpenApiTypes.BINARY,
}


def is_for_table(request: Request) -> bool:
    """Whether somebody asks for a list as CSV or XLSX."""
    return isinstance(getattr(request, "accepted_renderer", None), TableRenderer)


# ── Whole lists ───────────────────────────────────────────────────────────────────────────────────

Get = Callable[..., Response]


def whole(get: Get, *, name: str, key: str, row: type[BaseSerializer[Any]]) -> Get:
    """The `get` of a list in pages, as one that answers with a table of all rows from its cursor on: the
    same rows, to the same callers. `key`: where a page has its rows; `row`: what each has. The queries grow
    with the pages of 500, the memory with the rows."""

    def get_whole(request: Request, *args: Any, **kwargs: Any) -> Response:
        size_of(request)  # refused here as there
        request.META.pop("HTTP_IF_NONE_MATCH", None)  # what a caller has is a page, not this table
        request._request.__dict__.pop("headers", None)  # which was read from there
        query, rows = request.query_params, []
        while True:
            pages = query.copy()
            pages["page_size"] = str(LARGEST_PAGE)
            request._request.GET = pages  # type: ignore[assignment]  # what parsed a query makes another
            page = get(request, *args, **kwargs).data
            rows += page[key]
            if page["next"] is None:
                break
            query = QueryDict(urlsplit(page["next"]).query)
        assert issubclass(row, Serializer)
        form = request.accepted_renderer.format
        headers = {
            "Cache-Control": "no-store",
            "Content-Disposition": f'attachment; filename="{name}.{form}"',
        }
        return Response(table(name, list(row().fields), rows), headers=headers)

    return get_whole


def table(name: str, header: list[str], rows: Iterable[Mapping[str, Any]]) -> ExportTable:
    """A column for each field of the JSON, called the same."""
    return ExportTable(name, header, [[cell(row.get(column)) for column in header] for row in rows])


def cell(value: Any) -> Cell:
    """What JSON says, in a cell: several values with “; ” between them, as names may have commas; objects
    as the JSON that they are.

    >>> [cell(value) for value in (None, True, ["Ana", "Ben"], {"round": 1}, [[1], []])]
    [None, 'true', 'Ana; Ben', '{"round":1}', '[[1],[]]']
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping) or (
        isinstance(value, list) and any(isinstance(one, Mapping | list | tuple) for one in value)
    ):
        return JSONRenderer().render(value).decode()
    if isinstance(value, list | tuple):
        return "; ".join("" if one is None else str(one) for one in value)
    return value if value is None or isinstance(value, int | float) else str(value)
