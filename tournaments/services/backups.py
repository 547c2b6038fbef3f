"""Backups of the database, made while it is in use, and brought back where there is none.

A backup is one file, of SQLite's or `pg_dump`'s, encrypted if that is asked for (`encrypting`). It has the
database as it was at one moment, in which all is that people have made, pictures too; and no key: neither
what seals the seeds nor the service's own secret.
"""

import os
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from .. import vault
from ..models import BoardSet, Leg, Session
from . import chains, dumps, encrypting, rankings, recomputing
from .errors import CannotBackUp as CannotBackUp

OWNER_ONLY = 0o600
NAME = re.compile(r"etui-\d{8}T\d{6}Z\.(?:sqlite3|pgdump)(?:\.age)?")


@dataclass(frozen=True, slots=True)
class Restored:
    """What came of a backup once it was the database. `wrong`: what lists and chains of the history disagree
    with; `sealed`: seeds that no key at hand opens."""

    sessions: int
    wrong: tuple[str, ...]
    sealed: int


def back_up(folder: Path, *, at: datetime, keep: int | None = None) -> Path:
    """The database at one moment, in a new file of this folder; the oldest that were made here before go, so
    that there are `keep`. Results are taken meanwhile. CannotBackUp."""
    is_secret = encrypting.is_wanted()
    form = "pgdump" if _is_postgresql() else "sqlite3"
    path = folder / f"etui-{at.astimezone(UTC):%Y%m%dT%H%M%SZ}.{form}{encrypting.END if is_secret else ''}"
    if path.exists():
        raise CannotBackUp(f"{path} is there already.")
    folder.mkdir(parents=True, exist_ok=True)
    with _written(path) as new:
        if is_secret:
            with _aside() as plain:
                _take(plain)
                encrypting.encrypt(plain, new)
        else:
            _take(new)
    if keep is not None:
        made = sorted(one for one in folder.iterdir() if NAME.fullmatch(one.name))
        for old in made[: max(len(made) - keep, 0)]:
            old.unlink()
    return path


def restore(backup: Path, *, identity: Path | None = None) -> Restored:
    """Make a backup the database of this service, which has none, bring it to the form of this release, and
    count everything again: lists from their results, the history from its entries. `identity`: the file of
    the key that opens it, if it was encrypted for one. CannotBackUp, before anything is there."""
    if _is_postgresql():
        dumps.check_empty()
    else:
        _check_no_file(database())
    with _plain(backup, identity) as plain:
        if _is_postgresql():
            _check_release(dumps.migrations_in(plain))
            dumps.load(plain)
        else:
            with _written(database()) as new:
                _copy(plain, new)
                _check_release(_migrations_in(new))
    call_command("migrate", verbosity=0)
    return Restored(Session.objects.count(), tuple(_disagreements()), _unopened())


def database() -> Path:
    """The file of a database of SQLite's."""
    return Path(str(settings.DATABASES["default"]["NAME"]))


def _is_postgresql() -> bool:
    return connection.vendor == "postgresql"


def _take(target: Path) -> None:
    if _is_postgresql():
        dumps.dump(target)
    else:
        _copy(database(), target)


def _check_no_file(path: Path) -> None:
    there = [one for end in ("", "-wal", "-journal") if (one := path.with_name(path.name + end)).exists()]
    if there:
        raise CannotBackUp(f"There is a database: move {', '.join(map(str, there))} away first.")
    path.parent.mkdir(parents=True, exist_ok=True)


@contextmanager
def _plain(backup: Path, identity: Path | None) -> Iterator[Path]:
    """A backup as it was before it was encrypted, if it was."""
    if backup.suffix != encrypting.END:
        yield backup
        return
    if not backup.is_file():
        raise CannotBackUp(f"There is no file {backup}.")
    with _aside() as plain:
        encrypting.decrypt(backup, plain, identity=identity)
        yield plain


@contextmanager
def _aside() -> Iterator[Path]:
    """Where a file may lie for a moment that nobody else may read: with the data, never with the backups."""
    settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=settings.VAR_DIR, prefix=".backup-") as folder:
        yield Path(folder) / "plain"


@contextmanager
def _written(path: Path) -> Iterator[Path]:
    """A file to be filled, its owner's alone, which is at `path` once it is whole and on the disk; else
    nothing is."""
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)
    os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
    try:
        yield new
        for one in (new, new.parent):
            handle = os.open(one, os.O_RDONLY)
            try:
                os.fsync(handle)
                if one is new:
                    new.replace(path)
            finally:
                os.close(handle)
    finally:
        new.unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    """All of it in one step, by SQLite's own way: readers keep no writer waiting. CannotBackUp."""
    if not source.is_file():
        raise CannotBackUp(f"There is no file {source}.")
    try:
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True, timeout=60)) as read,
            closing(sqlite3.connect(target)) as write,
        ):
            read.backup(write)
            write.execute("PRAGMA journal_mode=DELETE")  # one file, without others beside it
            faults = [row[0] for row in write.execute("PRAGMA integrity_check")]
            faults += [
                f"a row of {row[0]} leads nowhere" for row in write.execute("PRAGMA foreign_key_check")
            ]
            tables = {row[0] for row in write.execute("SELECT name FROM sqlite_master")}
    except sqlite3.Error as error:
        raise CannotBackUp(f"{source} cannot be read whole: {error}.") from None
    if faults != ["ok"]:
        raise CannotBackUp(f"{source} is damaged: {'; '.join(faults[:3])}.")
    if "tournaments_session" not in tables:
        raise CannotBackUp(f"{source} is not a database of Étui.")


def _migrations_in(path: Path) -> set[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as read:
        return set(read.execute("SELECT app, name FROM django_migrations"))


def _check_release(applied: set[tuple[str, str]]) -> None:
    """CannotBackUp: a later release has made it."""
    loader = MigrationLoader(None)
    known = set(loader.disk_migrations) | {
        one for each in loader.disk_migrations.values() for one in each.replaces
    }
    if unknown := sorted(applied - known):
        raise CannotBackUp(f"A later release has made this backup: it has the migration {unknown[-1][1]}.")


def _disagreements() -> Iterator[str]:
    for session in Session.objects.select_related("board_set").order_by("pk").iterator(chunk_size=100):
        answer = recomputing.recompute(session=session) or _recomputed_once_ranked(session)
        if answer is None:
            yield (
                f"Session {session.pk}: not all of its results were taken in, so that its lists could not be "
                f"compared; once the service has run, `manage.py recompute {session.pk}` does"
            )
        else:
            yield from (f"Session {session.pk}: {one}" for one in answer.disagreements)
    for scope in chains.scopes():
        yield from (f"History of {scope}: {one}" for one in chains.verify(scope).findings)


def _recomputed_once_ranked(session: Session) -> recomputing.Comparison | None:
    """Of a session whose list was behind its results when the backup was made: it is ranked first, as a
    worker would."""
    rankings.rank(session_id=session.pk)
    session.refresh_from_db()
    return recomputing.recompute(session=session)


def _unopened() -> int:
    """How many seeds no key opens. No key is made by asking."""
    seeds = [
        bytes(sealed or b"")
        for model in (BoardSet, Leg)
        for sealed in model.objects.exclude(sealed_seed=None).values_list("sealed_seed", flat=True)
    ]
    if vault.are_in_file() and not settings.SEED_KEYS_FILE.exists():
        return len(seeds)
    return sum(not _opens(sealed) for sealed in seeds)


def _opens(sealed: bytes) -> bool:
    try:
        vault.open_file(sealed)
    except vault.CannotOpen:
        return False
    return True
