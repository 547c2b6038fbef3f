"""The service as its users run it: real processes, on both kinds of broker, for tests to disturb."""

import fcntl
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import SystemRandom
from typing import IO, Any
from urllib.request import urlopen

import psycopg
import pytest
import redis

from tests import migrated
from tournaments.management import robots

ROOT = Path(__file__).parent.parent
DATABASE_URL = os.environ.get("DATABASE_URL", "")
REDIS_URL = os.environ.get("REDIS_URL", "")
EVERYBODY = os.environ.get("ETUI_ROLES") == "all"  # `make campaign-roles`, beyond the boundary of each route
PATIENCE = 240  # seconds until something hangs; a busy machine is only slow
SECRETS = {"SECRET_KEY": "x" * 50, "SEED_KEYS": 43 * "A" + "="}  # of a distributed service
SPECIAL = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/tmp")}

needs_servers = pytest.mark.skipif(
    not (DATABASE_URL.startswith("postgres") and REDIS_URL),
    reason="needs PostgreSQL and Redis: set DATABASE_URL and REDIS_URL (.ci/run shows how to start both)",
)
campaign = pytest.mark.campaign  # `make campaign-processes`; the file itself, by pytest, runs all of it
both_kinds = pytest.mark.parametrize("kind", ["embedded", pytest.param("distributed", marks=needs_servers)])
embedded_first = pytest.mark.parametrize(
    "kind", ["embedded", pytest.param("distributed", marks=[needs_servers, campaign])]
)
"""Of both kinds, and `make test` asks the embedded one alone."""
PORTS = range(20_000, 30_000)  # below those that Linux gives to connections
_held: list[IO[str]] = []  # a file that is locked for each port that this process has taken
robots.WAIT_SECONDS = PATIENCE


@dataclass
class Service:
    """A running `manage.py serve`; `workers` worker processes."""

    environment: dict[str, str]
    port: int
    process: subprocess.Popen[str]
    log: Path
    redis_url: str = ""
    organiser: str = field(default="", init=False)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def var(self) -> Path:
        return Path(self.environment["VAR_DIR"])

    def manage(self, *arguments: str) -> str:
        return manage(self.environment, *arguments)

    def workers(self) -> list[int]:
        """The process ids of the worker processes, each the leader of its group."""
        return [pid for pid, command in children_of(self.process.pid) if "tournaments.working" in command]

    def kill_workers(self) -> None:
        for pid in self.workers():
            os.killpg(pid, signal.SIGKILL)

    def lose_messages(self) -> None:
        """FLUSHALL, or the folder of messages emptied."""
        if self.redis_url:
            redis.Redis.from_url(self.redis_url).flushdb()
        for path in (self.var / "broker" / "queue").glob("*.msg"):
            path.unlink(missing_ok=True)

    def stop(self, number: int = signal.SIGINT) -> int:
        """The exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(2 * PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def set_up(
        self, players: int = 15, boards_per_round: int = 3, reserves: int = 0, movement: str = "kirkman"
    ) -> robots.Hall:
        names = [f"Joueur {n:02}" for n in range(1, players + 1)]
        session = {
            "name": "Soir",
            "game": "comon",
            "contestants": names,
            "names_may_be_published": True,
            "boards_per_round": boards_per_round,
            "reserves": reserves,
            "movement": movement,
        }
        self.organiser = self.organiser or self.manage("token", "organiser", "Test").strip()
        return robots.set_up(self.address, self.organiser, tournament="Essai", session=session)


def manage(environment: dict[str, str], *arguments: str) -> str:
    """What a command of `manage.py` writes."""
    done = run(environment, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command of `manage.py` as it has ended."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def typed_by_make(*arguments: str) -> list[str]:
    """The words of the last command that `make` with these arguments would run, once its requirements are
    installed."""
    make = shutil.which("make")
    assert make, "make is missing: apt install make"
    stamps = [
        f"--assume-old={sys.prefix}/{stamp}" for stamp in (".run", ".test", ".bench", ".campaign", ".clients")
    ]
    done = subprocess.run(
        [make, "--dry-run", *stamps, f"V={sys.prefix}", *arguments],
        cwd=ROOT,
        env=SPECIAL,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.replace("\\\n", " ").splitlines()
    return shlex.split(lines[-1].removeprefix("exec "))


def statements(block: str) -> Iterator[list[str]]:
    """The words of each statement of a shell script; quotes may go over several lines."""
    so_far = ""
    for line in block.replace("\\\n", " ").splitlines():
        so_far += line + "\n"
        try:
            words = shlex.split(so_far, comments=True)
        except ValueError:  # a quotation goes on
            continue
        so_far = ""
        while words and re.fullmatch(r"[A-Z_]+=.*", words[0], re.DOTALL):
            words.pop(0)
        if words and words[0] != "export":
            yield words
    assert not so_far


def children_of(parent: int) -> list[tuple[int, str]]:
    """Process ids and command lines of a process's children (Linux)."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            command = (stat.parent / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append((int(stat.parent.name), command))
    return found


