"""Who calls: `Authorization: Bearer etui_…`. There are no cookies, so there is nothing to forge."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import APIException, AuthenticationFailed, Throttled
from rest_framework.request import Request

from ..limits import address_of, limiter
from ..models import PartnerKey, Token
from ..services import partner_keys, tokens


class TokenAuthentication(BaseAuthentication):
    """`request.auth` is the caller's token, or a partner's key, which sees what anyone sees; None for anyone.
    With `claims` it is only what the caller claims: what is asked for then finds out by itself, in its own
    transaction, whether that is true."""

    def __init__(self, *, claims: bool = False) -> None:
        self.claims = claims

    def authenticate(self, request: Request) -> tuple[None, tokens.Claim | PartnerKey] | None:
        text = text_of(request)
        if text is None:
            return None
        holder: tokens.Claim | PartnerKey | None
        if partner_keys.is_one(text):
            holder = partner_keys.holder_of(text)
        else:
            holder = tokens.claim_of(text) if self.claims else tokens.holder_of(text)
        if holder is None:
            raise refusal(request)
        return None, holder

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def text_of(request: Request) -> str | None:
    """The text of the token that a request brings."""
    scheme, _space, text = request.headers.get("Authorization", "").partition(" ")
    return text.strip() if scheme.lower() == "bearer" else None


def confirmed_token(request: Request) -> Token:
    """The caller's token, looked up again where it was only claimed."""
    if isinstance(request.auth, Token):
        return request.auth
    token = tokens.holder_of(text_of(request) or "")
    if token is None:
        raise refusal(request)
    return token


def refusal(request: Request) -> APIException:
    """What is raised for a token that is not valid; whoever tries too many has to wait."""
    tries = limiter.count("failed", address_of(request.META))
    return AuthenticationFailed() if tries.is_allowed else Throttled(wait=tries.seconds)


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # theirs is untyped
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
