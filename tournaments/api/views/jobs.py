"""Long work: how far it is, and the answer to whoever asks for some."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Job, Token
from ...services import jobs
from ..serializers.jobs import JobSerializer, JobStateSerializer
from ..strict import OnlyKnownParameters
from .callers import caller_of, refusals


def job_answer(job: Job) -> Response:
    """The answer to whoever has asked for long work: the job, and where to see what comes of it."""
    where = {"Location": reverse("job", args=[job.pk])}
    return Response(JobSerializer(job).data, status=status.HTTP_202_ACCEPTED, headers=where)


@extend_schema(responses={200: JobSerializer, **refusals(404)})
class OneJob(OnlyKnownParameters, RetrieveAPIView[Job]):
    """Long work that an organiser of your club has asked for: planning, or reading a file. Ask again every
    second or so until its `state` is `done`, `failed` or `cancelled`; people may look at `/jobs/{id}/`."""

    serializer_class = JobSerializer
    queryset = Job.objects.none()

    def get_queryset(self) -> QuerySet[Job]:
        return Job.objects.visible_to(caller_of(self.request))


class JobState(OnlyKnownParameters, GenericAPIView[Job]):
    """The organiser gives a job up. One that is over stays as it is."""

    scopes = (Token.Scope.MANAGE, Token.Scope.DIRECT)
    serializer_class = JobStateSerializer
    queryset = Job.objects.none()

    @extend_schema(responses={200: JobSerializer, **refusals(400, 404, 415)})
    def put(self, request: Request, pk: str) -> Response:
        job = get_object_or_404(Job.objects.visible_to(caller_of(request)), pk=pk)
        given = JobStateSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return Response(JobSerializer(jobs.cancel(job=job)).data)
