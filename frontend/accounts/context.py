"""What the pages of signing in, and the bar of every page, ask about the request."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import Error
from django.http import HttpRequest

from tournaments.services.player_links import TOKENS

TOUR = "tour"  # in the session: at which page of the demo's tour somebody is


def signing_in(request: HttpRequest) -> dict[str, Any]:
    """`passkeys`: whether browsers make them here, which they do only under a name, not under a number.
    `is_local`: whether this page's address, and that of links on it, leads elsewhere on other machines."""
    host = request.META.get("HTTP_HOST", "").partition(":")[0]
    is_number = host.startswith("[") or host.replace(".", "").isdecimal()
    return {
        "passkeys": not is_number,
        "signup_open": settings.SIGN_UP_OPEN,
        "is_signed_in": is_signed_in(request),
        "is_player": is_player(request),
        "is_local": (is_number and host.startswith(("127.", "[::1"))) or host == "localhost",
    }


def is_signed_in(request: HttpRequest) -> Callable[[], bool]:
    """Whether somebody has signed in. Whoever has merely followed an invitation has a cookie too."""
    return _is_in_session(request, SESSION_KEY)


def is_player(request: HttpRequest) -> Callable[[], bool]:
    """Whether a player's link has been used in this browser."""
    return _is_in_session(request, TOKENS)


def is_touring(request: HttpRequest) -> Callable[[], bool]:
    """Whether somebody is on the tour of the demo; never outside it."""
    return _is_in_session(request, TOUR) if settings.DEMO_SECRET else lambda: False


def _is_in_session(request: HttpRequest, key: str) -> Callable[[], bool]:
    """Asked of the database only for those with a cookie, and only by a page that wants to know."""

    def answer() -> bool:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or not hasattr(request, "session"):
            return False
        try:
            return key in request.session
        except Error:  # the page says something else; it is not to fail for its bar
            return False

    return answer
