"""Many rows in one statement: on PostgreSQL column by column as binary arrays, on SQLite row by row without
a round trip. The time grows with the rows, at a tenth of what `bulk_create` takes here for each.
"""

from __future__ import annotations  # Django's fields take their types for the checker alone

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import repeat
from typing import TYPE_CHECKING, Any
from uuid import UUID

import msgspec
from django.db import connection, models

from . import pipeline

if TYPE_CHECKING:
    import psycopg

AS_THEY_ARE = (models.IntegerField, models.CharField, models.ForeignKey)
"""Whose values SQLite takes as they are: to ask Django for each takes four times as long as to insert it."""

Columns = Mapping[str, Sequence[Any]]
"""By the name of a field: its value for each row. A foreign key is given by its id."""


class Json(str):
    """The value of a JSON field that is written as JSON already, since many rows have it; all values of a
    column are, or none."""

    __slots__ = ()

    @classmethod
    def of(cls, value: Any) -> Json:
        return cls(json.dumps(value))


def insert(
    model: type[models.Model], columns: Columns, *, same: Mapping[str, Any] | None = None, conflict: str = ""
) -> None:
    """Insert rows. `same`: the fields that have one value in all of them; every other field of the model must
    be in `columns`. `conflict`: the end of the statement, as `newer` makes it."""
    count = len(next(iter(columns.values())))
    if not count:
        return
    values = dict(columns) | {name: [value] * count for name, value in (same or {}).items()}
    fields = [_field(model, name) for name in values]
    write = _insert_arrays if connection.vendor == "postgresql" else _insert_rows
    write(model, fields, list(values.values()), conflict)


def new_ids(model: type[models.Model], count: int) -> list[int]:
    """Ids for rows that are to be inserted with them: no other row will have them. In a transaction."""
    return ask_for_ids(model, count)()


def ask_for_ids(model: type[models.Model], count: int) -> Callable[[], list[int]]:
    """Such ids, waited for when they are called for."""
    if connection.vendor == "postgresql":
        sql = (
            "SELECT nextval((SELECT pg_get_serial_sequence(%s, 'id')::regclass)) FROM generate_series(1, %s)"
        )
        rows = _rows_of(_execute(sql, [model._meta.db_table, count]))
        return lambda: [pk for (pk,) in rows()]
    assert connection.in_atomic_block, "another would take the same ids"
    with connection.cursor() as cursor:
        # Whoever writes is alone on SQLite, and a row with an id moves the sequence on by itself.
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [model._meta.db_table])
        (last,) = cursor.fetchone() or (0,)
    return lambda: list(range(last + 1, last + 1 + count))


def update(model: type[models.Model], columns: Columns) -> None:
    """Give rows other values: those of `id` say which."""
    count = len(columns["id"])
    if not count:
        return
    fields = [_field(model, name) for name in columns]
    table, names = _quote(model._meta.db_table), [_column(model, name) for name in columns if name != "id"]
    if connection.vendor == "postgresql":
        rows, values = _source_of(fields, list(columns.values()))
        changes = ", ".join(f"{name} = new.{name}" for name in names)
        sql = f"UPDATE {table} SET {changes} FROM ({rows}) AS new WHERE {table}.id = new.id"  # noqa: S608 - names come from the models
        with _execute(sql, values):
            return
    changes = ", ".join(f"{name} = %s" for name in names)
    sql = f"UPDATE {table} SET {changes} WHERE id = %s"  # noqa: S608 - likewise
    by_name = {name: _values(field, columns[name]) for name, field in zip(columns, fields, strict=True)}
    ids = by_name.pop("id")
    with connection.cursor() as cursor:
        cursor.executemany(sql, list(zip(*by_name.values(), ids, strict=True)))


def give(model: type[models.Model], ids: Sequence[int], **values: Any) -> None:
    """Give some fields the same values in all rows with these ids."""
    fields = [_field(model, name) for name in values]
    changes = ", ".join(f"{_column(model, name)} = %s" for name in values)
    update = f"UPDATE {_quote(model._meta.db_table)} SET {changes} WHERE id"  # noqa: S608 - names come from the models
    new = [
        field.get_db_prep_save(value, connection)
        for field, value in zip(fields, values.values(), strict=True)
    ]
    if connection.vendor == "postgresql":
        with _execute(f"{update} = ANY(%b::bigint[])", [*new, list(ids)]):
            return
    with connection.cursor() as cursor:
        listed = "(SELECT value FROM json_each(%s))"
        cursor.execute(f"{update} IN {listed}", [*new, json.dumps(list(ids))])


