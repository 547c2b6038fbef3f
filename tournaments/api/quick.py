"""Results that are handed in, read before Django: what is plainly right is stored and answered on the event
loop, without a thread. There is one API nonetheless: whatever is unusual or refused is answered by Django,
which gets the request as it came, together with what has been found out.

What is right is what `plain_entries` reads. How an answer looks is asked of Django, once for each language
and kind.
"""

import logging
import re
from http import HTTPStatus
from time import perf_counter
from types import SimpleNamespace
from typing import cast
from uuid import UUID

from django.conf import settings
from django.http.request import HttpRequest, split_domain_port, validate_host
from django.urls import reverse
from django.utils import timezone, translation

from .. import metrics, traces, tracing
from ..limits import Count, is_trusted, limiter
from ..services import tokens
from ..services.deliveries import Delivery, Stored
from ..services.writer import Writer
from .door import ANSWER, COUNTED, Door, Environ, Headers, Message, Receive, Send, environ_of, sent
from .rendering import JSONRenderer
from .serializers import plain_entries
from .serializers.results import submission_data

log = logging.getLogger(__name__)

OPERATIONS = ("session-submissions", "session-submissions-bulk")
ADDRESS = re.compile(r"/api/v1/sessions/([0-9]{1,18})/submissions/(bulk/)?")
JSON = {"application/json", "application/json; charset=utf-8", "application/json;charset=utf-8"}
ANY = {"*/*", "application/json"}
RATES = {f"ratelimit-{name}".encode() for name in ("limit", "remaining", "reset")}
VARYING = {b"content-length", b"location", tracing.HEADER.lower().encode()} | RATES

Raw = list[tuple[bytes, bytes]]


# ── Who sends it ──────────────────────────────────────────────────────────────────────────────────


def is_usual(scope: Message, headers: Headers) -> bool:
    """Whether Django would have nothing to say about a request but the answer of its view."""
    named = headers.named
    return (
        len(named) == len(scope["headers"])
        and not scope["query_string"]
        and "idempotency-key" not in named
        and named.get("content-type", "").lower() in JSON
        and named.get("accept", "*/*") in ANY
        and settings.LANGUAGE_COOKIE_NAME not in named.get("cookie", "")
        and bool(host := split_domain_port(named.get("host", ""))[0])
        and validate_host(host, settings.ALLOWED_HOSTS)
        and (is_secure(scope, headers) or not settings.SECURE_SSL_REDIRECT)
    )


def is_secure(scope: Message, headers: Headers) -> bool:
    """Whether the caller came by HTTPS, as Django finds it out (and `limits.believe_proxies`)."""
    peer = (scope.get("client") or ("",))[0]
    if settings.SECURE_PROXY_SSL_HEADER and (not settings.TRUSTED_PROXIES or is_trusted(peer)):
        name, secure = settings.SECURE_PROXY_SSL_HEADER
        if (said := headers.named.get(name.removeprefix("HTTP_").replace("_", "-").lower())) is not None:
            return bool(said.split(",")[0].strip() == secure)
    return bool(scope["scheme"] == "https")


def language_of(headers: Headers) -> str:
    """The caller's language, as Django finds it out."""
    meta = {"HTTP_ACCEPT_LANGUAGE": headers.named.get("accept-language", "")}
    return translation.get_language_from_request(cast(HttpRequest, SimpleNamespace(COOKIES={}, META=meta)))


# ── The answers ───────────────────────────────────────────────────────────────────────────────────


