"""A transaction whose statements do not wait for each other. On PostgreSQL they are sent together, the first
with BEGIN and the last with COMMIT: two waits, and two turns of the server's process, where statement by
statement each would cost both; on busy cores every turn is a wait of its own. Parameters are written here, as
binary arrays: the driver's own way through such a statement costs several times what the server's does.
"""

from __future__ import annotations  # the driver is imported where it is used

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain, count
from struct import pack
from threading import local
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID
from weakref import WeakKeyDictionary

from django.db import connection, transaction

if TYPE_CHECKING:
    from psycopg import Connection
    from psycopg.abc import PQGen
    from psycopg.pq.abc import PGconn, PGresult

SETTINGS = "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off"
"""For a connection that stores all day long. Its statements are planned once: each looks for a few rows by an
index, however many there are, and whether the tables were empty when it was planned."""

NOT_PREPARED = "26000"  # the state of the error
PREPARED_AT_MOST = 200  # statements of a connection; any others are planned each time


# ── Transactions ──────────────────────────────────────────────────────────────────────────────────


@contextmanager
def one_transaction() -> Iterator[InParts]:
    """All of it is stored, or nothing. Inside another transaction, it is a part of that one."""
    if connection.vendor != "postgresql" or connection.in_atomic_block:
        with transaction.atomic(), connection.wrap_database_errors:
            yield InParts(is_outermost=False)
        return
    connection.ensure_connection()
    raw = connection.connection
    with connection.wrap_database_errors:
        try:
            yield InParts(is_outermost=True)
            raw.commit()  # unless its last part has
        except BaseException:
            _roll_back(raw)
            raise


def _roll_back(raw: Connection[Any]) -> None:
    try:
        raw.rollback()
    except raw.Error:
        connection.close()
    if raw in prepared:
        prepared[raw] = {}  # the driver lets go of all that is prepared


class InParts:
    """A transaction in parts, each of which is sent as a whole."""

    def __init__(self, *, is_outermost: bool) -> None:
        self.is_outermost, self.has_begun = is_outermost, not is_outermost

    @contextmanager
    def at_once(self, *, last: bool = False) -> Iterator[None]:
        """What is asked (`bulk.ask`) and inserted in here is sent when all of it is known; after that the
        answers are there. `last`: nothing else belongs to the transaction."""
        if connection.vendor != "postgresql":
            yield
            return
        here.part = part = StatementGroup()
        try:
            if not self.has_begun:
                part.add("BEGIN", [])
            yield
            if last and self.is_outermost:
                part.add("COMMIT", [])
        finally:
            here.part = None
        self._send(part, connection.connection)
        self.has_begun = True

    def _send(self, part: StatementGroup, raw: Connection[Any]) -> None:
        """What a connection had prepared may be gone, after the driver has taken back another transaction: of
        a part that begins one, nothing is done yet, and it is prepared again."""
        try:
            part.send(raw, prepared.get(raw) if self.is_outermost else None)
        except raw.Error as error:
            if self.has_begun or error.sqlstate != NOT_PREPARED:
                raise
            raw.rollback()
            names = prepared[raw] = {}
            part.send(raw, names)


def prepare_connection() -> None:
    """Bring this thread's connection into the form for such transactions and nothing else; opened, if there
    is none yet."""
    if connection.vendor != "postgresql" or connection.connection is not None:
        return
    with connection.cursor() as cursor:
        cursor.execute(SETTINGS)
    remember_statements()


def remember_statements() -> None:
    """Let the statements of such transactions be planned once, as long as this thread's connection stays."""
    if connection.vendor == "postgresql":
        connection.ensure_connection()
        raw: Any = connection.connection
        prepared.setdefault(raw, {})


prepared: WeakKeyDictionary[Connection[Any], dict[bytes, bytes]] = WeakKeyDictionary()
"""By connection of that form, the names of its statements."""

_numbers = count(1)


# ── Parts ─────────────────────────────────────────────────────────────────────────────────────────


class Here(local):
    """What a thread is asking at the moment."""

    part: StatementGroup | None = None


here = Here()


