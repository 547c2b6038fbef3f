"""The live streams, as server-sent events: version numbers of a session's ranking; and for the phones of a
table, that something on its page is new.

A plain ASGI application beside Django. A watcher costs one waiting coroutine and its socket: no thread, no
connection to the database and no query of its own. One desk per process asks, in one query, for all sessions
that anyone here watches, and whether newcomers may watch; what is new goes to every watcher at once.
"""

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from random import uniform
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import close_old_connections
from django.utils.translation import gettext as _

from ..limits import address_of, limiter
from ..models import Session, Token
from ..services import live_lists, table_links, tokens
from ..services.player_news import PlayerNews, Players, players_with
from ..services.table_news import TableNews
from .door import Headers, refuse, speaking
from .strict import strangers

log = logging.getLogger(__name__)

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Receive = Callable[[], Awaitable[Message]]

OF_TABLE = r"(?:/[a-z]{2})?/t/(?P<code>[0-9A-Za-z-]{1,20})/live/"
OF_PLAYER = r"(?:/[a-z]{2})?/me/live/"
ADDRESS = re.compile(rf"/api/v1/sessions/(?P<session>[0-9]{{1,18}})/live/|{OF_TABLE}|{OF_PLAYER}")
POLL_SECONDS = 0.25
HEARTBEAT_SECONDS = 15
RETRY_SECONDS = 15  # after which a browser that knows no better asks for a stream that was cut
OWN_SECONDS = 600  # after about which a player's stream ends: whoever asks again shows again that they may
SLOW_SECONDS = 10  # a watcher that takes longer to read a line is let go
STREAMS_AT_MOST = 20_000
STREAMS_AN_ADDRESS = 5_000  # a whole hall may sit behind one address


@dataclass(frozen=True, slots=True)
class News:
    """What is told of a session."""

    version: int
    state: str
    is_public: bool
    is_live: bool = False

    @property
    def line(self) -> bytes:
        data = json.dumps({"version": self.version, "live": self.is_live, "state": self.state})
        return f"id: {self.version}\nevent: ranking\ndata: {data}\n\n".encode()


@dataclass(frozen=True, slots=True)
class Change:
    """That the page of a table, or a player's own, is another one; not in what. `stamp`: of what it shows."""

    stamp: str
    is_public: bool = False
    event: str = "table"

    @property
    def line(self) -> bytes:
        return f"event: {self.event}\ndata: {{}}\n\n".encode()


class Topic(NamedTuple):
    """What a stream tells of: a session as everybody sees it, or (`whole`) as its officials do, who hear of
    every result; the page of a `table`; or a person's own page (`players`: their entries in registers). The
    first tells nothing of boards that are not over, not even that something has come; the others nothing of
    what only other tables or people have done."""

    session: int
    whole: bool
    table: int = 0
    players: Players = ()

    @property
    def is_own(self) -> bool:
        """Whether the right to it is looked at otherwise than by a token of the API."""
        return bool(self.table or self.players)


@dataclass(eq=False, slots=True)
class Watcher:
    """An open stream. `token`: by which its holder sees what is not public, or the code of a table; `gone`:
    it is over. Nobody waits for it to read: beside the line that it is reading, it keeps the newest alone."""

    send: Send
    token: str
    gone: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    waiting: bytes | None = None
    is_leaving: bool = False
    speaking: asyncio.Task[None] | None = None

    def hear(self, line: bytes) -> None:
        if not self.is_leaving:
            self.waiting = line
            self.speak()

    def show_life(self) -> None:
        if self.speaking is None:  # whoever still reads, or has news before them, hears enough
            self.hear(b": still here\n\n")

    def leave(self) -> None:
        self.waiting, self.is_leaving = None, True
        self.speak()

    def speak(self) -> None:
        if self.speaking is None and not self.gone.done():
            self.speaking = asyncio.create_task(self.say())

    async def say(self) -> None:
        try:
            while self.waiting is not None:
                line, self.waiting = self.waiting, None
                await self.put(line, more=True)
            if self.is_leaving:
                await self.put(b"", more=False)
        except (TimeoutError, OSError):
            self.is_leaving = True
        finally:
            self.speaking = None
            if self.is_leaving and not self.gone.done():
                self.gone.set_result(None)

    async def put(self, line: bytes, *, more: bool) -> None:
        async with asyncio.timeout(SLOW_SECONDS):
            await self.send({"type": "http.response.body", "body": line, "more_body": more})


