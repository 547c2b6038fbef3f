"""The drill (`make drill`): what is backed up while it is in use comes back into an empty database and is
counted again, on SQLite and on PostgreSQL, encrypted; and what is no whole backup is refused."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pyrage
import pytest

from tests.running import both_kinds, campaign, environment_of, free_port, manage, needs_servers, run
from tests.servers import place_for
from tournaments.services import backups, encrypting

PAPER = "examples/evenings/comon-15.csv"
WORDS = "neuf dames, un étui et trois tapis verts"
LOCKED = {"BACKUP_PASSPHRASE": WORDS}
NAME = "Joséphine"


# ── Both databases ────────────────────────────────────────────────────────────────────────────────


@contextmanager
def an_evening(kind: str, folder: Path, **more: str) -> Iterator[dict[str, str]]:
    """The variables of a service with an evening that was played."""
    with environment_of(kind, folder / "one", migrate=True, **more) as environment:
        manage(environment, "import_evening", PAPER, "--game", "comon", "--publish")
        yield environment


def a_key(folder: Path) -> tuple[str, Path]:
    """What encrypts, and the file of what opens."""
    key, path = pyrage.x25519.Identity.generate(), folder / "key.txt"
    path.write_text(f"# made by age-keygen\n{key}\n")
    return str(key.to_public()), path


def backed_up(environment: dict[str, str], folder: Path) -> Path:
    return Path(manage(environment, "backup", str(folder)).split(": ")[0])


def archived(environment: dict[str, str], folder: Path) -> bytes:
    """All of the session, byte for byte: results, rankings in all versions, history."""
    path = folder / "archive.zip"
    manage(environment, "archive", "1", str(path))
    return path.read_bytes()


@campaign
@pytest.mark.processes
@both_kinds
def test_an_evening_comes_back_into_an_empty_database(kind: str, tmp_path: Path) -> None:
    with an_evening(kind, tmp_path, **LOCKED) as one:
        backup = backed_up(one, tmp_path / "backups")
        assert backup.name.endswith({"embedded": ".sqlite3.age", "distributed": ".pgdump.age"}[kind])
        assert backup.stat().st_mode & 0o777 == 0o600
        assert [path.name for path in (tmp_path / "backups").iterdir()] == [backup.name]
        assert not list((tmp_path / "one").glob(".backup-*")), "what was not encrypted lies nowhere"
        with environment_of(kind, tmp_path / "two", **LOCKED) as two:
            assert "1 session; all lists and the history agree" in manage(two, "restore", str(backup))
            assert archived(two, tmp_path / "two") == archived(one, tmp_path / "one")
            again = run(two, "restore", str(backup))
            assert again.returncode == 1
            assert "There is a database" in again.stderr


@campaign
@pytest.mark.processes
@needs_servers
def test_what_was_changed_in_postgresql_is_told_when_it_comes_back(tmp_path: Path) -> None:
    key, opens = a_key(tmp_path)
    with an_evening("distributed", tmp_path, BACKUP_RECIPIENT=key) as one:
        with psycopg.connect(one["DATABASE_URL"], autocommit=True) as server:
            server.execute("SET session_replication_role = replica")  # past the guards, as an attacker would
            done = server.execute("UPDATE tournaments_line SET counts = '{\"7\": 3}' WHERE side = 1")
            assert done.rowcount > 0
        backup = backed_up(one, tmp_path / "backups")
    with environment_of("distributed", tmp_path / "two") as two:
        assert "say its passphrase" in run(two, "restore", str(backup)).stderr
        told = run(two, "restore", str(backup), "--identity", str(opens))
    assert told.returncode == 1
    assert "Session 1: histogram" in told.stdout


@campaign
@pytest.mark.processes
@needs_servers
def test_what_is_no_whole_backup_of_postgresql_leaves_the_database_empty(tmp_path: Path) -> None:
    with environment_of("distributed", tmp_path / "one", migrate=True) as one:
        whole = backed_up(one, tmp_path / "backups")
        with psycopg.connect(one["DATABASE_URL"], autocommit=True) as server:
            server.execute("UPDATE django_migrations SET name = '9999_x' WHERE name LIKE '0001_first'")
        later = tmp_path / "later.pgdump"
        shutil.copy(backed_up(one, tmp_path / "later"), later)
        alone = one | {"PATH": "/nowhere"}
        assert "pg_dump is not on this machine" in run(alone, "backup", str(tmp_path / "none")).stderr
    cut, other = tmp_path / "cut.pgdump", tmp_path / "other.pgdump"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    with environment_of("distributed", tmp_path / "two") as two:
        pg_dump = ["pg_dump", "--format=custom", f"--file={other}", two["DATABASE_URL"]]
        subprocess.run(pg_dump, check=True)
        for backup, words in (
            (cut, "could not read from input file"),
            (other, "is not a database of Étui"),
            (later, "A later release has made this backup"),
            (tmp_path / "none", "There is no file"),
            (Path(__file__), "does not appear to be a valid archive"),
        ):
            done = run(two, "restore", str(backup))
            assert done.returncode == 1
            assert words in done.stderr, done.stderr
            with psycopg.connect(two["DATABASE_URL"]) as server:
                assert server.execute(
                    "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
                ).fetchone() == (0,)


@campaign
@pytest.mark.processes
@needs_servers
def test_postgresql_goes_back_to_the_moment_before_an_accident(tmp_path: Path) -> None:
    """By the lines of `docs/running.md`: a copy made before the evening, and all that was written since."""
    with place_for("distributed") as lodging:
        one, server = lodging.environment, lodging.postgresql
        assert server is not None
        written = server.folder.parent / "written"
        written.mkdir()
        written.chmod(0o777)  # the server is another user's
        server.stop()
        archive = f"test ! -f {written}/%f && cp %p {written}/%f"
        server.configure(archive_mode="on", archive_command=archive)
        server.start()
        manage(one, "migrate")
        copy = server.copy_to(server.folder.parent / "copy", free_port())
        manage(one, "import_evening", PAPER, "--game", "comon", "--publish")
        before = archived(one, tmp_path)
        with psycopg.connect(server.url, autocommit=True) as database:
            (moment,) = database.execute("SELECT now()").fetchone() or ()
            database.execute("SET session_replication_role = replica")  # past the guards
            database.execute("DELETE FROM tournaments_line")
            database.execute("SELECT pg_switch_wal()")
        assert run(one, "recompute").returncode == 1
        server.stop("immediate")
        restore = f"cp {written}/%f %p"
        copy.configure(
            restore_command=restore, recovery_target_time=str(moment), recovery_target_action="promote"
        )
        (copy.folder / "recovery.signal").touch()
        try:
            copy.start()
            back = one | {"DATABASE_URL": copy.url}
            assert "Session 1: version 1 is what its results give." in manage(back, "recompute")
            (tmp_path / "back").mkdir()
            assert archived(back, tmp_path / "back") == before
        finally:
            copy.stop("immediate", check=False)


# ── Encrypted ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    path = tmp_path / "plain"
    path.write_bytes(NAME.encode() * 100_000)
    return path


def for_a_key(settings: Any, folder: Path) -> Path:
    """The file of the key that opens what is encrypted from now on."""
    settings.BACKUP_PASSPHRASE = ""
    settings.BACKUP_RECIPIENT, path = a_key(folder)
    return path


def test_a_passphrase_or_a_key_opens_it_again(plain: Path, tmp_path: Path, settings: Any) -> None:
    sealed, back = tmp_path / "sealed.age", tmp_path / "back"
    settings.BACKUP_PASSPHRASE = WORDS
    encrypting.encrypt(plain, sealed)
    assert sealed.read_bytes().startswith(b"age-encryption.org/v1\n")
    assert NAME.encode() not in sealed.read_bytes()
    encrypting.decrypt(sealed, back, identity=None)
    assert back.read_bytes() == plain.read_bytes()
    settings.BACKUP_PASSPHRASE = WORDS + "!"
    with pytest.raises(backups.CannotBackUp, match="cannot be opened"):
        encrypting.decrypt(sealed, back, identity=None)
    settings.BACKUP_PASSPHRASE = ""
    with pytest.raises(backups.CannotBackUp, match="say its passphrase"):
        encrypting.decrypt(sealed, back, identity=None)
    identity = for_a_key(settings, tmp_path)
    encrypting.encrypt(plain, sealed)
    encrypting.decrypt(sealed, back, identity=identity)
    assert back.read_bytes() == plain.read_bytes()
    if age := shutil.which("age"):
        opened = subprocess.run([age, "-d", "-i", identity, sealed], check=True, stdout=subprocess.PIPE)
        assert opened.stdout == plain.read_bytes()


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-70_000])


def change_a_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-1000] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("spoil", [cut_off, change_a_byte])
def test_what_was_changed_or_cut_off_is_not_opened(
    spoil: Callable[[Path], None], plain: Path, tmp_path: Path, settings: Any
) -> None:
    identity, sealed = for_a_key(settings, tmp_path), tmp_path / "sealed.age"
    encrypting.encrypt(plain, sealed)
    spoil(sealed)
    with pytest.raises(backups.CannotBackUp, match="cannot be opened"):
        encrypting.decrypt(sealed, tmp_path / "back", identity=identity)
    with pytest.raises(backups.CannotBackUp, match="not a file of keys"):
        encrypting.decrypt(sealed, tmp_path / "back", identity=plain)


def test_one_way_is_asked_for(plain: Path, tmp_path: Path, settings: Any) -> None:
    assert not encrypting.is_wanted()
    settings.BACKUP_PASSPHRASE, settings.BACKUP_RECIPIENT = WORDS, "age1x"
    with pytest.raises(backups.CannotBackUp, match="not both"):
        encrypting.is_wanted()
    settings.BACKUP_PASSPHRASE = ""
    with pytest.raises(backups.CannotBackUp, match="begins with age1"):
        encrypting.encrypt(plain, tmp_path / "sealed.age")
