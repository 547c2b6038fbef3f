"""The rounds of a session: everybody who sees it follows them, its director opens and closes them."""

from typing import ClassVar

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Round, Section, Session, Table, Token
from ...services import rounds, states
from ...services.errors import Invalid
from ..conditional import IF_MATCH, answer, seen_stamp, tagged
from ..filters import RoundFilters
from ..pagination import Order
from ..serializers.rounds import (
    ClockSerializer,
    RoundExtensionSerializer,
    RoundPauseSerializer,
    RoundSerializer,
    RoundStateSerializer,
    SeatedSerializer,
)
from ..serializers.tournaments import SessionSerializer
from ..strict import OnlyKnownParameters
from .callers import caller_of, organised_session, refusals, seen_session
from .seen import session_answer


class SessionClock(OnlyKnownParameters, GenericAPIView[Session]):
    """The director gives the rounds of a session a pace: from then on tables enter results of open rounds
    alone. Without one, all rounds are open while the session runs."""

    scopes = (Token.Scope.DIRECT,)
    serializer_class = ClockSerializer
    queryset = Session.objects.none()

    @extend_schema(
        parameters=[IF_MATCH],
        responses={200: SessionSerializer, **refusals(400, 403, 404, 409, 412, 415, 428)},
    )
    def put(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = ClockSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        seen, pace = seen_stamp(request, states.stamp(session)), given.pace()
        return session_answer(rounds.pace(session=session, actor=caller_of(request), pace=pace, seen=seen))

    @extend_schema(
        parameters=[IF_MATCH], responses={200: SessionSerializer, **refusals(403, 404, 409, 412, 428)}
    )
    def delete(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        seen = seen_stamp(request, states.stamp(session))
        return session_answer(rounds.stop_pacing(session=session, actor=caller_of(request), seen=seen))


class SessionRounds(OnlyKnownParameters, GenericAPIView[Round]):
    """The rounds of a session that is paced, and until when each is open; none of one that is not."""

    serializer_class = RoundSerializer
    queryset = Round.objects.none()
    is_paged = True
    row: ClassVar = RoundSerializer
    filters = RoundFilters
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

    @extend_schema(
        parameters=[IF_MATCH],
        responses={200: RoundSerializer, **refusals(400, 403, 404, 409, 412, 415, 428)},
    )
    def put(self, request: Request, pk: int, number: int) -> Response:
        session = organised_session(request, pk)
        given = RoundStateSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        to, actor = given.validated_data["state"], caller_of(request)
        seen = _seen(request, session, number)
        if to == Round.State.OPEN:
            reason = given.validated_data["reason"]
            rounds.open_round(session=session, actor=actor, number=number, reason=reason, seen=seen)
        elif to == Round.State.CLOSED:
            rounds.close_round(session=session, actor=actor, number=number, seen=seen)
        else:
            rounds.take_back_opening(session=session, actor=actor, number=number, seen=seen)
        return _answer(session, number)


class RoundPause(OnlyKnownParameters, GenericAPIView[Round]):
    """The director stops the clock of an open round, and lets it go on."""

    scopes = (Token.Scope.DIRECT,)
    serializer_class = RoundPauseSerializer
    queryset = Round.objects.none()

    @extend_schema(
        parameters=[IF_MATCH],
        responses={200: RoundSerializer, **refusals(400, 403, 404, 409, 412, 415, 428)},
    )
    def put(self, request: Request, pk: int, number: int) -> Response:
        session = organised_session(request, pk)
        given = RoundPauseSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        paused, seen = (
            given.validated_data["paused"],
            _seen(request, session, number),
        )
        rounds.pause(session=session, actor=caller_of(request), number=number, paused=paused, seen=seen)
        return _answer(session, number)


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


class RoundSeated(OnlyKnownParameters, GenericAPIView[Round]):
    """A table says that it sits, and begins to play a round; officials say it for a table in their charge."""

    scopes = (Token.Scope.ENTER,)
    serializer_class = SeatedSerializer
    queryset = Round.objects.none()

    @extend_schema(responses={200: SeatedSerializer, **refusals(400, 403, 404, 409, 415)})
    def put(self, request: Request, pk: int, number: int) -> Response:
        caller, session = caller_of(request), seen_session(request, pk)
        if not Section.objects.entered_by(caller).filter(session=session).exists():
            raise PermissionDenied
        given = SeatedSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wish = given.validated_data
        if caller.table_id is None and "table" not in wish:
            raise Invalid("no-table", _("Say which table sits."))
        own = Table.objects.filter(section__in=Section.objects.entered_by(caller), section__session=session)
        if caller.table_id is not None:
            own = own.filter(pk=caller.table_id)
        if "table" in wish:
            own = own.filter(number=wish["table"], section__name=wish.get("section", "A"))
        table = get_object_or_404(own.select_related("section"))
        rounds.seat(session=session, actor=caller, number=number, table=table, seated=wish["seated"])
        shown = {"seated": wish["seated"], "section": table.section.name, "table": table.number}
        return Response(SeatedSerializer(shown).data)


def _seen(request: Request, session: Session, number: int) -> str | None:
    one = session.rounds.filter(number=number).first()
    return seen_stamp(request, "" if one is None else rounds.stamp(one))


def _answer(session: Session, number: int) -> Response:
    one = _one(session, number)
    return Response(RoundSerializer(one).data, headers=tagged(rounds.stamp(one)))


def _one(session: Session, number: int) -> Round:
    return get_object_or_404(session.rounds.prefetch_related("extensions__table__section"), number=number)
