"""What `serve` and `demo` become once everything is prepared: a process that keeps the others running. What
was needed to prepare them (Django, migrations, messages) would stay in its memory for hours.
"""

import contextlib
import io
import os
import pickle
import signal
import sys
import time
import urllib.request
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from . import playing
from .places import ServingPlace
from .playing import DemoEvening
from .supervisor import Supervisor, service, trusting

READY_SECONDS = 120
ORDER = "ETUI_KEEPING"  # the variable that says what to keep: it holds a token, and all may see arguments


@dataclass(frozen=True, slots=True)
class KeepingOrder:
    """What to keep running, and where. `welcome` is said once the service answers."""

    place: ServingPlace
    workers: int
    folder: Path
    stop_seconds: float
    hung_seconds: float
    welcome: str = ""
    demo: DemoEvening | None = None


class Interrupted(Exception):
    """Somebody pressed Ctrl-C, or asked the process to end."""


def begin(order: KeepingOrder, name: str) -> NoReturn:
    """Go on as the process that keeps the service running, under the same number; `name` is seen among the
    arguments."""
    sys.stdout.flush()
    sys.stderr.flush()
    told = {ORDER: b64encode(pickle.dumps(order)).decode()}
    os.execve(sys.executable, [sys.executable, "-m", __name__, name], {**os.environ, **told})  # noqa: S606


def keep(order: KeepingOrder) -> None:
    """Serve until interrupted."""
    children = service(
        place=order.place, workers=order.workers, folder=order.folder, hung_seconds=order.hung_seconds
    )
    logs = order.folder / "log"
    with (
        interruptible(),
        Supervisor(children, logs, print, order.stop_seconds, order.hung_seconds) as supervisor,
    ):
        try:
            wait_until_ready(supervisor, order.place)
            if order.welcome:
                print(order.welcome)
            if order.demo:
                tend_while_robots_play(order.demo, supervisor)
            while True:
                supervisor.tend()
                time.sleep(0.2)
        finally:
            print("\nStopping…")


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C and SIGTERM end what is inside, quietly."""

    def interrupt(*_: object) -> None:
        raise Interrupted

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # so that a log shows each line at once
    with contextlib.suppress(Interrupted):
        yield


def wait_until_ready(supervisor: Supervisor, place: ServingPlace) -> None:
    """SystemExit, in one line, if the web server ends or does not answer in time."""
    web = supervisor.children[0]
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        if web.has_died():
            tail = supervisor.log_of(web).read_text(errors="replace").strip().splitlines()[-1:]
            raise SystemExit(f"The web server has stopped: {tail[0] if tail else 'its log is empty'}")
        with contextlib.suppress(OSError):
            urllib.request.urlopen(  # noqa: S310 - our own
                f"{place.address}/livez", timeout=2, context=trusting(place)
            ).close()
            return
        time.sleep(0.1)
    raise SystemExit(f"The web server did not answer within {READY_SECONDS} s; see {supervisor.log_of(web)}.")


def tend_while_robots_play(demo: DemoEvening, supervisor: Supervisor) -> None:
    """The robots are a process of their own, which is gone after the evening. SystemExit if it fails."""
    robots = playing.start(demo)
    try:
        while robots.poll() is None:
            supervisor.tend()
            time.sleep(0.2)
    finally:
        robots.kill()
    if robots.returncode:
        raise SystemExit("The robots could not play the evening.")
    print("The evening is over; its ranking, travellers and replays stay here. Ctrl-C stops.")


if __name__ == "__main__":
    keep(pickle.loads(b64decode(os.environ.pop(ORDER))))  # noqa: S301 - written by `begin`