class Desk:
    """All that this process tells its watchers, and the one thread that asks the database."""

    def __init__(self) -> None:
        self.watchers: dict[Topic, set[Watcher]] = {}
        self.news: dict[Topic, News | Change] = {}
        self.by_address: dict[str, int] = {}
        self.thread = ThreadPoolExecutor(1, "live")
        self.task: asyncio.Task[None] | None = None

    async def ask(self, question: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.thread, question)

    async def admit(self, session_id: int, token: str) -> tuple[Topic, News | Change] | None:
        """The news of a session for a newcomer, and what they hear of it from now on; None for one who may
        not watch it. What is public and already watched here is known without asking."""
        topic = Topic(session_id, whole=False)
        known = self.news.get(topic)
        if known is not None and known.is_public and not token:
            return topic, known
        answer: tuple[Topic, News | Change] | None = await self.ask(partial(news_for, session_id, token))
        return answer

    async def admit_table(self, code: str) -> tuple[Topic, News | Change] | None:
        """The same for a phone, by the code of its table; None for one that opens nothing, or no longer."""
        answer: tuple[Topic, News | Change] | None = await self.ask(partial(news_of_table, code))
        return answer

    async def admit_player(self, cookie: str) -> tuple[Topic, News | Change] | None:
        """The same for a player, by the cookie of their browser; None for one that opens nobody's page."""
        answer: tuple[Topic, News | Change] | None = await self.ask(partial(news_of_player, cookie))
        return answer

    async def watch(self, topic: Topic, watcher: Watcher, first: News | Change, receive: Receive) -> None:
        self.watchers.setdefault(topic, set()).add(watcher)
        self.news.setdefault(topic, first)
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self.tell())
        ends = None
        try:
            if topic.players:
                seconds = OWN_SECONDS * uniform(0.8, 1.2)  # noqa: S311  # not a hall at once
                ends = asyncio.get_running_loop().call_later(seconds, watcher.leave)
            watcher.hear(b"retry: %d\n\n" % (1000 * RETRY_SECONDS) + self.news[topic].line)
            await until_either(watcher.gone, left(receive))
        finally:
            if ends is not None:
                ends.cancel()
            if watcher.speaking is not None:
                watcher.speaking.cancel()
            self.watchers[topic].discard(watcher)
            if not self.watchers[topic]:
                del self.watchers[topic]
                self.news.pop(topic, None)

    async def tell(self) -> None:
        """Until nobody watches: ask what is new, and tell it. Whatever goes wrong, the streams go on."""
        last = monotonic()
        while self.watchers:
            await asyncio.sleep(POLL_SECONDS)
            try:
                asked = list(self.watchers)
                found: dict[Topic, News | Change] = await self.ask(partial(current_news, asked))
                await self.let_go_of_ended_links(
                    one for one in asked if one.table and found.get(one) not in (None, self.news.get(one))
                )
                if monotonic() - last >= HEARTBEAT_SECONDS:
                    last = monotonic()
                    await self.show_life()
                for topic in asked:  # of one whose first watcher came since, nothing is known yet
                    await self.tell_of(topic, found.get(topic))
            except DatabaseError as error:
                log.warning("the database is away (%s); the streams wait", type(error).__name__)
            except Exception:
                log.exception("the streams could not be told what is new; trying again")

    async def show_life(self) -> None:
        await self.let_go_of_ended_links(topic for topic in list(self.news) if topic.table)
        for topic, news in list(self.news.items()):
            if not topic.is_own and (topic.whole or not news.is_public):
                await self.let_go_of_the_revoked(topic)
        for watching in self.watchers.values():
            for watcher in watching:
                watcher.show_life()

    async def tell_of(self, topic: Topic, news: News | Change | None) -> None:
        watching = self.watchers.get(topic)
        if watching is None or news == self.news.get(topic):
            return
        if news is None:  # there is no such session, or table, any more
            for watcher in watching:
                watcher.leave()
            return
        if topic.whole or not news.is_public:
            if not topic.is_own:  # of tables, all links have been looked at together
                await self.let_go_of_the_revoked(topic)
            watching = {watcher for watcher in watching if not watcher.is_leaving}
        if watching:  # where all have gone, nothing is kept: the next newcomer asks
            self.news[topic] = news
            for watcher in watching:
                watcher.hear(news.line)

    async def let_go_of_the_revoked(self, topic: Topic) -> None:
        """Streams of what is not public end with the right to see it; those of officials too, who come again
        and hear what everybody hears."""
        watching = list(self.watchers.get(topic, ()))
        given = {watcher.token for watcher in watching} - {""}
        heard = {token: await self.ask(partial(news_for, topic.session, token)) for token in given}
        barred = {token for token, one in heard.items() if one is None or one[0] != topic}
        for watcher in watching:
            if watcher.token in {"", *barred}:
                watcher.leave()

    async def let_go_of_ended_links(self, topics: Iterable[Topic]) -> None:
        """Streams of tables end with the link that opened them: one query, however many tables there are."""
        watching = [(topic, one) for topic in topics for one in self.watchers.get(topic, ())]
        if watching:
            opened = await self.ask(partial(tables_opened, {one.token for _topic, one in watching}))
            for topic, one in watching:
                if opened.get(one.token) != topic.table:
                    one.leave()


desk = Desk()
of_tables, of_players = TableNews(), PlayerNews()  # asked by the one thread


