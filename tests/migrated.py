"""A database in which nobody has been: one process migrates it, and all that need one begin with a copy.

It lies in `var/tests/`, under a name that says what it was made of: a change of the service, or
of a requirement, gives another.
"""

import fcntl
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

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
        environment = {"PATH": os.environ["PATH"], "VAR_DIR": folder}
        command = [sys.executable, "manage.py", "migrate", "-v0"]
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
        made = Path(folder) / "made"
        with closing(sqlite3.connect(Path(folder) / "etui.sqlite3")) as database:
            database.execute("VACUUM INTO ?", [str(made)])
        made.rename(path)
