"""How often one caller may call. Each process counts in its memory, and four times a second it adds its
counts to those of the others in Redis and takes over the sums; where Redis is away or there is none, each
counts by itself.

A count costs one step in memory, whatever the rate, and never waits for Redis. Each process knows what the
others had counted half a second ago: a caller may exceed a limit by what it calls there within that time, and
no more.
"""

from __future__ import annotations  # Redis is imported where it is used

import logging
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address, ip_network
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

if TYPE_CHECKING:
    from redis import Redis

log = logging.getLogger(__name__)

RATE = re.compile(r"([0-9]+)/(s|sec|m|min|h|hour|d|day)")
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
EXCHANGE_SECONDS = 0.25
AWAY_SECONDS = 5  # how long Redis is left alone after it has failed
CALLERS_AT_MOST = 20_000  # who are counted; beyond, those that have called least are forgotten


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


class Counter:
    """The calls of one caller in one period."""

    __slots__ = ("elsewhere", "here", "key", "sent", "until")

    def __init__(self, key: str, until: int) -> None:
        self.key, self.until = key, until
        self.here = 0  # counted by this process
        self.sent = 0  # of these, how many the others know
        self.elsewhere = 0  # counted by them, as far as this process knows

    @property
    def calls(self) -> int:
        return self.here + self.elsewhere


class Limiter:
    """The counters of a process, and their exchange with those of the others."""

    def __init__(self, redis_url: str = "") -> None:
        self.counters: dict[tuple[str, object], Counter] = {}
        self.changed: set[Counter] = set()
        self.lock = Lock()  # of both
        self.exchanging = Lock()
        self.shared: Redis | None = None
        self.thread: Thread | None = None
        self.called = Event()
        self.away: type[Exception] = OSError
        if redis_url:
            from redis import Redis, RedisError  # 6 MB, which the embedded service does without

            timeouts: dict[str, Any] = {"socket_timeout": 0.5, "socket_connect_timeout": 0.5}
            self.shared = Redis.from_url(redis_url, **timeouts)
            self.away = RedisError

    def count(self, kind: str, caller: object, rate: str | None = None) -> Count:
        """One more call of a caller. `kind` names the rate (`RATES`): anonymous, token, failed or preview; of
        others (partner) each caller has its own `rate`."""
        most, seconds = period(settings.RATES[kind] if rate is None else rate)
        now = int(time.time())
        with self.lock:
            counter = self.counters.get((kind, caller))
            if counter is None or counter.until <= now:
                counter = self._new(kind, caller, now // seconds, seconds)
            counter.here += 1
            calls = counter.calls
            if self.shared is not None:
                self.changed.add(counter)
        if self.shared is not None and not self.called.is_set():
            self._call()
        return Count(most, calls, counter.until - now)

    def _new(self, kind: str, caller: object, number: int, seconds: int) -> Counter:
        if len(self.counters) >= CALLERS_AT_MOST:
            self._forget(number * seconds)
        counter = Counter(f"calls/{kind}/{caller}/{number}", (number + 1) * seconds)
        self.counters[kind, caller] = counter
        return counter

    def _forget(self, now: int) -> None:
        """Half of the counters: those that are over, and those that count least."""
        kept = sorted(self.counters.items(), key=lambda item: (item[1].until > now, item[1].calls))
        self.counters = dict(kept[len(kept) // 2 :])

    def reset(self) -> None:
        """Forget all calls, those of other processes too."""
        with self.exchanging:
            with self.lock:
                self.counters.clear()
                self.changed.clear()
            if self.shared is not None and (names := list(self.shared.scan_iter("calls/*", count=1000))):
                self.shared.delete(*names)

    # ── With the others ──────────────────────────────────────────────────────────────────────────

    def exchange(self) -> None:
        """Tell the other processes what this one has counted, and hear what they have; one round trip for all
        callers. Where Redis does not answer (`away`), it is told later."""
        with self.exchanging:
            self._exchange()

    def _exchange(self) -> None:
        assert self.shared is not None
        with self.lock:
            changed = {counter: counter.here - counter.sent for counter in self.changed}
            self.changed.clear()
        try:
            with self.shared.pipeline(transaction=False) as pipeline:
                for counter, calls in changed.items():
                    pipeline.incrby(counter.key, calls)
                    pipeline.expireat(counter.key, counter.until + 1)
                sums = pipeline.execute()[::2]
        except self.away:
            with self.lock:
                self.changed |= changed.keys()
            raise
        with self.lock:
            for (counter, calls), everywhere in zip(changed.items(), sums, strict=True):
                counter.sent += calls
                counter.elsewhere = everywhere - counter.sent

    def _call(self) -> None:
        self.called.set()
        if self.thread is None:
            with self.lock:
                if self.thread is None:
                    self.thread = Thread(target=self._run, name="limits", daemon=True)
                    self.thread.start()

    def _run(self) -> None:
        """An exchange after each quarter of a second in which there were calls."""
        while True:
            self.called.wait()
            time.sleep(EXCHANGE_SECONDS)
            self.called.clear()
            try:
                self.exchange()
            except self.away as error:
                log.warning("Redis is away (%s): this process counts calls by itself", error)
                time.sleep(AWAY_SECONDS)


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


def believe_proxies(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: what a peer says of HTTPS (X-Forwarded-Proto) counts only if it is trusted, where any peers
    are named. Cookies of an answer over HTTPS go back over HTTPS alone."""

    def answer(request: HttpRequest) -> HttpResponse:
        if settings.TRUSTED_PROXIES and not is_trusted(request.META.get("REMOTE_ADDR", "")):
            request.META.pop("HTTP_X_FORWARDED_PROTO", None)
        response = get_response(request)
        if response.cookies and request.is_secure():
            for cookie in response.cookies.values():
                cookie["secure"] = True
        return response

    return answer


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
