"""Calls of tables, with their answers, and announcements to all tables."""

from typing import ClassVar

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Announcement, Call, Section, Session, Table, Token
from ...services import calls
from ...services.errors import Invalid
from ..filters import CallFilters
from ..serializers.calls import (
    AnnouncementSerializer,
    CallSerializer,
    CallStateSerializer,
    NewAnnouncementSerializer,
    NewCallSerializer,
)
from ..strict import OnlyKnownParameters
from .callers import caller_of, organised_session, refusals, seen_session


def concerned_session(request: Request, pk: int) -> tuple[Token, Session]:
    """A session whose tables the caller speaks for: 401 without a token, 404 for one that they may not see,
    403 for one where they neither sit at a table nor score."""
    caller, session = caller_of(request), seen_session(request, pk)
    if not Section.objects.entered_by(caller).filter(session=session).exists():
        raise PermissionDenied
    return caller, session


class Calls(OnlyKnownParameters, GenericAPIView[Call]):
    """The calls of a session, in the order in which tables called: a table's own, all for officials; and
    where a table calls. A table that waits already goes on waiting in its place."""

    scopes: ClassVar = (Token.Scope.ENTER,)
    serializer_class = NewCallSerializer
    queryset = Call.objects.none()
    is_paged = True
    row: ClassVar = CallSerializer
    filters = CallFilters

    @extend_schema(responses={200: CallSerializer(many=True), **refusals(400, 403, 404)})
    def get(self, request: Request, pk: int) -> Response:
        caller, session = concerned_session(request, pk)
        shown = self.paginate_queryset(calls.of(session, caller)) or []
        return self.get_paginated_response(CallSerializer(shown, many=True).data)

    @extend_schema(
        request=NewCallSerializer, responses={201: CallSerializer, **refusals(400, 403, 404, 409, 415)}
    )
    def post(self, request: Request, pk: int) -> Response:
        caller, session = concerned_session(request, pk)
        given = NewCallSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wish = given.validated_data
        section, number = wish.pop("section"), wish.pop("table", None)
        if caller.table_id is None and number is None:
            raise Invalid("no-table", _("Say which table calls."))
        own = Table.objects.filter(section__in=Section.objects.entered_by(caller), section__session=session)
        if caller.table_id is not None:
            own = own.filter(pk=caller.table_id)
        if number is not None:
            own = own.filter(number=number, section__name=section)
        table = get_object_or_404(own.select_related("section"))
        made = calls.call(table=table, actor=caller, **wish)
        shown = calls.of(session, caller).get(pk=made.pk)
        return Response(CallSerializer(shown).data, status=status.HTTP_201_CREATED)


class CallState(OnlyKnownParameters, GenericAPIView[Call]):
    """An official says that they come (`coming`) or have been there (`done`), or that this was a mistake
    (`waiting`); the table takes its call back (`withdrawn`)."""

    scopes: ClassVar = (Token.Scope.ENTER,)
    serializer_class = CallStateSerializer
    queryset = Call.objects.none()

    @extend_schema(responses={200: CallSerializer, **refusals(400, 403, 404, 409, 415)})
    def put(self, request: Request, pk: int, call: int) -> Response:
        caller, session = concerned_session(request, pk)
        one = get_object_or_404(calls.of(session, caller), pk=call)
        given = CallStateSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        calls.answer(call=one, actor=caller, state=given.validated_data["state"])
        return Response(CallSerializer(calls.of(session, caller).get(pk=call)).data)


class Announcements(OnlyKnownParameters, GenericAPIView[Announcement]):
    """What all tables of a session have been told, the oldest first; the one that has not ended holds."""

    scopes: ClassVar = (Token.Scope.DIRECT,)
    serializer_class = NewAnnouncementSerializer
    queryset = Announcement.objects.none()
    is_paged = True
    row: ClassVar = AnnouncementSerializer

    @extend_schema(responses={200: AnnouncementSerializer(many=True), **refusals(400, 403, 404)})
    def get(self, request: Request, pk: int) -> Response:
        _caller, session = concerned_session(request, pk)
        own = session.announcements.select_related("remark").order_by("pk")
        shown = self.paginate_queryset(own) or []
        return self.get_paginated_response(AnnouncementSerializer(shown, many=True).data)

    @extend_schema(
        request=NewAnnouncementSerializer,
        responses={201: AnnouncementSerializer, **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = NewAnnouncementSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        made = calls.announce(session=session, actor=caller_of(request), **given.validated_data)
        return Response(AnnouncementSerializer(made).data, status=status.HTTP_201_CREATED)


class OneAnnouncement(OnlyKnownParameters, GenericAPIView[Announcement]):
    """An announcement is withdrawn: the tables are not told any more."""

    scopes: ClassVar = (Token.Scope.DIRECT,)
    queryset = Announcement.objects.none()

    @extend_schema(request=None, responses={204: None, **refusals(403, 404)})
    def delete(self, request: Request, pk: int, announcement: int) -> Response:
        session = organised_session(request, pk)
        one = get_object_or_404(session.announcements, pk=announcement)
        calls.withdraw(announcement=one, actor=caller_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)
