"""The rounds of a session: everybody who sees it follows them, its director opens and closes them."""

from typing import ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Round, Session, Token
from ...services import rounds
from ..conditional import answer
from ..pagination import Order
from ..serializers.rounds import (
    ClockSerializer,
    RoundExtensionSerializer,
    RoundPauseSerializer,
    RoundSerializer,
    RoundStateSerializer,
)
from ..serializers.tournaments import SessionSerializer
from ..strict import OnlyKnownParameters
from .callers import caller_of, organised_session, refusals, seen_session
from .seen import session_data


class SessionClock(OnlyKnownParameters, GenericAPIView[Session]):
    """The director gives the rounds of a session a pace: from then on tables enter results of open rounds
    alone. Without one, all rounds are open while the session runs."""

    scopes = (Token.Scope.DIRECT,)
    serializer_class = ClockSerializer
    queryset = Session.objects.none()

    @extend_schema(responses={200: SessionSerializer, **refusals(400, 403, 404, 409, 415)})
    def put(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = ClockSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return Response(
            session_data(rounds.pace(session=session, actor=caller_of(request), pace=given.pace()))
        )

    @extend_schema(responses={200: SessionSerializer, **refusals(403, 404, 409)})
    def delete(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        return Response(session_data(rounds.stop_pacing(session=session, actor=caller_of(request))))


class SessionRounds(OnlyKnownParameters, GenericAPIView[Round]):
    """The rounds of a session that is paced, and until when each is open; none of one that is not."""

    serializer_class = RoundSerializer
    queryset = Round.objects.none()
    is_paged = True
    page_order: ClassVar[Order] = {"number": int}

    @extend_schema(responses={200: RoundSerializer(many=True), 304: None, **refusals(400, 404)})
    def get(self, request: Request, pk: int) -> Response:
        session = seen_session(request, pk)
        return answer(request, session, lambda: self.page(session))

    def page(self, session: Session) -> object:
        own = session.rounds.prefetch_related("extensions__table__section")
        shown = self.paginate_queryset(own)
        return self.get_paginated_response(RoundSerializer(shown, many=True).data).data


class RoundState(OnlyKnownParameters, GenericAPIView[Round]):
    """The director opens a round, closes it, or takes it back while no result of it has come in."""

    scopes = (Token.Scope.DIRECT,)
    serializer_class = RoundStateSerializer
    queryset = Round.objects.none()

    @extend_schema(responses={200: RoundSerializer, **refusals(400, 403, 404, 409, 415)})
    def put(self, request: Request, pk: int, number: int) -> Response:
        session = organised_session(request, pk)
        given = RoundStateSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        to, actor = given.validated_data["state"], caller_of(request)
        if to == Round.State.OPEN:
            reason = given.validated_data["reason"]
            rounds.open_round(session=session, actor=actor, number=number, reason=reason)
        elif to == Round.State.CLOSED:
            rounds.close_round(session=session, actor=actor, number=number)
        else:
            rounds.take_back_opening(session=session, actor=actor, number=number)
        return Response(RoundSerializer(_one(session, number)).data)


class RoundPause(OnlyKnownParameters, GenericAPIView[Round]):
    """The director stops the clock of an open round, and lets it go on."""

    scopes = (Token.Scope.DIRECT,)
    serializer_class = RoundPauseSerializer
    queryset = Round.objects.none()

    @extend_schema(responses={200: RoundSerializer, **refusals(400, 403, 404, 409, 415)})
    def put(self, request: Request, pk: int, number: int) -> Response:
        session = organised_session(request, pk)
        given = RoundPauseSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        rounds.pause(session=session, actor=caller_of(request), number=number, **given.validated_data)
        return Response(RoundSerializer(_one(session, number)).data)


class RoundExtensions(OnlyKnownParameters, GenericAPIView[Round]):
    """The director gives all tables more time in a round, or one of them."""

    scopes = (Token.Scope.DIRECT,)
    serializer_class = RoundExtensionSerializer
    queryset = Round.objects.none()

    @extend_schema(responses={201: RoundSerializer, **refusals(400, 403, 404, 409, 415)})
    def post(self, request: Request, pk: int, number: int) -> Response:
        session = organised_session(request, pk)
        given = RoundExtensionSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        rounds.extend(session=session, actor=caller_of(request), number=number, **given.validated_data)
        return Response(RoundSerializer(_one(session, number)).data, status=status.HTTP_201_CREATED)


def _one(session: Session, number: int) -> Round:
    return get_object_or_404(session.rounds.prefetch_related("extensions__table__section"), number=number)
