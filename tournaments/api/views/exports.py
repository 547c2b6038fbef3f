"""Tables to take away: CSV, XLSX or JSON, as `Accept` asks."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotAcceptable
from rest_framework.generics import GenericAPIView
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Session
from ...services import exports, play_records, result_xml, spreadsheets
from ...services.exports import ExportTable
from ..serializers.fields import OBJECT
from ..strict import OnlyKnownParameters
from ..tables import TableAsCSV, TableAsJSON, TableAsWorkbook, TableRenderer
from .callers import refusals, seen_session, viewer_of


class AsItIs(TableRenderer):
    """A form of its own, in which no table leaves."""

    def written(self, table: ExportTable) -> bytes:
        raise NotAcceptable

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return (
            data if isinstance(data, bytes) else super().render(data, accepted_media_type, renderer_context)
        )


class ResultsAsXML(AsItIs):
    media_type = result_xml.CONTENT_TYPE
    format = "xml"


class RecordsAsLines(AsItIs):
    media_type = play_records.CONTENT_TYPE
    format = "jsonl"


class SessionExport(OnlyKnownParameters, GenericAPIView[Session]):
    """A table of a session that has been played: its `ranking`, one of its lists (`list-1`), all `results`
    with their sheets and awards, its `rulings`, or its `movement`, which its officials read before as well.
    `Accept` says whether as JSON, CSV or XLSX (`results` also as XML); names as you may read them. `records`
    leave as JSON Lines alone: the plays, each with its cards and what was done."""

    renderer_classes = [TableAsJSON, TableAsCSV, TableAsWorkbook, ResultsAsXML]
    queryset = Session.objects.none()

    def get_renderers(self) -> list[BaseRenderer]:
        if self.kwargs.get("what") == play_records.RECORDS:
            return [RecordsAsLines()]
        return super().get_renderers()

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "what",
                str,
                OpenApiParameter.PATH,
                description="`ranking`, `results`, `records`, `movement`, `list-1` …",
            )
        ],
        responses={
            (200, "application/json"): {"type": "array", "items": OBJECT},
            (200, "text/csv"): OpenApiTypes.STR,
            (200, spreadsheets.CONTENT_TYPES["xlsx"]): OpenApiTypes.BINARY,
            (200, result_xml.CONTENT_TYPE): OpenApiTypes.STR,
            (200, play_records.CONTENT_TYPE): OpenApiTypes.STR,
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
        elif isinstance(request.accepted_renderer, RecordsAsLines):
            answer = Response(play_records.document(session=session, viewer=viewer))
        else:
            answer = Response(exports.table(session=session, viewer=viewer, what=what))
        answer["Cache-Control"] = "no-store"
        return answer
