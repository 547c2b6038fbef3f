"""One parent for web, workers and beat: it starts them, restarts what dies, and stops them all.

Each child has a session of its own, so that a terminal's Ctrl-C reaches the parent alone, and dies
with the parent even when that is killed.
"""

import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

STEADY_SECONDS = 10.0
PR_SET_PDEATHSIG = 1


@dataclass
class Child:
    """A process to keep alive. Each restart waits longer, until the process has run for a while."""

    name: str
    command: Sequence[str]
    stop_signal: int = signal.SIGTERM
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    not_before: float = 0.0
    failures: int = 0

    def start(self, log: Path) -> None:
        self.started = time.monotonic()
        with log.open("ab") as out:
            self.process = subprocess.Popen(  # noqa: S603 - our own commands
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
                preexec_fn=die_with_parent(),
            )

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
    """What the child runs before its program: it asks Linux for a SIGTERM when its parent dies."""
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)

    def ask() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)

    return ask


@dataclass
class Supervisor:
    """Keeps its children running until it is stopped; kills those that have not ended `stop_seconds` later.
    `say` gets a line for people now and then."""

    children: Sequence[Child]
    logs: Path
    say: Callable[[str], None]
    stop_seconds: float
    stopping: bool = field(default=False, init=False)

    def __enter__(self) -> "Supervisor":
        for child in self.children:
            child.start(self.log_of(child))
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def log_of(self, child: Child) -> Path:
        return self.logs / f"{child.name}.log"

    def tend(self) -> None:
        """Restart what has died; to be called several times a second."""
        now = time.monotonic()
        for child in self.children:
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


def service(*, port: int, workers: int) -> list[Child]:
    """Web, workers and beat of this project on this machine, reachable on loopback only."""
    python = [sys.executable, "-u", "-m"]
    web = [
        *[*python, "uvicorn", "tournaments.asgi:application", "--host", "127.0.0.1", "--port", str(port)],
        *[
            "--timeout-graceful-shutdown",
            "2",
            "--no-access-log",
            "--no-proxy-headers",
            "--log-level",
            "warning",
            "--lifespan",
            "off",
        ],
    ]
    celery = [*python, "celery", "-A", "tournaments"]
    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING"]
    beat = [*celery, "beat", "--loglevel", "WARNING", "--pidfile", ""]
    return [
        Child("web", web, signal.SIGINT),
        *(
            Child(f"worker{n}", [*celery, "worker", "--concurrency", "2", "-n", f"worker{n}@%h", *quiet])
            for n in range(1, workers + 1)
        ),
        Child("beat", beat),
    ]


def port_is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
