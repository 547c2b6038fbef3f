"""Seasons: those who run them, their standings, and the prizes that these lead to."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Season, SeasonStanding, Token
from ...services import season_standings, seasons
from ...services.names import reader_of
from ...services.season_standings import SeasonWish
from ..conditional import IF_MATCH, seen_stamp, tagged
from ..filters import SeasonFilters
from ..pagination import PAGE_PARAMETERS, Order, cursor_of, links, size_of, slice_of
from ..serializers.seasons import (
    ChangedSeasonSerializer,
    NewSeasonSerializer,
    SeasonPlaceSerializer,
    SeasonPrizesSerializer,
    SeasonSerializer,
    SeasonStandingSerializer,
    SeasonStateSerializer,
    SeasonVersionSerializer,
    SeasonWishSerializer,
    WholeSeasonSerializer,
    place_of,
)
from ..strict import OnlyKnownParameters
from .callers import caller_of, refusals, viewer_of
from .events import run_club

RULES = {"best": 20, "least": 10, "tie_breaks": ["best-evenings"]}
EXAMPLE = {
    "rules": RULES,
    "divisions": [{"name": "First", "members": [[1], [2]]}, {"name": "Second"}],
    "prizes": [{"name": "Winner", "division": 1}, {"name": "Best junior", "category": "junior"}],
    "evenings": [{"session": 1}, {"leg": 2, "weight": "2"}],
}


class Seasons(OnlyKnownParameters, GenericAPIView[Season]):
    """The seasons that everybody may read, and those that you run. Those who set up the tournaments of a club
    make one of it, and administrators of the federation one of the federation."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = SeasonSerializer
    queryset = Season.objects.none()
    is_paged = True
    row: ClassVar = SeasonSerializer
    filters = SeasonFilters

    @extend_schema(responses={200: SeasonSerializer(many=True), **refusals(400)})
    def get(self, request: Request) -> Response:
        seen = Season.objects.visible_to(viewer_of(request)).select_related("club")
        return self.get_paginated_response(SeasonSerializer(self.paginate_queryset(seen), many=True).data)

    @extend_schema(
        request=NewSeasonSerializer, responses={201: WholeSeasonSerializer, **refusals(400, 403, 409, 415)}
    )
    def post(self, request: Request) -> Response:
        caller = caller_of(request)
        club = run_club(caller)
        seasons.check_may_make(club=club, actor=caller)
        given = NewSeasonSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        name, before = given.validated_data["name"], given.validated_data.get("follows")
        if before is None:
            made = seasons.create(actor=caller, club=club, name=name)
        else:
            made = seasons.follow(season=season_before(caller, before), actor=caller, name=name)
        return answer(made.pk, status.HTTP_201_CREATED)


class OneSeason(OnlyKnownParameters, GenericAPIView[Season]):
    """A season, with its rules. Those who run it change it, and delete a draft: `If-Match` says what they
    have seen."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = WholeSeasonSerializer
    queryset = Season.objects.none()

    @extend_schema(responses={200: WholeSeasonSerializer, **refusals(404)})
    def get(self, request: Request, pk: int) -> Response:
        season, viewer = seen_season(request, pk), viewer_of(request)
        shown = WholeSeasonSerializer(season, is_run=seasons.may_run(season, viewer))
        return Response(shown.data, headers=tagged(seasons.stamp(season)))

    @extend_schema(
        parameters=[IF_MATCH],
        request=ChangedSeasonSerializer,
        responses={200: WholeSeasonSerializer, **refusals(400, 403, 404, 409, 412, 415, 428)},
        examples=[OpenApiExample("a season of two divisions", EXAMPLE, request_only=True)],
    )
    def patch(self, request: Request, pk: int) -> Response:
        season = run_season(request, pk)
        given = ChangedSeasonSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        seen = seen_stamp(request, seasons.stamp(season))
        seasons.change(season=season, actor=caller_of(request), seen=seen, **given.wish)
        return answer(pk)

    @extend_schema(
        parameters=[IF_MATCH], request=None, responses={204: None, **refusals(403, 404, 409, 412, 428)}
    )
    def delete(self, request: Request, pk: int) -> Response:
        season = run_season(request, pk)
        seen = seen_stamp(request, seasons.stamp(season))
        seasons.delete(season=season, actor=caller_of(request), seen=seen)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SeasonState(OnlyKnownParameters, GenericAPIView[Season]):
    """Those who run a season let everybody read it, and say that it is over."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = SeasonStateSerializer
    queryset = Season.objects.none()

    @extend_schema(
        request=SeasonStateSerializer,
        responses={200: WholeSeasonSerializer, **refusals(400, 403, 404, 415)},
    )
    def put(self, request: Request, pk: int) -> Response:
        season = run_season(request, pk)
        given = SeasonStateSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        seasons.change(season=season, actor=caller_of(request), state=given.validated_data["state"])
        return answer(pk)


