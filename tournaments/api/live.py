"""The live stream: version numbers of a session's ranking, as server-sent events.

A plain ASGI application beside Django. A watcher costs one waiting coroutine and its socket: no thread, no
connection to the database and no query of its own. One desk per process asks, in one query, for all sessions
that anyone here watches, and whether newcomers may watch; what is new goes to every watcher at once.
"""

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any
from urllib.parse import parse_qsl

from django.db import Error as DatabaseError
from django.db import close_old_connections
from django.utils.translation import gettext as _

from ..limits import address_of, limiter
from ..models import Session, Token
from ..services import tokens
from .door import Headers, refuse, speaking
from .strict import strangers

log = logging.getLogger(__name__)

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Receive = Callable[[], Awaitable[Message]]

ADDRESS = re.compile(r"/api/v1/sessions/([0-9]{1,18})/live/")
POLL_SECONDS = 0.25
HEARTBEAT_SECONDS = 15
SLOW_SECONDS = 10  # a watcher that takes longer to read a line is let go
STREAMS_AT_MOST = 20_000
STREAMS_AN_ADDRESS = 2_000  # a whole hall may sit behind one address


@dataclass(frozen=True, slots=True)
class News:
    """What is told of a session."""

    version: int
    state: str
    is_public: bool

    @property
    def line(self) -> bytes:
        data = json.dumps({"version": self.version, "state": self.state})
        return f"id: {self.version}\nevent: ranking\ndata: {data}\n\n".encode()


@dataclass(eq=False, slots=True)
class Watcher:
    """An open stream. `token`: by which its holder sees what is not public; `gone`: it is over."""

    send: Send
    token: str
    gone: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    async def hear(self, line: bytes, *, last: bool = False) -> None:
        try:
            async with asyncio.timeout(SLOW_SECONDS):
                await self.send({"type": "http.response.body", "body": line, "more_body": not last})
        except (TimeoutError, OSError):
            last = True
        if last and not self.gone.done():
            self.gone.set_result(None)


class Desk:
    """All that this process tells its watchers, and the one thread that asks the database."""

    def __init__(self) -> None:
        self.watchers: dict[int, set[Watcher]] = {}
        self.news: dict[int, News] = {}
        self.by_address: dict[str, int] = {}
        self.thread = ThreadPoolExecutor(1, "live")
        self.task: asyncio.Task[None] | None = None
        self.sending: set[asyncio.Task[None]] = set()

    async def everyone(self, heard: Iterable[Coroutine[Any, Any, None]]) -> None:
        """Tell many at once. Those who are slow to read hear it later, and nobody waits for them."""
        tasks = {asyncio.create_task(one) for one in heard}
        self.sending |= tasks
        for task in tasks:
            task.add_done_callback(self.sending.discard)
        if tasks:
            await asyncio.wait(tasks, timeout=POLL_SECONDS)

    async def ask(self, question: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.thread, question)

    async def admit(self, session_id: int, token: str) -> News | None:
        """The news of a session for a newcomer; None for one who may not watch it. What is public and already
        watched here is known without asking."""
        known = self.news.get(session_id)
        if known is not None and known.is_public:
            return known
        answer: News | None = await self.ask(partial(news_for, session_id, token))
        return answer

    async def watch(self, session_id: int, watcher: Watcher, first: News, receive: Receive) -> None:
        self.watchers.setdefault(session_id, set()).add(watcher)
        self.news.setdefault(session_id, first)
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self.tell())
        try:
            await watcher.hear(b"retry: 3000\n\n" + self.news[session_id].line)
            await until_either(watcher.gone, left(receive))
        finally:
            self.watchers[session_id].discard(watcher)
            if not self.watchers[session_id]:
                del self.watchers[session_id]
                self.news.pop(session_id, None)

    async def tell(self) -> None:
        """Until nobody watches: ask what is new, and tell it. Whatever goes wrong, the streams go on."""
        last = monotonic()
        while self.watchers:
            await asyncio.sleep(POLL_SECONDS)
            try:
                asked = list(self.watchers)
                found: dict[int, News] = await self.ask(partial(current_news, asked))
                if monotonic() - last >= HEARTBEAT_SECONDS:
                    last = monotonic()
                    await self.show_life()
                for session_id in asked:  # of one whose first watcher came since, nothing is known yet
                    await self.tell_of(session_id, found.get(session_id))
            except DatabaseError as error:
                log.warning("the database is away (%s); the streams wait", type(error).__name__)
            except Exception:
                log.exception("the streams could not be told what is new; trying again")

    async def show_life(self) -> None:
        for session_id, news in list(self.news.items()):
            if not news.is_public:
                await self.let_go_of_the_revoked(session_id)
        everybody = [watcher for watching in self.watchers.values() for watcher in watching]
        await self.everyone(watcher.hear(b": still here\n\n") for watcher in everybody)

    async def tell_of(self, session_id: int, news: News | None) -> None:
        watching = self.watchers.get(session_id)
        if watching is None or news == self.news.get(session_id):
            return
        if news is None:  # there is no such session any more
            await self.everyone(watcher.hear(b"", last=True) for watcher in list(watching))
            return
        if not news.is_public:
            await self.let_go_of_the_revoked(session_id)
            watching = {watcher for watcher in watching if not watcher.gone.done()}
        if watching:  # where all have gone, nothing is kept: the next newcomer asks
            self.news[session_id] = news
            await self.everyone(watcher.hear(news.line) for watcher in list(watching))

    async def let_go_of_the_revoked(self, session_id: int) -> None:
        """Streams of what is not public end with the right to see it."""
        watching = list(self.watchers.get(session_id, ()))
        given = {watcher.token for watcher in watching} - {""}
        barred = {token for token in given if await self.ask(partial(news_for, session_id, token)) is None}
        await self.everyone(w.hear(b"", last=True) for w in watching if w.token in {"", *barred})


