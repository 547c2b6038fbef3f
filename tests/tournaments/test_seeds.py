"""Seeds lie in the database sealed, under keys that lie elsewhere and can be changed at any time."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.core.serializers import serialize
from django.db import connection

from engines import sealing
from tests.running import ROOT, SPECIAL, campaign
from tournaments import apps, vault
from tournaments.models import Board, BoardSet, HistoryEntry, Job, Session
from tournaments.services import board_sets, seeds

from .fields import a_leg, a_part
from .test_migrations import a_database
from .worlds import a_session

SEED = bytes(range(32))


@pytest.fixture
def file(settings: Any, tmp_path: Path) -> Iterator[Path]:
    """The keys of a service of one machine."""
    settings.PRODUCTION, settings.SEED_KEYS = False, []
    settings.SEED_KEYS_FILE = tmp_path / "seed_keys"
    vault._plaintext.cache_clear()
    yield settings.SEED_KEYS_FILE
    vault._plaintext.cache_clear()


def age(path: Path, seconds: float) -> None:
    then = path.stat().st_mtime - seconds
    os.utime(path, (then, then))


def forms_of(seed: bytes) -> list[bytes]:
    """As a seed could be written by mistake."""
    import base64

    plain = [seed, base64.b64encode(seed), base64.urlsafe_b64encode(seed), seed.hex().encode()]
    return [*plain, seed.hex().upper().encode(), repr(seed).encode()]


# ── What the database has ─────────────────────────────────────────────────────────────────────────


@pytest.mark.django_db
def test_no_row_has_a_seed_in_clear() -> None:
    session = a_session()
    seed = session.board_set.seed
    assert seed is not None
    assert len(seed) == 32
    rows = serialize("json", [*BoardSet.objects.all(), *Session.objects.all(), *Board.objects.all()])
    rows += serialize("json", [*HistoryEntry.objects.all(), *Job.objects.all()])
    with connection.cursor() as cursor:
        cursor.execute("SELECT sealed_seed FROM tournaments_boardset")
        stored = b"".join(bytes(sealed) for (sealed,) in cursor.fetchall())
    for form in forms_of(seed):
        assert form not in stored
        assert form.decode("latin-1") not in rows
    assert vault.open_sealed(stored) == seed


@pytest.mark.django_db
def test_a_seed_is_read_from_the_database_as_it_was() -> None:
    session = a_session()
    seed = session.board_set.seed
    deal = board_sets.deal_of(session, 1)
    vault._plaintext.cache_clear()
    again = Session.objects.get(pk=session.pk)
    assert again.board_set.seed == seed
    assert board_sets.deal_of(again, 1) == deal
    assert sealing.commitment(again.board_set.manifest) == again.board_set.commitment


@pytest.mark.django_db
def test_boards_that_a_club_dealt_by_itself_have_no_seed() -> None:
    board_set = a_session().board_set
    board_set.sealed_seed = None
    board_set.save()
    board_set.refresh_from_db()
    assert board_set.sealed_seed is None
    assert board_set.seed is None
    assert board_set.key is None


@campaign
def test_seeds_that_an_earlier_release_stored_are_sealed(tmp_path: Path, django_db_blocker: Any) -> None:
    with django_db_blocker.unblock(), a_database(tmp_path) as past:
        past.grow("0018_jobs")
        tournament = past.row("Tournament", club=past.club("Club"), name="Tournament")
        for number, seed in enumerate([SEED, None], 1):
            session = past.row(
                "Session", tournament=tournament, number=number, name="", game="comon", method="matchpoints",
                movement="kirkman-9x4", plays_per_board=3,
            )  # fmt: skip
            past.row("BoardSet", session=session, seed=seed)
        past.grow("0019_sealed_seeds")
        kept = BoardSet.objects.using(past.alias).order_by("session_id").values_list("sealed_seed", flat=True)
        first, second = kept
        assert first is not None
        assert SEED not in bytes(first)
        assert vault.open_sealed(bytes(first)) == SEED
        assert second is None
        past.grow("0018_jobs")
        seeds = past.rows("BoardSet").order_by("pk").values_list("seed", flat=True)
        assert [one and bytes(one) for one in seeds] == [SEED, None]


# ── Keys ──────────────────────────────────────────────────────────────────────────────────────────


def test_the_first_seed_makes_a_key_that_only_its_owner_can_read(file: Path) -> None:
    sealed = vault.seal(SEED)
    assert file.stat().st_mode & 0o777 == 0o600
    assert SEED not in sealed
    assert vault.open_sealed(sealed) == SEED
    assert list(file.parent.iterdir()) == [file]


def test_two_processes_that_make_the_first_key_at_once_have_one(tmp_path: Path) -> None:
    """Each seals a seed, and prints it; either can open what the other has sealed."""
    code = (
        "import django; django.setup(); from tournaments import vault; print(vault.seal(bytes(32)).decode())"
    )
    environment = SPECIAL | {"VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "tournaments.settings"}
    both = [
        subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=environment, stdout=subprocess.PIPE)
        for _ in range(4)
    ]
    sealed = [one.communicate()[0].strip() for one in both]
    (key,) = (tmp_path / "seed_keys").read_bytes().split()
    assert [Fernet(key).decrypt(one) for one in sealed] == [bytes(32)] * 4


def test_a_file_of_keys_that_others_can_read_is_refused(file: Path) -> None:
    vault.seal(SEED)
    file.chmod(0o640)
    with pytest.raises(ImproperlyConfigured, match="chmod 600"):
        vault.seal(SEED)
    assert [one.id for one in apps.check_keys()] == ["tournaments.E001"]


@pytest.mark.parametrize("content", ["", "\n", "not a key\n", "AAAA\n"])
def test_what_is_not_a_key_is_refused(file: Path, content: str) -> None:
    file.touch(0o600)
    file.write_text(content)
    with pytest.raises(ImproperlyConfigured, match="key"):
        vault.seal(SEED)


def test_a_service_of_many_machines_makes_no_key_of_its_own(file: Path, settings: Any) -> None:
    """Another machine could not open what it seals."""
    settings.PRODUCTION = True
    (error,) = apps.check_keys()
    assert "SEED_KEYS" in error.msg
    with pytest.raises(ImproperlyConfigured, match="SEED_KEYS"):
        vault.seal(SEED)
    assert not file.exists()
    settings.SEED_KEYS = [Fernet.generate_key().decode()]
    assert apps.check_keys() == []


def test_a_seed_whose_key_is_missing_says_so_and_shows_no_key(file: Path) -> None:
    sealed = vault.seal(SEED)
    key = file.read_text().strip()
    file.write_bytes(Fernet.generate_key())
    with pytest.raises(vault.CannotOpen, match="put the missing key back") as raised:
        vault.open_sealed(sealed)
    assert key not in str(raised.value)


# ── Keys that change ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.django_db
def test_keys_are_rotated_while_others_seal_and_open(file: Path) -> None:
    session = a_session()
    seed, first = session.board_set.seed, file.read_bytes().split()
    assert seeds.rotate() == 1
    new, *older = file.read_bytes().split()
    assert older == first
    assert file.stat().st_mode & 0o777 == 0o600
    sealed = BoardSet.objects.get(pk=session.board_set.pk).sealed_seed
    assert Fernet(new).decrypt(bytes(sealed or b"")) == seed
    # Somebody who had the older key in hand stores what it sealed a moment later.
    late = BoardSet.objects.get(pk=a_session().board_set.pk)
    late.sealed_seed = Fernet(first[0]).encrypt(SEED)
    late.save()
    with pytest.raises(seeds.TooSoon, match="minutes"):
        seeds.drop_old_keys()
    age(file, seeds.SETTLED_SECONDS + 1)
    assert seeds.drop_old_keys() == (1, 1)
    assert file.read_bytes().split() == [new]
    vault._plaintext.cache_clear()
    assert [one.seed for one in BoardSet.objects.order_by("pk")] == [seed, SEED]


@pytest.mark.django_db
def test_sealing_again_is_harmless_twice(file: Path) -> None:
    a_session()
    assert seeds.rotate() == 1
    before = [bytes(one.sealed_seed or b"") for one in BoardSet.objects.all()]
    assert seeds.seal_again() == 0
    assert [bytes(one.sealed_seed or b"") for one in BoardSet.objects.all()] == before


@pytest.mark.django_db
def test_a_seed_that_no_key_opens_stops_the_rotation_and_keeps_every_key(file: Path) -> None:
    board_set = a_session().board_set
    board_set.sealed_seed = Fernet(Fernet.generate_key()).encrypt(SEED)
    board_set.save()
    before = file.read_bytes().split()
    with pytest.raises(CommandError, match="put the missing key back"):
        call_command("rotate_keys")
    assert file.read_bytes().split()[1:] == before
    age(file, seeds.SETTLED_SECONDS + 1)
    with pytest.raises(CommandError, match="put the missing key back"):
        call_command("rotate_keys", "--drop-old")
    assert file.read_bytes().split()[1:] == before


@pytest.mark.django_db
def test_the_command_says_what_it_did_and_what_comes_next(file: Path, settings: Any, capsys: Any) -> None:
    a_session()
    call_command("rotate_keys")
    assert "with the new key: 1. In 10 minutes" in capsys.readouterr().out
    with pytest.raises(CommandError, match="in 10 minutes"):
        call_command("rotate_keys", "--drop-old")
    age(file, seeds.SETTLED_SECONDS + 1)
    call_command("rotate_keys", "--drop-old")
    assert "Older keys dropped: 1." in capsys.readouterr().out


@pytest.mark.django_db
def test_keys_of_the_environment_are_changed_there(settings: Any, capsys: Any) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.SEED_KEYS = [old]
    seed = a_session().board_set.seed
    settings.SEED_KEYS = [new, old]
    call_command("rotate_keys")
    assert "with the new key: 1. Once all processes" in capsys.readouterr().out
    call_command("rotate_keys", "--drop-old")
    assert "you may take the others out" in capsys.readouterr().out
    settings.SEED_KEYS = [new]
    vault._plaintext.cache_clear()
    assert BoardSet.objects.get().seed == seed


# ── Files of one machine ──────────────────────────────────────────────────────────────────────────


def test_files_of_one_machine_are_their_owners_alone(tmp_path: Path) -> None:
    """Those that are made, and those that an older release has left."""
    (tmp_path / "log").mkdir()
    for name in ("etui.sqlite3-wal", "log/web.log"):
        (tmp_path / name).touch(0o644)
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "contenttypes", "--verbosity", "0"],
        cwd=ROOT, env=SPECIAL | {"VAR_DIR": str(tmp_path)}, check=True,
    )  # fmt: skip
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.rglob("*") if path.is_file()}
    assert {"etui.sqlite3", "secret_key", "web.log"} <= modes.keys()
    assert set(modes.values()) == {0o600}
    with sqlite3.connect(tmp_path / "etui.sqlite3") as database:
        assert database.execute("SELECT COUNT(*) FROM django_migrations").fetchone() == (2,)


@pytest.mark.django_db
def test_the_boards_of_an_event_are_sealed_again_with_a_new_key(file: Path) -> None:
    leg = a_leg()
    seed, sealed = leg.seed, bytes(leg.sealed_seed)
    session = a_part(leg, "Club A")
    vault.add_key()
    assert seeds.seal_again() == 2
    leg.refresh_from_db()
    assert bytes(leg.sealed_seed) != sealed
    assert vault.is_sealed_by_first(bytes(leg.sealed_seed))
    assert leg.seed == seed == Session.objects.get(pk=session.pk).board_set.seed
