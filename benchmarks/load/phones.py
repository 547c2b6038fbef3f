"""The phones at the tables: how many hold a stream, when they hear of what the director does, and how long
their pages take, all of them at once."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from random import Random

from tests.connections import Connection, NoAnswer
from tests.running import PATIENCE
from tournaments.services import table_links, tokens

from .fields import FieldOfTables
from .figures import FigureUnit, Run
from .memory import proportional, threads
from .results import checked
from .watchers import AT_ONCE

A_TABLE = 3  # phones
READERS = 64  # connections by which they ask for their pages


def codes_of(field: FieldOfTables) -> list[str]:
    """The code of each table's page."""
    organiser = tokens.holder_of(field.organiser)
    assert organiser is not None
    table_links.make(session=field.session, actor=organiser)
    return [code for _link, code in table_links.codes(table_links.in_force(field.session, organiser))]


async def at_tables(run: Run, port: int, web: int, field: FieldOfTables, codes: Sequence[str]) -> None:
    """`web`: the id of the web process."""
    director = Connection(port, field.organiser)
    before = proportional(web), threads(web)
    streams = [TableStream(port, code) for code in codes for _phone in range(A_TABLE)]
    count = len(streams)
    began = time.perf_counter()
    for start in range(0, count, AT_ONCE):
        await asyncio.gather(*(one.open() for one in streams[start : start + AT_ONCE]))
    through = [one for one in streams if one.is_open]
    run.add("phones at tables who get through", len(through), FigureUnit.COUNT, count)
    run.add("phones at tables, all open after", time.perf_counter() - began, FigureUnit.SECONDS, count)
    costs = proportional(web), threads(web)
    run.add("a phone at a table", (costs[0] - before[0]) / max(len(through), 1) / 1000, FigureUnit.KB, count)
    run.add("threads while phones listen", costs[1] - before[1], FigureUnit.COUNT, count)
    heard = [asyncio.create_task(one.next()) for one in through]
    said = time.perf_counter()
    answer = await director.post(f"{field.path}/announcements/", {"text": "Tea."})
    assert answer.status == 201, answer.body[:500]
    times = sorted(await asyncio.gather(*heard))
    run.add("phones at tables, announcement to first", times[0] - said, FigureUnit.SECONDS, count)
    run.add("phones at tables, first to last", times[-1] - times[0], FigureUnit.SECONDS, count)
    await pages(run, port, codes, count)
    for one in streams:
        one.connection.close()
    await asyncio.sleep(1)


async def pages(run: Run, port: int, codes: Sequence[str], count: int) -> None:
    """Every phone asks for what has changed on its page, as it does when it has heard of something."""
    waiting = [f"/fr/t/{code}/now/" for code in codes for _phone in range(A_TABLE)]
    Random(1).shuffle(waiting)
    seconds: list[float] = []

    async def reader() -> None:
        connection = Connection(port, seconds=PATIENCE)
        while waiting:
            answer = checked(await connection.get(waiting.pop(), accept_encoding="gzip"))
            seconds.append(answer.seconds)
        connection.close()

    began = time.perf_counter()
    await asyncio.gather(*(reader() for _ in range(min(READERS, len(waiting)))))
    run.add("pages of tables, all there after", time.perf_counter() - began, FigureUnit.SECONDS, count)
    run.add("pages of tables", count / (time.perf_counter() - began), FigureUnit.RATE, count)


class TableStream:
    """What a table's page listens to."""

    def __init__(self, port: int, code: str) -> None:
        self.connection = Connection(port)
        self.path = f"/fr/t/{code}/live/"
        self.is_open = False

    async def open(self) -> None:
        """Until the first event, which says that the stream is there."""
        with suppress(OSError, EOFError, NoAnswer, TimeoutError):
            async with asyncio.timeout(self.connection.seconds):
                await self.connection.send(self.connection.request("GET", self.path))
                status, _headers = await self.connection.headers()
                if status == 200:
                    await self._event()
                    self.is_open = True

    async def next(self) -> float:
        """When something was heard of."""
        async with asyncio.timeout(PATIENCE):
            await self._event()
        return time.perf_counter()

    async def _event(self) -> None:
        assert self.connection.reader is not None
        while not (line := await self.connection.reader.readline()).startswith(b"data: "):
            if not line:
                raise EOFError
