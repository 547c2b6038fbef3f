"""A database of release 0.1.0 upgraded to today, on SQLite and on PostgreSQL: its ranking is the same, as it
was stored and as it is counted again.

`release_0_1.json` has the rows that release wrote for the paper evening of `examples/evenings/comon-15.csv`
(`manage.py import_evening … --publish`), by table, each value as text.
"""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.sql import SQL, Identifier, Placeholder

from tests.running import both_kinds, campaign, environment_of, manage, run

ROWS: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("release_0_1.json").read_text("utf-8"))
LAST = "0002"  # of the migrations of release 0.1.0
ASKED = ("rank", "number", "contestant", "points", "top", "percent", "boards")
ASK = """
import json
from django.test import Client
from tournaments.models import Session
from tournaments.services import rankings

def asked():
    answer = Client(HTTP_HOST="localhost").get("/api/v1/sessions/1/ranking/")
    return answer.json()["places"]

stored = asked()
session = Session.objects.get()
rankings.change_layout(session)
rankings.rank(session_id=session.pk)
print("RANKINGS" + json.dumps([stored, asked()]))
"""


def fill_sqlite(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        for table, there in ROWS.items():
            columns, marks = ", ".join(there["columns"]), ", ".join("?" * len(there["columns"]))
            database.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", there["rows"])


def fill_postgresql(address: str) -> None:
    with psycopg.connect(address) as server:
        server.execute("SET session_replication_role = replica")  # whichever table comes first
        for table, there in ROWS.items():
            columns = [Identifier(column) for column in there["columns"]]
            insert = SQL("INSERT INTO {} ({}) VALUES ({})").format(
                Identifier(table), SQL(", ").join(columns), SQL(", ").join([Placeholder()] * len(columns))
            )
            server.cursor().executemany(insert, there["rows"])
            server.execute(
                SQL("SELECT setval(pg_get_serial_sequence({}, 'id'), max(id)) FROM {}").format(
                    table, Identifier(table)
                )
            )


@campaign
@pytest.mark.processes
@both_kinds
def test_the_ranking_of_an_evening_of_release_0_1_is_the_same_today(kind: str, tmp_path: Path) -> None:
    with environment_of(kind, tmp_path) as environment:
        manage(environment, "migrate", "tournaments", LAST)
        if kind == "embedded":
            fill_sqlite(tmp_path / "etui.sqlite3")
        else:
            fill_postgresql(environment["DATABASE_URL"])
        manage(environment, "migrate")
        assert run(environment, "verify_history").returncode == 0
        said = manage(environment, "shell", "-v0", "-c", ASK)
        assert "version 1 is what its results give" in manage(environment, "recompute")
    (then,) = ROWS["tournaments_ranking"]["rows"]
    places = json.loads(dict(zip(ROWS["tournaments_ranking"]["columns"], then, strict=True))["places"])
    expected = [[place[name] for name in ASKED] for place in places]
    assert len(expected) == 15
    stored, counted = json.loads(said.partition("RANKINGS")[2])
    for today in (stored, counted):
        assert [[place[name] for name in ASKED] for place in today] == expected
    assert [place["progress"] for place in counted] == [place["progress"] for place in places]