def tables_opened(codes: set[str]) -> dict[str, int]:
    close_old_connections()
    return table_links.tables_with_codes(codes)


def is_a_link(code: str) -> bool:
    """Whether a code was right once: its page, left open, tries no others."""
    close_old_connections()
    return table_links.with_code(code) is not None


def news_of_table(code: str) -> tuple[Topic, News | Change] | None:
    """What the phones of a table hear, by its code: a link that has ended tells nothing more."""
    close_old_connections()
    link = table_links.with_code(code)
    if link is None or not table_links.is_in_force(link):
        return None
    topic = Topic(link.table.section.session_id, whole=False, table=link.table_id)
    known = desk.news.get(topic)
    return topic, known or Change(TableNews().stamps([link.table_id])[link.table_id])


def news_of_player(cookie: str) -> tuple[Topic, News | Change] | None:
    """What somebody hears who may open their own page."""
    close_old_connections()
    players = players_with(cookie)
    if not players:
        return None
    topic = Topic(0, whole=False, players=players)
    return topic, desk.news.get(topic) or Change(PlayerNews().stamps([players])[players], event="player")


def news_for(session_id: int, token: str) -> tuple[Topic, News | Change] | None:
    """What the holder of a token (anyone, without one) may hear of a session, and its news."""
    close_old_connections()
    viewer = tokens.holder_of(token) if token else None
    if viewer is not None and not viewer.allows(Token.Scope.READ):
        return None
    visible = Session.objects.ranking_visible_to(viewer).select_related("tournament")
    session = visible.filter(pk=session_id).first()
    if session is None:
        return None
    topic = Topic(session_id, whole=viewer is not None and live_lists.sees_all(session, viewer))
    news = current_news([topic]).get(topic)
    return None if news is None else (topic, news)


def current_news(topics: list[Topic]) -> dict[Topic, News | Change]:
    """The news of sessions, one query for all, of tables (`TableNews`) and of players (`PlayerNews`)."""
    close_old_connections()
    tables = {topic.table: topic for topic in topics if topic.table}
    found: dict[Topic, News | Change] = {}
    if tables:
        found = {tables[table]: Change(stamp) for table, stamp in of_tables.stamps(tables).items()}
    people = {topic.players: topic for topic in topics if topic.players}
    if people:
        stamps = of_players.stamps(people)
        found |= {people[one]: Change(stamp, event="player") for one, stamp in stamps.items()}
    sessions = {topic.session for topic in topics if not topic.is_own}
    if not sessions:
        return found
    rows = Session.objects.filter(pk__in=sessions).values_list(
        "pk", "tally__version", "tally__live_version", "state", "listed", "leg", "leg__lifted_at"
    )
    for pk, version, live_version, state, listed, leg, lifted_at in rows:
        is_over = state in Session.OVER and (leg is None or lifted_at is not None)
        found[Topic(pk, whole=True)] = News(version, state, listed)
        public = version if is_over else live_version
        found[Topic(pk, whole=False)] = News(public, state, listed, is_live=not is_over)
    return found


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
    """`event: ranking`, `data: {"version": 41, "live": true, "state": "running"}`, whenever something is
    new; of a table's page, `event: table`; of a player's own, `event: player`."""
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
        address, code = address_of(headers.meta), form["code"]
        is_player = code is None and form["session"] is None
        if form["session"] and await is_too_much(send, "anonymous", address):
            return
        open_here = sum(desk.by_address.values())
        if open_here >= STREAMS_AT_MOST or desk.by_address.get(address, 0) >= STREAMS_AN_ADDRESS:
            message = _("Too many people are watching here: please look again in a few seconds.")
            await refuse(send, 503, "too-many-streams", message, {"Retry-After": "5"})
            return
        try:
            if is_player:
                first = await desk.admit_player(headers.cookies.get(settings.SESSION_COOKIE_NAME, ""))
            elif code is None:
                first = await desk.admit(int(form["session"]), headers.token)
            else:
                first = await desk.admit_table(code)
        except DatabaseError:
            message = _("The service cannot reach its data at the moment; send this again in a few seconds.")
            await refuse(send, 503, "unavailable", message, {"Retry-After": "5"})
            return
        if first is None:
            is_a_guess = code is not None and not await desk.ask(partial(is_a_link, code))
            if is_a_guess and await is_too_much(send, "failed", address):
                return
            if is_player and await is_too_much(send, "anonymous", address):
                return
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
        await desk.watch(first[0], Watcher(send, code or headers.token), first[1], receive)
    finally:
        desk.by_address[address] -= 1
        if not desk.by_address[address]:
            del desk.by_address[address]


async def is_too_much(send: Send, kind: str, address: str) -> bool:
    """Whether an address has asked as often as it may; it is told."""
    count = limiter.count(kind, address)
    if not count.is_allowed:
        message = _("Too many requests: please wait a moment.")
        await refuse(send, 429, "too-many-requests", message, {"Retry-After": str(count.seconds)})
    return not count.is_allowed
