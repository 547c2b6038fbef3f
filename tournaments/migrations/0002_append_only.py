"""What was handed in, and what happened, cannot be rewritten: the database itself refuses."""

from django.db import migrations

GUARDED = {
    "tournaments_event": None,
    "tournaments_submission": ("play_id", "sender_id", "key", "content", "created_at"),
}


def name_of(table):
    return f"{table}_append_only"


def create(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            "CREATE FUNCTION etui_append_only() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is append-only'; END $$"
        )
    for table, columns in GUARDED.items():
        of = f"OF {', '.join(columns)} " if columns else ""
        if schema_editor.connection.vendor == "postgresql":
            body = "FOR EACH ROW EXECUTE FUNCTION etui_append_only()"
        else:
            body = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        schema_editor.execute(f"CREATE TRIGGER {name_of(table)} BEFORE UPDATE {of}ON {table} {body}")


def drop(apps, schema_editor):
    postgresql = schema_editor.connection.vendor == "postgresql"
    for table in GUARDED:
        schema_editor.execute(f"DROP TRIGGER {name_of(table)}" + (f" ON {table}" if postgresql else ""))
    if postgresql:
        schema_editor.execute("DROP FUNCTION etui_append_only()")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_first")]
    operations = [migrations.RunPython(create, drop)]
