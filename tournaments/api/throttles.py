"""How often one caller may call the API: by token, or by address without one."""

from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from ..limits import address_of, limiter
from ..models import Token


class PerCaller(BaseThrottle):
    def allow_request(self, request: Request, view: Any) -> bool:
        if isinstance(request.auth, Token):
            self.calls = limiter.count("token", request.auth.pk)
        else:
            self.calls = limiter.count("anonymous", address_of(request.META))
        request._request.calls = self.calls  # type: ignore[attr-defined]  # the middleware says it in headers
        return self.calls.is_allowed

    def wait(self) -> float:
        return self.calls.seconds
