"""The joint field of a leg of an event, in its lists, and its versions."""

from typing import Any, ClassVar

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Club, Event, FieldRanking, Leg
from ...services import field_lists, names
from ...services.names import reader_of
from ..pagination import PAGE_PARAMETERS, Order, cursor_of, links, size_of, slice_of
from ..serializers.joint_fields import (
    FieldPlaceSerializer,
    FieldSerializer,
    FieldVersionSerializer,
    FieldWishSerializer,
)
from ..strict import OnlyKnownParameters
from .callers import refusals, viewer_of


def seen_leg(request: Request, pk: int) -> Leg:
    """A leg of an event that the caller may see, or 404."""
    seen = Event.objects.visible_to(viewer_of(request))
    return get_object_or_404(Leg.objects.filter(event__in=seen), pk=pk)


class LegField(OnlyKnownParameters, GenericAPIView[FieldRanking]):
    """Everybody who has played the boards of a leg, at whatever club, compared with all who held the same
    cards, by the method of the event: the whole field, or (`region`, `club`) a part of it ranked by itself.
    Nothing before the embargo is lifted. The pages that follow are of the same version."""

    serializer_class = FieldSerializer
    queryset = FieldRanking.objects.none()
    parameters = tuple(FieldWishSerializer().fields)
    is_paged, may_descend = True, False
    row: ClassVar = FieldPlaceSerializer
    rows_in = "places"
    order: ClassVar[Order] = {"place": int}

    @extend_schema(
        parameters=[FieldWishSerializer, *PAGE_PARAMETERS],
        responses={200: FieldSerializer, **refusals(400, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        leg, viewer = seen_leg(request, pk), viewer_of(request)
        given = {name: text for name, text in request.query_params.items() if name in self.parameters}
        wish = FieldWishSerializer(data=given)
        wish.is_valid(raise_exception=True)
        which = dict(wish.validated_data)
        number = which.pop("version", None)
        version = field_lists.newest(leg)
        if number is not None:
            version = field_lists.versions_of(leg).filter(version=number).first()
            if version is None:
                raise Http404
        found = None if version is None else field_lists.content(version, viewer=viewer, **which)
        count = 0 if found is None else found.count
        cursor, size = cursor_of(request, self.order), size_of(request)
        numbers, page = slice_of(count, cursor, size)
        shown = [] if found is None else list(found.places(numbers))
        named = names.of_contestants([one.place.contestant for one in shown], reader_of(viewer))
        body = {
            "leg": leg.pk,
            "version": 0 if version is None else version.version,
            "created_at": None if version is None else version.created_at,
            "clubs": [] if found is None else sorted({club.slug for club in found.clubs.values()}),
            "regions": [] if found is None else found.regions,
            "count": count,
            **links(request, page, **({} if version is None else {"version": version.version})),
            "places": [{**one._asdict(), "named": named[one.place.contestant]} for one in shown],
        }
        return Response(FieldSerializer(body).data)


class LegFieldVersions(OnlyKnownParameters, GenericAPIView[FieldRanking]):
    """The versions of the joint field of a leg, and what was other than before: which clubs were taken in,
    left out, or had mended their results, and why."""

    serializer_class = FieldVersionSerializer
    queryset = FieldRanking.objects.none()
    is_paged = True
    row: ClassVar = FieldVersionSerializer
    page_order: ClassVar[Order] = {"version": int}

    @extend_schema(responses={200: FieldVersionSerializer(many=True), **refusals(400, 404)})
    def get(self, request: Request, pk: int) -> Response:
        shown = self.paginate_queryset(field_lists.versions_of(seen_leg(request, pk)))
        return self.get_paginated_response(FieldVersionSerializer(with_clubs(shown or []), many=True).data)


def with_clubs(shown: Any) -> list[dict[str, Any]]:
    """Versions with the short names of their clubs. One query."""
    slugs = dict(
        Club.objects.filter(pk__in={club for one in shown for club, _what, _why in one.news}).values_list(
            "pk", "slug"
        )
    )
    return [
        {
            "version": one.version,
            "created_at": one.created_at,
            "news": [{"club": slugs[club], "what": what, "reason": why} for club, what, why in one.news],
        }
        for one in shown
    ]
