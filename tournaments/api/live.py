"""The live stream: version numbers of a session's ranking, as server-sent events.

One watcher per process asks the database for all sessions that anyone here watches, in one query;
every stream waits for it. A stream costs a waiting coroutine, and no query of its own.
"""

import asyncio
import json
import logging
from collections import Counter
from collections.abc import AsyncIterator

from asgiref.sync import sync_to_async
from django.db import Error as DatabaseError
from django.db import close_old_connections
from django.http import HttpRequest, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from ..models import Session
from ..services import tokens

log = logging.getLogger(__name__)

POLL_SECONDS = 0.4
HEARTBEAT_SECONDS = 15
STREAMS_AT_MOST = 5000


class Watcher:
    """The versions of the sessions that are watched here. State: "<version>-<state>" by session."""

    def __init__(self) -> None:
        self.watched: Counter[int] = Counter()
        self.versions: dict[int, tuple[int, str]] = {}
        self.changed = asyncio.Condition()
        self.task: asyncio.Task[None] | None = None

    async def watch(self, session_id: int) -> AsyncIterator[tuple[int, str] | None]:
        """The version and state now, and each new one; None where nothing has happened for a while."""
        self.watched[session_id] += 1
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self.poll())
        seen: tuple[int, str] | None = None
        try:
            while True:
                try:
                    async with asyncio.timeout(HEARTBEAT_SECONDS), self.changed:
                        await self.changed.wait_for(lambda: self.versions.get(session_id, seen) != seen)  # noqa: B023
                    seen = self.versions[session_id]
                    yield seen
                except TimeoutError:
                    yield None
        finally:
            self.watched[session_id] -= 1
            if not self.watched[session_id]:
                del self.watched[session_id]
                self.versions.pop(session_id, None)

    async def poll(self) -> None:
        while self.watched:
            try:
                found = await sync_to_async(current_versions)(list(self.watched))
            except DatabaseError as error:
                log.warning("the database is away (%s); the streams wait", type(error).__name__)
                found = self.versions
            if found != self.versions:
                async with self.changed:
                    self.versions = found
                    self.changed.notify_all()
            await asyncio.sleep(POLL_SECONDS)


def current_versions(session_ids: list[int]) -> dict[int, tuple[int, str]]:
    """Version and state of published sessions; one query for all."""
    close_old_connections()
    rows = Session.objects.filter(pk__in=session_ids).values_list("pk", "version", "state")
    return {pk: (version, state) for pk, version, state in rows}


watcher = Watcher()


def _may_watch(session_id: int, authorization: str) -> bool:
    scheme, _space, text = authorization.partition(" ")
    viewer = tokens.holder_of(text.strip()) if scheme.lower() == "bearer" else None
    return Session.objects.ranking_visible_to(viewer).filter(pk=session_id).exists()


async def stream(request: HttpRequest, pk: int) -> HttpResponseBase:
    """`event: ranking`, `data: {"version": 41, "state": "open"}`, whenever there is something new."""
    if not await sync_to_async(_may_watch)(pk, request.headers.get("Authorization", "")):
        message = _("There is no such thing here, or you may not see it.")
        return JsonResponse({"error": {"code": "not-found", "message": message}}, status=404)
    if watcher.watched.total() >= STREAMS_AT_MOST:
        message = _("Too many are watching here; look again every few seconds.")
        return JsonResponse(
            {"error": {"code": "too-many-streams", "message": message}},
            status=503,
            headers={"Retry-After": "5"},
        )
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(_events(pk), content_type="text/event-stream", headers=headers)


async def _events(session_id: int) -> AsyncIterator[bytes]:
    yield b"retry: 3000\n\n"
    async for news in watcher.watch(session_id):
        if news is None:
            yield b": still here\n\n"
        else:
            version, state = news
            data = json.dumps({"version": version, "state": state})
            yield f"id: {version}\nevent: ranking\ndata: {data}\n\n".encode()
