"""A transaction whose statements do not wait for each other: on PostgreSQL each is sent while the ones before
are still being answered. It costs one wait when answers are read (`bulk.ask`), and one at its end, which
commits; statement by statement it would be a wait for each, and on busy cores every wait is a turn lost.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

SETTINGS = "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off"
"""For a connection that stores all day long. Its statements are planned once: each looks for a few rows by an
index, however many there are, and whether the tables were empty when it was planned."""


@contextmanager
def one_transaction() -> Iterator[None]:
    """All of it is stored, or nothing. Inside another transaction, it is a part of that one."""
    if connection.vendor != "postgresql":
        with transaction.atomic():
            yield
    elif connection.in_atomic_block:
        with transaction.atomic(), connection.wrap_database_errors, connection.connection.pipeline():
            yield
    else:
        connection.ensure_connection()
        with connection.wrap_database_errors:
            yield from _of_its_own()


def _of_its_own() -> Iterator[None]:
    there = connection.connection
    try:
        with there.pipeline():
            there.execute("BEGIN")
            yield
            there.execute("COMMIT")
    except BaseException:
        try:
            there.rollback()
        except there.Error:
            connection.close()
        raise


def prepare_connection() -> None:
    """Bring this thread's connection into the form for such transactions; opened, if there is none yet."""
    if connection.vendor == "postgresql" and connection.connection is None:
        with connection.cursor() as cursor:
            cursor.execute(SETTINGS)
