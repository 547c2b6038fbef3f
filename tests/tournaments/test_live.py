"""The live stream, on a real server: who may watch, what comes, and how it ends."""

import asyncio
import functools
import json
import threading
from pathlib import Path
from random import Random
from typing import Any

import httpx
import psycopg
import pytest

from tests.connections import Connection
from tests.running import PATIENCE, Service, children_of, wait_until
from tournaments.api import live
from tournaments.management import robots

pytestmark = pytest.mark.processes


class StreamReader(threading.Thread):
    """Reads a stream and keeps its events."""

    def __init__(self, address: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(daemon=True)
        self.address, self.events = address, []  # type: tuple[str, list[dict[str, Any]]]
        self.sent = headers or {}
        self.headers: httpx.Headers | None = None
        self.start()

    def run(self) -> None:
        try:
            with httpx.stream("GET", self.address, headers=self.sent, timeout=PATIENCE) as response:
                self.headers = response.headers
                for line in response.iter_lines():
                    if line.startswith("data: "):
                        self.events.append(json.loads(line[6:]))
        except httpx.TransportError:
            pass  # the service has ended


def stream_of(service: Service, hall: robots.Hall) -> str:
    return f"{service.address}/api/v1/sessions/{hall.session}/live/"


def are_counted(director: httpx.Client, hall: robots.Hall, results: int) -> bool:
    places = robots.pages(director, f"{robots.at(hall)}/ranking/", "places")
    return sum(place["boards"] for place in places) == 3 * results


def test_every_watcher_hears_of_new_versions_and_of_the_end(service: Service) -> None:
    hall = service.set_up(players=9, boards_per_round=1)
    watchers = [StreamReader(stream_of(service, hall)) for _ in range(20)]
    wait_until(lambda: all(watcher.events for watcher in watchers), what="first events")
    assert watchers[0].events == [{"version": 0, "live": True, "state": "ready"}]
    headers = watchers[0].headers
    assert headers is not None
    assert headers["content-type"] == "text/event-stream"
    assert headers["x-accel-buffering"] == "no"
    entered = 0
    with robots.client(hall.address, hall.organiser) as director:
        for step in robots.evening(hall, seconds=2, random=Random(1)):
            entered += step.refused is None
            wait_until(
                functools.partial(are_counted, director, hall, entered), what="a result to be in the ranking"
            )  # a board is over as soon as its last result has come: others of it are not on their way
    robots.finish(hall)
    with robots.client(hall.address, hall.organiser) as director:
        last = robots.answer_of(director.get(f"{robots.at(hall)}/ranking/"))["version"]
    wait_until(
        lambda: all(
            watcher.events[-1] == {"version": last, "live": False, "state": "provisional"}
            for watcher in watchers
        ),
        what="the last version to reach everyone",
    )
    for watcher in watchers:
        versions = [event["version"] for event in watcher.events if event["live"]]
        assert versions == sorted(versions)
        assert max(versions) <= 4, "a version for each board that is over, and none for a result"
        assert set(watcher.events[0]) == {"version", "live", "state"}  # the ranking is fetched


def test_only_who_may_see_the_ranking_may_watch(service: Service) -> None:
    hall = service.set_up(players=9, boards_per_round=1)
    with robots.client(hall.address, hall.organiser) as director:
        robots.answer_of(director.put(f"{robots.at(hall)}/publication/", json={"listed": False}))
    address = stream_of(service, hall)
    refusal = httpx.get(f"{address}?since=3", headers={"Accept-Language": "fr"})
    assert (refusal.status_code, list(refusal.json()["error"]["details"])) == (400, ["since"])
    refusal = httpx.get(address)
    assert (refusal.status_code, refusal.json()["error"]["code"]) == (404, "not-found")
    table = {"Authorization": f"Bearer {next(iter(hall.tables.values()))}"}
    assert httpx.get(address, headers=table).status_code == 404
    with httpx.stream("GET", address, headers={"Authorization": f"Bearer {hall.organiser}"}) as stream:
        assert stream.status_code == 200


@pytest.mark.parametrize("is_public", [True, False], ids=["public", "private"])
def test_watchers_take_no_connection_to_the_database_and_no_thread(service: Service, is_public: bool) -> None:
    """Also where each of them is asked for its right. A few may be opened meanwhile for other work."""
    hall = service.set_up(players=9, boards_per_round=1)
    with robots.client(hall.address, hall.organiser) as director:
        robots.answer_of(director.put(f"{robots.at(hall)}/publication/", json={"listed": is_public}))
    few, many = [asyncio.run(counts_beside(service, hall, watchers)) for watchers in (1, WATCHERS)]
    assert max(after - before for before, after in zip(few, many, strict=True)) < WATCHERS / 4


WATCHERS = 90


async def counts_beside(service: Service, hall: robots.Hall, watchers: int) -> tuple[int, int]:
    """The connections to the database and the threads of the web process while so many watch."""
    streams = [Connection(service.port, hall.organiser) for _ in range(watchers)]
    for stream in streams:
        await stream.send(stream.request("GET", f"/api/v1/sessions/{hall.session}/live/"))
        assert (await stream.headers())[0] == 200
        assert stream.reader is not None
        async with asyncio.timeout(PATIENCE):
            while not (await stream.reader.readline()).startswith(b"data: "):
                pass
    children = children_of(service.process.pid)
    web = next(pid for pid, command in children if "tournaments.working" not in command)
    counts = connections_of(service, web), len(list(Path(f"/proc/{web}/task").iterdir()))
    for stream in streams:
        stream.close()
    return counts


def connections_of(service: Service, web: int) -> int:
    """All that PostgreSQL holds for the service; of its web process, how often SQLite's file is open."""
    if (database := service.environment.get("DATABASE_URL")) is None:
        files = [path.readlink().name for path in Path(f"/proc/{web}/fd").iterdir() if path.is_symlink()]
        return files.count("etui.sqlite3")
    with psycopg.connect(database) as server:
        row = server.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        ).fetchone()
    assert row is not None
    return int(row[0])


