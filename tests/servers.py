"""A PostgreSQL and a Redis of one's own, in a folder, to measure with or to break: neither is shared."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import redis

from tests.running import PATIENCE, ROOT, SECRETS, SPECIAL, free_port

FORMS = ("embedded", "distributed")
DISK_MEGABYTES = 768


def forms_here(forms: Iterable[str]) -> list[str]:
    """The forms of the service that this machine can run; of any other it says what is missing."""
    here = []
    for form in forms:
        if missing := _missing(form):
            print(f"The {form} form is left out: {missing} is not installed.", file=sys.stderr)
        else:
            here.append(form)
    return here


def _missing(form: str) -> str:
    if form == "embedded":
        return ""
    names = [*([] if programs() else ["PostgreSQL"]), *([] if shutil.which("redis-server") else ["Redis"])]
    return " and ".join(names)


def programs() -> Path | None:
    """The folder of PostgreSQL's newest programs."""
    every = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    installed = sorted(every, key=lambda path: float(path.parts[4]))
    on_path = shutil.which("initdb")
    if installed:
        return installed[-1].parent
    return Path(on_path).parent if on_path else None


@dataclass(frozen=True)
class PostgreSQL:
    """A cluster in a folder; fsync is on, as in production."""

    folder: Path
    port: int

    @property
    def url(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def make(self) -> None:
        self._make_folder()
        self._run("initdb", "-U", "postgres", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8", "-N")

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
        options += " -c max_wal_size=128MB"  # the disk may be small
        self._run("pg_ctl", "-w", "-t", str(PATIENCE), "-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self, mode: str = "fast", *, check: bool = True) -> None:
        """`mode`: "fast", or "immediate", which is a crash. `check`: it must have been running."""
        self._run("pg_ctl", "-w", "-t", str(PATIENCE), "-m", mode, "stop", check=check)

    @property
    def is_running(self) -> bool:
        return self._run("pg_ctl", "status", check=False) == 0

    def configure(self, **settings: str) -> None:
        """Lines more of its file of settings; they hold from its next start on."""
        with (self.folder / "postgresql.auto.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())

    def copy_to(self, folder: Path, port: int) -> "PostgreSQL":
        """A copy as `pg_basebackup` takes it while the server runs; it is not started."""
        source = ("-U", "postgres", "-h", "127.0.0.1", "-p", str(self.port))
        there = PostgreSQL(folder, port)
        there._make_folder()
        there._run("pg_basebackup", *source, "--checkpoint=fast")
        return there

    def _make_folder(self) -> None:
        self.folder.mkdir(parents=True, mode=0o700)
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(self.folder, "postgres")

    def _run(self, program: str, *arguments: str, check: bool = True) -> int:
        folder = programs()
        assert folder is not None
        as_postgres = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        command = [*as_postgres, str(folder / program), "-D", str(self.folder), *arguments]
        nowhere = subprocess.DEVNULL  # a server inherits what it writes to, and would keep a pipe open
        done = subprocess.run(command, check=check, stdout=nowhere, stderr=nowhere, cwd="/", env=SPECIAL)
        return done.returncode


@dataclass(frozen=True)
class Redis:
    folder: Path
    port: int

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def client(self) -> redis.Redis:
        return redis.Redis.from_url(self.url)

    def start(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1"]
        command += ["--save", "", "--appendonly", "no", "--daemonize", "yes"]
        command += ["--dir", str(self.folder), "--logfile", "log"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=SPECIAL)
        deadline = time.monotonic() + PATIENCE
        while not self.is_running:
            assert time.monotonic() < deadline, "Redis does not start"
            time.sleep(0.02)

    def stop(self) -> None:
        with suppress(redis.ConnectionError):
            self.client.shutdown(nosave=True)

    @property
    def is_running(self) -> bool:
        try:
            return bool(self.client.ping())
        except redis.ConnectionError:
            return False


@dataclass(frozen=True)
class Lodging:
    """Where a service of a form lives: its variables, and its servers, if it has any. `has_disk`: everything
    lies on a small disk of its own."""

    environment: dict[str, str]
    has_disk: bool
    postgresql: PostgreSQL | None = None
    redis: Redis | None = None


@contextmanager
def place_for(form: str, *, disk: bool = False, **more: str) -> Iterator[Lodging]:
    """A temporary place for a service, with running servers of its own if it is distributed; on a small
    `disk` of its own, where this process may mount one. Nobody's calls are limited there: what is measured or
    broken is not the limiter."""
    folder = Path(tempfile.mkdtemp(prefix=f"etui-{form}-"))
    has_disk = disk and mounted(folder)
    folder.chmod(0o755)  # PostgreSQL runs as another user
    rates = dict.fromkeys(("RATE_ANONYMOUS", "RATE_TOKEN", "RATE_FAILED", "RATE_PREVIEW"), "1000000000/min")
    environment = SPECIAL | rates | {"VAR_DIR": str(folder / "var"), "BALANCING_SECONDS": "0"} | more
    try:
        if form == "embedded":
            yield Lodging(environment, has_disk)
            return
        postgresql, broker = PostgreSQL(folder / "pg", free_port()), Redis(folder / "redis", free_port())
        postgresql.make()
        environment |= {"DATABASE_URL": postgresql.url, "REDIS_URL": broker.url, **SECRETS}
        try:
            postgresql.start()
            broker.start()
            yield Lodging(environment, has_disk, postgresql, broker)
        finally:
            broker.stop()
            postgresql.stop("immediate", check=False)
    finally:
        if has_disk:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
        shutil.rmtree(folder, ignore_errors=True)


def run_beside(command: list[str], environment: dict[str, str]) -> None:
    """Run one of the project's programs to its end. If this process is interrupted or asked to end before
    that, so is the program, which cleans up after itself."""
    end_on_request()
    with subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True) as process:
        try:
            status = process.wait()
        except BaseException:
            process.terminate()
            process.wait()
            raise
    if status:
        raise subprocess.CalledProcessError(status, command)


def end_on_request() -> None:
    """SIGTERM ends this process as an exception does: what was started is stopped."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def mounted(folder: Path) -> bool:
    """Whether a small disk could be mounted there: that takes Linux, and root."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MEGABYTES}m", "etui", str(folder)]
    try:
        return subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode == 0
    except FileNotFoundError:
        return False
