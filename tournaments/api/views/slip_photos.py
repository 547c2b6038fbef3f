"""Photographs of paper slips: sent by tables and officials, looked at by officials."""

from typing import ClassVar

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.generics import GenericAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Play, Section, Session, SlipPhoto, Token
from ...services import slip_photos
from ...services.errors import Invalid
from ..filters import SlipPhotoFilters
from ..serializers.slip_photos import NewSlipPhotoSerializer, SlipPhotoSerializer
from ..strict import OnlyKnownParameters
from .callers import caller_of, refusals, seen_session
from .calls import concerned_session

WEBP = "image/webp"


def scored_session(request: Request, pk: int) -> tuple[Token, Session]:
    """A session of which the caller enters results for all tables of a section: 401 without a token, 404 for
    one that they may not see, 403 for any other."""
    caller, session = caller_of(request), seen_session(request, pk)
    if not Section.objects.scored_by(caller).filter(session=session).exists():
        raise PermissionDenied
    return caller, session


class SlipPhotos(OnlyKnownParameters, GenericAPIView[SlipPhoto]):
    """The photographs of paper slips that officials may look at, in the order in which they came: kept for
    thirty days. A table sends its own, once its round has begun; the same one sent twice is one."""

    scopes: ClassVar = (Token.Scope.ENTER,)
    serializer_class = NewSlipPhotoSerializer
    queryset = SlipPhoto.objects.none()
    parser_classes = [MultiPartParser]
    is_paged = True
    row: ClassVar = SlipPhotoSerializer
    filters = SlipPhotoFilters

    @extend_schema(responses={200: SlipPhotoSerializer(many=True), **refusals(400, 403, 404)})
    def get(self, request: Request, pk: int) -> Response:
        caller, session = scored_session(request, pk)
        shown = self.paginate_queryset(slip_photos.seen_by(session, caller)) or []
        return self.get_paginated_response(SlipPhotoSerializer(shown, many=True).data)

    @extend_schema(
        request={"multipart/form-data": NewSlipPhotoSerializer},
        responses={201: SlipPhotoSerializer, **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        caller, session = concerned_session(request, pk)
        given = NewSlipPhotoSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wish = given.validated_data
        plays = Play.objects.entered_by(caller).filter(table__section__session=session)
        if caller.table_id is None and "table" not in wish:
            raise Invalid("no-table", _("Say which table it is of."))
        if "table" in wish:
            plays = plays.filter(table__number=wish["table"], table__section__name=wish["section"])
        whole = plays.select_related("table__section", "board")
        play = get_object_or_404(whole, board__number=wish["board"])
        made = slip_photos.send(play=play, actor=caller, content=wish["photo"])
        return Response(SlipPhotoSerializer(made).data, status=status.HTTP_201_CREATED)


class OneSlipPhoto(OnlyKnownParameters, GenericAPIView[SlipPhoto]):
    """A photograph of a paper slip itself."""

    serializer_class = SlipPhotoSerializer
    queryset = SlipPhoto.objects.none()

    @extend_schema(responses={(200, WEBP): OpenApiTypes.BINARY, **refusals(403, 404)})
    def get(self, request: Request, pk: int, photo: int) -> HttpResponse:
        caller, session = scored_session(request, pk)
        one = get_object_or_404(slip_photos.seen_by(session, caller).defer(None), pk=photo)
        return HttpResponse(
            bytes(one.content), content_type=WEBP, headers={"Cache-Control": "private, no-store"}
        )
