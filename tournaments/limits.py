"""How often one caller may call. Counted in Redis for all processes together; where Redis is away or there is
none, each process counts by itself.

A count costs one step in memory or one round trip, whatever the rate.
"""

import logging
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address, ip_network
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from limits.errors import StorageError
from limits.storage import MemoryStorage, RedisStorage, Storage

log = logging.getLogger(__name__)

RATE = re.compile(r"([0-9]+)/(s|sec|m|min|h|hour|d|day)")
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
AWAY_SECONDS = 5  # how long Redis is left alone after it has failed


@dataclass(frozen=True, slots=True)
class Count:
    """Where a caller stands: of `most` calls in a period, `calls` are used; a new one begins in `seconds`."""

    most: int
    calls: int
    seconds: int

    @property
    def is_allowed(self) -> bool:
        return self.calls <= self.most

    @property
    def headers(self) -> dict[str, str]:
        left = {"Limit": self.most, "Remaining": max(self.most - self.calls, 0), "Reset": self.seconds}
        return {f"RateLimit-{name}": str(value) for name, value in left.items()}


@cache
def period(rate: str) -> tuple[int, int]:
    """The calls and the seconds of a rate.

    >>> period("600/min")
    (600, 60)
    """
    form = RATE.fullmatch(rate)
    if form is None:
        raise ValueError(f"{rate!r} is not a rate such as 600/min")
    return int(form[1]), SECONDS[form[2][0]]


class Limiter:
    """The counters, with a place of their own for when Redis does not answer."""

    def __init__(self, redis_url: str = "") -> None:
        self.here: Storage = MemoryStorage()
        self.shared: Storage | None = None
        self.away_until = 0.0
        if redis_url:
            timeouts: dict[str, Any] = {"socket_timeout": 0.5, "socket_connect_timeout": 0.5}
            self.shared = RedisStorage(redis_url, wrap_exceptions=True, **timeouts)

    def count(self, kind: str, caller: object) -> Count:
        """One more call of a caller. `kind` names the rate (`RATES`): anonymous, token or failed."""
        most, seconds = period(settings.RATES[kind])
        now = int(time.time())
        calls = self._add(f"{kind}/{caller}/{now // seconds}", seconds)
        return Count(most, calls, seconds - now % seconds)

    def reset(self) -> None:
        """Forget all calls."""
        self.away_until = 0.0
        for storage in (self.here, self.shared):
            if storage is not None:
                storage.reset()

    def _add(self, key: str, seconds: int) -> int:
        if self.shared is not None and time.monotonic() >= self.away_until:
            try:
                return self.shared.incr(key, seconds)
            except StorageError as error:
                self.away_until = time.monotonic() + AWAY_SECONDS
                log.warning("Redis is away (%s): this process counts calls by itself", error)
        return self.here.incr(key, seconds)


limiter = Limiter(settings.REDIS_URL)


def address_of(meta: Mapping[str, str]) -> str:
    """Where a request came from. What the peer says of others (X-Forwarded-For) counts only as far as the
    peers are trusted (TRUSTED_PROXIES), from the last backwards."""
    address = meta.get("REMOTE_ADDR", "")
    forwarded = meta.get("HTTP_X_FORWARDED_FOR", "").split(",")
    for named in reversed([part.strip() for part in forwarded if part.strip()]):
        if not is_trusted(address):
            break
        address = named
    return address


@cache
def networks() -> tuple[object, ...]:
    return tuple(ip_network(text, strict=False) for text in settings.TRUSTED_PROXIES)


def is_trusted(address: str) -> bool:
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in networks())  # type: ignore[operator]  # v4 or v6, both may ask


def count_calls(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: pages are counted by address here, the API where it knows its caller; both say how many
    calls are left."""

    def answer(request: HttpRequest) -> HttpResponse:
        if request.path.startswith("/api/v1/"):
            response = get_response(request)
        else:
            request.calls = limiter.count("anonymous", address_of(request.META))  # type: ignore[attr-defined]
            response = get_response(request) if request.calls.is_allowed else too_many(request)  # type: ignore[attr-defined]
        calls: Count | None = getattr(request, "calls", None)
        if calls is not None:
            for name, value in calls.headers.items():
                response[name] = value
        return response

    return answer


def too_many(request: HttpRequest) -> HttpResponse:
    response = render(request, "429.html", status=429)
    response["Retry-After"] = str(request.calls.seconds)  # type: ignore[attr-defined]
    return response
