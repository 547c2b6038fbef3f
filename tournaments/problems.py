"""The one shape of errors: problem details (RFC 9457), with a code for programs.

`error` repeats the code, the message and the details as `v1` has told them from the first. Programs that read
it go on; it is marked as deprecated in the description.
"""

from collections.abc import Mapping
from typing import Any

from django.http import JsonResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

MEDIA_TYPE = "application/problem+json"
KIND = "urn:problem-type:etui:"
"""What the `type` of a problem begins with: an address that names it, and leads nowhere."""

TITLES: Mapping[int, str] = {
    400: gettext_noop("Something in the request is wrong"),
    401: gettext_noop("A valid token is needed"),
    403: gettext_noop("Not allowed"),
    404: gettext_noop("Not there, or not to be seen"),
    405: gettext_noop("Unknown method"),
    406: gettext_noop("No answer of this kind"),
    408: gettext_noop("Too slow"),
    409: gettext_noop("Not possible as things are"),
    412: gettext_noop("Changed meanwhile"),
    413: gettext_noop("Too large"),
    415: gettext_noop("Unknown kind of content"),
    422: gettext_noop("The key was used for another request"),
    428: gettext_noop("The request does not say what it changes"),
    429: gettext_noop("Too many requests"),
    500: gettext_noop("Internal error"),
    503: gettext_noop("Away for a moment"),
}


def problem(status: int, code: str, message: str, details: Any = None) -> dict[str, Any]:
    """The body of an answer that refuses something, in the reader's language."""
    more = {} if details is None else {"details": details}
    return {
        "type": KIND + code,
        "title": _(TITLES[status]),
        "status": status,
        "detail": message,
        "code": code,
        **more,
        "error": {"code": code, "message": message, **more},
    }


def problem_response(status: int, code: str, message: str) -> JsonResponse:
    """Such an answer where the framework of the API is not asked."""
    return JsonResponse(problem(status, code, message), status=status, content_type=MEDIA_TYPE)
