"""Results: what was handed in, the ranking, the history."""

from functools import cached_property
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.generics import GenericAPIView, ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ...models import Event, Play, Ranking, Session, Submission
from ...services import rankings, submissions
from ..serializers.boards import PlaySerializer
from ..serializers.results import (
    EntriesSerializer,
    EntrySerializer,
    EventSerializer,
    RankingSerializer,
    SubmissionSerializer,
    SubmissionsSerializer,
)
from ..strict import OnlyKnownParameters
from .callers import caller_of, organised_session, refusals, seen_session, viewer_of
from .seen import plays_with_all


@extend_schema(responses={200: PlaySerializer(many=True), **refusals(404)})
class SessionPlays(OnlyKnownParameters, ListAPIView[Play]):
    """Who sits where, and the results: your own plays, or all of them once the session is over."""

    serializer_class = PlaySerializer
    queryset = Play.objects.none()

    def get_queryset(self) -> QuerySet[Play]:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        visible = Play.objects.visible_to(viewer_of(self.request)).filter(
            table__section__session=self.session
        )
        return plays_with_all().filter(pk__in=visible)

    def get_serializer_context(self) -> dict[str, Any]:
        if getattr(self, "swagger_fake_view", False):
            return {}
        return {**super().get_serializer_context(), "awards": rankings.AwardBook(self.session)}

    @cached_property
    def session(self) -> Session:
        return seen_session(self.request, self.kwargs["pk"])


class SessionSubmissions(OnlyKnownParameters, ListAPIView[Submission]):
    """What was handed in for the tables in your charge, the newest last; and where to hand in one result."""

    serializer_class = SubmissionSerializer
    queryset = Submission.objects.none()

    def get_queryset(self) -> QuerySet[Submission]:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        session = seen_session(self.request, self.kwargs["pk"])
        visible = Submission.objects.visible_to(caller_of(self.request))
        visible = visible.filter(play__table__section__session=session)
        return visible.select_related("play__table__section", "play__board")

    @extend_schema(responses={200: SubmissionSerializer(many=True), **refusals(404)})
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request=EntrySerializer,
        responses={202: SubmissionSerializer, **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        session = entered_session(request, pk)
        given = EntrySerializer(data=request.data)
        given.is_valid(raise_exception=True)
        stored = submissions.submit(
            session=session, sender=caller_of(request), entries=[given.validated_data]
        )
        return Response(SubmissionSerializer(stored[0]).data, status=status.HTTP_202_ACCEPTED)


class SessionSubmissionsInBulk(OnlyKnownParameters, GenericAPIView[Submission]):
    """Hand in many results at once: either all of them are accepted, or none."""

    serializer_class = EntriesSerializer
    queryset = Submission.objects.none()

    @extend_schema(
        request=EntriesSerializer,
        responses={202: SubmissionsSerializer, **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        session = entered_session(request, pk)
        given = EntriesSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        stored = submissions.submit(
            session=session, sender=caller_of(request), entries=given.validated_data["submissions"]
        )
        return Response(SubmissionsSerializer({"submissions": stored}).data, status=status.HTTP_202_ACCEPTED)


def entered_session(request: Request, pk: int) -> Session:
    """A session for which the caller may enter at least some results; players and strangers may not."""
    caller = caller_of(request)
    session = seen_session(request, pk)
    if not Play.objects.entered_by(caller).filter(table__section__session=session).exists():
        raise PermissionDenied
    return session


@extend_schema(responses={200: SubmissionSerializer, **refusals(404)})
class OneSubmission(OnlyKnownParameters, RetrieveAPIView[Submission]):
    serializer_class = SubmissionSerializer
    queryset = Submission.objects.none()

    def get_queryset(self) -> QuerySet[Submission]:
        visible = Submission.objects.visible_to(viewer_of(self.request))
        return visible.select_related("play__table__section", "play__board")


class SessionRanking(OnlyKnownParameters, GenericAPIView[Ranking]):
    """The newest version of the ranking. Send its ETag back as If-None-Match to be told only of changes."""

    serializer_class = RankingSerializer
    queryset = Ranking.objects.none()

    @extend_schema(responses={200: RankingSerializer, 304: None, **refusals(404)})
    def get(self, request: Request, pk: int) -> Response:
        visible = Session.objects.ranking_visible_to(viewer_of(request)).select_related("tally")
        session = get_object_or_404(visible, pk=pk)
        etag = f'"{session.pk}-{session.version}-{session.state}"'
        headers = {"ETag": etag, "Cache-Control": "no-cache"}
        if etag in [
            tag.strip().removeprefix("W/") for tag in request.headers.get("If-None-Match", "").split(",")
        ]:
            return Response(status=status.HTTP_304_NOT_MODIFIED, headers=headers)
        ranking = rankings.newest(session) or Ranking(session=session, version=0)
        return Response(RankingSerializer(ranking).data, headers=headers)


@extend_schema(responses={200: EventSerializer(many=True), **refusals(403, 404)})
class SessionHistory(OnlyKnownParameters, ListAPIView[Event]):
    """Who did what, and when. For the organiser."""

    serializer_class = EventSerializer
    queryset = Event.objects.none()

    def get_queryset(self) -> QuerySet[Event]:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        return Event.objects.filter(session=organised_session(self.request, self.kwargs["pk"]))


@extend_schema(exclude=True)
class Nothing(APIView):
    """Every other address: it answers with the same shape of error."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise NotFound