def delete(model: type[models.Model], ids: Sequence[int]) -> None:
    """Delete the rows with these primary keys."""
    assert model._meta.pk is not None
    sql = f"DELETE FROM {_quote(model._meta.db_table)} WHERE {_quote(model._meta.pk.column)}"  # noqa: S608 - names come from the models
    if connection.vendor == "postgresql":
        with _execute(f"{sql} = ANY(%b::bigint[])", [list(ids)]):
            return
    with connection.cursor() as cursor:
        listed = "(SELECT value FROM json_each(%s))"
        cursor.execute(f"{sql} IN {listed}", [json.dumps(list(ids))])


def select(
    sql: str, wanted: Mapping[str, tuple[str, Sequence[Any]]], *, more: Sequence[Any] = (), lock: str = ""
) -> list[tuple[Any, ...]]:
    """The rows of a question about many things at once. `wanted`: by the name of a column, its type and its
    values; they are a table of that name in the statement, in place of `{wanted}`. `more`: the parameters
    before it. `lock`: the end of the statement on PostgreSQL; on SQLite whoever writes is alone."""
    return ask(sql, wanted, more=more, lock=lock)()


def ask(
    sql: str, wanted: Mapping[str, tuple[str, Sequence[Any]]], *, more: Sequence[Any] = (), lock: str = ""
) -> Callable[[], list[tuple[Any, ...]]]:
    """What `select` asks; the rows are waited for when they are called for (`pipeline`)."""
    columns = [values for _kind, values in wanted.values()]
    if connection.vendor == "postgresql":
        arrays = ", ".join(f"%b::{kind}[]" for kind, _values in wanted.values())
        table = f"unnest({arrays}) AS wanted ({', '.join(wanted)})"
        values = [*more, *[list(column) for column in columns] * sql.count("{wanted}")]
        return _rows_of(_execute(f"{sql.replace('{wanted}', table)} {lock}", values))
    names = ", ".join(f"json_extract(value, '$[{at}]') AS {name}" for at, name in enumerate(wanted))
    table = f"(SELECT {names} FROM json_each(%s)) AS wanted"  # noqa: S608 - names of columns
    rows = json.dumps(list(zip(*columns, strict=True)), default=_plain)
    with connection.cursor() as cursor:
        cursor.execute(sql.replace("{wanted}", table), [*more, *[rows] * sql.count("{wanted}")])
        there = list(cursor.fetchall())
    return lambda: there


def _rows_of(cursor: psycopg.Cursor[Any] | pipeline.Question) -> Callable[[], list[tuple[Any, ...]]]:
    def rows() -> list[tuple[Any, ...]]:
        with connection.wrap_database_errors, cursor:
            return list(cursor.fetchall())

    return rows


def _plain(value: Any) -> str:
    """A value as SQLite keeps it."""
    assert isinstance(value, UUID), value
    return value.hex


def _execute(sql: str, values: Sequence[Any]) -> psycopg.Cursor[Any] | pipeline.Question:
    """Django's own cursor would put parameters into the statement, which the server has to read and to plan
    again each time."""
    import psycopg  # 8 MB, which SQLite does without

    if (part := pipeline.here.part) is not None:
        return part.add(sql, values)
    connection.ensure_connection()
    with connection.wrap_database_errors:
        return psycopg.Cursor(connection.connection).execute(sql, values, prepare=True)


def newer(model: type[models.Model], *, unique: str, update: Sequence[str], unless_newer: str) -> str:
    """What `insert` does where there is a row with the same `unique` field: its `update` fields are replaced,
    unless its `unless_newer` field is as high or higher. What came later stays, whoever comes first."""
    changes = ", ".join(f"{_column(model, name)} = EXCLUDED.{_column(model, name)}" for name in update)
    later = _column(model, unless_newer)
    table = _quote(model._meta.db_table)
    return (
        f"ON CONFLICT ({_column(model, unique)}) DO UPDATE SET {changes} "
        f"WHERE EXCLUDED.{later} > {table}.{later}"
    )