desk = Desk()


def news_for(session_id: int, token: str) -> News | None:
    """What the holder of a token (anyone, without one) may hear of a session."""
    close_old_connections()
    viewer = tokens.holder_of(token) if token else None
    if viewer is not None and not viewer.allows(Token.Scope.READ):
        return None
    if not Session.objects.ranking_visible_to(viewer).filter(pk=session_id).exists():
        return None
    return current_news([session_id]).get(session_id)


def current_news(session_ids: list[int]) -> dict[int, News]:
    """The news of sessions; one query for all."""
    close_old_connections()
    rows = Session.objects.filter(pk__in=session_ids).values_list("pk", "tally__version", "state", "listed")
    return {pk: News(version, state, listed) for pk, version, state, listed in rows}


async def left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def until_either(gone: asyncio.Future[None], leaving: Awaitable[None]) -> None:
    task = asyncio.ensure_future(leaving)
    try:
        await asyncio.wait({gone, task}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        task.cancel()


async def stream(scope: Message, receive: Receive, send: Send) -> None:
    """`event: ranking`, `data: {"version": 41, "state": "running"}`, whenever there is something new."""
    form = ADDRESS.fullmatch(scope["path"])
    assert form is not None
    headers = Headers(scope)
    with speaking(headers):
        if scope["method"] != "GET":
            message = _("A stream can only be read: GET.")
            await refuse(send, 405, "method-not-allowed", message, {"Allow": "GET"})
            return
        if unknown := strangers(dict(parse_qsl(scope["query_string"].decode("latin-1"), True)), ()):
            await refuse(send, 400, "invalid", _("Some fields are wrong."), details=unknown)
            return
        address = address_of(headers.meta)
        count = limiter.count("anonymous", address)
        if not count.is_allowed:
            message = _("Too many requests: please wait a moment.")
            await refuse(send, 429, "too-many-requests", message, {"Retry-After": str(count.seconds)})
            return
        open_here = sum(desk.by_address.values())
        if open_here >= STREAMS_AT_MOST or desk.by_address.get(address, 0) >= STREAMS_AN_ADDRESS:
            message = _("Too many people are watching here: please look again in a few seconds.")
            await refuse(send, 503, "too-many-streams", message, {"Retry-After": "5"})
            return
        session_id = int(form[1])
        try:
            first = await desk.admit(session_id, headers.token)
        except DatabaseError:
            message = _("The service cannot reach its data at the moment; send this again in a few seconds.")
            await refuse(send, 503, "unavailable", message, {"Retry-After": "5"})
            return
        if first is None:
            message = _("This does not exist, or you may not see it.")
            await refuse(send, 404, "not-found", message)
            return
    desk.by_address[address] = desk.by_address.get(address, 0) + 1
    try:
        await send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": [
                    (b"content-type", b"text/event-stream"),
                    (b"cache-control", b"no-store"),
                    (b"x-accel-buffering", b"no"),
                    (b"x-content-type-options", b"nosniff"),
                ],
            }
        )
        await desk.watch(session_id, Watcher(send, headers.token), first, receive)
    finally:
        desk.by_address[address] -= 1
        if not desk.by_address[address]:
            del desk.by_address[address]
