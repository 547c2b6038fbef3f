"""How often one caller may call: by token, or by address without one."""

from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from ..models import Token


class PerCaller(SimpleRateThrottle):
    scope = "anonymous"

    def allow_request(self, request: Request, view: Any) -> bool:
        self.scope = "token" if isinstance(request.auth, Token) else "anonymous"
        self.rate = self.get_rate()
        self.num_requests, self.duration = self.parse_rate(self.rate)
        return super().allow_request(request, view)

    def get_cache_key(self, request: Request, view: Any) -> str:
        caller = request.auth.pk if isinstance(request.auth, Token) else self.get_ident(request)
        return f"throttle-{self.scope}-{caller}"
