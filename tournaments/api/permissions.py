"""What a caller's token was made for. What its holder may do beyond that is asked of `models.access`."""

from typing import Any

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from ..models import Token
from ..services import tokens


class InScope(BasePermission):
    """Reading needs `read`; every other request the `scope` that its view names. Where a token is only
    claimed, the service that looks it up asks for its scope too."""

    def has_permission(self, request: Request, view: Any) -> bool:
        needed = Token.Scope.READ if request.method in SAFE_METHODS else getattr(view, "scope", None)
        if needed is not None and isinstance(request.auth, Token) and not request.auth.allows(needed):
            raise tokens.out_of_scope(needed)
        return True
