"""Tournaments, and the sessions that are set up in them."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.generics import GenericAPIView, ListCreateAPIView, RetrieveAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Session, Tournament
from ...services import evenings, sessions
from ..serializers.movements import CandidateSerializer, WishSerializer
from ..serializers.tournaments import (
    EveningSerializer,
    SessionSerializer,
    SetUpSerializer,
    TournamentSerializer,
)
from ..strict import OnlyKnownParameters
from .callers import caller_of, organised_tournament, refusals, viewer_of
from .seen import session_data, with_all


@extend_schema_view(
    get=extend_schema(responses={200: TournamentSerializer(many=True), **refusals()}),
    post=extend_schema(responses={201: TournamentSerializer, **refusals(400, 403, 415)}),
)
class Tournaments(OnlyKnownParameters, ListCreateAPIView[Tournament]):
    """The tournaments that you may see; organisers create one for their club."""

    serializer_class = TournamentSerializer
    queryset = Tournament.objects.none()

    def get_queryset(self) -> QuerySet[Tournament]:
        return Tournament.objects.visible_to(viewer_of(self.request)).select_related("club")

    def perform_create(self, serializer: Any) -> None:
        caller = caller_of(self.request)
        if not caller.organised_club or caller.role is None:
            raise PermissionDenied
        serializer.instance = sessions.create_tournament(
            actor=caller, club=caller.role.club, name=serializer.validated_data["name"]
        )


@extend_schema(responses={200: TournamentSerializer, **refusals(404)})
class OneTournament(OnlyKnownParameters, RetrieveAPIView[Tournament]):
    serializer_class = TournamentSerializer
    queryset = Tournament.objects.none()

    def get_queryset(self) -> QuerySet[Tournament]:
        return Tournament.objects.visible_to(viewer_of(self.request)).select_related("club")


class TournamentSessions(OnlyKnownParameters, GenericAPIView[Session]):
    """The sessions of a tournament. Its organiser sets up new ones, with their boards sealed."""

    serializer_class = SetUpSerializer
    queryset = Session.objects.none()
    pagination_class = None

    @extend_schema(responses={200: SessionSerializer(many=True), **refusals(404)})
    def get(self, request: Request, pk: int) -> Response:
        tournament = get_object_or_404(Tournament.objects.visible_to(viewer_of(request)), pk=pk)
        seen = Session.objects.visible_to(viewer_of(request)).filter(tournament=tournament)
        return Response(SessionSerializer(with_all(seen.order_by("number")), many=True).data)

    @extend_schema(
        request=SetUpSerializer, responses={201: SessionSerializer, **refusals(400, 403, 404, 415)}
    )
    def post(self, request: Request, pk: int) -> Response:
        caller, tournament = caller_of(request), organised_tournament(request, pk)
        given = SetUpSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        session = sessions.set_up(tournament=tournament, actor=caller, **given.validated_data)
        return Response(session_data(session), status=status.HTTP_201_CREATED)


class Movements(OnlyKnownParameters):
    """The movements that would do for an evening, measured, the best first. For organisers."""

    parameters = tuple(WishSerializer().fields)

    @extend_schema(
        parameters=[WishSerializer], responses={200: CandidateSerializer(many=True), **refusals(400, 403)}
    )
    def get(self, request: Request) -> Response:
        if caller_of(request).organised_club is None:
            raise PermissionDenied
        wish = WishSerializer(data=request.query_params)
        wish.is_valid(raise_exception=True)
        return Response(CandidateSerializer(sessions.movements_for(**wish.validated_data), many=True).data)


class TournamentEvenings(OnlyKnownParameters, GenericAPIView[Session]):
    """The organiser hands in an evening on paper as a file. If there are slips of the pen, all of them are
    listed in `details` and nothing is stored; a dry run without slips answers 204."""

    serializer_class = EveningSerializer
    queryset = Session.objects.none()
    parser_classes = [MultiPartParser]

    @extend_schema(
        request={"multipart/form-data": EveningSerializer},
        responses={201: SessionSerializer, 204: None, **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        caller, tournament = caller_of(request), organised_tournament(request, pk)
        given = EveningSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        evening = dict(given.validated_data)
        text, dry_run = evening.pop("file"), evening.pop("dry_run")
        if dry_run:
            evenings.rows_of(text=text, game=evening["game"], options=evening["options"])
            return Response(status=status.HTTP_204_NO_CONTENT)
        session = evenings.import_evening(tournament=tournament, actor=caller, text=text, **evening)
        return Response(session_data(session), status=status.HTTP_201_CREATED)
