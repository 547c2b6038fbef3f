"""A club's register, for those who keep it."""

from typing import ClassVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import translation
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Category, Club, Player, Token
from ...services import licences, register, register_files
from ...services.exports import ExportTable
from ..conditional import IF_MATCH, seen_stamp, stamped
from ..pagination import Order
from ..parsers import RowsParser
from ..serializers.fields import is_plain_text
from ..serializers.register import (
    AddedPlayersSerializer,
    LicenceSerializer,
    PlayerSerializer,
    PlayersSerializer,
)
from ..strict import OnlyKnownParameters
from ..tables import AS_TABLE, LIST_FORMS, is_for_table
from .callers import caller_of, known_club, refusals

SEARCH = OpenApiParameter("search", str, description="Words of the name, in any order, or the number.")
CATEGORY = OpenApiParameter("category", str, enum=Category.values)


class ClubPlayers(OnlyKnownParameters, GenericAPIView[Player]):
    """A club's register, by family name, for its organisers and scorers; they add to it. `Accept` says
    whether as JSON, in pages, or whole as CSV or XLSX, which organisers alone take away."""

    renderer_classes = LIST_FORMS

    scopes = (Token.Scope.MANAGE, Token.Scope.ENTER)
    serializer_class = PlayerSerializer
    queryset = Player.objects.none()
    is_paged = True
    parameters = ("search", "category")
    page_order: ClassVar[Order] = {"family_name": str, "given_name": str, "pk": int}

    @extend_schema(
        parameters=[SEARCH, CATEGORY],
        responses={
            (200, "application/json"): PlayerSerializer(many=True),
            **AS_TABLE,
            **refusals(400, 403, 404),
        },
    )
    def get(self, request: Request, club: str) -> Response:
        place = kept_club(request, club)
        search, category = request.query_params.get("search", ""), request.query_params.get("category")
        if not is_plain_text(search) or len(search) > register.NAME_LETTERS:
            raise ValidationError(
                {"search": [_("This is too long, or has characters that cannot be stored.")]}
            )
        if category is not None and category not in Category.values:
            message = _("There is no such category; the categories are: %(known)s.")
            raise ValidationError({"category": [message % {"known": ", ".join(Category.values)}]})
        found = register.players_of(place, search=search, category=category or "")
        if is_for_table(request):
            register.check_may_change(caller_of(request), place)
            return Response(_table(found), headers={"Cache-Control": "no-store"})
        return self.get_paginated_response(PlayerSerializer(self.paginate_queryset(found), many=True).data)

    @extend_schema(responses={201: PlayerSerializer, **refusals(400, 403, 404, 409, 415)})
    def post(self, request: Request, club: str) -> Response:
        place = kept_club(request, club)
        given = PlayerSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        player = register.add(club=place, actor=caller_of(request), details=given.details())
        return answer(request, player, status.HTTP_201_CREATED)


def _table(found: QuerySet[Player]) -> ExportTable:
    """The register with its columns called the same in every language."""
    players = found.in_bulk()
    with translation.override("en"):
        header, *rows = register_files.export_rows(players[pk] for pk in register.in_order(found))
    return ExportTable("players", header, rows)


class ClubPlayersInBulk(OnlyKnownParameters, GenericAPIView[Player]):
    """Add many players to a club's register at once: either all of them, or none. A refusal (`slips`) says of
    every row, by its `index`, whether it is `ready` or `refused`, and with which `code`; the first row is 0.
    Names are not looked up: a player whom the register has already is refused only by the number."""

    scopes = (Token.Scope.MANAGE, Token.Scope.ENTER)
    parser_classes = (RowsParser,)
    serializer_class = PlayersSerializer
    queryset = Player.objects.none()

    @extend_schema(
        request=PlayersSerializer,
        responses={201: AddedPlayersSerializer, **refusals(400, 403, 404, 415)},
    )
    def post(self, request: Request, club: str) -> Response:
        place = kept_club(request, club)
        given = PlayersSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        players = register.add_all(club=place, actor=caller_of(request), rows=given.rows())
        added = [
            {"index": index, "state": "created", "player": player} for index, player in enumerate(players)
        ]
        return Response(AddedPlayersSerializer({"players": added}).data, status.HTTP_201_CREATED)


class ClubPlayer(OnlyKnownParameters, GenericAPIView[Player]):
    """A player in a club's register. Its organisers change what they have seen: `If-Match` says what that
    was."""

    scopes = (Token.Scope.MANAGE,)
    serializer_class = PlayerSerializer
    queryset = Player.objects.none()

    @extend_schema(responses={200: PlayerSerializer, **refusals(403, 404)})
    def get(self, request: Request, club: str, pk: int) -> Response:
        player = self.player(request, club, pk)
        return answer(request, player)

    @extend_schema(
        parameters=[IF_MATCH],
        responses={200: PlayerSerializer, **refusals(400, 403, 404, 409, 412, 415, 428)},
    )
    def patch(self, request: Request, club: str, pk: int) -> Response:
        player = self.player(request, club, pk)
        caller = caller_of(request)
        register.check_may_change(caller, player.club)
        given = PlayerSerializer(data=request.data, partial=True)
        given.is_valid(raise_exception=True)
        seen = seen_stamp(request, register.stamp(player))
        changed = register.change(player=player, actor=caller, details=given.details(player), seen=seen)
        return answer(request, changed)

    def player(self, request: Request, club: str, pk: int) -> Player:
        found = register.players_of(kept_club(request, club))
        return get_object_or_404(found, pk=pk)


class ClubPlayerLicence(OnlyKnownParameters, GenericAPIView[Player]):
    """Until when a player's licence holds, and since when its holder may not play: for those alone who change
    the register."""

    scopes = (Token.Scope.MANAGE,)
    serializer_class = LicenceSerializer
    queryset = Player.objects.none()

    @extend_schema(responses={200: LicenceSerializer, **refusals(403, 404)})
    def get(self, request: Request, club: str, pk: int) -> Response:
        return Response(LicenceSerializer(licences.of(self.player(request, club, pk))).data)

    @extend_schema(responses={200: LicenceSerializer, **refusals(400, 403, 404, 409, 415)})
    def put(self, request: Request, club: str, pk: int) -> Response:
        player = self.player(request, club, pk)
        given = LicenceSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wanted = licences.Licence(**given.validated_data)
        changed = register.change_licence(player=player, actor=caller_of(request), licence=wanted)
        return Response(LicenceSerializer(licences.of(changed)).data)

    def player(self, request: Request, club: str, pk: int) -> Player:
        place = kept_club(request, club)
        register.check_may_change(caller_of(request), place)
        return get_object_or_404(register.players_of(place), pk=pk)


def kept_club(request: Request, slug: str) -> Club:
    """A club whose register the caller keeps: 401 without a token, 403 for another that they may know of,
    404 for any other."""
    caller = caller_of(request)
    club = known_club(request, slug)
    if not register.may_add(caller, club):
        raise PermissionDenied
    return club


def answer(request: Request, player: Player, status_code: int = status.HTTP_200_OK) -> Response:
    return stamped(request, register.stamp(player), lambda: PlayerSerializer(player).data, status_code)
