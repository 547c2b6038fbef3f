"""Robots rehearse a session."""

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.exceptions import PermissionDenied
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Job, Session, Token
from ...services import jobs
from ..serializers.jobs import JobSerializer
from ..serializers.rehearsals import NewRehearsalSerializer
from ..strict import OnlyKnownParameters
from .callers import caller_of, refusals, with_rest
from .jobs import job_answer


class Rehearsals(OnlyKnownParameters, GenericAPIView[Job]):
    """Robots play a copy of a session that you run, with a seed of its own, which is deleted after: a job.
    One of a session at a time."""

    scopes = (Token.Scope.DIRECT,)
    serializer_class = NewRehearsalSerializer
    queryset = Job.objects.none()

    @extend_schema(
        request=NewRehearsalSerializer,
        responses={202: JobSerializer, **refusals(400, 403, 404, 409, 415)},
        examples=[
            OpenApiExample(
                "in five minutes, without a no-show", {"session": 7, "seconds": 300, "no_show": False}
            )
        ],
    )
    def post(self, request: Request) -> Response:
        caller = caller_of(request)
        own = Session.objects.directed_by(caller)
        if not own.exists():
            raise PermissionDenied
        given = NewRehearsalSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wish = given.validated_data
        session = get_object_or_404(with_rest(own), pk=wish.pop("session"))
        job = jobs.ask_for_rehearsal(session=session, sender=caller, request=wish)
        return job_answer(job)
