"""Styles and scripts are sent compressed: a phone in a cellar waits for every kilobyte."""

import gzip
import re
from collections.abc import Callable, Iterable
from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

TEXTS = (".css", ".js", ".svg")
COMMENT = re.compile(
    rb"^[ \t]*(?:/\*\*(?:(?!\*/|@licen[cs]e).)*\*/[ \t]*|//[^\n]*)\n", re.DOTALL | re.MULTILINE
)
_compressed: dict[tuple[str, str], bytes] = {}  # by path and time of change; as many as there are files


def compress_static(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware, before the one that serves static files: each is compressed once by a process."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not request.path.startswith(settings.STATIC_URL) or not request.path.endswith(TEXTS):
            return response
        patch_vary_headers(response, ["Accept-Encoding"])
        takes = "gzip" in request.headers.get("Accept-Encoding", "")
        is_whole = response.status_code == 200 and request.method == "GET" and response.streaming
        if not takes or not is_whole or response.has_header("Content-Encoding"):
            return response
        key = request.path, response.get("Last-Modified", "")
        if key not in _compressed:
            parts = cast(Iterable[bytes], cast(Any, response).streaming_content)
            _compressed[key] = gzip.compress(without_comments(request.path, b"".join(parts)), mtime=0)
        response.close()
        small = HttpResponse(_compressed[key])
        for name, value in response.items():
            small[name] = value
        small["Content-Encoding"], small["Content-Length"] = "gzip", str(len(_compressed[key]))
        return small

    return answer


def without_comments(path: str, text: bytes) -> bytes:
    """A script without the comments that take whole lines: phones do not read them, and they are an eighth of
    it. Licences stay.

    >>> without_comments("/a.js", b"/** Says a. */\\nconst a = 1 /** here */\\n/** @license MIT */\\n")
    b'const a = 1 /** here */\\n/** @license MIT */\\n'
    """
    return COMMENT.sub(b"", text) if path.endswith(".js") else text
