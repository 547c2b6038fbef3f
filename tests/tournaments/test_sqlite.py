"""SQLite under several who write."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError

from tournaments.sqlite3.base import DatabaseWrapper

PATIENCE = 0.5


@pytest.fixture
def connection(tmp_path: Path, django_db_blocker: Any) -> Iterator[DatabaseWrapper]:
    name = tmp_path / "etui.sqlite3"
    sqlite3.connect(name).executescript("PRAGMA journal_mode=WAL; CREATE TABLE log (at REAL)")
    defaults = {"ATOMIC_REQUESTS": False, "AUTOCOMMIT": True, "CONN_MAX_AGE": 0, "TIME_ZONE": None}
    options = {"timeout": PATIENCE, "transaction_mode": "IMMEDIATE"}
    made = DatabaseWrapper(
        {**defaults, "NAME": name, "OPTIONS": options, "CONN_HEALTH_CHECKS": False, "TEST": {}}, "own"
    )
    with django_db_blocker.unblock():
        yield made
        made.close()


def test_the_service_waits_so() -> None:
    engine = settings.DATABASES["default"]["ENGINE"]
    assert engine in {"tournaments.sqlite3", "django.db.backends.postgresql"}


def test_a_writer_finds_a_gap_between_others(connection: DatabaseWrapper) -> None:
    """Of 80 ms, after 240: SQLite itself would look after 228 and 328 ms."""
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")

    def leave_a_gap() -> None:
        time.sleep(0.24)
        other.execute("COMMIT")
        time.sleep(0.08)
        other.execute("BEGIN IMMEDIATE")

    thread = threading.Thread(target=leave_a_gap)
    thread.start()
    try:
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO log VALUES (%s)", [(1,), (2,)])
            assert cursor.execute("SELECT count(*) FROM log").fetchone() == (2,)
    finally:
        thread.join()


def test_patience_has_an_end(connection: DatabaseWrapper) -> None:
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with connection.cursor() as cursor:
        with pytest.raises(OperationalError, match="locked"):
            cursor.execute("INSERT INTO log VALUES (1)")
        other.execute("COMMIT")
        cursor.execute("INSERT INTO log VALUES (2)")
        assert cursor.execute("SELECT at FROM log").fetchone() == (2,)
