"""The contestants of a session: who they are, and who they are after all."""

from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Contestant, Session, Token
from ...services import mending, names, states
from ...services.names import reader_of
from ..conditional import IF_MATCH, seen_stamp
from ..filters import ContestantFilters
from ..pagination import Order
from ..parsers import RowsParser
from ..serializers.contestants import (
    ContestantSerializer,
    MendedAnswerSerializer,
    MendedContestantsSerializer,
    contestants_data,
)
from ..strict import OnlyKnownParameters
from .callers import caller_of, organised_session, refusals, seen_session, viewer_of

MENDED = OpenApiExample(
    "contestant 3 is somebody else",
    {"contestants": [{"number": 3, "players": [12, 13], "name": ""}]},
    request_only=True,
)


class SessionContestants(OnlyKnownParameters, GenericAPIView[Contestant]):
    """The contestants of a session, by number; and where up to 500 of them are mended at once before they
    have played, all or none. A refusal (`slips`) says of every row, by its `index`, whether it is `ready` or
    `refused`, and with which `code`; the first row is 0. A new plan says who comes late or leaves."""

    scopes: ClassVar = (Token.Scope.DIRECT,)
    parser_classes = (RowsParser,)
    serializer_class = ContestantSerializer
    queryset = Contestant.objects.none()
    is_paged = True
    row: ClassVar = ContestantSerializer
    filters = ContestantFilters
    page_order: ClassVar[Order] = {"number": int}

    @extend_schema(responses={200: ContestantSerializer(many=True), **refusals(400, 404)})
    def get(self, request: Request, pk: int) -> Response:
        session = seen_session(request, pk)
        page = self.paginate_queryset(mending.of(session)) or []
        return self.get_paginated_response(self.shown(session, page))

    @extend_schema(
        parameters=[IF_MATCH],
        request=MendedContestantsSerializer,
        responses={200: MendedAnswerSerializer, **refusals(400, 403, 404, 409, 412, 415, 428)},
        examples=[MENDED],
    )
    def patch(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = MendedContestantsSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        seen = seen_stamp(request, states.stamp(session))
        mended = mending.mend_all(session=session, actor=caller_of(request), rows=given.rows(), seen=seen)
        shown = self.shown(session, mended)
        rows = [{"index": at, "state": "changed", "contestant": one} for at, one in enumerate(shown)]
        return Response({"contestants": rows})

    def shown(self, session: Session, contestants: list[Contestant]) -> list[Any]:
        viewer = viewer_of(self.request)
        runs = viewer is not None and Session.objects.directed_by(viewer).filter(pk=session.pk).exists()
        named = names.of_contestants([one.pk for one in contestants], reader_of(viewer))
        return contestants_data(contestants, named, runs=runs)
