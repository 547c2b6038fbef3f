"""`Idempotency-Key`: whoever does not know whether a creation has arrived sends it again under the same key,
and it is done once.

Every POST that creates something takes the header (`OnlyKnownParameters.idempotency`). A refusal is not kept:
nothing has happened, and the corrected request may have the same key. A result has a key in its body, which
is good for ever: of one result the header is this key, and says it if the body does not.
"""

import json
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import QueryDict
from django.utils.translation import gettext as _
from rest_framework import exceptions, status
from rest_framework.request import Request
from rest_framework.response import Response

from ..services import kept_answers
from ..services.kept_answers import Answered
from .authentication import confirmed_token
from .rendering import JSONRenderer

HEADER = "Idempotency-Key"
FORM = re.compile(r'"(?P<quoted>[!#-~]{1,255})"|(?P<bare>[!#-~]{1,255})')
KEPT, IN_THE_BODY, NO_KEYS = "kept", "in the body", "none"
"""What a view does with keys: it keeps its answers under them; it has its own; it creates nothing."""

KEPT_HEADERS = ("Location", "ETag")
REPLAYED = {"Idempotent-Replayed": "true"}


class BadKey(exceptions.APIException):
    """The header is not a key."""

    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "bad-key"


class KeyWasUsed(exceptions.APIException):
    """The same key with another request."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY
    default_code = "key-was-used"


def key_of(request: Request) -> str | None:
    """The key that a request brings, with quotation marks (as RFC 8941 has it) or without."""
    text = request.headers.get(HEADER)
    if text is None:
        return None
    form = FORM.fullmatch(text)
    if form is None:
        raise BadKey(_("“Idempotency-Key” must have from 1 to 255 visible characters."))
    return form["quoted"] or form["bare"]


def once(request: Request, key: str, handler: Callable[..., Response]) -> Callable[..., Response]:
    """The handler of a creation, which does it once for a key."""

    def handle(*args: Any, **kwargs: Any) -> Response:
        if request.auth is None:
            return handler(*args, **kwargs)  # which refuses it
        token = confirmed_token(request)
        try:
            taken = kept_answers.take(token=token, key=key, request=digest_of(request))
        except kept_answers.OtherRequest:
            raise key_was_used() from None
        if isinstance(taken, Answered):
            content = json.loads(taken.content) if taken.content else None
            return Response(content, status=taken.status, headers=dict(taken.headers) | REPLAYED)
        try:
            with transaction.atomic():
                response = handler(*args, **kwargs)
                kept_answers.keep(taken, _answered(response))
        except BaseException:
            kept_answers.give_back(taken)
            raise
        return response

    return handle


def key_was_used() -> KeyWasUsed:
    return KeyWasUsed(_("This “Idempotency-Key” was used for another request."))


def _answered(response: Response) -> Answered:
    headers = {name: response.headers[name] for name in KEPT_HEADERS if name in response.headers}
    return Answered(response.status_code, JSONRenderer().render(response.data), headers)


def digest_of(request: Request) -> str:
    """What is asked for: where, and with which body. The parts of a form are compared one by one: what stands
    between them is made anew each time."""
    digest = sha256(request.get_full_path().encode())
    if request.content_type.startswith("multipart/") and isinstance(request.data, QueryDict):
        for name, values in sorted(request.data.lists()):
            for value in values:
                if isinstance(value, UploadedFile):
                    content = value.read()
                    value.seek(0)
                else:
                    content = str(value).encode()
                digest.update(f"\n{name}\n{len(content)}\n".encode() + content)
    else:
        digest.update(b"\n" + request._request.body)
    return digest.hexdigest()


def with_key(request: Request) -> Any:
    """The body of a request to hand in one result, with its key: the header's where it has none itself."""
    key, data = key_of(request), request.data
    if key is None or not isinstance(data, Mapping):
        return data
    if str(data.get("key", key)).lower() != key.lower():
        raise key_was_used()
    return {"key": key, **data}