def replacement(model: type[models.Model], *, unique: Sequence[str], update: Sequence[str]) -> str:
    """What `insert` does where there is a row with the same `unique` fields: its `update` fields are
    replaced."""
    changes = ", ".join(f"{_column(model, name)} = EXCLUDED.{_column(model, name)}" for name in update)
    return f"ON CONFLICT ({', '.join(_column(model, name) for name in unique)}) DO UPDATE SET {changes}"


def _insert_arrays(
    model: type[models.Model], fields: Sequence[models.Field[Any, Any]], columns: Sequence[Any], conflict: str
) -> None:
    names = ", ".join(_column(model, field.name) for field in fields)
    rows, values = _source_of(fields, columns)
    sql = f"INSERT INTO {_quote(model._meta.db_table)} ({names}) {rows} {conflict}"
    with _execute(sql, values):
        pass


def _source_of(fields: Sequence[models.Field[Any, Any]], columns: Sequence[Any]) -> tuple[str, list[Any]]:
    """A question that is answered by these rows, under the names of their columns, and its parameters."""
    sources, taken, selected = ["generate_series(1, %s)"], ["row"], []
    arrays: list[Any] = []
    constants: list[Any] = []
    for field, column in zip(fields, columns, strict=True):
        name, kind = _quote(str(field.column)), _kind(field)
        if isinstance(field, models.JSONField):
            sources.append("jsonb_array_elements(%s::jsonb)")
            selected.append(f"NULLIF({name}, 'null') AS {name}" if field.null else name)
            arrays.append(_json_array(field, column))
        elif column.count(column[0]) == len(column):
            selected.append(f"%s::{kind} AS {name}")
            constants.append(column[0])
            continue
        else:
            sources.append(f"unnest(%b::{kind}[])")
            selected.append(name)
            arrays.append(list(column))
        taken.append(name)
    rows = f"ROWS FROM ({', '.join(sources)}) AS rows ({', '.join(taken)})"
    return f"SELECT {', '.join(selected)} FROM {rows}", [*constants, len(columns[0]), *arrays]  # noqa: S608 - names come from the models


def _insert_rows(
    model: type[models.Model], fields: Sequence[models.Field[Any, Any]], columns: Sequence[Any], conflict: str
) -> None:
    names = ", ".join(_column(model, field.name) for field in fields)
    marks = ", ".join(repeat("%s", len(fields)))
    sql = f"INSERT INTO {_quote(model._meta.db_table)} ({names}) VALUES ({marks}) {conflict}"  # noqa: S608
    values = [_values(field, column) for field, column in zip(fields, columns, strict=True)]
    with connection.cursor() as cursor:
        cursor.executemany(sql, list(zip(*values, strict=True)))


def _values(field: models.Field[Any, Any], column: Sequence[Any]) -> Sequence[Any]:
    """As SQLite takes them. Django is asked for each different value of a column once: most of what takes it
    long is the same in all rows."""
    if isinstance(field, AS_THEY_ARE) or isinstance(column[0], Json):
        return column
    if isinstance(field, models.UUIDField):
        return [value.hex for value in column]
    if isinstance(field, models.JSONField):
        return [None if value is None else _json(field, value) for value in column]
    if column.count(column[0]) == len(column):
        return [field.get_db_prep_save(column[0], connection)] * len(column)
    return [field.get_db_prep_save(value, connection) for value in column]


def _json_array(field: models.JSONField[Any, Any], column: Sequence[Any]) -> str:
    """The values of a JSON field as one array."""
    if isinstance(column[0], Json):
        return f"[{','.join(column)}]"
    return _json(field, column)


def _json(field: models.JSONField[Any, Any], value: Any) -> str:
    encoder = json.JSONEncoder if field.encoder is None else field.encoder
    return msgspec.json.encode(value, enc_hook=encoder().default).decode()


@cache  # Django works each of these out again whenever it is asked
def _field(model: type[models.Model], name: str) -> models.Field[Any, Any]:
    field = model._meta.get_field(name)
    assert isinstance(field, models.Field)
    return field


@cache
def _column(model: type[models.Model], name: str) -> str:
    return _quote(str(_field(model, name).column))


@cache
def _kind(field: models.Field[Any, Any]) -> str:
    """The name of its type in the database."""
    return str(field.db_type(connection)).partition("(")[0]


@cache
def _quote(name: str) -> str:
    return connection.ops.quote_name(name)
