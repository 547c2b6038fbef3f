"""The catalogue of penalties and bonuses of a club."""

from typing import ClassVar

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import CataloguePenalty, Club, Token, access
from ...services import penalties
from ..filters import PenaltyFilters
from ..pagination import Order
from ..serializers.penalties import (
    CataloguePenaltySerializer,
    CataloguePenaltyStateSerializer,
    NewCataloguePenaltySerializer,
)
from ..strict import OnlyKnownParameters
from .callers import caller_of, known_club, refusals


def club_with_catalogue(request: Request, slug: str) -> Club:
    """A club of which the caller may read the catalogue, which hangs on its wall: any that they know of."""
    caller_of(request)
    return known_club(request, slug)


def organised_club(request: Request, slug: str) -> Club:
    """A club whose catalogue the caller keeps: its organisers and administrators. 403 for others."""
    club = club_with_catalogue(request, slug)
    if not Club.objects.filter(access.managed(caller_of(request), club="pk"), pk=club.pk).exists():
        raise PermissionDenied
    return club


class ClubPenalties(OnlyKnownParameters, ListAPIView[CataloguePenalty]):
    """The penalties and bonuses that a club has agreed on, the oldest first: a ruling on a contestant names
    one by its id."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = CataloguePenaltySerializer
    queryset = CataloguePenalty.objects.none()
    is_paged = True
    row: ClassVar = CataloguePenaltySerializer
    filters = PenaltyFilters
    page_order: ClassVar[Order] = {"id": int}

    def get_queryset(self) -> QuerySet[CataloguePenalty]:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        return penalties.of(club_with_catalogue(self.request, self.kwargs["club"]))

    @extend_schema(responses={200: CataloguePenaltySerializer(many=True), **refusals(400, 404)})
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request=NewCataloguePenaltySerializer,
        responses={201: CataloguePenaltySerializer, **refusals(400, 403, 404, 409, 415)},
        examples=[OpenApiExample("slow play", {"name": "Slow play", "amount": "10"}, request_only=True)],
    )
    def post(self, request: Request, club: str) -> Response:
        organised = organised_club(request, club)
        given = NewCataloguePenaltySerializer(data=request.data)
        given.is_valid(raise_exception=True)
        made = penalties.add(club=organised, actor=caller_of(request), **given.validated_data)
        return Response(CataloguePenaltySerializer(made).data, status=status.HTTP_201_CREATED)


class PenaltyState(OnlyKnownParameters, GenericAPIView[CataloguePenalty]):
    """An entry of the catalogue is retired: no new ruling names it."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = CataloguePenaltyStateSerializer
    queryset = CataloguePenalty.objects.none()
    lookup_url_kwarg = "penalty"

    @extend_schema(
        request=CataloguePenaltyStateSerializer, responses={204: None, **refusals(400, 403, 404, 415)}
    )
    def put(self, request: Request, club: str, penalty: int) -> Response:
        organised = organised_club(request, club)
        one = penalties.with_id(organised, penalty)
        given = CataloguePenaltyStateSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        penalties.retire(penalty=one, actor=caller_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)
