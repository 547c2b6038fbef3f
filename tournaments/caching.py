"""What is remembered for a while: how often somebody has tried to sign in. In Redis for all processes
together; where Redis is away or there is none, each process remembers for itself."""

import logging
import time
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

AWAY_SECONDS = 5  # how long Redis is left alone after it has failed
TIMEOUTS = {"socket_timeout": 0.5, "socket_connect_timeout": 0.5}


class Shared(BaseCache):
    """A cache in Redis, with a place of its own for when Redis does not answer."""

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self.here = LocMemCache("etui", params)
        self.shared = RedisCache(location, {**params, "OPTIONS": TIMEOUTS}) if location else None
        self.away_until = 0.0

    def _do(self, step: Callable[[BaseCache], Any]) -> Any:
        if self.shared is not None and time.monotonic() >= self.away_until:
            try:
                return step(self.shared)
            except RedisError as error:
                self.away_until = time.monotonic() + AWAY_SECONDS
                log.warning("Redis is away (%s): this process counts tries by itself", type(error).__name__)
        return step(self.here)

    def add(self, key: str, value: Any, *rest: Any, **named: Any) -> bool:
        return bool(self._do(lambda cache: cache.add(key, value, *rest, **named)))

    def get(self, key: str, *rest: Any, **named: Any) -> Any:
        return self._do(lambda cache: cache.get(key, *rest, **named))

    def set(self, key: str, value: Any, *rest: Any, **named: Any) -> None:
        self._do(lambda cache: cache.set(key, value, *rest, **named))

    def touch(self, key: str, *rest: Any, **named: Any) -> bool:
        return bool(self._do(lambda cache: cache.touch(key, *rest, **named)))

    def delete(self, key: str, *rest: Any, **named: Any) -> bool:
        return bool(self._do(lambda cache: cache.delete(key, *rest, **named)))

    def clear(self) -> None:
        self.here.clear()
        self._do(lambda cache: cache.clear())
