"""Whether somebody sits at the machine that serves."""

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest

FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PROTO", "HTTP_FORWARDED")
ALSO_FORWARDED = ("HTTP_X_REAL_IP", "HTTP_VIA", "HTTP_X_FORWARDED_SERVER", "HTTP_CLIENT_IP")
HERE = {"localhost", "127.0.0.1", "::1"}


def is_at_the_machine(request: HttpRequest) -> bool:
    """Whether somebody sits at the machine that serves, and nobody else could: embedded, called on loopback
    under its own name, and through no proxy."""
    if settings.PRODUCTION or settings.TRUSTED_PROXIES or settings.PUBLIC_URL:
        return False
    if any(name in request.META for name in FORWARDED + ALSO_FORWARDED):
        return False
    host = request.get_host()
    name = host[1 : host.index("]")] if host.startswith("[") else host.partition(":")[0]
    try:
        return name in HERE and ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
