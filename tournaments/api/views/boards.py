"""Boards: their hands, their proofs, their travellers."""

from typing import Any, ClassVar

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Board, Play, Session
from ...services import board_sets, comparisons, custody
from ..conditional import answer
from ..filters import BoardFilters, wanted
from ..pagination import PAGE_PARAMETERS, Order, cursor_of, links, page_of, size_of
from ..serializers.boards import (
    BoardSerializer,
    ListsSerializer,
    PlaySerializer,
    TravellerSerializer,
    plays_data,
)
from ..serializers.fields import OBJECT
from ..strict import OnlyKnownParameters
from .callers import caller_of, refusals, seen_session, viewer_of
from .seen import boards_data, boards_of, boards_with, open_board


@extend_schema(responses={200: BoardSerializer(many=True), 304: None, **refusals(400, 404)})
class SessionBoards(OnlyKnownParameters, ListAPIView[Board]):
    """The boards of a session, with the hands of those that you may see already. By its `code` whoever finds
    a sheet learns which board it is of, and how many lists of it there are."""

    serializer_class = BoardSerializer
    queryset = Board.objects.none()
    is_paged = True
    row: ClassVar = BoardSerializer
    filters = BoardFilters
    page_order: ClassVar[Order] = {"number": int}

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        session = seen_session(request, kwargs["pk"])
        return answer(request, session, lambda: self.page(session))

    def page(self, session: Session) -> Any:
        viewer = viewer_of(self.request)
        code = wanted(BoardFilters, self.request.query_params).get("code")
        boards = boards_of(session, viewer) if code is None else boards_with(session, viewer, code)
        shown = self.paginate_queryset(boards) or []
        return self.get_paginated_response(boards_data(session, viewer, shown)).data


class SessionDeals(OnlyKnownParameters):
    """The file that proves the deals, exactly as it is published: sealed before and during play, with the
    seed once the session is over. `python -m engines verify` checks it."""

    @extend_schema(responses={(200, "application/json"): OBJECT, **refusals(404)})
    def get(self, request: Request, pk: int) -> HttpResponse:
        file = board_sets.file_of(seen_session(request, pk))
        return HttpResponse(file, content_type="application/json")


class Proof(OnlyKnownParameters):
    """The file that proves one board without revealing the others, once you may see its hands."""

    @extend_schema(responses={(200, "application/json"): OBJECT, **refusals(404, 409)})
    def get(self, request: Request, pk: int, number: int) -> HttpResponse:
        session = seen_session(request, pk)
        board = open_board(session, viewer_of(request), number)
        return HttpResponse(board_sets.file_of(session, [board.number]), content_type="application/json")


class Lists(OnlyKnownParameters, GenericAPIView[Board]):
    """A board, or a sealed reserve, for people who deal it by hand, listed by card and by seat. For whoever
    has custody of the boards, or organises where nobody has; the history says who has had it when."""

    serializer_class = ListsSerializer
    queryset = Board.objects.none()

    @extend_schema(responses={200: ListsSerializer, **refusals(403, 404, 409)})
    def get(self, request: Request, pk: int, number: int) -> Response:
        caller, session = caller_of(request), seen_session(request, pk)
        printed = custody.print_lists(session=session, actor=caller, boards=[number])
        mark = {"printed_by": printed.by, "printed_at": printed.at, "mark": printed.mark}
        return Response(ListsSerializer({**printed.lists[0], **mark}).data)


class OneTraveller(OnlyKnownParameters, GenericAPIView[Board]):
    """The results of one board, side by side and table by table, once you may see its hands."""

    serializer_class = TravellerSerializer
    queryset = Board.objects.none()
    is_paged, may_descend = True, False
    row: ClassVar = PlaySerializer
    rows_in = "plays"
    order: ClassVar[Order] = {"table_id": int}

    @extend_schema(
        parameters=PAGE_PARAMETERS, responses={200: TravellerSerializer, 304: None, **refusals(400, 404)}
    )
    def get(self, request: Request, pk: int, number: int) -> Response:
        session = seen_session(request, pk)
        return answer(request, session, lambda: self.traveller(session, number))

    def traveller(self, session: Session, number: int) -> dict[str, Any]:
        request, viewer = self.request, viewer_of(self.request)
        board = get_object_or_404(boards_of(session, viewer), number=number, is_open=True)
        plays = Play.objects.filter(board=board).values("id", "table_id")
        page = page_of(plays, self.order, cursor_of(request, self.order), size_of(request))
        (shown,) = boards_data(session, viewer, [board])
        return {
            **{"board": shown, "top": comparisons.top(session), **links(request, page)},
            "plays": plays_data(session, viewer, [row["id"] for row in page.rows]),
        }
