"""The standings of a tournament."""

from typing import ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Tournament
from ...services import combined, exports, names, spreadsheets
from ...services.names import reader_of
from ..pagination import PAGE_PARAMETERS, Order, cursor_of, links, size_of, slice_of
from ..rendering import JSONRenderer
from ..serializers.combined import StandingsSerializer, StandingsWishSerializer, place_data
from ..strict import OnlyKnownParameters
from ..tables import TableAsCSV, TableAsWorkbook, TableRenderer
from .callers import refusals, viewer_of


class TournamentStandings(OnlyKnownParameters, GenericAPIView[Tournament]):
    """The rankings of a tournament's sessions, combined: the sum, the average, a weighted average, or the sum
    of the best so many. Of those sessions whose rankings you may see, once they are provisional. `Accept`
    says whether as JSON, in pages, or whole as CSV or XLSX."""

    renderer_classes = [JSONRenderer, TableAsCSV, TableAsWorkbook]
    serializer_class = StandingsSerializer
    queryset = Tournament.objects.none()
    parameters = tuple(StandingsWishSerializer().fields)
    is_paged, may_descend = True, False
    order: ClassVar[Order] = {"place": int}

    @extend_schema(
        parameters=[StandingsWishSerializer, *PAGE_PARAMETERS],
        responses={
            (200, "application/json"): StandingsSerializer,
            (200, "text/csv"): OpenApiTypes.STR,
            (200, spreadsheets.CONTENT_TYPES["xlsx"]): OpenApiTypes.BINARY,
            **refusals(400, 404),
        },
    )
    def get(self, request: Request, pk: int) -> Response:
        viewer = viewer_of(request)
        tournament = get_object_or_404(Tournament.objects.visible_to(viewer), pk=pk)
        given = {name: text for name, text in request.query_params.items() if name in self.parameters}
        wish = StandingsWishSerializer(data=given)
        wish.is_valid(raise_exception=True)
        if isinstance(request.accepted_renderer, TableRenderer):
            whole = exports.standings(tournament=tournament, viewer=viewer, wish=wish.wish)
            return Response(whole, headers={"Cache-Control": "no-store"})
        found = combined.of(tournament, viewer, wish.wish)
        cursor, size = cursor_of(request, self.order), size_of(request)
        numbers, page = slice_of(len(found.places), cursor, size)
        shown = found.places[numbers.start : numbers.stop]
        concerned = {player for place in shown for player in place.contestant}
        named = names.of_players(concerned, reader_of(viewer)) if concerned else {}
        body = {
            **{"tournament": tournament.pk, "sessions": [one.pk for one in found.sessions.values()]},
            **{"count": len(found.places), **links(request, page)},
            "places": [place_data(place, found.sessions, named) for place in shown],
        }
        return Response(StandingsSerializer(body).data)
