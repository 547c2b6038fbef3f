"""Boards: their hands, their proofs, their travellers."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Board
from ...services import board_sets, comparisons
from ..serializers.boards import BoardSerializer, ListsSerializer, TravellerSerializer
from ..strict import OnlyKnownParameters
from .callers import caller_of, organised_session, refusals, seen_session, viewer_of
from .seen import boards_of, open_board, plays_with_all


class SessionBoards(OnlyKnownParameters, GenericAPIView[Board]):
    """The boards of a session, with the hands of those that you may see already."""

    serializer_class = BoardSerializer
    queryset = Board.objects.none()
    pagination_class = None

    @extend_schema(responses={200: BoardSerializer(many=True), **refusals(404)})
    def get(self, request: Request, pk: int) -> Response:
        session = seen_session(request, pk)
        boards, context = boards_of(session, viewer_of(request))
        return Response(BoardSerializer(boards, many=True, context=context).data)


class SessionDeals(OnlyKnownParameters):
    """The file that proves the deals, exactly as it is published: sealed before and during play, with the
    seed once the session is over. `python -m engines verify` checks it."""

    @extend_schema(responses={(200, "application/json"): {"type": "object"}, **refusals(404)})
    def get(self, request: Request, pk: int) -> HttpResponse:
        file = board_sets.file_of(seen_session(request, pk))
        return HttpResponse(file, content_type="application/json")


class Proof(OnlyKnownParameters):
    """The file that proves one board without revealing the others, once you may see its hands."""

    @extend_schema(responses={(200, "application/json"): {"type": "object"}, **refusals(404, 409)})
    def get(self, request: Request, pk: int, number: int) -> HttpResponse:
        session = seen_session(request, pk)
        board = open_board(session, viewer_of(request), number)
        return HttpResponse(board_sets.file_of(session, [board.number]), content_type="application/json")


class Lists(OnlyKnownParameters, GenericAPIView[Board]):
    """A board for people who deal it by hand, listed by card and by seat. For its organisers."""

    serializer_class = ListsSerializer
    queryset = Board.objects.none()

    @extend_schema(responses={200: ListsSerializer, **refusals(403, 404)})
    def get(self, request: Request, pk: int, number: int) -> Response:
        session = organised_session(request, pk)
        board = open_board(session, caller_of(request), number)
        deal = board_sets.deal_of(session, board.number)
        if deal is None:
            raise NotFound(_("There are no deals to lay out here."))
        return Response(ListsSerializer(board_sets.lists(session, board.number, deal)).data)


class Traveller(OnlyKnownParameters, GenericAPIView[Board]):
    """All results of one board, side by side, once you may see its hands."""

    serializer_class = TravellerSerializer
    queryset = Board.objects.none()

    @extend_schema(responses={200: TravellerSerializer, **refusals(404)})
    def get(self, request: Request, pk: int, number: int) -> Response:
        session = seen_session(request, pk)
        boards, context = boards_of(session, viewer_of(request))
        board = get_object_or_404(boards, number=number, pk__in=context["open_boards"])
        plays = plays_with_all().filter(board=board).order_by("table__section__name", "table__number")
        shown = {"board": board, "top": comparisons.top(session), "plays": plays}
        return Response(TravellerSerializer(shown, context=context).data)
