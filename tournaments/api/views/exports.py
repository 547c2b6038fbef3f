"""Tables to take away: CSV, XLSX or JSON, as `Accept` asks."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotAcceptable
from rest_framework.generics import GenericAPIView
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from ...models import Session
from ...problems import MEDIA_TYPE
from ...services import exports, result_xml, spreadsheets
from ...services.exports import ExportTable
from ..rendering import JSONRenderer
from ..serializers.fields import OBJECT
from ..strict import OnlyKnownParameters
from .callers import refusals, seen_session, viewer_of


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

AS_TABLE: Mapping[tuple[int, str], Any] = {
    (200, TableAsCSV.media_type): OpenApiTypes.STR,
    (200, TableAsWorkbook.media_type): OpenApiTypes.BINARY,
}


def is_for_table(request: Request) -> bool:
    """Whether somebody asks for a list as CSV or XLSX."""
    return isinstance(request.accepted_renderer, TableRenderer)


def whole_list(name: str, serializer: type[Serializer[Any]], rows: Iterable[Any]) -> Response:
    """All rows of a list as a table: a column for each field of its JSON."""
    header = list(serializer().fields)
    shown = serializer(list(rows), many=True).data
    table = ExportTable(name, header, [[_cell(row[column]) for column in header] for row in shown])
    return Response(table, headers={"Cache-Control": "no-store"})


def _cell(value: Any) -> Any:
    """What JSON says, in a cell: several values with “; ” between them, as names may have commas."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "; ".join(map(str, value)) if isinstance(value, list) else value


class ResultsAsXML(TableRenderer):
    media_type = result_xml.CONTENT_TYPE
    format = "xml"

    def written(self, table: ExportTable) -> bytes:
        raise NotAcceptable  # a table alone: only all results have this form

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return (
            data if isinstance(data, bytes) else super().render(data, accepted_media_type, renderer_context)
        )


class SessionExport(OnlyKnownParameters, GenericAPIView[Session]):
    """A table of a session that has been played: its `ranking`, one of its lists (`list-1`), all `results`
    with their sheets and awards, its `rulings`, or its `movement`, which its officials read before as well.
    `Accept` says whether as JSON, CSV or XLSX (`results` also as XML); names as you may read them."""

    renderer_classes = [TableAsJSON, TableAsCSV, TableAsWorkbook, ResultsAsXML]
    queryset = Session.objects.none()

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "what", str, OpenApiParameter.PATH, description="`ranking`, `results`, `movement`, `list-1` …"
            )
        ],
        responses={
            (200, "application/json"): {"type": "array", "items": OBJECT},
            (200, "text/csv"): OpenApiTypes.STR,
            (200, spreadsheets.CONTENT_TYPES["xlsx"]): OpenApiTypes.BINARY,
            (200, result_xml.CONTENT_TYPE): OpenApiTypes.STR,
            **refusals(404),
        },
    )
    def get(self, request: Request, pk: int, what: str) -> Response:
        session = seen_session(request, pk)
        viewer = viewer_of(request)
        if isinstance(request.accepted_renderer, ResultsAsXML):
            if what != exports.RESULTS:
                raise NotAcceptable
            answer = Response(result_xml.document(session=session, viewer=viewer))
        else:
            answer = Response(exports.table(session=session, viewer=viewer, what=what))
        answer["Cache-Control"] = "no-store"
        return answer
