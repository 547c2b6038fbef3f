"""What the pages of signing in ask about the request."""

from django.conf import settings
from django.http import HttpRequest


def signing_in(request: HttpRequest) -> dict[str, bool]:
    """`passkeys`: whether browsers make them here, which they do only under a name, not under a number."""
    host = request.META.get("HTTP_HOST", "").partition(":")[0]
    is_number = host.startswith("[") or host.replace(".", "").isdecimal()
    return {"passkeys": not is_number, "signup_open": settings.SIGN_UP_OPEN}
