"""Ratings of a club's players, and the divisions of the next season."""

from typing import ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import PlayerRating, Token, Tournament
from ...services import divisions, jobs, names, ratings
from ...services.names import reader_of
from ..pagination import PAGE_PARAMETERS, Order, cursor_of, links, size_of, slice_of
from ..serializers.jobs import JobSerializer
from ..serializers.ratings import (
    DivisionsWishSerializer,
    RatingSerializer,
    RatingsWishSerializer,
    TournamentDivisionsSerializer,
    rating_data,
)
from ..strict import OnlyKnownFields, OnlyKnownParameters
from .callers import caller_of, known_club, refusals, viewer_of
from .jobs import job_answer
from .penalties import organised_club


class NothingSerializer(OnlyKnownFields):
    """There is nothing to say."""


class Ratings(OnlyKnownParameters, GenericAPIView[PlayerRating]):
    """How strong a club's players are at a game, with the uncertainty: of those who have agreed to their
    names on pages; of all, for those who run the club. Its organisers have them made, evening by evening: a
    job. From then on they follow what is published and amended, until somebody has them forgotten."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = NothingSerializer
    queryset = PlayerRating.objects.none()
    is_paged, may_descend = True, False
    row: ClassVar = RatingSerializer
    parameters = ("game",)
    order: ClassVar[Order] = {"place": int}

    @extend_schema(
        parameters=[RatingsWishSerializer, *PAGE_PARAMETERS],
        responses={200: RatingSerializer(many=True), **refusals(400, 404)},
    )
    def get(self, request: Request, club: str) -> Response:
        place = known_club(request, club)
        given = {name: text for name, text in request.query_params.items() if name in self.parameters}
        wish = RatingsWishSerializer(data=given)
        wish.is_valid(raise_exception=True)
        reader = reader_of(viewer_of(request))
        found = ratings.of(place, wish.validated_data.get("game"), reader)
        cursor, size = cursor_of(request, self.order), size_of(request)
        numbers, page = slice_of(len(found), cursor, size)
        shown = found[numbers.start : numbers.stop]
        named = names.of_players([one.player_id for _rank, one in shown], reader) if shown else {}
        rows = [rating_data(rank, one, named[one.player_id]) for rank, one in shown]
        return Response({**links(request, page), "results": RatingSerializer(rows, many=True).data})

    @extend_schema(
        request=NothingSerializer, responses={202: JobSerializer, **refusals(400, 403, 404, 409, 415)}
    )
    def post(self, request: Request, club: str) -> Response:
        place = organised_club(request, club)
        given = NothingSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return job_answer(jobs.ask_to_rate(club=place, sender=caller_of(request)))

    @extend_schema(request=None, responses={204: None, **refusals(403, 404)})
    def delete(self, request: Request, club: str) -> Response:
        ratings.forget(club=organised_club(request, club), actor=caller_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class TournamentDivisions(OnlyKnownParameters, GenericAPIView[Tournament]):
    """The divisions of the next season, from the rankings of sessions that are divisions: who goes up, who
    comes down. A tie across a border is refused: a list with tie-breaks may decide it."""

    serializer_class = TournamentDivisionsSerializer
    queryset = Tournament.objects.none()
    parameters = tuple(DivisionsWishSerializer().fields)

    @extend_schema(
        parameters=[DivisionsWishSerializer],
        responses={200: TournamentDivisionsSerializer, **refusals(400, 404, 409)},
    )
    def get(self, request: Request, pk: int) -> Response:
        viewer = viewer_of(request)
        tournament = get_object_or_404(Tournament.objects.visible_to(viewer), pk=pk)
        wish = DivisionsWishSerializer(data=request.query_params.dict())
        wish.is_valid(raise_exception=True)
        found = divisions.of(tournament, viewer, wish.wish)
        players = {one for part in found for mover in part.contestants for one in mover.players if one > 0}
        named = names.of_players(players, reader_of(viewer)) if players else {}
        body = [
            {
                **{"division": place, "session": part.session.pk},
                "contestants": [
                    {
                        "players": [named[one] for one in mover.players if one > 0],
                        **{"before": mover.before, "rank": mover.rank},
                    }
                    for mover in part.contestants
                ],
            }
            for place, part in enumerate(found, 1)
        ]
        return Response(TournamentDivisionsSerializer({"tournament": tournament.pk, "divisions": body}).data)