@dataclass(slots=True)
class Question:
    """A statement with its parameters, and the rows that answer it; used as a cursor is."""

    sql: bytes
    values: list[bytes | None]
    formats: list[int]
    rows: list[tuple[Any, ...]] = field(default_factory=list)

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self.rows

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class StatementGroup:
    """Statements that are sent together, in their order. After one that fails, no other is tried."""

    def __init__(self) -> None:
        self.questions: list[Question] = []

    def add(self, sql: str, values: Sequence[Any]) -> Question:
        numbered, writers, formats = statement(sql)
        written = [
            None if value is None else write(value) for write, value in zip(writers, values, strict=True)
        ]
        question = Question(numbered, written, formats)
        self.questions.append(question)
        return question

    def send(self, raw: Connection[Any], names: dict[bytes, bytes] | None) -> None:
        """Wait for all the answers; raises the error of the statement that failed. `names`: of the statements
        that the connection has prepared, and will have; None if it is not to."""
        raw.pgconn.enter_pipeline_mode()
        try:
            raw.wait(self._answers(raw, names))
        finally:
            with suppress(raw.Error):  # of a broken connection, whose own error is on its way
                raw.pgconn.exit_pipeline_mode()

    def _answers(self, raw: Connection[Any], names: dict[bytes, bytes] | None) -> PQGen[None]:
        from psycopg.adapt import Transformer
        from psycopg.errors import error_from_result
        from psycopg.generators import fetch_many, send
        from psycopg.pq import ExecStatus

        server, reader, wrong = raw.pgconn, Transformer(raw), None
        expected = [step for one in self.questions for step in self._sent(server, one, names)]
        server.pipeline_sync()
        yield from send(server)
        for answered, given_up in expected:
            (result,) = yield from fetch_many(server)
            if wrong is None and result.status in {ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK}:
                answered(result, reader)
            else:
                wrong = wrong or result
                given_up()
        yield from fetch_many(server)  # the end of the part
        if wrong is not None:
            raise error_from_result(wrong)

    def _sent(
        self, server: PGconn, question: Question, names: dict[bytes, bytes] | None
    ) -> Iterator[tuple[Callable[[PGresult, Any], None], Callable[[], object]]]:
        """Put a question, and its preparation, among what is to be sent. For each: what is done with its
        result, and without one."""
        sql, values, formats = question.sql, question.values, question.formats
        known = None if names is None else names.get(sql)
        if known is None and names is not None and len(names) < PREPARED_AT_MOST:
            names[sql] = known = b"etui_%d" % next(_numbers)
            server.send_prepare(known, sql)
            yield lambda _result, _reader: None, partial(names.pop, sql, None)
        if known is None:
            server.send_query_params(sql, values, param_formats=formats)
        else:
            server.send_query_prepared(known, values, formats)
        yield partial(_take, question), lambda: None


def _take(question: Question, result: PGresult, reader: Any) -> None:
    reader.set_pgresult(result)
    question.rows = reader.load_rows(0, result.ntuples, tuple)


# ── Parameters ────────────────────────────────────────────────────────────────────────────────────

PARAMETER = re.compile(r"%[sb](?:::([a-z]+(?: [a-z]+)*)(\[\])?)?")
TEXT, BINARY = 0, 1

Write = Callable[[Any], bytes]


@lru_cache(maxsize=1000)
def statement(sql: str) -> tuple[bytes, list[Write], list[int]]:
    """A statement with its parameters numbered; how each of them is written, and in which format."""
    writers: list[Write] = []
    formats: list[int] = []

    def numbered(found: re.Match[str]) -> str:
        kind, is_array = found.groups()
        writers.append(ARRAYS[kind] if is_array else _text)
        formats.append(BINARY if is_array else TEXT)
        return f"${len(writers)}{found[0][2:]}"

    return PARAMETER.sub(numbered, sql).encode(), writers, formats


def _text(value: Any) -> bytes:
    return str(value).encode()


def _numbers_array(oid: int, code: str, size: int, values: Sequence[int | None]) -> bytes:
    if None in values:
        return _array(oid, [None if value is None else pack(f">{code}", value) for value in values])
    parts = chain.from_iterable((size, value) for value in values)
    return _head(oid, len(values), has_null=False) + pack(">" + f"i{code}" * len(values), *parts)


def _texts_array(oid: int, values: Sequence[str | None]) -> bytes:
    return _array(oid, [None if value is None else value.encode() for value in values])


def _keys_array(oid: int, values: Sequence[UUID | None]) -> bytes:
    return _array(oid, [None if value is None else value.bytes for value in values])


def _array(oid: int, values: Sequence[bytes | None]) -> bytes:
    parts = [b"\xff\xff\xff\xff" if one is None else pack(">i", len(one)) + one for one in values]
    return _head(oid, len(values), has_null=None in values) + b"".join(parts)


def _head(oid: int, length: int, *, has_null: bool) -> bytes:
    """PostgreSQL's array_recv: dimensions, whether there are nulls, the type of the elements; and of the only
    dimension its length and first index."""
    return pack(">iiIii", 1, has_null, oid, length, 1) if length else pack(">iiI", 0, 0, oid)


def _flags_array(values: Sequence[bool | None]) -> bytes:
    return _array(16, [None if value is None else pack(">?", value) for value in values])


ARRAYS: dict[str, Write] = {
    "boolean": _flags_array,
    "bigint": partial(_numbers_array, 20, "q", 8),
    "integer": partial(_numbers_array, 23, "i", 4),
    "smallint": partial(_numbers_array, 21, "h", 2),
    "text": partial(_texts_array, 25),
    "varchar": partial(_texts_array, 1043),
    "uuid": partial(_keys_array, 2950),
}
"""By the name of the elements' type."""
