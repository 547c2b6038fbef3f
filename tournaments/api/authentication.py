"""Who calls: `Authorization: Bearer etui_…`. There are no cookies, so there is nothing to forge."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from ..limits import address_of, limiter
from ..models import Token
from ..services import tokens


class TokenAuthentication(BaseAuthentication):
    """`request.auth` is the caller's token, None for anyone."""

    def authenticate(self, request: Request) -> tuple[None, Token] | None:
        scheme, _space, text = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        token = tokens.holder_of(text.strip())
        if token is None:
            tries = limiter.count("failed", address_of(request.META))
            if not tries.is_allowed:
                raise Throttled(wait=tries.seconds)
            raise AuthenticationFailed
        return None, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # theirs is untyped
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