def test_a_stream_ends_when_the_ranking_is_withdrawn(service: Service) -> None:
    hall = service.set_up(players=9, boards_per_round=1)
    address = stream_of(service, hall)
    anyone = StreamReader(address)
    own = StreamReader(address, {"Authorization": f"Bearer {hall.organiser}"})
    table = StreamReader(address, {"Authorization": f"Bearer {next(iter(hall.tables.values()))}"})
    wait_until(lambda: anyone.events and own.events and table.events, what="first events")
    with robots.client(hall.address, hall.organiser) as director:
        robots.answer_of(director.put(f"{robots.at(hall)}/publication/", json={"listed": False}))
        robots.answer_of(director.put(f"{robots.at(hall)}/state/", json={"state": "played", "confirm": True}))
    for watcher in (anyone, table):
        watcher.join(PATIENCE)
        assert not watcher.is_alive()
        assert watcher.events == [{"version": 0, "live": True, "state": "ready"}]
    wait_until(lambda: own.events[-1]["state"] == "played", what="the organiser to hear more")
    assert httpx.get(address).status_code == 404


SEVENTH, EIGHTH = (live.Topic(session, whole=False) for session in (7, 8))


def test_a_newcomer_is_not_sent_away_by_what_was_asked_before_it_came(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first who watches a session comes while the database is asked for other sessions."""
    first, second = live.News(1, "open", True), live.News(2, "open", True)
    is_asked, has_come = threading.Event(), threading.Event()

    def news(topics: list[live.Topic]) -> dict[live.Topic, live.News]:
        is_asked.set()
        assert has_come.wait(PATIENCE)
        return dict.fromkeys(topics, second)

    async def run() -> list[bytes]:
        desk, said, is_told = live.Desk(), [], asyncio.Event()

        async def send(message: Any) -> None:
            said.append(message["body"])
            if second.line in message["body"]:
                is_told.set()

        async def nothing(_message: Any) -> None: ...

        async def stays() -> Any:
            await asyncio.Event().wait()

        early = asyncio.create_task(desk.watch(SEVENTH, live.Watcher(nothing, ""), first, stays))
        assert await asyncio.to_thread(is_asked.wait, PATIENCE)
        late = asyncio.create_task(desk.watch(EIGHTH, live.Watcher(send, ""), first, stays))
        await asyncio.sleep(0)  # it watches
        assert EIGHTH in desk.watchers
        has_come.set()
        told = asyncio.create_task(is_told.wait())
        async with asyncio.timeout(PATIENCE):
            await asyncio.wait({late, told}, return_when=asyncio.FIRST_COMPLETED)
        for task in (early, late, told):
            task.cancel()
        return said

    monkeypatch.setattr(live, "current_news", news)
    assert asyncio.run(run())[1:] == [second.line]


def test_of_a_session_that_all_had_to_leave_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes next is asked for its right anew."""
    public, withdrawn = live.News(1, "open", True), live.News(1, "open", False)

    async def run() -> live.Desk:
        desk = live.Desk()

        async def send(_message: Any) -> None: ...

        async def stays() -> Any:
            await asyncio.Event().wait()

        async with asyncio.timeout(PATIENCE):
            await desk.watch(SEVENTH, live.Watcher(send, ""), public, stays)
            assert desk.task
            await desk.task
        return desk

    monkeypatch.setattr(live, "current_news", lambda ids: dict.fromkeys(ids, withdrawn))
    desk = asyncio.run(run())
    assert (desk.watchers, desk.news) == ({}, {})


def test_streams_go_on_after_anything_unexpected(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = live.News(1, "open", True), live.News(2, "open", True)
    answers = iter([ZeroDivisionError("something unexpected"), {SEVENTH: second}])

    def news(topics: list[live.Topic]) -> dict[live.Topic, live.News]:
        answer = next(answers, {SEVENTH: second})
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def run() -> list[bytes]:
        desk, said, is_told = live.Desk(), [], asyncio.Event()

        async def send(message: Any) -> None:
            said.append(message["body"])
            if second.line in message["body"]:
                is_told.set()

        async def stays() -> Any:
            await asyncio.Event().wait()

        watching = asyncio.create_task(desk.watch(SEVENTH, live.Watcher(send, ""), first, stays))
        async with asyncio.timeout(PATIENCE):
            await is_told.wait()
        watching.cancel()
        return said

    monkeypatch.setattr(live, "current_news", news)
    assert asyncio.run(run())[1:] == [second.line]


def test_who_is_slow_to_read_holds_nobody_up_and_gathers_nothing() -> None:
    """Each of many tables has one phone that does not read: the last table hears as soon as without them, and
    what came meanwhile waits for the slow as one line, the newest."""
    topics = [live.Topic(7, whole=False, table=table) for table in range(1, 41)]

    async def run() -> tuple[float, list[list[bytes]]]:
        desk, told = live.Desk(), asyncio.Event()
        held = asyncio.Event()
        slow: list[list[bytes]] = [[] for _ in topics]

        async def send_last(message: Any) -> None:
            if message["body"] == live.News(3, "open", True).line:
                told.set()

        def reading(said: list[bytes]) -> Any:
            async def send(message: Any) -> None:
                said.append(message["body"])
                await held.wait()

            return send

        async def stays() -> Any:
            await asyncio.Event().wait()

        first = live.News(1, "open", True)
        desk.task = asyncio.create_task(stays())  # this test tells itself
        watchers = [live.Watcher(reading(said), "") for said in slow]
        watching = [
            asyncio.create_task(desk.watch(topic, watcher, first, stays))
            for topic, watcher in zip(topics, watchers, strict=True)
        ]
        watching.append(
            asyncio.create_task(desk.watch(topics[-1], live.Watcher(send_last, ""), first, stays))
        )
        await asyncio.sleep(0.05)
        begun = asyncio.get_running_loop().time()
        for version in (2, 3):
            for topic in topics:
                await desk.tell_of(topic, live.News(version, "open", True))
        async with asyncio.timeout(PATIENCE):
            await told.wait()
        took = asyncio.get_running_loop().time() - begun
        held.set()
        await asyncio.sleep(0.05)
        for task in (*watching, desk.task):
            task.cancel()
        return took, slow

    took, slow = asyncio.run(run())
    assert took < 2, "a quarter of a second for each of the tables would be twenty"
    for said in slow:
        assert [line for line in said if b"retry" not in line] == [live.News(3, "open", True).line]


# ── The phones of a table ─────────────────────────────────────────────────────────────────────────


class TableReader(StreamReader):
    """Reads the stream of a table's page."""

    @property
    def count(self) -> int:
        return len(self.events)


def links_of(hall: robots.Hall, **given: Any) -> dict[int, str]:
    with robots.client(hall.address, hall.organiser) as director:
        made = robots.answer_of(director.post(f"{robots.at(hall)}/table-links/", json=given))
    return {one["table"]: one["path"] for one in made}


def test_phones_hear_that_their_own_table_has_news_and_not_what(service: Service) -> None:
    hall = service.set_up(players=9, boards_per_round=1)
    paths = links_of(hall)
    own, other = (TableReader(f"{service.address}{paths[table]}/live/") for table in (1, 2))
    wait_until(lambda: own.count and other.count, what="the first events")
    with robots.client(hall.address, hall.organiser) as director:
        plays = [one for one in robots.pages(director, f"{robots.at(hall)}/plays/") if one["table"] == 1]
        first, second, *_others = sorted(plays, key=lambda one: int(one["round"]))
        with robots.client(hall.address, hall.tables[first["section"], 1]) as phone:
            robots.hand_in(phone, hall, first, SHEET)
            wait_until(lambda: other.count == 2, what="everybody to hear that the session runs")
            wait_until(lambda: own.count > 1, what="the table to hear of its first result")
            before = own.count
            robots.hand_in(phone, hall, second, SHEET)
            wait_until(lambda: own.count > before, what="the table to hear of its second result")
        before = own.count
        robots.answer_of(director.post(f"{robots.at(hall)}/announcements/", json={"text": "Pause"}))
        wait_until(lambda: own.count > before and other.count > 2, what="the announcement")
    assert other.count == 3, "of what only another table does, nobody hears"
    assert {str(event) for event in own.events + other.events} == {"{}"}


SHEET = {"sheet": {"outcome": "normal", "tricks": [5, 3, 2]}}


def test_a_stream_ends_with_its_link_and_no_other_code_opens_one(service: Service) -> None:
    hall = service.set_up(players=9, boards_per_round=1)
    path = links_of(hall)[1]
    reader = TableReader(f"{service.address}{path}/live/")
    wait_until(lambda: reader.count, what="the first event")
    links_of(hall, table=1)
    reader.join(PATIENCE)
    assert not reader.is_alive()
    for code in (path.rpartition("/")[2], "ABCDEFGH23"):
        assert httpx.get(f"{service.address}/t/{code}/live/").status_code == 404
