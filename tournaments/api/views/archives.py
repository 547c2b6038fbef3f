"""Archives: made by a job, fetched by whoever asked for one, and taken in elsewhere."""

from typing import ClassVar

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Job, Token
from ...services import archives, jobs
from ..serializers.archives import ArchiveUploadSerializer, NewArchiveSerializer
from ..serializers.jobs import JobSerializer
from ..strict import OnlyKnownParameters
from .callers import caller_of, organised_session, organised_tournament, refusals
from .jobs import job_answer

ZIP = "application/zip"


class SessionArchives(OnlyKnownParameters, GenericAPIView[Job]):
    """Those who run a session take it whole, once it has been played, as one zipped folder: a job. What was
    dealt is in it once the list is public; names are those that everybody may read."""

    scopes: ClassVar = (Token.Scope.DIRECT,)
    serializer_class = NewArchiveSerializer
    queryset = Job.objects.none()

    @extend_schema(
        request=NewArchiveSerializer,
        responses={202: JobSerializer, **refusals(400, 403, 404, 409, 415)},
        examples=[OpenApiExample("the archive of a session", {}, request_only=True)],
    )
    def post(self, request: Request, pk: int) -> Response:
        caller, session = caller_of(request), organised_session(request, pk)
        NewArchiveSerializer(data=request.data).is_valid(raise_exception=True)
        return job_answer(jobs.ask_for_archive(tournament=session.tournament, session=session, sender=caller))


class TournamentArchives(OnlyKnownParameters, GenericAPIView[Job]):
    """An organiser takes all sessions of a tournament that have been played, as one archive: a job."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = NewArchiveSerializer
    queryset = Job.objects.none()

    @extend_schema(
        request=NewArchiveSerializer,
        responses={202: JobSerializer, **refusals(400, 403, 404, 409, 415)},
        examples=[OpenApiExample("the archive of a tournament", {}, request_only=True)],
    )
    def post(self, request: Request, pk: int) -> Response:
        caller, tournament = caller_of(request), organised_tournament(request, pk)
        NewArchiveSerializer(data=request.data).is_valid(raise_exception=True)
        return job_answer(jobs.ask_for_archive(tournament=tournament, session=None, sender=caller))


class ArchivedSessions(OnlyKnownParameters, GenericAPIView[Job]):
    """An organiser brings an archive, and its sessions become sessions of this tournament, with the same
    rankings: a job, which names them in its `outcome`. One thing wrong, and it fails and stores nothing."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = ArchiveUploadSerializer
    queryset = Job.objects.none()
    parser_classes = [MultiPartParser]

    @extend_schema(
        request={"multipart/form-data": ArchiveUploadSerializer},
        responses={202: JobSerializer, **refusals(400, 403, 404, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        caller, tournament = caller_of(request), organised_tournament(request, pk)
        given = ArchiveUploadSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        content = given.validated_data["file"]
        return job_answer(jobs.ask_to_unpack(tournament=tournament, sender=caller, content=content))


class OneArchive(OnlyKnownParameters, GenericAPIView[Job]):
    """The archive that a job has made, for whoever asked for it; it is kept for a day."""

    serializer_class = NewArchiveSerializer
    queryset = Job.objects.none()

    @extend_schema(
        responses={(200, ZIP): OpenApiTypes.BINARY, **refusals(404)},
    )
    def get(self, request: Request, pk: str) -> HttpResponse:
        caller = caller_of(request)
        own = Job.objects.visible_to(caller).select_related("tournament__club", "session__tournament")
        content = archives.content(job=get_object_or_404(own, pk=pk), actor=caller)
        return HttpResponse(content, content_type=ZIP, headers={"Cache-Control": "no-store"})
