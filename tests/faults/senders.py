"""Clients of a service that is being broken: they hand in results, right and wrong ones, send again under the
same key until they are answered, read in between, and remember every acknowledgement."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import UUID

from engines import bots, registry
from tests.connections import Connection, HttpAnswer, NoAnswer, to_json
from tests.running import PATIENCE
from tournaments.management import robots

SHEETS = 6  # of each board
MOST_TRIES = 5 * PATIENCE  # for one request; then the service does not come back
PAGES = ("ranking/", "plays/", "submissions/", "history/", "boards/1/traveller/", "guides/tables/")
REFUSALS = {"too-many-refused"}  # conflicts that are no fault


@dataclass(frozen=True, slots=True)
class SentResult:
    """A result under its key; `is_right`: the engine will accept it."""

    session: int
    sender: str
    place: dict[str, Any]
    key: UUID
    sheet: dict[str, Any]
    is_right: bool

    @property
    def body(self) -> dict[str, Any]:
        content = {"key": str(self.key), "sheet": self.sheet}
        return {**self.place, **content, "reason": "Counted again"}  # the board may be over by now


@dataclass
class Ledger:
    """What was sent and answered. `ids`: of the submissions that were acknowledged, by key."""

    entries: dict[UUID, SentResult] = field(default_factory=dict)
    ids: dict[UUID, int] = field(default_factory=dict)
    statuses: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    def count(self, answer: HttpAnswer, request: str) -> None:
        self.statuses[str(answer.status)] += 1
        if answer.status >= 500 and answer.status != 503:
            self.findings.append(f"{request}: {answer.status} {answer.body[:300]!r}")

    def acknowledge(self, entry: SentResult, submission: int) -> None:
        known = self.ids.setdefault(entry.key, submission)
        if known != submission:
            self.findings.append(f"key {entry.key} is submission {known}, and {submission}")


@dataclass
class DisturbedEvening:
    """A session that is played under faults."""

    hall: robots.Hall
    sheets: dict[int, list[dict[str, Any]]]  # right ones, by board
    plays: list[dict[str, Any]]

    @classmethod
    def of(cls, hall: robots.Hall) -> "DisturbedEvening":
        with robots.client(hall.address, hall.organiser) as director:
            session = robots.answer_of(director.get(f"/sessions/{hall.session}/"))
            boards = list(robots.pages(director, f"/sessions/{hall.session}/boards/"))
            plays = list(robots.pages(director, f"/sessions/{hall.session}/plays/"))
        game, options = registry.game(session["game"]), session["options"]
        sheets: dict[int, list[dict[str, Any]]] = {}
        for board in boards:
            sheets[board["number"]] = []
            for number in range(SHEETS):
                state = game.start(game.read_deal(board["deal"], options), options)
                bots.play_on(game, state, [bots.at_random] * 3, Random(number))
                sheets[board["number"]].append(game.summarise(state))
        return cls(hall, sheets, plays)

    def entry(self, random: Random, *, is_right: bool = True, from_table: bool = True) -> SentResult:
        play = random.choice(self.plays)
        place = {name: play[name] for name in ("section", "table", "board")}
        sheet = random.choice(self.sheets[play["board"]])
        if not is_right:
            sheet = sheet | {"tricks": [9, 9, 9]}
        table = self.hall.tables[play["section"], play["table"]]
        sender = table if from_table else self.hall.organiser
        return SentResult(
            self.hall.session, sender, place, UUID(int=random.getrandbits(128), version=4), sheet, is_right
        )


@dataclass
class Senders:
    """So many clients at once, each with a lot of its own."""

    port: int
    evenings: Sequence[DisturbedEvening]
    ledger: Ledger
    over: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, seed: str, count: int) -> None:
        await asyncio.gather(*(self.client(Random(f"{seed} client {number}")) for number in range(count)))

    async def client(self, random: Random) -> None:
        """Until it is over: a little of everything that clients do."""
        kinds = {self.result: 60, self.wrong: 10, self.again: 10, self.bulk: 5, self.read: 15}
        while not self.over.is_set():
            await random.choices(list(kinds), list(kinds.values()))[0](random)

    async def result(self, random: Random) -> None:
        await self.deliver(random.choice(self.evenings).entry(random), random)

    async def wrong(self, random: Random) -> None:
        entry = random.choice(self.evenings).entry(random, is_right=False, from_table=random.random() < 0.1)
        await self.deliver(entry, random)

    async def again(self, random: Random) -> None:
        """Something that was acknowledged, once more."""
        if self.ledger.ids:
            await self.deliver(self.ledger.entries[random.choice(list(self.ledger.ids))], random)

    async def bulk(self, random: Random) -> None:
        evening = random.choice(self.evenings)
        entries = [evening.entry(random, from_table=False) for _ in range(random.randint(2, 20))]
        self.ledger.entries |= {entry.key: entry for entry in entries}
        path = f"/api/v1/sessions/{evening.hall.session}/submissions/bulk/"
        content = to_json({"submissions": [entry.body for entry in entries]})
        answer = await self.persist("POST", path, evening.hall.organiser, content, random)
        if answer.status == 202:
            for entry, made in zip(entries, answer.json["submissions"], strict=True):
                self.ledger.acknowledge(entry, made["id"])
        else:
            self.unexpected(answer, path)

    async def read(self, random: Random) -> None:
        hall = random.choice(self.evenings).hall
        path = f"/api/v1/sessions/{hall.session}/{random.choice(PAGES)}"
        answer = await self.persist("GET", path, hall.organiser, None, random)
        if answer.status != 200:
            self.unexpected(answer, path)

    async def deliver(self, entry: SentResult, random: Random) -> None:
        """Send until there is an answer; the same key each time."""
        self.ledger.entries[entry.key] = entry
        path = f"/api/v1/sessions/{entry.session}/submissions/"
        answer = await self.persist("POST", path, entry.sender, to_json(entry.body), random)
        if answer.status == 202:
            self.ledger.acknowledge(entry, answer.json["id"])
        elif answer.status != 409 or answer.json["error"]["code"] not in REFUSALS:
            self.unexpected(answer, path)

    async def persist(
        self, method: str, path: str, token: str, content: bytes | None, random: Random
    ) -> HttpAnswer:
        """Ask until there is an answer that is not "come again"."""
        connection = Connection(self.port, token, seconds=30)
        request = connection.request(method, path, content)
        for _try in range(MOST_TRIES):
            try:
                answer = await connection.answer(request)
            except NoAnswer:
                self.ledger.statuses["none"] += 1
            else:
                self.ledger.count(answer, f"{method} {path}")
                if answer.status < 500:
                    connection.close()
                    return answer
            await asyncio.sleep(random.uniform(0.1, 1.0))
        raise AssertionError(f"{method} {path} was never answered")

    def unexpected(self, answer: HttpAnswer, path: str) -> None:
        self.ledger.findings.append(f"{path}: {answer.status} {answer.body[:300]!r}")

    async def leave(self, random: Random, *, in_the_middle: bool) -> None:
        """Hang up in the middle of a body, or before the answer; then send it properly."""
        entry = random.choice(self.evenings).entry(random)
        connection = Connection(self.port, entry.sender)
        path = f"/api/v1/sessions/{entry.session}/submissions/"
        request = connection.request("POST", path, to_json(entry.body))
        try:
            await connection.send(request[: -random.randint(1, 60)] if in_the_middle else request)
        except OSError:
            self.ledger.statuses["none"] += 1
        await asyncio.sleep(random.choice([0.0, 0.01, 0.5]))
        connection.close()
        await self.deliver(entry, random)

    async def all_at_once(self, random: Random) -> None:
        """One result under one key from several connections at the same moment."""
        entry = random.choice(self.evenings).entry(random)
        await asyncio.gather(*(self.deliver(entry, random) for _ in range(random.randint(2, 8))))
