"""The formulas by which a club gives master points."""

from typing import ClassVar

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import AwardFormula, Token
from ...services import formulas
from ..pagination import Order
from ..serializers.formulas import (
    AwardFormulaSerializer,
    AwardFormulaStateSerializer,
    NewAwardFormulaSerializer,
)
from ..strict import OnlyKnownParameters
from .callers import caller_of, refusals
from .penalties import club_with_catalogue, organised_club


class ClubFormulas(OnlyKnownParameters, ListAPIView[AwardFormula]):
    """The formulas by which a club gives master points, the oldest first: a list names one by its name, and
    keeps what it says then."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = AwardFormulaSerializer
    queryset = AwardFormula.objects.none()
    is_paged = True
    row: ClassVar = AwardFormulaSerializer
    page_order: ClassVar[Order] = {"id": int}

    def get_queryset(self) -> QuerySet[AwardFormula]:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        return formulas.of(club_with_catalogue(self.request, self.kwargs["club"]))

    @extend_schema(responses={200: AwardFormulaSerializer(many=True), **refusals(400, 404)})
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request=NewAwardFormulaSerializer,
        responses={201: AwardFormulaSerializer, **refusals(400, 403, 404, 409, 415)},
        examples=[
            OpenApiExample(
                "an expression",
                {"name": "Federation 2026", "text": "factor × sqrt(tables) × beaten ÷ contestants"},
                request_only=True,
            ),
            OpenApiExample(
                "a table", {"name": "Club evenings", "text": "4: 0.5 0.25\n8: 1 0.75 0.5"}, request_only=True
            ),
        ],
    )
    def post(self, request: Request, club: str) -> Response:
        organised = organised_club(request, club)
        given = NewAwardFormulaSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        made = formulas.add(club=organised, actor=caller_of(request), **given.validated_data)
        return Response(AwardFormulaSerializer(made).data, status=status.HTTP_201_CREATED)


class AwardFormulaState(OnlyKnownParameters, GenericAPIView[AwardFormula]):
    """A formula is retired: no list that is set up names it."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = AwardFormulaStateSerializer
    queryset = AwardFormula.objects.none()
    lookup_url_kwarg = "formula"

    @extend_schema(request=AwardFormulaStateSerializer, responses={204: None, **refusals(400, 403, 404, 415)})
    def put(self, request: Request, club: str, formula: int) -> Response:
        organised = organised_club(request, club)
        one = formulas.with_id(organised, formula)
        given = AwardFormulaStateSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        formulas.retire(one=one, actor=caller_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)
