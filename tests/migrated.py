"""A database in which nobody has been: one process migrates it, and all that need one begin with a copy.

It lies in `var/tests/`, or on the server that DATABASE_URL names, under a name that says what it was made of:
a change of a migration, a model, a setting or a requirement gives another. Services have no part in it.
"""

import fcntl
import os
import secrets
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "var" / "tests"


@cache
def template() -> Path:
    """The migrated file, made if there is none yet."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"migrated-{_made_of()}.sqlite3"
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # of many processes at the same moment, one works
        if not path.exists():
            for older in FOLDER.glob("migrated-*"):
                older.unlink()
            _make(path)
    return path


@cache
def postgresql_template() -> str:
    """The name of the migrated database on the server, made if there is none yet."""
    ours = f"etui_migrated_{sha256(bytes(ROOT)).hexdigest()[:8]}_"
    name = ours + _made_of()
    address = os.environ["DATABASE_URL"]
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock, psycopg.connect(address, autocommit=True) as server:
        fcntl.flock(lock, fcntl.LOCK_EX)
        there = server.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [ours])
        names = [one for (one,) in there]
        if name not in names:
            for older in names:
                server.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(older)))
            making = f"{ours}making"
            server.execute(SQL("CREATE DATABASE {}").format(Identifier(making)))
            with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
                there_is = {"DATABASE_URL": f"{address.rpartition('/')[0]}/{making}", "VAR_DIR": folder}
                secret = {"SECRET_KEY": secrets.token_urlsafe(50)}  # of production, which this is taken for
                _migrate(secret | os.environ | there_is)
            server.execute(SQL("ALTER DATABASE {} RENAME TO {}").format(Identifier(making), Identifier(name)))
    return name


def copy_to(database: sqlite3.Connection) -> None:
    with closing(sqlite3.connect(f"file:{template()}?mode=ro", uri=True)) as source:
        source.backup(database)


def copy_into(folder: Path) -> None:
    """As the database of an embedded service, whose VAR_DIR it is."""
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / "etui.sqlite3")) as database:
        copy_to(database)


def fill(connection: Any, **_: Any) -> None:
    """A receiver of `connection_created`: an empty database in memory is given what migrations would make."""
    if connection.vendor == "sqlite" and connection.is_in_memory_db():
        database = connection.connection
        if not database.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
            copy_to(database)


def _made_of() -> str:
    made_of = sha256((ROOT / "requirements" / "run.txt").read_bytes())
    service = ROOT / "tournaments"
    parts = [
        service.glob("*.py"),
        *((service / name).rglob("*.py") for name in ("migrations", "models", "sqlite3")),
    ]
    for path in sorted(chain.from_iterable(parts)):
        made_of.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return made_of.hexdigest()[:16]


def _make(path: Path) -> None:
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        _migrate({"PATH": os.environ["PATH"], "VAR_DIR": folder})
        made = Path(folder) / "made"
        with closing(sqlite3.connect(Path(folder) / "etui.sqlite3")) as database:
            database.execute("VACUUM INTO ?", [str(made)])
        made.rename(path)


def _migrate(environment: Mapping[str, str]) -> None:
    command = [sys.executable, "manage.py", "migrate", "-v0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


if __name__ == "__main__":  # beside tests that need it soon
    template()
    if os.environ.get("DATABASE_URL"):
        postgresql_template()
