"""Many rows in one statement, where Django's own `bulk_create` does not say enough."""

from collections.abc import Sequence

from django.db import connection, models

AT_ONCE = 500


def upsert(rows: Sequence[models.Model], *, unique: str, update: Sequence[str], unless_newer: str) -> None:
    """Insert the rows. Where there is one with the same `unique` field already, its `update` fields are
    replaced, unless its `unless_newer` field is as high or higher: what came later
    stays, whoever comes first.
    """
    for start in range(0, len(rows), AT_ONCE):
        _upsert(rows[start : start + AT_ONCE], unique, update, unless_newer)


def _upsert(rows: Sequence[models.Model], unique: str, update: Sequence[str], unless_newer: str) -> None:
    meta = rows[0]._meta
    fields = [field for field in meta.concrete_fields if not field.primary_key]
    quoted = connection.ops.quote_name
    columns = {field.name: quoted(str(field.column)) for field in fields}
    values = [
        field.get_db_prep_save(field.pre_save(row, add=True), connection) for row in rows for field in fields
    ]
    table = quoted(meta.db_table)
    row = f"({', '.join(['%s'] * len(fields))})"
    changes = ", ".join(f"{columns[name]} = EXCLUDED.{columns[name]}" for name in update)
    newer = f"EXCLUDED.{columns[unless_newer]} > {table}.{columns[unless_newer]}"
    sql = (  # names come from the models, values are parameters
        f"INSERT INTO {table} ({', '.join(columns.values())}) VALUES {', '.join([row] * len(rows))} "  # noqa: S608
        f"ON CONFLICT ({columns[unique]}) DO UPDATE SET {changes} WHERE {newer}"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
