"""How often one caller may call the API: by token, or by address without one."""

from typing import Any, cast

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from ..limits import Count, address_of, limiter
from ..models import PartnerKey
from ..services.tokens import Claim
from .door import COUNTED


class PerCaller(BaseThrottle):
    def allow_request(self, request: Request, view: Any) -> bool:
        if COUNTED in request.META:
            self.calls = cast(Count, request.META[COUNTED])
        elif request.auth is None:
            self.calls = limiter.count("anonymous", address_of(request.META))
        elif isinstance(request.auth, PartnerKey):
            key = request.auth
            self.calls = limiter.count("partner", key.prefix, f"{key.per_minute}/min")
        else:
            self.calls = limiter.count("token", cast(Claim, request.auth).prefix)
        request._request.calls = self.calls  # type: ignore[attr-defined]  # the middleware says it in headers
        return self.calls.is_allowed

    def wait(self) -> float:
        return self.calls.seconds


class Previews(PerCaller):
    """What costs an engine some work for everybody who asks, counted by address besides."""

    def allow_request(self, request: Request, view: Any) -> bool:
        self.calls = limiter.count("preview", address_of(request.META))
        return self.calls.is_allowed
