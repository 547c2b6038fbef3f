"""Which new migrations would hinder an older release that works on: what takes away or renames what it reads,
and what it can no longer write; what locks a table for a while is told. `make campaign-migrations`."""

import os
import sys

import django
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django_migration_linter import MigrationLinter

SETTLED = "0061_seasons"
"""The newest of those that came while the service was stopped for them; no release has had a later one."""
DROPS_A_COLUMN = "0019_sealed_seeds"
EXCEPTED: dict[str, str] = {}
"""Newer ones that hinder nobody although they look as if they did: each by its name, with the reason."""


def main() -> None:
    """Say of each newer migration what is wrong with it; ends with 1 if something is."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
    django.setup()
    if connection.vendor != "postgresql":
        sys.exit("What locks a table is asked of PostgreSQL: set DATABASE_URL (docs/running.md).")
    if not hinders([DROPS_A_COLUMN]):
        sys.exit(f"{DROPS_A_COLUMN} drops a column, and was not found to: nothing is to be learnt here.")
    every = sorted(name for app, name in MigrationLoader(connection).disk_migrations if app == "tournaments")
    newer = [name for name in every[every.index(SETTLED) + 1 :] if name not in EXCEPTED]
    if hinders(newer, is_said=True):
        sys.exit("What goes stays for one more release; what comes has a default in the database.")
    print(f"{len(newer)} migrations after {SETTLED} let an older release work on.")


def hinders(names: list[str], *, is_said: bool = False) -> bool:
    """Whether one of the migrations does."""
    linter = MigrationLinter(no_cache=True, no_output=not is_said, analyser_string="postgresql")
    for name in names:
        linter.lint_migration(linter.migration_loader.get_migration("tournaments", name))
    return linter.has_errors


if __name__ == "__main__":
    main()
