"""Results under load: one by one from many phones, in bulk, and one alone in fields of several sizes."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, cycle, islice, product

from django.db.models import F

from tests.connections import Connection, HttpAnswer, to_json
from tests.running import PATIENCE
from tournaments.models import Result, Submission, Tally

from .fields import FieldOfTables
from .figures import FigureUnit, Run

CLIENTS, IN_BULK = 8, 500
EMPTY_VIEWS = ("empty view", "empty view, this server")
"""The yardstick, and the same under what the service has come to use."""

POLL_SECONDS = 0.002


async def under_load(
    connections: Sequence[Connection], requests: Sequence[Iterator[bytes]], seconds: float
) -> tuple[list[float], float]:
    """Each connection sends one request after another for so long: the seconds of each, and of all."""
    times: list[float] = []
    began = time.perf_counter()

    async def client(connection: Connection, own: Iterator[bytes]) -> None:
        while time.perf_counter() - began < seconds:
            times.append(checked(await connection.answer(next(own))).seconds)

    await asyncio.gather(*map(client, connections, requests))
    return times, time.perf_counter() - began


def checked(answer: HttpAnswer) -> HttpAnswer:
    assert answer.status in {200, 202, 304}, (answer.status, answer.body[:500])
    return answer


async def empty(run: Run, name: str, port: int, seconds: float) -> None:
    """As many clients at a view that does nothing."""
    connections = [Connection(port) for _ in range(CLIENTS)]
    requests = [cycle([one.request("GET", "/empty")]) for one in connections]
    await under_load(connections, requests, min(seconds, 0.5))
    times, took = await under_load(connections, requests, seconds)
    run.add(name, len(times) / took, FigureUnit.RATE)
    run.add_times(name, times)


async def singles(run: Run, port: int, field: FieldOfTables, seconds: float) -> None:
    """Each client hands in and corrects the results of its own tables, one table after another."""
    connections = [Connection(port) for _ in range(min(CLIENTS, len(field.phones)))]
    requests = [
        posts(port, field, list(field.phones.items())[number :: len(connections)])
        for number in range(len(connections))
    ]
    await under_load(connections, requests, min(seconds, 0.5))
    await until(nothing_waits, "all results to be ranked")
    times, took = await under_load(connections, requests, seconds)
    began = time.perf_counter()
    await until(nothing_waits, "all results to be ranked")
    run.add("single results by POST", len(times) / took, FigureUnit.RATE)
    for name in EMPTY_VIEWS:
        run.add(f"single results by POST / {name}", len(times) / took / run.value(name), FigureUnit.RATIO)
    run.add_times("single results by POST", times)
    run.add("the lists behind the last of them", time.perf_counter() - began, FigureUnit.SECONDS)


def posts(port: int, field: FieldOfTables, phones: Sequence[tuple[int, str]]) -> Iterator[bytes]:
    tables = [(table, Connection(port, token)) for table, token in phones]
    for board, (table, phone) in cycle(product(field.sheets, tables)):
        yield post(phone, field.path, field.body(table, board))


def post(connection: Connection, path: str, content: object, kind: str = "") -> bytes:
    return connection.request("POST", f"{path}/submissions/{kind}", to_json(content))


async def bulk(run: Run, port: int, field: FieldOfTables, requests: int) -> None:
    connection = Connection(port, field.organiser)
    every = chain.from_iterable(field.bodies() for _ in iter(int, 1))
    made = [
        post(connection, field.path, {"submissions": list(islice(every, IN_BULK))}, "bulk/")
        for _ in range(requests + 1)
    ]
    checked(await connection.answer(made.pop()))
    await until(nothing_waits, "all results to be ranked")
    began = time.perf_counter()
    stored = sum([checked(await connection.answer(one)).seconds for one in made])
    await until(nothing_waits, "all results to be ranked")
    ranked = time.perf_counter() - began
    run.add("bulk of 500, stored", requests * IN_BULK / stored, FigureUnit.RATE)
    run.add("bulk of 500, judged and ranked", requests * IN_BULK / ranked, FigureUnit.RATE)


async def alone(run: Run, port: int, field: FieldOfTables, repetitions: int) -> None:
    """One result at a time: until its sender sees it accepted, and until the lists have taken it in."""
    connections = {table: Connection(port, token) for table, token in field.phones.items()}
    accepted, ranked = [], []
    for number, (table, connection) in enumerate(islice(cycle(connections.items()), repetitions + 2)):
        await asyncio.sleep(
            0.3
        )  # longer than versions of a ranking are apart: each result has a version of its own
        began = time.perf_counter()
        body = field.body(table, field.last_boards[number % len(field.last_boards)])
        answer = checked(await connection.post(f"{field.path}/submissions/", body))
        submission = answer.json["id"]
        while answer.json["state"] == "pending":
            await asyncio.sleep(POLL_SECONDS)
            answer = checked(await connection.get(f"/api/v1/submissions/{submission}/"))
        assert answer.json["state"] == "accepted", answer.json
        until_accepted = time.perf_counter() - began
        await until(lambda: is_ranked(submission), "a result to be ranked")  # noqa: B023 - awaited at once
        if number >= 2:  # a worker's first one loads the session
            accepted.append(until_accepted)
            ranked.append(time.perf_counter() - began)
    run.add_times("one result accepted", accepted, field.tables)
    run.add_times("one result in the lists", ranked, field.tables)


def is_ranked(submission: int) -> bool:
    ranked = F("session__tally__ranked_position")
    return Result.objects.filter(submission=submission, position__lte=ranked).exists()


def nothing_waits() -> bool:
    return not Submission.objects.pending().exists() and not Tally.objects.behind().exists()


async def until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"waited {PATIENCE} s for {what}"
        await asyncio.sleep(POLL_SECONDS)
