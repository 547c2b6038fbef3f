"""What follows from a change in the database itself, whoever makes it and by whatever statement.

A session's answers show names, and names change in the register: `Tally.names` counts these changes, so
that no answer from before is taken for the present one (`api.conditional`). The triggers come and go with the
guards.
"""

from collections.abc import Iterator

from django.db.backends.base.base import BaseDatabaseWrapper

PREFIX = "etui_names"

# Each table, the columns that a name is made of, and the sessions that show it.
SHOWN = {
    "tournaments_player": (
        ("given_name", "family_name", "public_name", "consent", "erased_at"),
        "SELECT session_id FROM tournaments_member WHERE player_id {is_changed}"
        " UNION SELECT session_id FROM tournaments_contestant WHERE id IN"
        " (SELECT contestant_id FROM tournaments_substitution WHERE player_id {is_changed})",
    ),
    "tournaments_member": (
        ("player_id",),
        "SELECT session_id FROM tournaments_member WHERE id {is_changed}",
    ),
    "tournaments_contestant": (
        ("name", "named_by_players"),
        "SELECT session_id FROM tournaments_contestant WHERE id {is_changed}",
    ),
}


def statements(connection: BaseDatabaseWrapper, columns: dict[str, set[str]]) -> Iterator[str]:
    """What puts the triggers in place; nothing while a migration has not made all they need. `columns`: of
    each table that there is."""
    needed = {table: {*names, "id"} for table, (names, _sessions) in SHOWN.items()}
    needed |= {"tournaments_tally": {"names"}, "tournaments_substitution": {"player_id"}}
    if any(not names <= columns.get(table, set()) for table, names in needed.items()):
        return
    for table, (names, sessions) in SHOWN.items():
        if connection.vendor == "postgresql":
            yield from _on_postgresql(table, names, sessions)
        else:
            yield from _on_sqlite(table, names, sessions)


def _on_postgresql(table: str, names: tuple[str, ...], sessions: str) -> Iterator[str]:
    """Once a statement, however many rows it changes; the tallies in the order of their ids."""
    before, after = (", ".join(f"{row}.{name}" for name in names) for row in ("old_row", "new_row"))
    changed = (
        f"IN (SELECT new_row.id FROM new_rows new_row JOIN old_rows old_row USING (id)"  # noqa: S608 - names from above
        f" WHERE ({before}) IS DISTINCT FROM ({after}))"
    )
    yield (
        f"CREATE OR REPLACE FUNCTION {PREFIX}_{table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "  # noqa: S608
        f"WITH mine AS (SELECT id FROM tournaments_tally WHERE session_id IN"
        f" ({sessions.format(is_changed=changed)}) ORDER BY id FOR NO KEY UPDATE) "
        f"UPDATE tournaments_tally tally SET names = names + 1 FROM mine WHERE tally.id = mine.id; "
        f"RETURN NULL; END $$"
    )
    yield (
        f"CREATE OR REPLACE TRIGGER {PREFIX} AFTER UPDATE ON {table} REFERENCING OLD TABLE AS old_rows"
        f" NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION {PREFIX}_{table}()"
    )


def _on_sqlite(table: str, names: tuple[str, ...], sessions: str) -> Iterator[str]:
    changed = " OR ".join(f"OLD.{name} IS NOT NEW.{name}" for name in names)
    yield (
        f"CREATE TRIGGER IF NOT EXISTS {PREFIX}_{table} AFTER UPDATE OF {', '.join(names)} ON {table}"  # noqa: S608
        f" WHEN {changed} BEGIN UPDATE tournaments_tally SET names = names + 1 WHERE session_id IN"
        f" ({sessions.format(is_changed='= NEW.id')}); END"
    )