class Quick:
    """The ASGI application for results, before the `door` to Django."""

    def __init__(self, door: Door, writer: Writer) -> None:
        self.door, self.writer = door, writer
        self.looks: dict[tuple[str, bool, bool], Raw] = {}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        headers = Headers(scope)
        body = await self.door.body(headers, receive, send)
        if body is None:
            return
        begun = perf_counter()
        number = tracing.id_for(headers.named.get("x-request-id", ""), headers.meta["REMOTE_ADDR"])
        found: Environ = {tracing.REQUEST_ID: number}
        if scope["method"] == "POST" and is_usual(scope, headers):
            operation = OPERATIONS[scope["path"].endswith("/bulk/")]
            with traces.span(f"POST {operation}", tracing.traced_to(headers.meta)) as span:
                answer = await self._answer(scope, headers, body, found)
                if span is not None:
                    span.set_attributes({"etui.request": number, "etui.stored": answer is not None})
            if answer is not None:
                metrics.answered(operation, "POST", HTTPStatus.ACCEPTED, perf_counter() - begun)
                await sent(send, *answer)
                return
        await self.door.answer(environ_of(scope, body) | found, send)

    async def _answer(
        self, scope: Message, headers: Headers, body: bytes, found: Environ
    ) -> tuple[Message, bytes] | None:
        """What a caller is answered whose results are stored; None for any other. `found`: what was found
        out."""
        address = ADDRESS.fullmatch(scope["path"])
        claim = tokens.claim_of(headers.token)
        if address is None or claim is None:
            return None
        many = address[2] is not None
        entries = plain_entries.read(body, many=many)
        if entries is None:
            return None
        calls = found[COUNTED] = limiter.count("token", claim.prefix)
        if not calls.is_allowed:
            return None
        language = language_of(headers)
        number = found[tracing.REQUEST_ID]
        origin = {tracing.HEADERS: number, **traces.carried()}
        delivery = Delivery(int(address[1]), claim, entries, language, origin)
        answer = found[ANSWER] = await self.writer.bring(delivery)
        if isinstance(answer, Exception):
            return None
        look = await self._look(headers.named["host"], is_secure(scope, headers), language, many=many)
        if look is None:
            return None
        start, content = written(answer, calls, language, look, many=many)
        start["headers"].append((tracing.HEADER.lower().encode(), number.encode()))
        return start, content

    async def _look(self, host: str, secure: bool, language: str, *, many: bool) -> Raw | None:
        """The headers of an answer, but for those that vary: what Django answers to an example of a request
        whose answer is known already. None where that is not the answer that it should be."""
        kind = language, secure, many
        if kind not in self.looks:
            start, content = await self.door.response(example_of(host, *kind))
            if start["status"] != HTTPStatus.ACCEPTED:
                log.error("Django answers results by %d: %r", start["status"], content[:500])
                return None
            self.looks[kind] = [line for line in start["headers"] if line[0] not in VARYING]
        return self.looks[kind]


def example_of(host: str, language: str, secure: bool, many: bool) -> Environ:
    """A request to hand in a result that has been stored."""
    scope: Message = {
        **{"method": "POST", "http_version": "1.1", "scheme": "https" if secure else "http"},
        **{"path": f"/api/v1/sessions/1/submissions/{'bulk/' if many else ''}", "query_string": b""},
        "headers": [(b"content-type", b"application/json"), (b"host", host.encode("latin-1"))],
    }
    stored = Stored(1, UUID(int=0), 1, "A", 1, 1, "pending", None, {}, timezone.now(), None)
    environ = environ_of(scope, b"{}") | {COUNTED: Count(1, 1, 1), ANSWER: [stored]}
    environ |= {"HTTP_AUTHORIZATION": f"Bearer etui_{'0' * 8}_{'0' * 43}", "HTTP_ACCEPT_LANGUAGE": language}
    if secure and settings.SECURE_PROXY_SSL_HEADER:
        environ |= dict([settings.SECURE_PROXY_SSL_HEADER])
    return environ


def written(
    stored: list[Stored], calls: Count, language: str, look: Raw, *, many: bool
) -> tuple[Message, bytes]:
    """The answer to results that are stored."""
    shown = [submission_data(one, language) for one in stored]
    content = JSONRenderer().render({"submissions": shown} if many else shown[0])
    varying = calls.headers | {"content-length": str(len(content))}
    if not many:
        varying["location"] = reverse("submission", args=[stored[0].pk])
    headers = [*look, *((name.lower().encode(), value.encode()) for name, value in varying.items())]
    return {"type": "http.response.start", "status": HTTPStatus.ACCEPTED, "headers": headers}, content
