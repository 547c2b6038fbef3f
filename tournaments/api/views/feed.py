"""The feed, for those who ask what is new."""

from typing import ClassVar

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import FeedItem
from ...services import feed
from ..filters import FeedFilters, wanted
from ..pagination import Order
from ..serializers.feed import FeedItemSerializer
from ..strict import OnlyKnownParameters
from .callers import refusals, viewer_of


class Feed(OnlyKnownParameters, ListAPIView[FeedItem]):
    """What has happened that you may know, in an order that stays: whoever asks for what came `after` the
    last item that they have misses nothing. Names are as they are now; what may no longer be seen is `gone`.
    Results have no items of their own. Items are kept for 90 days; where some have been forgotten that you
    had not read, that is said (`feed-forgotten`)."""

    serializer_class = FeedItemSerializer
    queryset = FeedItem.objects.none()
    is_paged = True
    row: ClassVar = FeedItemSerializer
    filters = FeedFilters
    page_order: ClassVar[Order] = {"position": int}

    def get_queryset(self) -> QuerySet[FeedItem]:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        if after := wanted(FeedFilters, self.request.query_params).get("after"):
            feed.check_position(after)
        return feed.read(viewer_of(self.request))

    @extend_schema(responses={200: FeedItemSerializer(many=True), **refusals(400, 409)})
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)
