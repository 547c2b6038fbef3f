"""Registration lists: opened by the club, entered by it and by players."""

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Registration, RegistrationList, Token, Tournament
from ...services import registrations
from ...services.names import reader_of
from ..conditional import IF_MATCH, seen_stamp, stamped
from ..filters import RegistrationListFilters
from ..pagination import PAGE_PARAMETERS, Order, cursor_of, links, size_of, slice_of
from ..serializers.registration import (
    ListStateSerializer,
    NewListSerializer,
    RegisteredPlayersSerializer,
    RegistrationListSerializer,
    RegistrationSerializer,
    RegistrationsSerializer,
)
from ..strict import OnlyKnownParameters
from .callers import caller_of, organised_tournament, refusals, viewer_of


class TournamentLists(OnlyKnownParameters, GenericAPIView[RegistrationList]):
    """The registration lists of a tournament that you may see; its organiser opens new ones."""

    scopes = (Token.Scope.MANAGE,)
    serializer_class = RegistrationListSerializer
    queryset = RegistrationList.objects.none()
    is_paged = True
    row: ClassVar = RegistrationListSerializer
    filters = RegistrationListFilters

    @extend_schema(responses={200: RegistrationListSerializer(many=True), **refusals(400, 404)})
    def get(self, request: Request, pk: int) -> Response:
        viewer = viewer_of(request)
        seen: QuerySet[RegistrationList] = RegistrationList.objects.visible_to(viewer).filter(tournament=pk)
        if not Tournament.objects.visible_to(viewer).filter(pk=pk).exists() and not seen.exists():
            raise NotFound
        shown = self.paginate_queryset(seen)
        return self.get_paginated_response(RegistrationListSerializer(shown, many=True).data)

    @extend_schema(
        request=NewListSerializer,
        responses={201: RegistrationListSerializer, **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        caller, tournament = caller_of(request), organised_tournament(request, pk)
        given = NewListSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wish = dict(given.validated_data)
        made = registrations.open_list(
            tournament=tournament, actor=caller, is_public=wish.pop("public"), **wish
        )
        return answer(request, made, status.HTTP_201_CREATED)


class OneList(OnlyKnownParameters, GenericAPIView[RegistrationList]):
    """A registration list. Its organiser changes its room, opens it and closes it: `If-Match` says what they
    have seen."""

    scopes = (Token.Scope.MANAGE,)
    serializer_class = RegistrationListSerializer
    queryset = RegistrationList.objects.none()

    @extend_schema(responses={200: RegistrationListSerializer, 304: None, **refusals(404)})
    def get(self, request: Request, pk: int) -> Response:
        return answer(request, seen_list(request, pk))

    @extend_schema(
        parameters=[IF_MATCH],
        request=ListStateSerializer,
        responses={200: RegistrationListSerializer, **refusals(400, 403, 404, 412, 415, 428)},
    )
    def put(self, request: Request, pk: int) -> Response:
        caller, the_list = caller_of(request), seen_list(request, pk)
        if not is_official(caller, the_list):
            raise PermissionDenied
        given = ListStateSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wish = given.validated_data
        changed = registrations.change(
            the_list=the_list,
            actor=caller,
            limit=wish["limit"],
            is_open=wish["open"],
            is_public=wish["public"],
            seen=seen_stamp(request, registrations.stamp(the_list)),
        )
        return answer(request, changed)


class ListRegistrations(OnlyKnownParameters, GenericAPIView[Registration]):
    """Who stands in a list, in its order: first those who are in, then those who wait. The club enters any
    players of its register, a player themselves."""

    scopes = (Token.Scope.MANAGE, Token.Scope.ENTER)
    serializer_class = RegistrationsSerializer
    queryset = Registration.objects.none()
    is_paged, may_descend = True, False
    row: ClassVar = RegistrationSerializer
    order: ClassVar[Order] = {"place": int}

    @extend_schema(parameters=PAGE_PARAMETERS, responses={200: RegistrationsSerializer, **refusals(400, 404)})
    def get(self, request: Request, pk: int) -> Response:
        the_list = seen_list(request, pk)
        cursor, size = cursor_of(request, self.order), size_of(request)
        places = registrations.places(the_list, reader_of(viewer_of(request)))
        numbers, page = slice_of(len(places), cursor, size)
        shown = places[numbers.start : numbers.stop]
        return Response(RegistrationsSerializer({**links(request, page), "results": shown}).data)

    @extend_schema(
        request=RegisteredPlayersSerializer,
        responses={201: RegistrationSerializer, **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        caller, the_list = caller_of(request), seen_list(request, pk)
        players = _players(request, caller, the_list)
        entered = registrations.enter(
            the_list=the_list, players=players, actor=caller, is_official=is_official(caller, the_list)
        )
        return Response(_registration(caller, the_list, entered.pk), status=status.HTTP_201_CREATED)


class RegistrationPlayers(OnlyKnownParameters, GenericAPIView[Registration]):
    """The players of an entry. The club says who they are; a player joins those who look for one, and
    leaves. An entry without players has left the list."""

    scopes = (Token.Scope.MANAGE, Token.Scope.ENTER)
    serializer_class = RegisteredPlayersSerializer
    queryset = Registration.objects.none()

    @extend_schema(
        request=RegisteredPlayersSerializer,
        responses={200: RegisteredPlayersSerializer, **refusals(400, 403, 404, 409, 415)},
    )
    def put(self, request: Request, pk: int) -> Response:
        caller = caller_of(request)
        visible = RegistrationList.objects.visible_to(caller)
        there = Registration.objects.filter(list__in=visible, left_at=None)
        registration = get_object_or_404(there.select_related("list__tournament__club"), pk=pk)
        the_list = registration.list
        official = is_official(caller, the_list)
        if not (official or caller.player_id):
            raise PermissionDenied
        given = RegisteredPlayersSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        left = registrations.set_players(
            registration=registration,
            players=given.validated_data["players"],
            actor=caller,
            own=None if official else {caller.player_id or 0},
        )
        return Response({"players": left})


def answer(request: Request, the_list: RegistrationList, status_code: int = status.HTTP_200_OK) -> Response:
    stamp = registrations.stamp(the_list)
    return stamped(request, stamp, lambda: RegistrationListSerializer(the_list).data, status_code)


def seen_list(request: Request, pk: int) -> RegistrationList:
    """A list that the caller may see, or 404."""
    seen = RegistrationList.objects.visible_to(viewer_of(request)).select_related("tournament__club")
    return get_object_or_404(seen, pk=pk)


def is_official(caller: Token, the_list: RegistrationList) -> bool:
    return caller.organised_club == the_list.tournament.club_id


def _players(request: Request, caller: Token, the_list: RegistrationList) -> list[int]:
    """Who is to enter. 403 for a caller who may enter nobody."""
    official = is_official(caller, the_list)
    if not (official or caller.player_id):
        raise PermissionDenied
    given = RegisteredPlayersSerializer(data=request.data)
    given.is_valid(raise_exception=True)
    players: list[int] = given.validated_data["players"]
    if not official:
        registrations.check_own(players, {caller.player_id or 0})
    return players


def _registration(caller: Token, the_list: RegistrationList, registration: int) -> Any:
    places = registrations.places(the_list, reader_of(caller))
    return RegistrationSerializer(next(one for one in places if one.registration == registration)).data
