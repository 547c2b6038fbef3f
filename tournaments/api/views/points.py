"""The master points of a club's players, for those who keep its register."""

from typing import ClassVar

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import PointsGiven, Token
from ...services import master_points
from ..filters import PointsFilters
from ..pagination import Order
from ..serializers.points import PointsGivenSerializer
from ..strict import OnlyKnownParameters
from .callers import refusals
from .register import kept_club


class ClubPoints(OnlyKnownParameters, ListAPIView[PointsGiven]):
    """The master points that lists have given to the players of a club's register, and those that were taken
    back, in that order, for its organisers and scorers. A total is the sum of those that were not."""

    scopes: ClassVar = (Token.Scope.MANAGE, Token.Scope.ENTER)
    serializer_class = PointsGivenSerializer
    queryset = PointsGiven.objects.none()
    is_paged = True
    row: ClassVar = PointsGivenSerializer
    filters = PointsFilters
    page_order: ClassVar[Order] = {"id": int}

    def get_queryset(self) -> QuerySet[PointsGiven]:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        return master_points.of_club(kept_club(self.request, self.kwargs["club"]).pk)

    @extend_schema(responses={200: PointsGivenSerializer(many=True), **refusals(400, 403, 404)})
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)
