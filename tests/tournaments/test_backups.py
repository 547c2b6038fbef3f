"""Backups: whole, of one moment, without keys; brought back where nothing is, and counted again."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from tests import migrated
from tests.running import SPECIAL, campaign, environment_of, manage, run, serving, wait_until
from tournaments.management import robots
from tournaments.services import backups, judging

from .worlds import a_world, hand_in, plays_of

pytestmark = pytest.mark.sqlite
PAPER = "examples/evenings/comon-15.csv"


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of a service with an evening that was played, and a backup of it."""
    folder = tmp_path_factory.mktemp("evening")
    with environment_of("embedded", folder, migrate=True) as environment:
        manage(environment, "import_evening", PAPER, "--game", "comon", "--publish")
        manage(environment, "backup", str(folder / "backups"))
        yield folder


def backup_of(folder: Path) -> Path:
    (path,) = (folder / "backups").iterdir()
    return path


def rows(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """All that is in a database, but for when lists were last compared."""
    found = {}
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as read:
        for (table,) in read.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            columns = [row[1] for row in read.execute(f'PRAGMA table_info("{table}")')]
            columns = [f'"{column}"' for column in columns if column != "checked_at"]
            found[table] = sorted(read.execute(f'SELECT {", ".join(columns)} FROM "{table}"'), key=repr)
    return found


@campaign
@pytest.mark.processes
def test_what_comes_back_is_what_was_there(evening: Path, tmp_path: Path) -> None:
    backup = backup_of(evening)
    assert backup.stat().st_mode & 0o777 == 0o600
    environment = SPECIAL | {"VAR_DIR": str(tmp_path)}
    said = manage(environment, "restore", str(backup))
    assert "1 session; all lists and the history agree" in said
    database = tmp_path / "etui.sqlite3"
    assert database.stat().st_mode & 0o777 == 0o600
    assert rows(database) == rows(backup) == rows(evening / "etui.sqlite3")
    assert sorted(path.name for path in tmp_path.iterdir() if "sqlite3" not in path.name) == ["secret_key"]


def change(path: Path, statement: str) -> None:
    """Past the guards, as an attacker would."""
    with closing(sqlite3.connect(path)) as write, write:
        triggers = [row[0] for row in write.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]
        for trigger in triggers:
            write.execute(f'DROP TRIGGER "{trigger}"')
        assert write.execute(statement).rowcount > 0


@campaign
@pytest.mark.processes
def test_what_was_changed_in_a_backup_is_told_when_it_comes_back(evening: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.sqlite3"
    shutil.copy(backup_of(evening), backup)
    change(backup, """UPDATE tournaments_line SET counts = '{"7": 3}' WHERE side = 1""")
    done = run(SPECIAL | {"VAR_DIR": str(tmp_path / "var")}, "restore", str(backup))
    assert done.returncode == 1
    assert "Session 1: histogram" in done.stdout


@campaign
@pytest.mark.processes
def test_a_database_that_is_there_stays(evening: Path) -> None:
    before = rows(evening / "etui.sqlite3")
    with environment_of("embedded", evening) as environment:
        done = run(environment, "restore", str(backup_of(evening)))
    assert done.returncode == 1
    assert "There is a database: move" in done.stderr
    assert rows(evening / "etui.sqlite3") == before


def cut_off(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def come_from_the_future(path: Path) -> None:
    change(
        path, "UPDATE django_migrations SET name = '9999_x' WHERE app = 'tournaments' AND name LIKE '0001%'"
    )


def be_something_else(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as write:
        write.execute("CREATE TABLE recipes (name)")


def be_no_database(path: Path) -> None:
    path.write_text("Once upon a time" * 1000)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (cut_off, "cannot be read whole|is damaged"),
        (come_from_the_future, "A later release has made this backup: .*9999_x"),
        (be_something_else, "is not a database of Étui"),
        (be_no_database, "cannot be read whole"),
        (Path.unlink, "There is no file"),
    ],
)
def test_what_is_no_whole_backup_is_refused_and_nothing_is_there(
    spoil: Callable[[Path], None], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrated.copy_into(tmp_path)
    backup, place = tmp_path / "etui.sqlite3", tmp_path / "var"
    spoil(backup)
    monkeypatch.setattr(backups, "database", lambda: place / "etui.sqlite3")
    with pytest.raises(backups.CannotBackUp, match=words):
        backups.restore(backup)
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("beside", ["", "-wal", "-journal"])
def test_nothing_is_brought_back_where_a_database_is_or_was(
    beside: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Left beside, a log of the old one would be written into the new one."""
    migrated.copy_into(tmp_path / "backup")
    there = tmp_path / f"etui.sqlite3{beside}"
    there.write_text("mine")
    monkeypatch.setattr(backups, "database", lambda: tmp_path / "etui.sqlite3")
    with pytest.raises(backups.CannotBackUp, match="There is a database"):
        backups.restore(tmp_path / "backup" / "etui.sqlite3")
    assert there.read_text() == "mine"


@campaign
@pytest.mark.processes
def test_backups_are_made_while_results_come_in(tmp_path: Path) -> None:
    """Each is of one moment. Its seeds want their keys; what was changed in its history is told."""
    made = []
    with serving("embedded", tmp_path / "service", SEAL_SECONDS="0") as service:
        hall = service.set_up(players=9, boards_per_round=3)
        for number, _step in enumerate(robots.evening(hall, seconds=0, random=Random(5))):
            if number % 8 == 4:
                made.append(Path(service.manage("backup", str(tmp_path / str(number))).split(": ")[0]))
        robots.finish(hall)
        wait_until(lambda: seals(service.var / "etui.sqlite3") > 1, what="seals on the history")
        last = Path(service.manage("backup", str(tmp_path / "last")).split(": ")[0])
        keys = service.var / "seed_keys"
        assert len(made) > 1
    for number, backup in enumerate([*made, last]):
        place = tmp_path / f"var{number}"
        place.mkdir()
        environment = SPECIAL | {"VAR_DIR": str(place)}
        if backup == last:
            without = run(environment, "restore", str(backup))
            assert without.returncode == 1
            assert "No key opens the seeds of 1 sets" in without.stdout
            assert not (place / "seed_keys").exists()
            for path in place.glob("etui.sqlite3*"):
                path.unlink()
        shutil.copy2(keys, place)
        assert "all lists and the history agree" in manage(environment, "restore", str(backup))
    change(last, "UPDATE tournaments_historyentry SET verb = 'spoke' WHERE id = 1")
    for path in place.glob("etui.sqlite3*"):
        path.unlink()
    spoilt = run(environment, "restore", str(last))
    assert spoilt.returncode == 1
    assert "History of" in spoilt.stdout


def seals(path: Path) -> int:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as read:
        return int(read.execute("SELECT COUNT(*) FROM tournaments_historyseal").fetchone()[0])


def test_the_newest_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = tmp_path / "etui.sqlite3"
    with closing(sqlite3.connect(database)) as write:
        write.execute("CREATE TABLE tournaments_session (id)")
    monkeypatch.setattr(backups, "database", lambda: database)
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "etui-old.sqlite3").touch()  # somebody else's
    start = datetime(2026, 11, 26, 20, tzinfo=UTC)
    for day in range(4):
        backups.back_up(folder, at=start + timedelta(days=day), keep=2)
    names = ["etui-20261128T200000Z.sqlite3", "etui-20261129T200000Z.sqlite3", "etui-old.sqlite3"]
    assert sorted(path.name for path in folder.iterdir()) == names
    with pytest.raises(backups.CannotBackUp, match="is there already"):
        backups.back_up(folder, at=start + timedelta(days=3))


@pytest.mark.django_db
def test_lists_that_were_behind_are_made_before_they_are_said_to_agree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = a_world()
    for play in plays_of(world.session):
        hand_in(world, play)
    judging.judge()
    with monkeypatch.context() as without:
        without.setattr(backups.rankings, "rank", lambda **_: None)
        (told,) = backups._disagreements()
    assert told.startswith(f"Session {world.session.pk}: not all of its results were taken in")
    assert list(backups._disagreements()) == []
    assert world.refresh().version == 1
