"""What may be done beside a service that is in use, and what may not."""

import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread
from uuid import uuid4

import httpx
import pytest

from tests.running import PATIENCE, ROOT, Service, campaign, free_port, run, serving
from tournaments.management import robots

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


# ── The one who writes on SQLite is alone ─────────────────────────────────────────────────────────


def post(api: httpx.Client, hall: robots.Hall) -> httpx.Response:
    """A result for the first board of a hall's first table."""
    place = {"section": "A", "table": 1, "board": 1, "key": str(uuid4())}
    sheet = {"outcome": "normal", "tricks": [5, 3, 2]}
    return api.post(f"{robots.at(hall)}/submissions/", json=place | {"sheet": sheet})


def database_of(service: Service) -> sqlite3.Connection:
    """A connection that does not wait for anybody."""
    return sqlite3.connect(service.var / "etui.sqlite3", timeout=0, isolation_level=None)


@contextmanager
def watching(service: Service) -> Iterator[Callable[[], tuple[float, float]]]:
    """Afterwards: from when to when somebody held the database for the longest time."""
    over, longest = Event(), (0.0, 0.0)

    def watch() -> None:
        nonlocal longest
        since: float | None = None
        with closing(database_of(service)) as database:
            while not over.wait(0.002):
                try:
                    database.execute("BEGIN IMMEDIATE")
                    database.execute("ROLLBACK")
                    since = None
                except sqlite3.OperationalError:
                    now = time.monotonic()
                    since = since or now
                    longest = max(longest, (since, now), key=lambda held: held[1] - held[0])

    thread = Thread(target=watch)
    thread.start()
    try:
        yield lambda: longest
    finally:
        over.set()
        thread.join()


def an_evening(tables: int, boards: int) -> str:
    rows = ["section,round,table,board,seat1,seat2,seat3,outcome,tricks1,tricks2,tricks3"]
    for table in range(1, tables + 1):
        seats = ",".join(f"Joueur {table}.{seat}" for seat in range(1, 4))
        rows += [f"A,1,{table},{board},{seats},normal,5,3,2" for board in range(1, boards + 1)]
    return "\n".join(rows)


@campaign
def test_results_are_taken_while_many_tables_are_stored(service: Service, tmp_path: Path) -> None:
    hall = service.set_up(players=9, boards_per_round=1)
    file = tmp_path / "evening.csv"
    file.write_text(an_evening(tables=300, boards=4))
    command = [sys.executable, "manage.py", "import_evening", str(file), "--game", "comon"]
    posts: list[tuple[float, int, float]] = []
    with (
        robots.client(hall.address, hall.organiser) as api,
        watching(service) as longest,
        subprocess.Popen(command, cwd=ROOT, env=service.environment, stdout=subprocess.DEVNULL) as process,
    ):
        while process.poll() is None:
            began = time.monotonic()
            posts.append((began, post(api, hall).status_code, time.monotonic()))
    assert process.returncode == 0
    assert {status for _began, status, _ended in posts} == {202}
    since, until = longest()
    assert any(began < until and since < ended for began, _status, ended in posts), "all were before or after"
    assert any(ended - began > (until - since) / 2 for began, _status, ended in posts), "none had to wait"


@campaign
def test_a_result_is_to_be_sent_again_where_the_database_stays_locked(tmp_path: Path) -> None:
    with serving("embedded", tmp_path / "var", LOCK_SECONDS="0.5") as service:
        hall = service.set_up(players=9, boards_per_round=1)
        with robots.client(hall.address, hall.organiser) as api, closing(database_of(service)) as somebody:
            somebody.execute("PRAGMA busy_timeout = 60000")
            somebody.execute("BEGIN IMMEDIATE")
            answer = post(api, hall)
            assert (answer.status_code, answer.headers.get("Retry-After")) == (503, "5")
            assert answer.json()["error"]["code"] == "unavailable"
            assert api.get(f"{robots.at(hall)}/submissions/").json()["results"] == [], "reading needs no turn"
            somebody.execute("ROLLBACK")
            assert post(api, hall).status_code == 202
