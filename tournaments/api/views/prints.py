"""What is printed of a session: a job makes a file, and whoever asked for it fetches it."""

from typing import ClassVar

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.exceptions import PermissionDenied
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Job, Token
from ...services import jobs, prints
from ..serializers.jobs import JobSerializer
from ..serializers.prints import NewPrintSerializer
from ..strict import OnlyKnownParameters
from .callers import caller_of, refusals, seen_session
from .jobs import job_answer


class SessionPrints(OnlyKnownParameters, GenericAPIView[Job]):
    """Table cards, guide cards, result slips, travelling sheets, labels, seats, rankings and hands as one
    PDF: a job. Each may have what they see: dealing lists whoever has custody of the boards, hands once a
    board is over."""

    scopes: ClassVar = (Token.Scope.READ,)
    serializer_class = NewPrintSerializer
    queryset = Job.objects.none()

    @extend_schema(
        request=NewPrintSerializer,
        responses={202: JobSerializer, **refusals(400, 403, 404, 415)},
        examples=[
            OpenApiExample(
                "for an evening in French",
                {"kinds": ["table-cards", "guide-cards", "slips"], "size": "A4", "language": "fr"},
            )
        ],
    )
    def post(self, request: Request, pk: int) -> Response:
        caller, session = caller_of(request), seen_session(request, pk)
        account = prints.account_of(caller)
        if account is None or not prints.allowed(account, session):
            raise PermissionDenied
        given = NewPrintSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        base = (settings.PUBLIC_URL or request.build_absolute_uri("/")).rstrip("/")
        job = jobs.ask_for_prints(
            session=session, sender=caller, request=given.validated_data | {"base": base}
        )
        return job_answer(job)


class OnePrint(OnlyKnownParameters, GenericAPIView[Job]):
    """The PDF that a job has made, for whoever asked for it; it is kept for a day."""

    serializer_class = NewPrintSerializer
    queryset = Job.objects.none()

    @extend_schema(responses={(200, "application/pdf"): OpenApiTypes.BINARY, **refusals(403, 404)})
    def get(self, request: Request, pk: str) -> HttpResponse:
        caller = caller_of(request)
        jobs_of_caller = Job.objects.visible_to(caller).select_related(
            "session__tournament__club", "session__board_set"
        )
        job = get_object_or_404(jobs_of_caller, pk=pk)
        content = prints.content(job=job, actor=caller)
        return HttpResponse(content, content_type="application/pdf", headers={"Cache-Control": "no-store"})
