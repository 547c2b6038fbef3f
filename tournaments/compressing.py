"""Styles and scripts are sent compressed: a phone in a cellar waits for every kilobyte."""

import gzip
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.cache import patch_vary_headers

from . import versioned

TEXTS = (".css", ".js", ".svg")
COMMENTS = {
    ".js": re.compile(
        rb"^[ \t]*(?:/\*\*(?:(?!\*/|@licen[cs]e).)*\*/[ \t]*|//[^\n]*)\n", re.DOTALL | re.MULTILINE
    ),
    ".css": re.compile(rb"^[ \t]*/\*(?:(?!\*/|@licen[cs]e).)*\*/[ \t]*\n", re.DOTALL | re.MULTILINE),
}
OF_PAGES = ("Cross-Origin-Opener-Policy", "Referrer-Policy")  # each weighs on each of a page's thirty parts
OF_CHANGES = ("ETag", "Last-Modified")  # by which browsers ask again: nobody does under a version
INDENTATION = re.compile(rb"^[ \t]+", re.MULTILINE)
STYLES = versioned.PARTS[0]
AT_TABLE = (
    *("frontend/tokens.css", "frontend/page.css", "frontend/components/button.css"),
    *("frontend/components/notice.css", "frontend/components/state.css"),
    "frontend/components/table-page.css",
)
ENTRY = [  # the scripts of the table's page: no script before one that it needs at once
    f"frontend/{name}.js"
    for name in (
        *("lib/elements", "lib/buzzing", "lib/fetching", "lib/outbox", "lib/expressions", "lib/sheet-form"),
        *("lib/entry-words", "lib/entry-keys", "lib/entry-facts", "lib/entry-questions"),
        *("lib/marks-preview", "components/round-clock", "components/result-entry", "components/table-page"),
    )
]
OWN_IMPORT = re.compile(rb'^import \{[^}]*\} from "([a-z/-]+\.js)"\n', re.MULTILINE)
TOGETHER: Mapping[str, Sequence[str]] = {  # what a page always has, in one answer: each by itself weighs more
    "frontend/at-table.css": AT_TABLE,
    "frontend/at-entry.css": (*AT_TABLE, "frontend/components/result-entry.css"),
    "frontend/at-entry.js": ENTRY,
}
_compressed: dict[tuple[str, str], bytes] = {}  # by path and time of change; as many as there are files


def compress_static(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware, before the one that serves static files: each is compressed once by a process, and kept by
    browsers where its address has the version that there is."""

    def answer(request: HttpRequest) -> HttpResponse:
        request.path, is_current = versioned.plain_path(request.path)
        request.path_info, _same = versioned.plain_path(request.path_info)
        together = TOGETHER.get(request.path.removeprefix(settings.STATIC_URL))
        if together is not None:  # asked for as the first of them, whose headers are theirs
            request.path = request.path_info = settings.STATIC_URL + together[0]
        response = get_response(request)
        if together is not None and response.status_code == 200 and request.method == "GET":
            response = _joined(response, together)
        if is_current and response.status_code == 200:
            response["Cache-Control"] = versioned.FOR_EVER
        if not request.path.startswith(settings.STATIC_URL) or not request.path.endswith(TEXTS):
            return response
        patch_vary_headers(response, ["Accept-Encoding"])
        takes = "gzip" in request.headers.get("Accept-Encoding", "")
        is_whole = response.status_code == 200 and request.method == "GET" and response.streaming
        if not takes or not is_whole or response.has_header("Content-Encoding"):
            return response
        key = "+".join(together or [request.path]), response.get("Last-Modified", "")
        if key not in _compressed:
            parts = cast(Iterable[bytes], cast(Any, response).streaming_content)
            _compressed[key] = gzip.compress(plain(request.path, b"".join(parts)), mtime=0)
        response.close()
        small = HttpResponse(_compressed[key])
        left_out = (*OF_PAGES, *(OF_CHANGES if is_current else ()))
        for name, value in response.items():
            if name not in left_out:
                small[name] = value
        small["Content-Encoding"], small["Content-Length"] = "gzip", str(len(_compressed[key]))
        return small

    return answer


def _joined(first: HttpResponse, names: Sequence[str]) -> HttpResponse:
    """The answer with the first of these files, with all of them in it."""
    first.close()
    text = joined(names)
    own = ("Content-Length", *OF_CHANGES)  # of the first file alone
    headers = {name: value for name, value in first.items() if name not in own}
    response = StreamingHttpResponse([text], headers=headers | {"Content-Length": str(len(text))})
    return cast(HttpResponse, response)


def joined(names: Sequence[str]) -> bytes:
    """Files one after another. Scripts become one module, which asks for none of them: the names of each are
    those of all, so that no two of them may have the same."""
    text = b"".join((STYLES / name).read_bytes() for name in names)
    inside = {name.removeprefix("frontend/").encode() for name in names}
    return OWN_IMPORT.sub(lambda found: b"" if found[1] in inside else found[0], text)


def plain(path: str, text: bytes) -> bytes:
    """A script or a style sheet without the comments that take whole lines, and without its indentation:
    phones read neither, and they are an eighth of it. Licences stay, and so does what others have written. No
    text of ours goes over several lines, which would lose blanks.

    >>> plain("/a.js", b"/** Says a. */\\nif (1)\\n  a() /** here */\\n/** @license MIT */\\n")
    b'if (1)\\na() /** here */\\n/** @license MIT */\\n'
    >>> plain("/a.css", b"/* A. */\\na { b: c }\\n")
    b'a { b: c }\\n'
    """
    ending = path[path.rfind(".") :]
    if ending not in COMMENTS:
        return text
    text = COMMENTS[ending].sub(b"", text)
    return text if "/vendor/" in path else INDENTATION.sub(b"", text)
