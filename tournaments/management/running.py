"""What `serve` and `demo` share: a folder to write to, a database, the supervised service, a clean end."""

import contextlib
import io
import multiprocessing
import os
import signal
import sqlite3
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import Error as DatabaseError
from django.db import connections
from django.utils import timezone

from tournaments.services import invitations

from . import lan
from .lan import LOOPBACK, ServingPlace
from .supervisor import Supervisor, port_is_free, service, trusting

READY_SECONDS = 120


class Interrupted(Exception):
    """Somebody pressed Ctrl-C, or asked the process to end."""


def add_arguments(parser: Any) -> None:
    parser.add_argument("--port", type=int, default=8000, help="where pages and API are served, on loopback")
    parser.add_argument("--workers", type=int, default=1, help="worker processes")
    parser.add_argument(
        "--lan",
        nargs="?",
        const="",
        metavar="ADDRESS",
        help="listen at this machine's address in its network instead, for phones; found if it is not named",
    )


def place(port: int, asked: str | None, with_certificate: bool = False) -> ServingPlace:
    """Where to serve; `asked`: what --lan says, None without it. CommandError, in one line, if anything would
    keep the service from starting there."""
    if asked is None:
        if with_certificate:
            raise CommandError("--certificate goes with --lan: on loopback nobody else listens.")
        check_place(LOOPBACK, port)
        return ServingPlace(LOOPBACK, port)
    if settings.PUBLIC_URL:
        raise CommandError("--lan says itself where the service is: leave PUBLIC_URL away, or --lan.")
    host = lan.address(asked)
    check_place(host, port)
    made = None
    if with_certificate:
        from . import certificates  # 8 MB, which whoever serves without one does without

        made = certificates.certificate(settings.VAR_DIR / "lan", host, timezone.now())
    found = ServingPlace(host, port, made)
    os.environ["PUBLIC_URL"] = found.address  # for the processes: which host they answer to, links, QR codes
    return found


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


def check_place(host: str, port: int) -> None:
    """CommandError, in one line, if anything would keep the service from starting."""
    if not 1 <= port <= 65535:
        raise CommandError(f"{port} is not a port number: choose one from 1024 to 65535, as in --port 8001.")
    if not port_is_free(host, port):
        raise CommandError(
            f"Port {port} is in use. Stop the program that uses it, or choose another one: "
            f"make demo PORT={port + 1}"
        )
    try:
        for folder in (settings.VAR_DIR, settings.VAR_DIR / "log"):
            folder.mkdir(parents=True, exist_ok=True)
        probe = settings.VAR_DIR / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise CommandError(
            f"{settings.VAR_DIR} cannot be written ({error.strerror}). "
            "Make it writable, or name another folder in VAR_DIR."
        ) from None


def prepare_database() -> None:
    """Bring the database to the form of this release. CommandError, in one line, if that cannot be done."""
    try:
        call_command("migrate", verbosity=0)
    except (DatabaseError, sqlite3.Error) as error:
        place = settings.DATABASES["default"]
        raise CommandError(
            f"The database {place.get('HOST') or place['NAME']} cannot be used: "
            + str(error).strip().splitlines()[0]
        ) from None


def do_aside(step: Callable[[], None]) -> None:
    """A step in a process of its own: what migrations and messages need would stay in the memory of one that
    serves for hours. No connection is open meanwhile, since both processes would speak on it."""
    connections.close_all()
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as aside:
        aside.submit(step).result()


def offer_set_up(say: Callable[[str], None], address: str) -> None:
    """Say by which link the first administrator comes, as long as there is none. Each start has a new one."""
    secret = invitations.set_up()
    if secret is not None:
        base = settings.PUBLIC_URL.rstrip("/") or address
        say(f"Administrator:     {base}{invitations.path_of(secret)}   (good once, for two days)")


def clear_messages() -> None:
    """Discard the messages about rows that no longer exist."""
    from tournaments.celery import app  # 11 MB, which the parent of the processes does without

    with app.connection() as broker:
        queue = app.amqp.queues[app.conf.task_default_queue](broker.default_channel)
        queue.declare()
        queue.purge()


def run(
    *,
    place: ServingPlace,
    workers: int,
    say: Callable[[str], None],
    until_ready: Callable[[Supervisor], None],
) -> None:
    """Serve until interrupted; `until_ready` is called once the service answers."""
    logs, hung = settings.VAR_DIR / "log", settings.HUNG_SECONDS
    children = service(place=place, workers=workers, folder=settings.VAR_DIR, hung_seconds=hung)
    with interruptible(), Supervisor(children, logs, say, settings.STOP_SECONDS, hung) as supervisor:
        try:
            wait_until_ready(supervisor, place)
            until_ready(supervisor)
            while True:
                supervisor.tend()
                time.sleep(0.2)
        finally:
            say("\nStopping…")


def wait_until_ready(supervisor: Supervisor, place: ServingPlace) -> None:
    web = supervisor.children[0]
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        if web.has_died():
            tail = supervisor.log_of(web).read_text(errors="replace").strip().splitlines()[-1:]
            raise CommandError(f"The web server has stopped: {tail[0] if tail else 'its log is empty'}")
        with contextlib.suppress(OSError):
            urllib.request.urlopen(  # noqa: S310 - our own
                f"{place.address}/livez", timeout=2, context=trusting(place)
            ).close()
            return
        time.sleep(0.1)
    raise CommandError(
        f"The web server did not answer within {READY_SECONDS} s; see {supervisor.log_of(web)}."
    )
