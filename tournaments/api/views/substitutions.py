"""Substitutes of a session, for its organiser."""

from typing import ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Substitution, Token
from ...services import substitutes
from ..filters import SubstitutionFilters
from ..serializers.substitutions import (
    SubstituteSerializer,
    SubstitutionSerializer,
    SubstitutionStateSerializer,
)
from ..strict import OnlyKnownParameters
from .callers import caller_of, organised_session, refusals


class Substitutions(OnlyKnownParameters, GenericAPIView[Substitution]):
    """Who plays some rounds in the place of a contestant's member. The contestant stays the same."""

    scopes = (Token.Scope.DIRECT,)
    serializer_class = SubstituteSerializer
    queryset = Substitution.objects.none()
    is_paged = True
    row: ClassVar = SubstitutionSerializer
    filters = SubstitutionFilters

    @extend_schema(responses={200: SubstitutionSerializer(many=True), **refusals(400, 403, 404)})
    def get(self, request: Request, pk: int) -> Response:
        shown = self.paginate_queryset(substitutes.of(organised_session(request, pk)))
        return self.get_paginated_response(SubstitutionSerializer(shown, many=True).data)

    @extend_schema(
        request=SubstituteSerializer,
        responses={201: SubstitutionSerializer, **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = SubstituteSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        caller = caller_of(request)
        made = substitutes.substitute(session=session, actor=caller, **given.validated_data)
        shown = substitutes.of(session).get(pk=made.pk)
        return Response(SubstitutionSerializer(shown).data, status=status.HTTP_201_CREATED)


class SubstitutionState(OnlyKnownParameters, GenericAPIView[Substitution]):
    """The organiser takes a substitution back: the member has played after all. It is not listed any more."""

    scopes = (Token.Scope.DIRECT,)
    serializer_class = SubstitutionStateSerializer
    queryset = Substitution.objects.none()

    @extend_schema(responses={200: SubstitutionStateSerializer, **refusals(400, 403, 404, 415)})
    def put(self, request: Request, pk: int, substitution: int) -> Response:
        session = organised_session(request, pk)
        one = get_object_or_404(Substitution, contestant__session=session, pk=substitution)
        given = SubstitutionStateSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        substitutes.undo(substitution=one, actor=caller_of(request))
        return Response(given.data)
