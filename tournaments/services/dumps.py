"""The database of a service on PostgreSQL as one file, in the custom format of `pg_dump`, and back.

`pg_dump` reads all of it as it was at one moment, while results are taken. It and `pg_restore` have to be of
the server's release or a later one. They are told where the server is by variables, as arguments can be read
by everybody on the machine.
"""

import os
import shutil
import subprocess
from pathlib import Path

from django.db import connection

from .errors import CannotBackUp

VARIABLES = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "dbname": "PGDATABASE",
    "service": "PGSERVICE",
    "passfile": "PGPASSFILE",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
}


def dump(target: Path) -> None:
    """The database at one moment, read again to its end. CannotBackUp."""
    _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={target}")
    _run("pg_restore", f"--file={os.devnull}", str(target))


def migrations_in(path: Path) -> set[tuple[str, str]]:
    """The migrations of the database that a file holds, which is read to its end. CannotBackUp: it cannot be,
    or holds something else."""
    if not path.is_file():
        raise CannotBackUp(f"There is no file {path}.")
    _run("pg_restore", f"--file={os.devnull}", str(path))
    listed = _run("pg_restore", "--list", str(path))
    if " TABLE DATA public tournaments_session " not in listed:
        raise CannotBackUp(f"{path} is not a database of Étui.")
    said = _run("pg_restore", "--data-only", "--table=django_migrations", "--file=-", str(path))
    _before, _copy, rows = said.partition("FROM stdin;\n")
    rows, _end, _after = rows.partition("\n\\.")
    return {(app, name) for _pk, app, name, *_at in (row.split("\t") for row in rows.splitlines())}


def check_empty() -> None:
    """CannotBackUp: something is in the database."""
    if there := sorted(connection.introspection.table_names()):
        name = connection.settings_dict["NAME"]
        raise CannotBackUp(
            f"There is a database: {name} has {len(there)} tables. Say an empty one in DATABASE_URL."
        )


def load(path: Path) -> None:
    """Make a file the database, which is empty: all of it or nothing. CannotBackUp."""
    name = str(connection.settings_dict["NAME"])
    _run(
        *("pg_restore", "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"),
        *(f"--dbname={name}", str(path)),
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _run(program: str, *arguments: str) -> str:
    """What a program of PostgreSQL's writes. CannotBackUp: it is not here, or says why it cannot."""
    found = shutil.which(program)
    if found is None:
        raise CannotBackUp(
            f"{program} is not on this machine: install PostgreSQL's client programs, of the release of its "
            "server or a later one."
        )
    said = {name: str(value) for name, value in connection.get_connection_params().items() if value}
    where = {variable: said[name] for name, variable in VARIABLES.items() if name in said}
    done = subprocess.run(  # noqa: S603 - a program of PostgreSQL's, with arguments from here
        [found, *arguments], env=os.environ | where, capture_output=True, text=True, check=False
    )
    if done.returncode:
        why = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr.strip())
        raise CannotBackUp(f"{why or program + ' has failed'}.")
    return done.stdout
