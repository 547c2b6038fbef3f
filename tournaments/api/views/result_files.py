"""Files of results, brought as on the page where spreadsheets are."""

from typing import ClassVar

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Section, Session, Token
from ...services import brought_results, result_files
from ...services.register_files import Effect
from ..serializers.result_files import FileEffectsSerializer, ResultFileSerializer
from ..strict import OnlyKnownParameters
from .callers import caller_of, refusals, seen_session

EXAMPLE = {"new": 12, "changed": 0, "same": 0}


class SessionResultFiles(OnlyKnownParameters, GenericAPIView[Session]):
    """Whoever scores a session brings a file of its results, or of its plays card by card: all of it is
    handed in, or nothing. A refusal (`slips`) names every row that is wrong, by its `line`. What was there
    already is not handed in again, and a file in which nothing is new is refused (`nothing-new`). A dry run
    says the same and hands nothing in; it looks at what was dealt only where a board is over."""

    scopes: ClassVar = (Token.Scope.ENTER,)
    serializer_class = ResultFileSerializer
    queryset = Session.objects.none()
    parser_classes = [MultiPartParser]

    @extend_schema(
        request={"multipart/form-data": ResultFileSerializer},
        responses={
            200: FileEffectsSerializer,
            202: FileEffectsSerializer,
            **refusals(400, 403, 404, 409, 415),
        },
        examples=[OpenApiExample("a file", EXAMPLE, response_only=True)],
    )
    def post(self, request: Request, pk: int) -> Response:
        caller, session = caller_of(request), seen_session(request, pk)
        if not Section.objects.scored_by(caller).filter(session=session).exists():
            self.permission_denied(request)
        given = ResultFileSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        text, reason = given.validated_data["file"], given.validated_data["reason"]
        shown = brought_results.preview(session=session, account=caller, text=text)
        if given.validated_data["dry_run"]:
            result_files.check_rows(shown)
            done = {kind: len(shown.of_kind(kind)) for kind in Effect}
        else:
            done = result_files.store(session=session, sender=caller, shown=shown, reason=reason)
        found = {str(kind): done[kind] for kind in (Effect.NEW, Effect.CHANGED, Effect.SAME)}
        is_dry = given.validated_data["dry_run"]
        return Response(found, status.HTTP_200_OK if is_dry else status.HTTP_202_ACCEPTED)