def free_port() -> int:
    """A port on which nobody listens, this process's until it ends: no other process of tests chooses it
    meanwhile, and no connection that somebody opens is given it."""
    locks = Path(tempfile.gettempdir()) / f"etui-ports-{os.getuid()}"
    locks.mkdir(mode=0o700, exist_ok=True)
    for port in SystemRandom().sample(PORTS, len(PORTS)):
        lock = (locks / str(port)).open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(("127.0.0.1", port))
        except OSError:
            lock.close()
            continue
        _held.append(lock)
        return port
    raise AssertionError("all ports are taken")


@contextmanager
def environment_of(
    kind: str, folder: Path, *, migrate: bool = False, **more: str
) -> Iterator[dict[str, str]]:
    """The variables of an embedded service in a folder, or of one on a fresh PostgreSQL database and
    a Redis database of its own. `migrate`: its database has all tables already."""
    plain = (
        SPECIAL
        | {"VAR_DIR": str(folder), "SWEEP_SECONDS": "1", "BALANCING_SECONDS": "0", "CHOOSING_STEPS": "0"}
        | more
    )
    plain = {"STOP_SECONDS": str(PATIENCE), "HUNG_SECONDS": str(PATIENCE)} | plain
    if kind == "embedded":
        if migrate:
            migrated.copy_into(folder)
        yield plain
        return
    name = f"etui_{uuid.uuid4().hex}"
    base, _slash, _old = DATABASE_URL.rpartition("/")
    with psycopg.connect(DATABASE_URL, autocommit=True) as server:
        template = f'TEMPLATE "{migrated.postgresql_template()}"' if migrate else ""
        server.execute(f'CREATE DATABASE "{name}" {template}')
    broker = REDIS_URL  # tests/settings.py has given this process a database of its own
    redis.Redis.from_url(broker).flushdb()
    try:
        yield plain | {"DATABASE_URL": f"{base}/{name}", "REDIS_URL": broker, **SECRETS}
    finally:
        with psycopg.connect(DATABASE_URL, autocommit=True) as server:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def serving(kind: str, folder: Path, *, workers: int = 1, **more: str) -> Iterator[Service]:
    """A service that answers; it is stopped at the end, however the test ends."""
    with (
        environment_of(kind, folder, migrate=True, **more) as environment,
        started(environment, workers) as service,
    ):
        yield service


@contextmanager
def started(environment: dict[str, str], workers: int = 1) -> Iterator[Service]:
    """A service with these variables that answers; it is stopped at the end, however that comes."""
    service = start(environment, free_port(), workers)
    try:
        wait_until(
            lambda: service.process.poll() is not None or answers(service.address),
            what="the service to answer",
        )
        assert service.process.poll() is None, service.log.read_text()
        yield service
        assert service.stop() in {0, -signal.SIGKILL}, service.log.read_text()
    finally:
        service.stop()


def start(environment: dict[str, str], port: int, workers: int, *variables: str) -> Service:
    """A service that may not answer yet; `variables`: more of make's."""
    log = Path(environment["VAR_DIR"]) / "serve.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    command = [*typed_by_make("serve", f"PORT={port}", *variables), "--workers", str(workers)]
    with log.open("a") as out:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=out, stderr=out, text=True, start_new_session=True
        )
    return Service(environment, port, process, log, environment.get("REDIS_URL", ""))


def answers(address: str) -> bool:
    try:
        return bool(urlopen(f"{address}/livez", timeout=5).status == 200)
    except OSError:
        return False


def wait_until(condition: Callable[[], Any], *, what: str) -> Any:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(0.05)
    raise AssertionError(f"waited {PATIENCE} s for {what}")
