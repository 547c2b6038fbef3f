"""By which ids what happens can be followed through the logs: of a request, its session and who acts, from
the web process through the queue to the worker, and there of the task. Ids alone: never names or addresses.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from time import perf_counter
from types import MappingProxyType
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from . import metrics, traces
from .limits import is_trusted

REQUEST_ID = "etui.request"  # in the environ of a request that has an id before Django is asked
HEADER = "X-Request-ID"
GIVEN = re.compile(r"[0-9A-Za-z_-]{8,64}")
OF_SESSION = re.compile(r"sessions/<int:pk>/")

_ids: ContextVar[Mapping[str, str | int]] = ContextVar("ids", default=MappingProxyType({}))
_span: ContextVar[AbstractContextManager[Any] | None] = ContextVar("span", default=None)
"""Of the task that is at work here."""
_answering: ContextVar[HttpRequest | None] = ContextVar("answering", default=None)


def ids() -> dict[str, str | int]:
    """By which a line of the logs that is written now is followed."""
    who = actor()
    return {**_ids.get(), **({"actor": who} if who else {})}


def request_id() -> str:
    """Of the request that is being answered here, or from which the work at hand has come; else nothing."""
    return str(_ids.get().get("request", ""))


@contextmanager
def working_for(origin: Mapping[str, str]) -> Iterator[None]:
    """What is done inside is done for a request that another thread answers. `origin`: its `headers`."""
    before = _ids.set({**_ids.get(), "request": origin.get(HEADERS, "")})
    try:
        with traces.inside(origin):
            yield
    finally:
        _ids.reset(before)


def actor() -> str:
    """Who has the request at hand, as far as anything has asked: their number, and what it is a number of."""
    request = _answering.get()
    if request is None:
        return ""
    if (token := getattr(getattr(request, "auth", None), "pk", None)) is not None:  # what is claimed has none
        return f"token:{token}"
    account = request.__dict__.get("_cached_user")
    return "" if account is None or account.pk is None else f"account:{account.pk}"


class Followed:
    """Middleware: a request has an id, which its answer says, too; it is counted, and its seconds are."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        begun = perf_counter()
        number = _id_of(request)
        _ids.set({"request": number})  # kept until the next: the framework's own lines come after the answer
        _answering.set(request)
        with traces.span("request", traced_to(request.META)) as span:
            answer = self.get_response(request)
            if span is not None:
                tell(span, operation_of(request), request.method or "", answer.status_code)
        if not request.path_info.startswith(settings.STATIC_URL):  # twenty a page, where nobody reads it
            answer[HEADER] = number
        seconds = perf_counter() - begun
        metrics.answered(operation_of(request), request.method or "", answer.status_code, seconds)
        return answer

    def process_view(self, request: HttpRequest, _view: Any, _args: Any, kwargs: dict[str, Any]) -> None:
        session = kwargs.get("session", kwargs.get("session_id"))
        match = request.resolver_match
        if session is None and match is not None and OF_SESSION.search(match.route):
            session = kwargs.get("pk")
        if session is not None:
            _ids.set({**_ids.get(), "session": session})


def operation_of(request: HttpRequest) -> str:
    match = request.resolver_match
    return (match and match.view_name) or "nothing"


def tell(span: Any, operation: str, method: str, status: int) -> None:
    """Name a request in its trace, and say by which ids it is followed in the logs."""
    span.update_name(f"{method} {operation}")
    span.set_attributes({"http.request.method": method, "http.response.status_code": status})
    span.set_attributes({f"etui.{name}": number for name, number in ids().items()})


def traced_to(meta: Mapping[str, Any]) -> dict[str, str]:
    """The trace that a proxy has begun, if that is believed."""
    given = str(meta.get("HTTP_TRACEPARENT", ""))
    return {"traceparent": given} if given and is_trusted(str(meta.get("REMOTE_ADDR", ""))) else {}


def _id_of(request: HttpRequest) -> str:
    """The one that it has got before Django was asked, if any. `request.headers` would be kept as it is now,
    and what comes after this changes `Accept` by the end of an address."""
    meta = request.META
    known = meta.get(REQUEST_ID)
    return str(known or id_for(meta.get("HTTP_X_REQUEST_ID", ""), meta.get("REMOTE_ADDR", "")))


def id_for(given: str, peer: str) -> str:
    """The one that a proxy has given it, if that is believed; else a new one."""
    return given if given and GIVEN.fullmatch(given) and is_trusted(peer) else uuid4().hex


# ── In a worker ───────────────────────────────────────────────────────────────────────────────────

HEADERS = "etui_request"  # of a message: for which request it was sent
ABOUT = {
    "rank": "session",
    "progress": "session",
    "rank_field": "leg",
    "rank_season": "season",
    "rate_club": "club",
    "give_points": "session",
    "work": "job",
}
"""What the id is of that a task takes."""


def headers() -> dict[str, str]:
    """Of a message that is sent now, or of what another thread is given to do: by which ids it is
    followed."""
    number = request_id()
    return {**({HEADERS: number} if number else {}), **traces.carried()}


def begin_task(name: str, task_id: str, args: Any, request: Any) -> None:
    short = name.rpartition(".")[2]
    about: dict[str, str | int] = {"task": task_id, "doing": short}
    if number := getattr(request, HEADERS, None):
        about["request"] = str(number)
    if args and short in ABOUT:
        about[ABOUT[short]] = str(args[0])
    _ids.set(about)
    trace = {"traceparent": str(given)} if (given := getattr(request, "traceparent", None)) else {}
    span = traces.span(short, trace)
    if (own := span.__enter__()) is not None:
        own.set_attributes({f"etui.{name}": number for name, number in about.items()})
    _span.set(span)


def end_task() -> None:
    if (span := _span.get()) is not None:
        span.__exit__(None, None, None)
        _span.set(None)
    _ids.set({})
