"""What stands before Django in a web process: requests are read whole before a thread is taken for them, and
answers are sent after it is free again. Whoever sends or reads slowly keeps nobody else waiting.

Since bodies and answers are whole, the step from ASGI to WSGI and back is one call in a thread, which costs a
third of what a bridge for parts of them costs.
"""

import asyncio
import json
import re
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import parse_cookie
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation.trans_real import parse_accept_lang_header

from ..problems import MEDIA_TYPE, TITLES, problem

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Receive = Callable[[], Awaitable[Message]]
Environ = dict[str, Any]

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

READ_SECONDS = 10  # for a whole request
WRITE_SECONDS = 60  # for a whole answer
LARGEST_BODY = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
LARGEST_FILE = 10_100_000  # a photograph as a phone takes it, or an archive, and the form around it
FILES = re.compile(
    r"/(?:\w\w/t/[^/]+/photos|\w\w/desk/clubs/[^/]+/archives|api/v1/sessions/\d+/slip-photos)/"
)
PAGE = """<!doctype html><html lang="{language}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title} – Étui</title>
<h1>{title}</h1><p>{message}</p></html>"""

# What was found out before Django was asked, in the environ of a request. No header has such a name.
COUNTED = "etui.counted"  # where its caller stands (limits.Count)
ANSWER = "etui.answer"  # what became of what it hands in (deliveries.Answer)


class Gone(Exception):
    """The caller left before the request was whole."""


class Headers:
    """The headers of a request, by lower-case name."""

    def __init__(self, scope: Message) -> None:
        self.scope = scope
        self.named = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}

    @cached_property
    def meta(self) -> dict[str, str]:
        """What says where a request came from, as Django names it."""
        client = self.scope.get("client") or ("", 0)
        return {
            "REMOTE_ADDR": client[0],
            "HTTP_X_FORWARDED_FOR": self.named.get("x-forwarded-for", ""),
        }

    @cached_property
    def cookies(self) -> dict[str, str]:
        return parse_cookie(self.named.get("cookie", ""))

    @cached_property
    def token(self) -> str:
        scheme, _space, text = self.named.get("authorization", "").partition(" ")
        return text.strip() if scheme.lower() == "bearer" else ""


@contextmanager
def speaking(headers: Headers) -> Iterator[None]:
    """In the caller's language."""
    for code, _weight in parse_accept_lang_header(headers.named.get("accept-language", "")):
        if (short := code[:2]) in dict(settings.LANGUAGES):
            break
    else:
        short = settings.LANGUAGE_CODE
    with translation.override(short):
        yield


async def refuse(
    send: Send,
    status: int,
    code: str,
    message: str,
    headers: Mapping[str, str] | None = None,
    details: Any = None,
) -> None:
    """An answer in the one shape of errors."""
    body = json.dumps(problem(status, code, message, details)).encode()
    await _say(send, status, body, {"content-type": MEDIA_TYPE, **(headers or {})})


async def _say(send: Send, status: int, body: bytes, headers: Mapping[str, str]) -> None:
    """Answer, and read nothing more."""
    lines = {"content-length": str(len(body)), "connection": "close", **headers}
    raw = [(name.lower().encode(), value.encode()) for name, value in lines.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})


async def _refuse_unread(headers: Headers, send: Send, status: int, code: str, message: str) -> None:
    """Refuse what Django was not asked: to a browser that shows a page, as one."""
    if headers.scope["path"].startswith("/api/") or "text/html" not in headers.named.get("accept", ""):
        await refuse(send, status, code, message)
        return
    title = translation.gettext(TITLES[status])
    page = PAGE.format(language=translation.get_language(), title=escape(title), message=escape(message))
    policy = {"content-security-policy": "default-src 'none'; frame-ancestors 'none'"}
    await _say(send, status, page.encode(), {"content-type": "text/html; charset=utf-8", **policy})


class Door:
    """An ASGI application that has its requests answered by a WSGI application, in so many threads."""

    def __init__(self, inside: "WSGIApplication", *, threads: int) -> None:
        self.inside = inside
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix="request")

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        body = await self.body(Headers(scope), receive, send)
        if body is not None:
            await self.answer(environ_of(scope, body), send)

    async def body(self, headers: Headers, receive: Receive, send: Send) -> bytes | None:
        """The whole body of a request; None where nobody waits for an answer any more, or has got it."""
        try:
            async with asyncio.timeout(READ_SECONDS):
                body = await whole(headers, receive)
        except Gone:
            return None
        except TimeoutError:
            with speaking(headers):
                message = _("The request did not arrive whole within %(seconds)d seconds.")
                await _refuse_unread(headers, send, 408, "too-slow", message % {"seconds": READ_SECONDS})
            return None
        if body is None:
            with speaking(headers):
                message = _("A request may have %(count)d bytes at most.") % {"count": largest(headers)}
                await _refuse_unread(headers, send, 413, "too-large", message)
        return body

    async def answer(self, environ: Environ, send: Send) -> None:
        """Have a request answered in a thread, and send that answer."""
        await sent(send, *await self.response(environ))

    async def response(self, environ: Environ) -> tuple[Message, bytes]:
        """The beginning of the answer to a request, and its content."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.threads, self._answer, environ)

    def _answer(self, environ: Environ) -> tuple[Message, bytes]:
        start: Message = {"type": "http.response.start"}
        written: list[bytes] = []

        def start_response(status: str, headers: list[tuple[str, str]], _error: Any = None) -> Any:
            start["status"] = int(status.partition(" ")[0])
            start["headers"] = [
                (name.lower().encode("latin-1"), text.encode("latin-1")) for name, text in headers
            ]
            return written.append

        parts = self.inside(environ, start_response)
        try:
            written.extend(parts)
        finally:
            if hasattr(parts, "close"):
                parts.close()
        return start, b"".join(written)


async def sent(send: Send, start: Message, content: bytes) -> None:
    """Send an answer, to whoever reads it."""
    async with asyncio.timeout(WRITE_SECONDS):
        await send(start)
        await send({"type": "http.response.body", "body": content})


def environ_of(scope: Message, body: bytes) -> Environ:
    """A whole request as WSGI has it (PEP 3333). A header whose name has an underscore is left out: it could
    not be told from one with a hyphen, whose word may be trusted."""
    server, client = scope.get("server") or ("localhost", 80), scope.get("client") or ("", 0)
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw, text in scope["headers"]:
        if b"_" in raw:
            continue
        name = raw.decode("latin-1").upper().replace("-", "_")
        key = name if name in {"CONTENT_TYPE", "CONTENT_LENGTH"} else f"HTTP_{name}"
        value = text.decode("latin-1")
        if key in environ:
            value = f"{environ[key]}{'; ' if name == 'COOKIE' else ','}{value}"
        environ[key] = value
    environ["CONTENT_LENGTH"] = str(len(body))
    return environ


def largest(headers: Headers) -> int:
    """How many bytes the body of a request may have: more where photographs and archives are sent."""
    return LARGEST_FILE if FILES.fullmatch(headers.scope["path"]) else LARGEST_BODY


async def whole(headers: Headers, receive: Receive) -> bytes | None:
    """The body of a request; None for one that is too large."""
    most = largest(headers)
    announced = headers.named.get("content-length", "0")
    if announced.isdecimal() and int(announced) > most:
        return None
    parts: list[bytes] = []
    length = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        parts.append(message.get("body", b""))
        length += len(parts[-1])
        if length > most:
            return None
        if not message.get("more_body", False):
            return b"".join(parts)
