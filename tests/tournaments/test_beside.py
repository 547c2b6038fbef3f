"""What may be done beside a service that is in use, and what may not."""

import re
import shlex
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from tests.running import PATIENCE, ROOT, Service, free_port, run

pytestmark = pytest.mark.processes


@pytest.mark.skipif(not shutil.which("sqlite3"), reason="needs sqlite3: apt install sqlite3")
def test_a_copy_is_made_of_the_database_while_it_is_in_use(service: Service, tmp_path: Path) -> None:
    documents = (ROOT / "docs" / "running.md").read_text("utf-8")
    typed = re.search(r"`(sqlite3 [^`]+)`", documents)
    assert typed
    hall = service.set_up(players=9, boards_per_round=1)
    (tmp_path / "var").symlink_to(service.var)
    subprocess.run(shlex.split(typed[1]), cwd=tmp_path, check=True, timeout=PATIENCE)
    with closing(sqlite3.connect(tmp_path / "evening.sqlite3")) as copy:
        assert (hall.session,) in copy.execute("SELECT id FROM tournaments_session").fetchall()


def test_the_demo_does_not_erase_somebodys_tournaments(service: Service) -> None:
    service.set_up(players=9, boards_per_round=1)
    done = run(service.environment, "demo", "--port", str(free_port()))
    assert done.returncode == 1
    assert done.stderr.startswith("CommandError: This database holds the tournaments of ")
    assert len((done.stdout + done.stderr).strip().splitlines()) == 1
