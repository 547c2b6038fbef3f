"""What `serve` and `demo` share: a folder to write to, a database, and what keeps the service running."""

import os
import sqlite3
import sys
from typing import Any, NoReturn

from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import Error as DatabaseError
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from tournaments.celery import app
from tournaments.services import invitations

from . import certificates, keeping, lan
from .keeping import KeepingOrder
from .places import LOOPBACK, ServingPlace
from .playing import DemoEvening
from .supervisor import port_is_free


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
        made = certificates.certificate(settings.VAR_DIR / "lan", host, timezone.now())
    found = ServingPlace(host, port, made)
    os.environ["PUBLIC_URL"] = found.address  # for the processes: which host they answer to, links, QR codes
    return found


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
        if not MigrationRecorder(connection).has_table():
            print("Making the database…", file=sys.stderr, flush=True)
        call_command("migrate", verbosity=0)
    except (DatabaseError, sqlite3.Error) as error:
        place = settings.DATABASES["default"]
        raise CommandError(
            f"The database {place.get('HOST') or place['NAME']} cannot be used: "
            + str(error).strip().splitlines()[0]
        ) from None


def offer_set_up(address: str) -> str:
    """By which link the first administrator comes, as long as there is none. Each start has a new one."""
    secret = invitations.set_up()
    if secret is None:
        return ""
    base = settings.PUBLIC_URL.rstrip("/") or address
    return f"Administrator:     {base}{invitations.path_of(secret)}   (good once, for two days)"


def clear_messages() -> None:
    """Discard the messages about rows that no longer exist."""
    with app.connection() as broker:
        queue = app.amqp.queues[app.conf.task_default_queue](broker.default_channel)
        queue.declare()
        queue.purge()


def run(
    name: str, place: ServingPlace, workers: int, *, welcome: str = "", demo: DemoEvening | None = None
) -> NoReturn:
    """Serve until interrupted, as a process that has forgotten what it needed to prepare."""
    connections.close_all()
    order = KeepingOrder(
        place=place,
        workers=workers,
        folder=settings.VAR_DIR,
        stop_seconds=settings.STOP_SECONDS,
        hung_seconds=settings.HUNG_SECONDS,
        welcome=welcome,
        demo=demo,
    )
    keeping.begin(order, name)
