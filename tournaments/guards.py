"""What is append-only: the database itself refuses to rewrite or delete it, whoever asks.

Triggers are not part of Django's models, and on SQLite a table that is altered loses its own. So they are
taken away before every migration and put back after it, from the list here.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from . import following

PREFIX = "etui_guard"


@dataclass(frozen=True, slots=True)
class Guard:
    """A table whose rows are never deleted. `columns`: those that never change, by default all. `unless`:
    an SQL condition on OLD and NEW under which they may. `session`: in SQL, the session that a row is of, so
    that it may be deleted with a trial, or with one that nobody has relied on (`SPARED`)."""

    columns: tuple[str, ...] = ()
    unless: str = ""
    session: str = ""


OF_PLAY = (
    "(SELECT boards.session_id FROM tournaments_boardset boards"
    " JOIN tournaments_board board ON board.board_set_id = boards.id"
    " JOIN tournaments_play play ON play.board_id = board.id WHERE play.id = {play})"
)
OF_BOARDS = "JOIN tournaments_boardset boards ON boards.id = {board_set} WHERE boards.session_id = spared.id"
RELIED_ON = (
    "tournaments_submission handed_in JOIN tournaments_play play ON play.id = handed_in.play_id"
    " JOIN tournaments_board board ON board.id = play.board_id "
    + OF_BOARDS.format(board_set="board.board_set_id"),
    "tournaments_custody held " + OF_BOARDS.format(board_set="held.board_set_id"),
    *(
        f"tournaments_{name} made WHERE made.session_id = spared.id"
        for name in ("ruling", "objection", "ranking")
    ),
    "tournaments_historyentry looked WHERE looked.session_id = spared.id AND looked.verb = 'printed lists'",
)
"""What stays for ever, and with it the session: results, custody of its boards and lists of them, rulings,
objections, versions of its ranking."""

NOTHING = " AND ".join(f"NOT EXISTS (SELECT 1 FROM {rows})" for rows in RELIED_ON)  # noqa: S608 - from above
SPARED = (
    "EXISTS (SELECT 1 FROM tournaments_session spared WHERE spared.id = {session}"  # noqa: S608
    f" AND (spared.is_trial OR ({NOTHING})))"
)
"""Whether a session may be deleted, as far as the database goes: a trial, or what nobody has relied on."""

GUARDS: Mapping[str, Guard] = {
    "tournaments_session": Guard(("is_trial",), unless="NEW.is_trial = OLD.is_trial", session="OLD.id"),
    "tournaments_historyentry": Guard(session="OLD.session_id"),
    "tournaments_remark": Guard(
        unless="NEW.id = OLD.id AND NEW.digest = OLD.digest AND NEW.text = '' AND NEW.salt = ''"
        " AND NEW.emptied_at IS NOT NULL AND OLD.emptied_at IS NULL",
    ),
    "tournaments_historyseal": Guard(
        session="(SELECT chain.session_id FROM tournaments_historychain chain WHERE chain.id = OLD.chain_id)"
    ),
    "tournaments_historychain": Guard(
        unless="NEW.id = OLD.id AND NEW.scope = OLD.scope AND NEW.length = OLD.length + 1"
        " AND NEW.last > OLD.last",
        session="OLD.session_id",
    ),
    "tournaments_submission": Guard(
        (
            *("play_id", "sender_id", "role_id", "table_id", "key", "content", "created_at"),
            *("seat", "remark_id"),
        ),
        session=OF_PLAY.format(play="OLD.play_id"),
    ),
    "tournaments_confirmation": Guard(
        session=OF_PLAY.format(
            play="(SELECT sheet.play_id FROM tournaments_submission sheet WHERE sheet.id = OLD.submission_id)"
        )
    ),
    "tournaments_result": Guard(
        ("session_id", "play_id", "submission_id", "scores", "facts", "averaged", "sheet"),
        unless="NEW.play_id = OLD.play_id AND NEW.submission_id > OLD.submission_id",  # superseded
        session="OLD.session_id",
    ),
    "tournaments_objection": Guard(session="OLD.session_id"),
    "tournaments_objectionstep": Guard(
        session="(SELECT one.session_id FROM tournaments_objection one WHERE one.id = OLD.objection_id)"
    ),
    "tournaments_ranking": Guard(session="OLD.session_id"),
    "tournaments_ruling": Guard(
        unless=(  # it is reversed, once
            "OLD.reversed_at IS NULL AND NEW.reversed_at IS NOT NULL AND NEW.id = OLD.id"
            " AND NEW.session_id = OLD.session_id AND NEW.kind = OLD.kind AND NEW.content = OLD.content"
            " AND COALESCE(NEW.contestant_id, 0) = COALESCE(OLD.contestant_id, 0)"
            " AND COALESCE(NEW.role_id, 0) = COALESCE(OLD.role_id, 0) AND NEW.remark_id = OLD.remark_id"
            " AND NEW.made_at = OLD.made_at AND NEW.position = OLD.position"
        ),
        session="OLD.session_id",
    ),
    "tournaments_rulingpart": Guard(
        session="(SELECT ruling.session_id FROM tournaments_ruling ruling WHERE ruling.id = OLD.ruling_id)"
    ),
    "tournaments_role": Guard(
        ("account_id", "club_id", "session_id", "kind", "granted_at", "granted_by_id"),
        session="OLD.session_id",
    ),
    "tournaments_custody": Guard(
        ("board_set_id", "account_id", "taken_at"),
        session="(SELECT boards.session_id FROM tournaments_boardset boards WHERE boards.id ="
        " OLD.board_set_id)",
    ),
    "tournaments_invitation": Guard(
        ("digest", "club_id", "session_id", "kind", "email", "is_first", "made_at", "made_by_id", "ends_at"),
        unless=(  # its address is forgotten, once nobody can accept it any more
            "NEW.email IS NULL AND (NEW.accepted_at IS NOT NULL OR NEW.withdrawn_at IS NOT NULL)"
            " AND NEW.digest = OLD.digest AND NEW.kind = OLD.kind AND NEW.ends_at = OLD.ends_at"
            " AND NEW.made_at = OLD.made_at AND NEW.is_first = OLD.is_first"
            " AND COALESCE(NEW.club_id, 0) = COALESCE(OLD.club_id, 0)"
            " AND COALESCE(NEW.session_id, 0) = COALESCE(OLD.session_id, 0)"
            " AND COALESCE(NEW.made_by_id, 0) = COALESCE(OLD.made_by_id, 0)"
        ),
        session="OLD.session_id",
    ),
    "tournaments_leg": Guard(  # its boards are dealt once, and an embargo that was lifted is never restored
        unless=(
            "NEW.id = OLD.id AND NEW.event_id = OLD.event_id AND NEW.number = OLD.number"
            " AND NEW.game = OLD.game AND NEW.board_count = OLD.board_count"
            " AND NEW.manifest = OLD.manifest AND NEW.commitment = OLD.commitment"
            " AND (OLD.lifted_at IS NULL OR NEW.lifted_at IS NOT NULL AND NEW.lifted_at = OLD.lifted_at)"
        ),
    ),
}


def install(connection: BaseDatabaseWrapper) -> None:
    """Put every guard in place, and what follows by itself, on whichever of their tables and columns there
    are: halfway through the migrations some are missing."""
    tables = set(connection.introspection.table_names())
    statements = _on_postgresql if connection.vendor == "postgresql" else _on_sqlite
    with transaction.atomic(connection.alias), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                f"CREATE OR REPLACE FUNCTION {PREFIX}() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is append-only'; END $$"
            )
        there = {
            table: {column.name for column in connection.introspection.get_table_description(cursor, table)}
            for table in tables
            if table.startswith("tournaments_")
        }
        for table, guard in GUARDS.items():
            if table in tables:
                columns = tuple(column for column in guard.columns if column in there[table])
                if guard.columns and not columns:
                    continue  # there is nothing to guard yet
                session = guard.session if "is_trial" in there.get("tournaments_session", ()) else ""
                for statement in statements(table, replace(guard, columns=columns, session=session)):
                    cursor.execute(statement)
        for statement in following.statements(connection, there):
            cursor.execute(statement)


def _on_postgresql(table: str, guard: Guard) -> Iterator[str]:
    of = f"OF {', '.join(guard.columns)} " if guard.columns else ""
    when = f"WHEN (NOT ({guard.unless})) " if guard.unless else ""
    trigger = f"CREATE OR REPLACE TRIGGER {PREFIX}"
    yield f"{trigger}_update BEFORE UPDATE {of}ON {table} FOR EACH ROW {when}EXECUTE FUNCTION {PREFIX}()"
    refuse = PREFIX
    if guard.session:
        refuse = f"{PREFIX}_{table}"
        yield (
            f"CREATE OR REPLACE FUNCTION {refuse}() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN IF {SPARED.format(session=guard.session)} THEN RETURN OLD; END IF; "
            "RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is append-only'; END $$"
        )
    yield f"{trigger}_delete BEFORE DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION {refuse}()"
    yield f"{trigger}_truncate BEFORE TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION {PREFIX}()"


def _on_sqlite(table: str, guard: Guard) -> Iterator[str]:
    of = f"OF {', '.join(guard.columns)} " if guard.columns else ""
    when = f"WHEN NOT ({guard.unless}) " if guard.unless else ""
    refuse = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
    trigger = f"CREATE TRIGGER IF NOT EXISTS {PREFIX}_{table}"
    yield f"{trigger}_update BEFORE UPDATE {of}ON {table} {when}{refuse}"
    spared = f"WHEN NOT {SPARED.format(session=guard.session)} " if guard.session else ""
    yield f"{trigger}_delete BEFORE DELETE ON {table} {spared}{refuse}"
    # REPLACE would delete a row and ask no trigger for deletions.
    there = f"EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id)"  # noqa: S608 - a name from the list above
    yield f"{trigger}_insert BEFORE INSERT ON {table} WHEN {there} {refuse}"


def remove(connection: BaseDatabaseWrapper) -> None:
    """Take every guard away, those of older releases included."""
    with transaction.atomic(connection.alias), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT tgname, tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal"
                " AND tgfoid IN (SELECT oid FROM pg_proc WHERE proname = 'etui_append_only'"
                " OR starts_with(proname, %s) OR starts_with(proname, %s))",
                [PREFIX, following.PREFIX],
            )
            for name, table in cursor.fetchall():
                cursor.execute(f"DROP TRIGGER {name} ON {table}")
        else:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name LIKE 'tourn%'")
            for (name,) in cursor.fetchall():
                cursor.execute(f"DROP TRIGGER {name}")


@contextmanager
def away(alias: str = "default") -> Iterator[None]:
    """Without guards, all or nothing: for the demo and tests, which empty a database of their own."""
    with transaction.atomic(alias):
        remove(connections[alias])
        yield
        install(connections[alias])


def before_migrations(*, using: str, **_: Any) -> None:
    remove(connections[using])


def after_migrations(*, using: str, **_: Any) -> None:
    install(connections[using])
