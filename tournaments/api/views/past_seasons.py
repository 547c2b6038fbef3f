"""A club's seasons of the years before, of which it has the standings alone."""

from typing import ClassVar

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import PastSeason, Token
from ...services import past_seasons, spreadsheets
from ...services.names import reader_of
from ..conditional import IF_MATCH, seen_stamp, tagged
from ..filters import PastSeasonFilters
from ..pagination import Order
from ..rendering import JSONRenderer
from ..serializers.past_seasons import (
    NewPastSeasonSerializer,
    PastSeasonPlacesSerializer,
    PastSeasonPreviewSerializer,
    PastSeasonSerializer,
)
from ..strict import OnlyKnownParameters
from ..tables import TableAsCSV, TableAsWorkbook
from .callers import caller_of, known_club, refusals, viewer_of
from .penalties import organised_club

EXAMPLE = {
    "title": "Winter",
    "year": 2019,
    "counted": "per cent",
    "places": [{"rank": 1, "name": "Ana Durand", "total": "57.25", "evenings": 12}],
}


class ClubPastSeasons(OnlyKnownParameters, ListAPIView[PastSeason]):
    """A club's seasons of the years before, the oldest first. Its organisers bring one as standings
    alone, all or nothing; a refusal (`slips`) names every row that is wrong, by its `line`: the first is 1.
    The same table again is refused (`same-table`)."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = PastSeasonSerializer
    queryset = PastSeason.objects.none()
    is_paged = True
    row: ClassVar = PastSeasonSerializer
    filters = PastSeasonFilters
    page_order: ClassVar[Order] = {"year": int, "pk": int}

    def get_queryset(self) -> QuerySet[PastSeason]:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        return past_seasons.of(known_club(self.request, self.kwargs["club"]))

    @extend_schema(responses={200: PastSeasonSerializer(many=True), **refusals(400, 404)})
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request=NewPastSeasonSerializer,
        responses={
            200: PastSeasonPreviewSerializer,
            201: PastSeasonPlacesSerializer,
            **refusals(400, 403, 404, 409, 415),
        },
        examples=[OpenApiExample("a season", EXAMPLE, request_only=True)],
    )
    def post(self, request: Request, club: str) -> Response:
        place = organised_club(request, club)
        given = NewPastSeasonSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        said = {name: given.validated_data[name] for name in ("title", "year")}
        if given.validated_data["dry_run"]:
            brought = past_seasons.preview(club=place, rows=given.rows())
            past_seasons.check(club=place, brought=brought, **said)
            found = {"players": len(brought.places), "in_register": brought.known}
            return Response(PastSeasonPreviewSerializer(found).data)
        caller, counted = caller_of(request), given.validated_data["counted"]
        made = past_seasons.store(club=place, actor=caller, rows=given.rows(), counted=counted, **said)
        shown = PastSeasonPlacesSerializer(made, reader=reader_of(caller))
        return Response(shown.data, status.HTTP_201_CREATED, headers=tagged(past_seasons.stamp(made)))


class ClubPastSeason(OnlyKnownParameters, GenericAPIView[PastSeason]):
    """The standings of a past season, with names as you may read them: as JSON or, by `Accept`, as CSV or
    XLSX. Administrators of the club delete what they have seen: `If-Match` says what that was."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    renderer_classes = [JSONRenderer, TableAsCSV, TableAsWorkbook]
    serializer_class = PastSeasonPlacesSerializer
    queryset = PastSeason.objects.none()

    @extend_schema(
        responses={
            (200, "application/json"): PastSeasonPlacesSerializer,
            (200, "text/csv"): OpenApiTypes.STR,
            (200, spreadsheets.CONTENT_TYPES["xlsx"]): OpenApiTypes.BINARY,
            **refusals(404),
        }
    )
    def get(self, request: Request, club: str, pk: int) -> Response:
        season = past_seasons.with_id(known_club(request, club), pk)
        reader, headers = reader_of(viewer_of(request)), tagged(past_seasons.stamp(season))
        if isinstance(request.accepted_renderer, TableAsCSV | TableAsWorkbook):
            return Response(past_seasons.table(season, reader), headers=headers)
        return Response(PastSeasonPlacesSerializer(season, reader=reader).data, headers=headers)

    @extend_schema(
        parameters=[IF_MATCH], request=None, responses={204: None, **refusals(403, 404, 409, 412, 428)}
    )
    def delete(self, request: Request, club: str, pk: int) -> Response:
        caller = caller_of(request)
        season = past_seasons.with_id(organised_club(request, club), pk)
        past_seasons.check_may_delete(caller, season.club)
        seen = seen_stamp(request, past_seasons.stamp(season))
        past_seasons.delete(season=season, actor=caller, seen=seen)
        return Response(status=status.HTTP_204_NO_CONTENT)
