"""What a director waits for: a ruling until it is recorded and until all lists have it, a round that is
opened, and what differs between two versions; each beside the empty view of the same run."""

import asyncio
import json
from collections.abc import Sequence
from itertools import islice, pairwise
from time import perf_counter
from typing import Any

from django.db.models import F, Max

from tests.connections import Connection, HttpAnswer
from tournaments.models import Ranking, Ruling

from .fields import ROUNDS, FieldOfTables
from .figures import FigureUnit, Run
from .results import EMPTY_VIEWS, until

APART = (
    0.3  # seconds: longer than versions of a ranking are apart, so that each ruling has a version of its own
)
PERCENT = ("60", "50", "40")


async def rulings(run: Run, port: int, field: FieldOfTables, repetitions: int) -> None:
    """An artificial score for everybody at a table, one table after another, and each taken back."""
    director = Connection(port, field.organiser)
    recorded, listed = [], []
    for number in range(repetitions + 1):
        await asyncio.sleep(APART)
        began = perf_counter()
        decision = {"kind": "artificial", "percent": PERCENT[number % len(PERCENT)]}
        play = {"section": "A", "table": number % field.tables + 1, "board": 1, "decisions": [decision]}
        answer = await director.post(f"{field.path}/rulings/", {"play": play, "reason": "Cards were seen."})
        ruling = done(answer).json["id"]
        if number:  # the first one makes the workers look for rulings
            recorded.append(answer.seconds)
        await until(lambda: is_listed(ruling), "a ruling to be ranked")  # noqa: B023 - awaited at once
        if number:
            listed.append(perf_counter() - began)
        reversal = {"state": "reversed", "reason": "They were not."}
        done(await put(director, f"{field.path}/rulings/{ruling}/state/", reversal))
        await until(lambda: is_listed(ruling), "a reversal to be ranked")  # noqa: B023 - awaited at once
    add(run, "a ruling recorded", recorded, field.tables)
    run.add_times("a ruling in the lists", listed, field.tables)


async def opened_rounds(run: Run, port: int, field: FieldOfTables, repetitions: int) -> None:
    """The last round, of which nothing has come in, opened and taken back again and again; in the end all
    rounds are open, as they were."""
    director, clock = Connection(port, field.organiser), f"{field.path}/clock/"
    done(await put(director, clock, {"duration": 45}))
    opened = []
    for _ in range(repetitions):
        for state in ("open", "waiting"):
            answer = done(await put(director, f"{field.path}/rounds/{ROUNDS}/state/", {"state": state}))
            if state == "open":
                opened.append(answer.seconds)
    done(await director.answer(director.request("DELETE", clock, None, If_Match="*")))
    add(run, "a round opened", opened, field.tables)


async def differences(run: Run, port: int, field: FieldOfTables, repetitions: int) -> None:
    """Between versions that nobody has compared yet; and again."""
    director = Connection(port, field.organiser)
    own = Ranking.objects.filter(session=field.session, is_live=False)
    newest = own.aggregate(newest=Max("version"))["newest"]
    pairs = [(first, last) for last, first in pairwise(range(newest, 0, -1))]
    first_time, again = [], []
    for first, last in islice(pairs, repetitions):
        path = f"{field.path}/ranking/difference/?from={first}&to={last}"
        first_time.append(done(await director.get(path)).seconds)
        again.append(done(await director.get(path)).seconds)
    add(run, "a difference of two versions", first_time, field.tables)
    add(run, "a difference asked for again", again, field.tables)


def add(run: Run, name: str, seconds: Sequence[float], size: int) -> None:
    """The times, and how many requests of the empty view the middle one is worth."""
    run.add_times(name, seconds, size)
    empty = run.value(f"{EMPTY_VIEWS[0]}, p50")
    run.add(f"{name} / {EMPTY_VIEWS[0]}", run.value(f"{name}, p50", size) / empty, FigureUnit.RATIO, size)


async def put(connection: Connection, path: str, content: Any) -> HttpAnswer:
    body = json.dumps(content).encode()
    return await connection.answer(connection.request("PUT", path, body, If_Match="*"))


def done(answer: HttpAnswer) -> HttpAnswer:
    assert 200 <= answer.status < 300, (answer.status, answer.body[:500])
    return answer


def is_listed(ruling: int) -> bool:
    """Whether the lists have taken in a ruling, and its reversal if there is one."""
    ranked = F("session__tally__ranked_position")
    last = Ruling.objects.filter(pk=ruling, position__lte=ranked)
    return last.exclude(reversed_position__gt=ranked).exists()
