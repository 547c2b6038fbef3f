"""What a caller has already is not sent again: ETags of what follows from a session.

An ETag is made of what changes with the content (`content_version`), of the address and of who asks: nobody
is told by it what somebody else may see, and answers for two callers are never taken for each other.
"""

import hashlib
import json
from collections.abc import Callable
from typing import Any

from django.http import HttpResponse, HttpResponseNotModified
from django.utils.crypto import salted_hmac
from django.utils.http import parse_etags
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import exceptions, status
from rest_framework.request import Request
from rest_framework.response import Response

from ..models import Session, Token

HEADERS = {"Cache-Control": "private, no-cache"}
"""Kept by the caller alone, and asked for again each time."""


def content_version(session: Session) -> tuple[object, ...]:
    """What changes whenever a result, a place, an award, a board, a ranking or a name of the session does,
    what is said of a play, or the clock of its rounds, and whenever somebody may see more or less of it. Read
    with the session, without a query of its own."""
    tally = session.tally
    return (
        *(session.pk, session.state, session.listed),
        *(session.is_paced, session.round_changes, session.clock_changes),
        *(session.board_set.commitment, session.board_set.custody_changes),
        *(tally.layout, tally.counted_layout, tally.position, tally.ranked_position),
        *(tally.version, tally.progress_position, tally.names, tally.said),
    )


def live_version(session: Session) -> tuple[object, ...]:
    """The same of what follows from the live list alone: it changes with nothing that is not over."""
    tally = session.tally
    return (
        *("live", session.pk, session.state, session.listed, session.live),
        *(tally.live_version, tally.live_drawn, tally.names),
    )


def answer(
    request: Request,
    session: Session,
    content: Callable[[], Any],
    *more: object,
    is_live: bool = False,
) -> Response:
    """The content with its ETag; 304 without making it, for a caller who has it. `more`: what else changes
    with the content; `is_live`: it follows from the live list.
    `If-None-Match: *` means anything that is there: what is refused or not there is never a 304."""
    version = live_version(session) if is_live else content_version(session)
    etag = etag_of(request, (*version, *more))
    headers = {"ETag": etag} | HEADERS
    known = parse_etags(request.headers.get("If-None-Match", ""))
    has_it = etag in {tag.removeprefix("W/") for tag in known}
    body = None if has_it else content()
    if has_it or known == ["*"]:
        return Response(status=status.HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(body, headers=headers)


def by_content(request: Request, response: HttpResponse) -> HttpResponse | None:
    """An answer that follows from no version of its own, with an ETag made of what it says; 304 in its place
    for a caller who has it."""
    digest = hashlib.sha256(response.content).hexdigest()
    etag = etag_of(request, ("content", digest))
    response.headers.setdefault("Cache-Control", HEADERS["Cache-Control"])
    response.headers["ETag"] = etag
    known = parse_etags(request.headers.get("If-None-Match", ""))
    if known != ["*"] and etag not in {tag.removeprefix("W/") for tag in known}:
        return None
    kept = {name: response.headers[name] for name in KEPT_BY_304 if name in response.headers}
    return HttpResponseNotModified(headers=kept)


KEPT_BY_304 = ("ETag", "Cache-Control", "Vary", "Link", "Content-Language")


def etag_of(request: Request, version: tuple[object, ...]) -> str:
    caller = request.auth.pk if isinstance(request.auth, Token) else None
    parts = [caller, request.get_full_path(), get_language(), *version]
    digest = salted_hmac("tournaments.api.etag", json.dumps(parts), algorithm="sha256").hexdigest()
    return f'"{digest[:32]}"'


FOR_ALL = {"Cache-Control": "public, no-cache"}
"""Kept by whoever it passes, and asked for again each time."""


def same_for_all(request: Request, digest: str, content: Any) -> Response:
    """What is the same for everybody and changes with a release alone, with an ETag made of its digest and
    address; 304 for a caller who has it."""
    parts = salted_hmac(
        "tournaments.api.release", f"{digest} {request.build_absolute_uri()}", algorithm="sha256"
    )
    etag = f'"{parts.hexdigest()[:32]}"'
    headers = {"ETag": etag} | FOR_ALL
    known = parse_etags(request.headers.get("If-None-Match", ""))
    if known == ["*"] or etag in {tag.removeprefix("W/") for tag in known}:
        return Response(status=status.HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(content, headers=headers)


# ── What is changed by itself ─────────────────────────────────────────────────────────────────────

IF_MATCH = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, required=True, description="The ETag of what you change."
)


IF_MATCH_UNLESS_DRY = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of the session that you change; a dry run needs none.",
)


class NoCondition(exceptions.APIException):
    """A change that does not say what it changes."""

    status_code = status.HTTP_428_PRECONDITION_REQUIRED
    default_code = "no-condition"


def stamped(
    request: Request, stamp: str, content: Callable[[], Any], status_code: int = status.HTTP_200_OK
) -> Response:
    """The content of something that has a stamp, with its ETag; 304 for a caller who has it."""
    headers = {"ETag": f'"{stamp}"'} | HEADERS
    known = parse_etags(request.headers.get("If-None-Match", "")) if request.method == "GET" else []
    if known == ["*"] or f'"{stamp}"' in {tag.removeprefix("W/") for tag in known}:
        return Response(status=status.HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(content(), status=status_code, headers=headers)


def tagged(stamp: str) -> dict[str, str]:
    """The headers of what is changed by its stamp. Whoever asks gets it whole, as more of it may be new than
    what the stamp is about."""
    return {"ETag": f'"{stamp}"'} | HEADERS


def no_condition() -> NoCondition:
    return NoCondition(_("Say what you change: send its ETag as “If-Match”."))


def seen_stamp(request: Request, stamp: str) -> str | None:
    """The stamp of what a change is to replace, if it is what the caller has seen, or “”; None where they
    replace whatever is there (`*`), even what somebody changes at this moment; NoCondition where they do not
    say."""
    tags = parse_etags(request.headers.get("If-Match", ""))
    if not tags:
        raise no_condition()
    if tags == ["*"]:
        return None
    return stamp if f'"{stamp}"' in tags else ""
