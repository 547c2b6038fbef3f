"""One parent for web and workers: it starts them, restarts what dies or hangs, and stops them all.

Each child has a session of its own, so that a terminal's Ctrl-C reaches the parent alone, and dies
with the parent even when that is killed.
"""

import contextlib
import ctypes
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tournaments.signs import COUNTS, SIGN

from .places import ServingPlace

STEADY_SECONDS = 10.0
START_SECONDS = 120.0  # until the first sign of life
PULSE_SECONDS = 1.0
MEMORY = {"MALLOC_ARENA_MAX": "1"}  # else glibc keeps free memory apart for each thread
PR_SET_PDEATHSIG = 1


class Pulse(Protocol):
    """Where a process shows that it is alive."""

    def last(self) -> float:
        """Another number after each sign of life."""


@dataclass(frozen=True, slots=True)
class FilePulse:
    """The process touches a file."""

    path: Path

    def last(self) -> float:
        try:
            return self.path.stat().st_mtime_ns
        except FileNotFoundError:
            return 0.0


class WebPulse:
    """The process answers an address, whatever it says."""

    def __init__(self, place: ServingPlace, *, seconds: float) -> None:
        self.address, self.trusted, self.seconds = f"{place.address}/livez", trusting(place), seconds
        self.answers = 0
        threading.Thread(target=self._ask, daemon=True).start()

    def last(self) -> float:
        return self.answers

    def _ask(self) -> None:
        while True:
            try:
                urllib.request.urlopen(  # noqa: S310 - our own
                    self.address, timeout=self.seconds, context=self.trusted
                ).close()
                self.answers += 1
            except urllib.error.HTTPError:
                self.answers += 1
            except OSError:
                pass
            time.sleep(PULSE_SECONDS)


@dataclass
class Child:
    """A process to keep alive. Each restart waits longer, until the process has run for a while. `silence`:
    for how many seconds it has given no sign of life, not counting those in which the parent slept itself."""

    name: str
    command: Sequence[str]
    stop_signal: int = signal.SIGTERM
    pulse: Pulse | None = None
    more: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    not_before: float = 0.0
    failures: int = 0
    silence: float = 0.0
    last_sign: float = 0.0
    has_started: bool = False

    def start(self, log: Path) -> None:
        self.started = time.monotonic()
        self.silence, self.has_started = 0.0, False
        self.last_sign = 0.0 if self.pulse is None else self.pulse.last()
        with log.open("ab") as out:
            self.process = subprocess.Popen(  # noqa: S603 - our own commands
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
                preexec_fn=die_with_parent(),
                env={**os.environ, **MEMORY, **self.more},
            )

    def listen(self, seconds: float) -> None:
        """Look for a sign of life, `seconds` after the last look."""
        if self.pulse is None:
            return
        sign = self.pulse.last()
        self.silence += min(seconds, PULSE_SECONDS)
        if sign != self.last_sign:
            self.silence, self.last_sign, self.has_started = 0.0, sign, True

    def hangs(self, hung_seconds: float) -> bool:
        return self.silence > (hung_seconds if self.has_started else max(hung_seconds, START_SECONDS))

    def has_died(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def ask_to_stop(self) -> None:
        """The signal goes to the process alone: a worker lets its own children finish their work."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(self.stop_signal)

    def kill(self) -> None:
        """The process and everything that it started, at once."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def die_with_parent() -> Callable[[], None] | None:
    """What the child runs before its program: it asks Linux to be killed when its parent dies. Whoever hangs
    would not listen to anything milder, and a kill loses nothing."""
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)
    parent = os.getpid()

    def ask() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it has died already
            os._exit(1)

    return ask


@dataclass
class Supervisor:
    """Keeps its children running until it is stopped; kills those that have not ended `stop_seconds` later,
    and those that have given no sign of life for `hung_seconds`. `say` gets a line for people now and
    then."""

    children: Sequence[Child]
    logs: Path
    say: Callable[[str], None]
    stop_seconds: float
    hung_seconds: float = 30.0
    stopping: bool = field(default=False, init=False)
    looked_at: float = field(default_factory=time.monotonic, init=False)

    def __enter__(self) -> "Supervisor":
        for child in self.children:
            child.start(self.log_of(child))
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def log_of(self, child: Child) -> Path:
        return self.logs / f"{child.name}.log"

    def tend(self) -> None:
        """Restart what has died or hangs; to be called several times a second."""
        now = time.monotonic()
        since, self.looked_at = now - self.looked_at, now
        for child in self.children:
            child.listen(since)
            if child.hangs(self.hung_seconds):
                self.say(f"{child.name} gives no sign of life and is being replaced.")
                child.kill()
            if child.process is not None and child.has_died():
                if now - child.started > STEADY_SECONDS:
                    child.failures = 0
                child.failures += 1
                child.not_before = now + min(2 ** (child.failures - 1) * 0.25, 30)
                self.say(
                    f"{child.name} has ended (status {child.process.returncode}) and is being restarted."
                )
                child.process = None
            if child.process is None and now >= child.not_before:
                child.start(self.log_of(child))

    def stop(self) -> None:
        """Ask each child to stop, the last started first; after a while, kill those that are left."""
        if self.stopping:
            return
        self.stopping = True
        for child in reversed(self.children):
            child.ask_to_stop()
        deadline = time.monotonic() + self.stop_seconds
        for child in self.children:
            if child.process is None:
                continue
            try:
                child.process.wait(max(deadline - time.monotonic(), 0.1))
            except subprocess.TimeoutExpired:
                child.kill()
                self.say(f"{child.name} did not end within {self.stop_seconds:g} s; it was killed.")


def trusting(place: ServingPlace) -> ssl.SSLContext | None:
    """What believes the certificate of a place, and no other."""
    made = place.certificate
    return None if made is None else ssl.create_default_context(cafile=str(made.certificate))


def service(*, place: ServingPlace, workers: int, folder: Path, hung_seconds: float) -> list[Child]:
    """Web and workers of this project on this machine, reachable at this place only; the workers' signs of
    life are files in a folder, and so is what all of them count together (`tournaments.metrics`)."""
    counts = folder / "counts"
    shutil.rmtree(counts, ignore_errors=True)  # of processes that are gone
    counts.mkdir(parents=True)
    together = {COUNTS: str(counts)}
    children = [
        Child(
            "web",
            web_server(place),
            signal.SIGINT,
            pulse=WebPulse(place, seconds=hung_seconds),
            more=together,
        )
    ]
    for n in range(1, workers + 1):
        sign = folder / f"worker{n}.alive"
        children.append(
            Child(
                f"worker{n}",
                [sys.executable, "-u", "-m", "tournaments.working", f"worker{n}@%h"],
                pulse=FilePulse(sign),
                more={SIGN: str(sign), **together},
            )
        )
    return children


def web_server(place: ServingPlace) -> list[str]:
    """The command of the web process."""
    made = place.certificate
    files = [] if made is None else ["--ssl-certfile", str(made.certificate), "--ssl-keyfile", str(made.key)]
    return [
        *[sys.executable, "-u", "-m", "uvicorn", "tournaments.asgi:application"],
        *["--host", place.host, "--port", str(place.port), *files],
        *["--timeout-graceful-shutdown", "2"],
        *[
            "--no-access-log",
            "--no-server-header",
            "--no-proxy-headers",
            "--log-level",
            "warning",
            "--lifespan",
            "off",
        ],
    ]


def port_is_free(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True
