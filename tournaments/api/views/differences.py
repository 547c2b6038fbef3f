"""Differences between versions of a ranking."""

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Ranking, Session
from ...services import differences, names, rankings
from ...services.names import reader_of
from ..conditional import answer
from ..pagination import Order
from ..serializers.differences import (
    SHOWN,
    RankingVersionSerializer,
    VersionDifferenceSerializer,
    VersionsWishSerializer,
    causes_data,
    moves_between_versions,
)
from ..strict import OnlyKnownParameters
from .callers import ranked_session, refusals, viewer_of


class RankingVersions(OnlyKnownParameters, ListAPIView[Ranking]):
    """Every version of the ranking, the oldest first: the digest of what it was made from, the version of the
    rules, and its sums and counts. While the session is played, of the live list for everybody but its
    officials: nothing in it is made from a board that is not over, a digest least of all."""

    serializer_class = RankingVersionSerializer
    queryset = Ranking.objects.none()
    is_paged = True
    row: ClassVar = RankingVersionSerializer
    page_order: ClassVar[Order] = {"version": int}

    def get_queryset(self) -> QuerySet[Ranking]:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        session, is_live = ranked_session(self.request, self.kwargs["pk"])
        return rankings.versions_of(session, is_live=is_live)

    @extend_schema(responses={200: RankingVersionSerializer(many=True), **refusals(400, 403, 404)})
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


class RankingDifference(OnlyKnownParameters, GenericAPIView[Ranking]):
    """Who moved between two versions of the ranking, and why: results, corrections, rulings, their reversals,
    or a recomputation. By default between the newest version and the one before it. While the session is
    played, of the live list for everybody but its officials: there, a board that is over is a cause."""

    serializer_class = VersionDifferenceSerializer
    queryset = Ranking.objects.none()
    parameters = ("from", "to")

    @extend_schema(
        parameters=[VersionsWishSerializer],
        responses={200: VersionDifferenceSerializer, 304: None, **refusals(400, 403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        session, is_live = ranked_session(request, pk)
        given = {name: text for name, text in request.query_params.items() if name in self.parameters}
        wish = VersionsWishSerializer(data=given)
        wish.is_valid(raise_exception=True)
        newest = session.tally.live_version if is_live else session.version
        last = wish.validated_data.get("to", newest)
        first = wish.validated_data.get("from", max(last - 1, 0))
        before, after = (self._version(session, number, is_live) for number in (first, last))
        return answer(request, session, lambda: self.difference(session, before, after), is_live=is_live)

    def difference(self, session: Session, before: Ranking, after: Ranking) -> Any:
        found = differences.between_versions(session, before, after)
        shown, causes = found.moves.contestants[:SHOWN], found.causes[:SHOWN]
        about = {one.contestant for one in causes if one.contestant is not None}
        named = names.of_contestants({*shown, *about}, reader_of(viewer_of(self.request)))
        played = differences.boards_of(found.causes, shown[: found.moves.own_count])
        return {
            **{"session": session.pk, "first": found.first, "last": found.last, "live": after.is_live},
            **{"count": len(found.moves), "cause_count": len(found.causes)},
            "causes": causes_data(causes, named),
            "moves": [
                {**data, "boards": played.get(contestant, [])}
                for contestant, data in zip(shown, moves_between_versions(found.moves, named), strict=True)
            ],
        }

    def _version(self, session: Session, number: int, is_live: bool) -> Ranking:
        """Before the first there is nothing."""
        if number == 0:
            return Ranking(session=session, version=0, position=0, layout=None, is_live=is_live)
        return get_object_or_404(rankings.versions_of(session, is_live=is_live), version=number)