class SeasonPlaces(OnlyKnownParameters, GenericAPIView[SeasonStanding]):
    """The standing of a season: a list of everybody, of pairs and teams, of a division or a category, with or
    without handicaps, as the newest version has it. Only evenings count whose rankings everybody may see."""

    serializer_class = SeasonStandingSerializer
    queryset = SeasonStanding.objects.none()
    parameters = tuple(SeasonWishSerializer().fields)
    is_paged, may_descend = True, False
    row: ClassVar = SeasonPlaceSerializer
    rows_in = "places"
    order: ClassVar[Order] = {"place": int}

    @extend_schema(
        parameters=[SeasonWishSerializer, *PAGE_PARAMETERS],
        responses={200: SeasonStandingSerializer, **refusals(400, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        season, viewer = seen_season(request, pk), viewer_of(request)
        given = {name: text for name, text in request.query_params.items() if name in self.parameters}
        wish = SeasonWishSerializer(data=given)
        wish.is_valid(raise_exception=True)
        cursor, size = cursor_of(request, self.order), size_of(request)
        version = season_standings.newest(season)
        lists: Sequence[SeasonWish] = ()
        shown: list[seasons.ShownRow] = []
        if version is not None:
            lists = seasons.wishes(season_standings.held(version))
            if (chosen := wish.chosen(lists)) is None:
                raise Http404
            shown = seasons.shown(version, chosen, reader_of(viewer))
        numbers, page = slice_of(len(shown), cursor, size)
        body = {
            "season": season.pk,
            "version": 0 if version is None else version.version,
            "created_at": None if version is None else version.created_at,
            "lists": lists,
            "count": len(shown),
            **links(request, page),
            "places": [place_of(one) for one in shown[numbers.start : numbers.stop]],
        }
        return Response(SeasonStandingSerializer(body).data)


class SeasonPrizes(OnlyKnownParameters, GenericAPIView[SeasonStanding]):
    """The prizes of a season, as they would be given if it ended now: nobody has two."""

    serializer_class = SeasonPrizesSerializer
    queryset = SeasonStanding.objects.none()

    @extend_schema(responses={200: SeasonPrizesSerializer, **refusals(404)})
    def get(self, request: Request, pk: int) -> Response:
        season, reader = seen_season(request, pk), reader_of(viewer_of(request))
        version = season_standings.newest(season)
        given = [] if version is None else seasons.prizes_of(season, version)
        people = seasons.names_of([key for one in given for key in one.winners], reader)
        body = {
            "season": season.pk,
            "version": 0 if version is None else version.version,
            "prizes": [
                {"name": one.name, "number": one.number, "winners": [people[key] for key in one.winners]}
                for one in given
            ],
        }
        return Response(SeasonPrizesSerializer(body).data)


class SeasonVersions(OnlyKnownParameters, GenericAPIView[SeasonStanding]):
    """The versions of the standing of a season, and what was other than before. Of an evening that everybody
    may see no more its id alone is told."""

    serializer_class = SeasonVersionSerializer
    queryset = SeasonStanding.objects.none()
    is_paged = True
    row: ClassVar = SeasonVersionSerializer
    page_order: ClassVar[Order] = {"version": int}

    @extend_schema(responses={200: SeasonVersionSerializer(many=True), **refusals(400, 404)})
    def get(self, request: Request, pk: int) -> Response:
        shown = self.paginate_queryset(season_standings.versions_of(seen_season(request, pk))) or []
        return self.get_paginated_response(SeasonVersionSerializer(map(news_of, shown), many=True).data)


def news_of(version: SeasonStanding) -> dict[str, Any]:
    news = [{"evening": evening, "what": what} for evening, what in version.news]
    return {"version": version.version, "created_at": version.created_at, "news": news}


def season_before(caller: Token, pk: int) -> Season:
    """A season that the caller runs; ValidationError for another."""
    found = Season.objects.managed_by(caller).filter(pk=pk).first()
    if found is None:
        raise ValidationError(
            {"follows": [_("This is not a season that you run: GET /seasons/ lists yours.")]}
        )
    return found


def answer(pk: int, status_code: int = status.HTTP_200_OK) -> Response:
    """A season as it is now, for whoever runs it."""
    season = Season.objects.select_related("club").get(pk=pk)
    shown = WholeSeasonSerializer(season, is_run=True)
    return Response(shown.data, status_code, headers=tagged(seasons.stamp(season)))


def seen_season(request: Request, pk: int) -> Season:
    """A season that the caller may read, or 404."""
    seen = Season.objects.visible_to(viewer_of(request)).select_related("club")
    return get_object_or_404(seen, pk=pk)


def run_season(request: Request, pk: int) -> Season:
    """A season that the caller runs: 401 without a token, 404 for one that they may not read, 403 for one
    that they may read but do not run."""
    caller = caller_of(request)
    season = seen_season(request, pk)
    if not seasons.may_run(season, caller):
        raise PermissionDenied
    return season
