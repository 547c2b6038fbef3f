"""The faults, and the scene that they happen to: a service, its servers, its disk."""

import asyncio
import os
import resource
import signal
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import urlopen

from tests import running
from tests.running import PATIENCE, Service
from tests.servers import Lodging

from .senders import Senders

STOP_SECONDS = (0.1, 5.0)  # for how long a process or a server is stopped


@dataclass
class FaultScene:
    """What can be broken, and how it is put together again."""

    place: Lodging
    port: int
    workers: int
    senders: Senders
    random: Random
    findings: list[str]
    service: Service = field(init=False)
    deliveries: set[asyncio.Task[None]] = field(default_factory=set)  # that faults have begun

    def start(self) -> None:
        self.service = running.start(self.place.environment, self.port, self.workers)

    async def ready(self) -> None:
        """All parts of the service are ready. Where its supervisor has ended, it is started again, as an
        operator's own supervisor would: its port may still be taken by the children of the last one."""
        for _second in range(PATIENCE):
            if await asyncio.to_thread(is_ready, self.service.address):
                return
            if self.service.process.poll() is not None:
                self.start()
            await asyncio.sleep(1)
        self.findings.append(f"the service did not come back within {PATIENCE} s: {log_of(self.service)}")
        raise TimeoutError

    def deliver(self, delivery: Coroutine[Any, Any, None]) -> None:
        """Let a client persist while other faults happen: the service may be away until these are over."""
        self.deliveries.add(asyncio.create_task(delivery))

    def another_lot(self) -> Random:
        """For what goes on beside the faults, whose order depends on the seed alone."""
        return Random(self.random.random())

    def processes(self, name: str) -> list[int]:
        """The ids of the supervisor's children of a kind: "web" or "worker"."""
        children = running.children_of(self.service.process.pid)
        return [pid for pid, command in children if ("tournaments.working" in command) == (name == "worker")]


def is_ready(address: str) -> bool:
    try:
        return bool(urlopen(f"{address}/readyz", timeout=10).status == 200)
    except (OSError, HTTPException):
        return False


def log_of(service: Service) -> str:
    return service.log.read_text(errors="replace")[-500:]


Fault = Callable[[FaultScene], Awaitable[None]]
FAULTS: dict[str, tuple[Fault, int, bool]] = {}
"""By name: what is done, how often beside the others, and whether it needs servers."""


def fault(name: str, weight: int, *, needs_servers: bool = False) -> Callable[[Fault], Fault]:
    def keep(function: Fault) -> Fault:
        FAULTS[name] = (function, weight, needs_servers)
        return function

    return keep


def kill(pid: int, number: int = signal.SIGKILL) -> None:
    with suppress(ProcessLookupError):  # it was quicker
        os.kill(pid, number)


async def a_while(scene: FaultScene) -> None:
    await asyncio.sleep(scene.random.uniform(*STOP_SECONDS))


async def frozen(scene: FaultScene, name: str) -> None:
    """SIGSTOP, and some time later SIGCONT, to one process of a kind; it may have been replaced by then."""
    for pid in scene.processes(name)[:1]:
        kill(pid, signal.SIGSTOP)
        await a_while(scene)
        kill(pid, signal.SIGCONT)


@fault("web killed", 4)
async def web_killed(scene: FaultScene) -> None:
    for pid in scene.processes("web"):
        kill(pid)


@fault("web frozen", 2)
async def web_frozen(scene: FaultScene) -> None:
    await frozen(scene, "web")


@fault("worker killed", 4)
async def worker_killed(scene: FaultScene) -> None:
    for pid in scene.processes("worker"):
        if scene.random.random() < 0.7:
            kill(pid)


@fault("worker asked to end", 2)
async def worker_ended(scene: FaultScene) -> None:
    for pid in scene.processes("worker")[:1]:
        kill(pid, signal.SIGTERM)


@fault("worker frozen", 2)
async def worker_frozen(scene: FaultScene) -> None:
    await frozen(scene, "worker")


@fault("supervisor killed", 2)
async def supervisor_killed(scene: FaultScene) -> None:
    kill(scene.service.process.pid)
    await asyncio.to_thread(scene.service.process.wait)


@fault("supervisor asked to end", 1)
async def supervisor_ended(scene: FaultScene) -> None:
    kill(scene.service.process.pid, signal.SIGTERM)
    await asyncio.to_thread(scene.service.process.wait)


@fault("PostgreSQL crashed", 2, needs_servers=True)
async def database_crashed(scene: FaultScene) -> None:
    await database_away(scene, "immediate")


@fault("PostgreSQL stopped", 2, needs_servers=True)
async def database_stopped(scene: FaultScene) -> None:
    await database_away(scene, "fast")


async def database_away(scene: FaultScene, mode: str) -> None:
    assert scene.place.postgresql
    await asyncio.to_thread(scene.place.postgresql.stop, mode)
    await a_while(scene)
    await asyncio.to_thread(scene.place.postgresql.start)


@fault("Redis stopped", 3, needs_servers=True)
async def redis_stopped(scene: FaultScene) -> None:
    assert scene.place.redis
    await asyncio.to_thread(scene.place.redis.stop)
    await a_while(scene)
    await asyncio.to_thread(scene.place.redis.start)


@fault("messages lost", 5)
async def messages_lost(scene: FaultScene) -> None:
    """FLUSHALL, or the folder of messages emptied."""
    scene.service.lose_messages()


@fault("disk full", 2)
async def disk_full(scene: FaultScene) -> None:
    with full(scene):
        await a_while(scene)
    postgresql = scene.place.postgresql
    if postgresql and not await asyncio.to_thread(lambda: postgresql.is_running):
        await asyncio.to_thread(postgresql.start)


@contextmanager
def full(scene: FaultScene) -> Iterator[None]:
    """The last byte of the small disk is taken; without one, processes may not write beyond a file's first
    64 kB."""
    if not scene.place.has_disk:
        with small_files([*scene.processes("web"), *scene.processes("worker")]):
            yield
        return
    filler = Path(scene.place.environment["VAR_DIR"]) / "filler"
    try:
        with filler.open("wb") as file:
            free = os.statvfs(filler).f_bavail * os.statvfs(filler).f_bsize
            with suppress(OSError):  # somebody else was writing
                os.posix_fallocate(file.fileno(), 0, max(free, 1))
        yield
    finally:
        filler.unlink()


@contextmanager
def small_files(pids: list[int]) -> Iterator[None]:
    limits = {}
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            limits[pid] = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (65536, limits[pid][1]))
    try:
        yield
    finally:
        for pid, limit in limits.items():
            with suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_FSIZE, limit)


@fault("client leaves in the middle of a body", 4)
async def leaves_in_the_middle(scene: FaultScene) -> None:
    scene.deliver(scene.senders.leave(scene.another_lot(), in_the_middle=True))


@fault("client leaves before the answer", 4)
async def leaves_before_the_answer(scene: FaultScene) -> None:
    scene.deliver(scene.senders.leave(scene.another_lot(), in_the_middle=False))


@fault("clients send one key at once", 4)
async def one_key_at_once(scene: FaultScene) -> None:
    scene.deliver(scene.senders.all_at_once(scene.another_lot()))
