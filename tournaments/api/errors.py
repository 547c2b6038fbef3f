"""Every error as a problem of one shape (`tournaments.problems`)."""

from typing import Any

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import exceptions, serializers, status
from rest_framework.response import Response
from rest_framework.views import exception_handler

from ..problems import KIND, MEDIA_TYPE, problem
from ..services import errors

STATUS: dict[type[errors.Refused], int] = {
    errors.Invalid: status.HTTP_400_BAD_REQUEST,
    errors.Forbidden: status.HTTP_403_FORBIDDEN,
    errors.Missing: status.HTTP_404_NOT_FOUND,
    errors.Conflict: status.HTTP_409_CONFLICT,
    errors.Stale: status.HTTP_412_PRECONDITION_FAILED,
}


@extend_schema_field(
    {"oneOf": [{"type": "object", "additionalProperties": {}}, {"type": "array", "items": {}}]}
)
class DetailsField(serializers.JSONField):
    """By field what is wrong with it, or the rows of a file with what is wrong with each."""


class ErrorDetailSerializer(serializers.Serializer[Any]):
    code = serializers.CharField(help_text="For programs; never translated.")
    message = serializers.CharField(help_text="For people, in their language.")
    details = DetailsField(required=False, help_text="What is wrong with each field or row.")


@extend_schema_serializer(deprecate_fields=["error"])
class ProblemSerializer(serializers.Serializer[Any]):
    """Problem details (RFC 9457). `error` is what programs read before there were any: it is deprecated."""

    type = serializers.CharField(
        help_text=f"What it is, as an address that leads nowhere: “{KIND}” and the code."
    )
    title = serializers.CharField(help_text="What its status says, for people, in their language.")
    status = serializers.IntegerField(help_text="That of the answer.")
    detail = serializers.CharField(
        help_text="What is wrong and what would be right, in the reader’s language."
    )
    code = serializers.CharField(help_text="For programs; never translated. docs/api.md lists them.")
    details = DetailsField(required=False, help_text="What is wrong with each field or row.")
    error = ErrorDetailSerializer()


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """The response to an error; None lets the server log it and answer 500."""
    if isinstance(error, errors.Refused):
        return _response(STATUS[type(error)], error.code, error.message, error.details)
    if isinstance(
        error, RecursionError | SuspiciousOperation
    ):  # JSON nested a thousand times; too many fields
        error = exceptions.ParseError()
    response = exception_handler(error, context)
    if response is None:
        return None
    code, message, details = _explanation(error, response)
    answered = _response(response.status_code, code, message, details)
    for name in ("WWW-Authenticate", "Retry-After"):
        if name in response.headers:
            answered.headers[name] = response.headers[name]
    return answered


def _explanation(error: Exception, response: Response) -> tuple[str, str, Any]:
    match error:
        case exceptions.ValidationError():
            return "invalid", _("Some fields are wrong."), response.data
        case Http404() | exceptions.NotFound():
            return "not-found", _("This does not exist, or you may not see it."), None
        case exceptions.NotAuthenticated():
            return "no-token", _("This needs a token: send the header “Authorization: Bearer etui_…”."), None
        case exceptions.AuthenticationFailed():
            return "bad-token", _("This token is unknown, has been revoked or has expired."), None
        case exceptions.PermissionDenied() | PermissionDenied():
            return "not-allowed", _("Your token does not allow this."), None
        case exceptions.Throttled():
            return "too-many-requests", _("Too many requests: please wait a moment."), None
        case exceptions.APIException():
            code = error.default_code.replace("_", "-")
            return code, str(error.detail), None
    return "error", str(error), None


def _response(status_code: int, code: str, message: str, details: Any) -> Response:
    body = problem(status_code, code, message, details)
    return Response(body, status=status_code, content_type=MEDIA_TYPE)
