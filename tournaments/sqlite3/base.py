"""Django's backend, but for how a writer waits for its turn.

SQLite's own way of waiting looks again after longer and longer pauses, of a tenth of a second in the end.
Where one process writes without a break, as a web process does that stores results, another may find no gap
for a second. Here a writer looks again after a few milliseconds at most.
"""

import sqlite3
import time
from collections.abc import Callable
from typing import Any

from django.db.backends.sqlite3 import base

FIRST_SECONDS, LONGEST_SECONDS = 0.0005, 0.003
"""Between two looks: at first, and in the end. A process that others should not wait for takes more."""


class PatientCursor(base.SQLiteCursorWrapper):
    """Waits for a database that somebody else writes to, for `patience` seconds at most."""

    patience = 0.0

    def execute(self, query: str, params: Any = None) -> Any:
        return self._patiently(lambda: super(PatientCursor, self).execute(query, params))

    def executemany(self, query: str, param_list: Any) -> Any:
        """All of it or nothing, also outside a transaction: what is done in part cannot be tried again."""
        if self.connection.in_transaction:
            return super().executemany(query, param_list)
        self.execute("BEGIN IMMEDIATE")
        with self.connection:  # commits it, or takes it back
            return super().executemany(query, param_list)

    def _patiently(self, step: Callable[[], Any]) -> Any:
        pause, until = FIRST_SECONDS, 0.0
        while True:
            try:
                return step()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:  # extended codes say more
                    raise
                now = time.monotonic()
                until = until or now + self.patience
                if now >= until:
                    raise
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_SECONDS)


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: Any) -> Any:
        connection = super().get_new_connection(conn_params)
        connection.execute(
            "PRAGMA busy_timeout = 0"
        )  # from now on its cursors wait, each statement for itself
        return connection

    def create_cursor(self, name: str | None = None) -> PatientCursor:
        cursor: PatientCursor = self.connection.cursor(factory=PatientCursor)
        cursor.patience = self.settings_dict["OPTIONS"].get("timeout", 0.0)
        return cursor
