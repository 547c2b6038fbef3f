"""Objections of contestants, with their answers, appeals and decisions."""

from collections.abc import Sequence
from typing import ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Objection, Session, Token
from ...services import names, objections, reasons
from ...services.names import reader_of
from ..filters import ObjectionFilters
from ..serializers.objections import NewObjectionSerializer, NewStepSerializer, ObjectionSerializer
from ..strict import OnlyKnownParameters
from .callers import caller_of, refusals, seen_session


def concerned_session(request: Request, pk: int) -> Session:
    """A session in whose objections the caller has a say: 401 without a token, 404 for one that they may not
    see, 403 for one where they neither play nor direct."""
    caller = caller_of(request)
    session = seen_session(request, pk)
    if not objections.may_object(caller, session):
        raise PermissionDenied
    return session


def objections_data(request: Request, session: Session, shown: Sequence[Objection]) -> list[object]:
    committee = {player for one in shown for step in one.steps.all() for player in step.committee}
    reader = reader_of(caller_of(request))
    named = names.of_players(committee, reader, session=session.pk) if committee else {}
    hidden = reasons.hidden_from(session, caller_of(request))
    context = {"players": named, "hidden": hidden}
    return list(ObjectionSerializer(shown, many=True, context=context).data)


class Objections(OnlyKnownParameters, GenericAPIView[Objection]):
    """What contestants have said against results and rulings, the oldest first: all for those who run the
    session, their own for players; and where to object, until the ranking is final. Whoever runs the session
    and plays in it reads what is said of a board once it is over."""

    scopes: ClassVar = (Token.Scope.ENTER, Token.Scope.DIRECT)
    serializer_class = NewObjectionSerializer
    queryset = Objection.objects.none()
    is_paged = True
    row: ClassVar = ObjectionSerializer
    filters = ObjectionFilters

    @extend_schema(responses={200: ObjectionSerializer(many=True), **refusals(400, 403, 404)})
    def get(self, request: Request, pk: int) -> Response:
        session = concerned_session(request, pk)
        shown = self.paginate_queryset(objections.of(session, caller_of(request))) or []
        return self.get_paginated_response(objections_data(request, session, shown))

    @extend_schema(
        request=NewObjectionSerializer,
        responses={201: ObjectionSerializer, **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        session, caller = concerned_session(request, pk), caller_of(request)
        given = NewObjectionSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        made = objections.object_to(session=session, actor=caller, **given.validated_data)
        (shown,) = objections_data(request, session, [objections.of(session, caller).get(pk=made.pk)])
        return Response(shown, status=status.HTTP_201_CREATED)


class OneObjection(OnlyKnownParameters, GenericAPIView[Objection]):
    """An objection with what followed."""

    serializer_class = ObjectionSerializer
    queryset = Objection.objects.none()

    @extend_schema(responses={200: ObjectionSerializer, **refusals(403, 404)})
    def get(self, request: Request, pk: int, objection: int) -> Response:
        session = concerned_session(request, pk)
        one = get_object_or_404(objections.of(session, caller_of(request)), pk=objection)
        return Response(objections_data(request, session, [one])[0])


class ObjectionSteps(OnlyKnownParameters, GenericAPIView[Objection]):
    """The next step of an objection: a director's answer, an appeal, the committee's decision, or that it is
    withdrawn."""

    scopes: ClassVar = (Token.Scope.ENTER, Token.Scope.DIRECT)
    serializer_class = NewStepSerializer
    queryset = Objection.objects.none()

    @extend_schema(
        request=NewStepSerializer,
        responses={201: ObjectionSerializer, **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int, objection: int) -> Response:
        session, caller = concerned_session(request, pk), caller_of(request)
        own = objections.of(session, caller)
        one = get_object_or_404(own, pk=objection)
        given = NewStepSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        one.session = session
        objections.follow(objection=one, actor=caller, **given.validated_data)
        (shown,) = objections_data(request, session, [own.get(pk=one.pk)])
        return Response(shown, status=status.HTTP_201_CREATED)
