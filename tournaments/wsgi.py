"""Pages and API for a WSGI server."""

import os
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application
from django.utils.http import parse_header_parameters

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
_pages = get_wsgi_application()


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Django, which reads UTF-8 where a caller names a charset that is none: the name itself made it raise,
    before any view could answer."""
    content_type = environ.get("CONTENT_TYPE", "")
    if not is_read(content_type):
        environ["CONTENT_TYPE"] = content_type.partition(";")[0]
    answer: Iterable[bytes] = _pages(environ, start_response)
    return answer


def is_read(content_type: str) -> bool:
    """Whether its parameters can be read, and its charset, if it names any, is one of texts."""
    try:
        "".encode(parse_header_parameters(content_type)[1].get("charset", "utf-8"))
    except (LookupError, ValueError):
        return False
    return True
