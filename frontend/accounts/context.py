"""What the pages of signing in, and the bar of every page, ask about the request."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import Error
from django.http import HttpRequest


def signing_in(request: HttpRequest) -> dict[str, Any]:
    """`passkeys`: whether browsers make them here, which they do only under a name, not under a number."""
    host = request.META.get("HTTP_HOST", "").partition(":")[0]
    is_number = host.startswith("[") or host.replace(".", "").isdecimal()
    return {
        "passkeys": not is_number,
        "signup_open": settings.SIGN_UP_OPEN,
        "is_signed_in": is_signed_in(request),
    }


def is_signed_in(request: HttpRequest) -> Callable[[], bool]:
    """Whether somebody has signed in, asked of the database only for those with a cookie, and only by a page
    that wants to know. Whoever has merely followed an invitation has a cookie too."""

    def answer() -> bool:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or not hasattr(request, "session"):
            return False
        try:
            return SESSION_KEY in request.session
        except Error:  # the page says something else; it is not to fail for its bar
            return False

    return answer
