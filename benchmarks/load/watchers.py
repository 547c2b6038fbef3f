"""Live watchers: how many get through, when they hear of a change, and what they cost."""

import asyncio
import json
import time
from contextlib import suppress

import psycopg
from django.conf import settings

from tests.connections import Connection, NoAnswer
from tests.running import PATIENCE

from .fields import FieldOfTables
from .figures import FigureUnit, Run
from .memory import proportional, threads
from .results import checked

AT_ONCE = 200  # streams that are being opened; a client's own backlog is not what is measured


async def watchers(run: Run, port: int, web: int, field: FieldOfTables, count: int) -> None:
    """`web`: the id of the web process."""
    director = Connection(port, field.organiser)
    before = proportional(web), threads(web), database_connections()
    streams = [LiveStream(port, field) for _ in range(count)]
    began = time.perf_counter()
    for start in range(0, count, AT_ONCE):
        await asyncio.gather(*(one.open() for one in streams[start : start + AT_ONCE]))
    through = [one for one in streams if one.version is not None]
    run.add("watchers who get through", len(through), FigureUnit.COUNT, count)
    run.add("watchers, all open after", time.perf_counter() - began, FigureUnit.SECONDS, count)
    costs = proportional(web), threads(web), database_connections()
    run.add("a watcher", (costs[0] - before[0]) / max(len(through), 1) / 1000, FigureUnit.KB, count)
    run.add("threads while they watch", costs[1] - before[1], FigureUnit.COUNT, count)
    if costs[2] is not None and before[2] is not None:
        run.add("database connections while they watch", costs[2] - before[2], FigureUnit.COUNT, count)
    heard = [asyncio.create_task(one.next()) for one in through]
    body = field.other_body(1, 1)  # everybody has played it, so that another score is another award
    handed_in = time.perf_counter()
    checked(await director.post(f"{field.path}/submissions/", body))
    times = sorted(await asyncio.gather(*heard))
    run.add("watchers, result to first", times[0] - handed_in, FigureUnit.SECONDS, count)
    run.add("watchers, first to last", times[-1] - times[0], FigureUnit.SECONDS, count)
    for one in streams:
        one.connection.close()
    await asyncio.sleep(1)


class LiveStream:
    """Of an official, who hears of every result: everybody else waits until its board is over."""

    def __init__(self, port: int, field: FieldOfTables) -> None:
        self.connection = Connection(port, field.organiser)
        self.path = f"{field.path}/live/"
        self.version: int | None = None

    async def open(self) -> None:
        """Until the first event; `version` stays None where that does not come."""
        with suppress(OSError, EOFError, NoAnswer, TimeoutError):
            async with asyncio.timeout(self.connection.seconds):
                await self.connection.send(self.connection.request("GET", self.path))
                status, _headers = await self.connection.headers()
                if status == 200:
                    self.version = await self._event()

    async def next(self) -> float:
        """When a newer version was heard of."""
        async with asyncio.timeout(PATIENCE):
            while await self._event() == self.version:
                pass
        return time.perf_counter()

    async def _event(self) -> int:
        assert self.connection.reader is not None
        while True:
            line = await self.connection.reader.readline()
            if not line:
                raise EOFError
            if line.startswith(b"data: "):
                return int(json.loads(line.removeprefix(b"data: "))["version"])


def database_connections() -> int | None:
    """How many PostgreSQL holds for this database; None on SQLite."""
    place = settings.DATABASES["default"]
    if not place["ENGINE"].endswith("postgresql"):
        return None
    with psycopg.connect(
        host=place["HOST"], port=place["PORT"], user=place["USER"], dbname=place["NAME"]
    ) as connection:
        others = "datname = current_database() AND pid <> pg_backend_pid()"
        query = f"SELECT count(*) FROM pg_stat_activity WHERE {others}"  # noqa: S608 - our own words
        row = connection.execute(query).fetchone()
    return int(row[0]) if row else None
