"""What a caller's token was made for. What its holder may do beyond that is asked of `models.access`."""

from typing import Any

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from ..models import PartnerKey, Token
from ..services import partner_keys, tokens


class InScope(BasePermission):
    """Reading needs `read`, every other request one of the `scopes` that its view names. Where a token is
    only claimed, the service that looks it up asks for its scope too. A partner's key reads, and nothing
    else."""

    def has_permission(self, request: Request, view: Any) -> bool:
        reads = request.method in SAFE_METHODS
        needed = (Token.Scope.READ,) if reads else getattr(view, "scopes", ())
        token = request.auth
        if isinstance(token, PartnerKey) and not reads:
            raise partner_keys.beyond()
        if needed and isinstance(token, Token) and not any(token.allows(scope) for scope in needed):
            raise tokens.out_of_scope(needed[0])
        return True
