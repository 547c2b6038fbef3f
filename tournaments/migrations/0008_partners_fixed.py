"""Whether a movement fixes the partners was read out of its name, and how often boards are played was called
copies."""

from django.db import migrations, models

FIXED = ("team-round-robin", "triplicate", "whist")  # the families of movements that did so by then


def mark_fixed(apps, schema_editor):
    sessions = apps.get_model("tournaments", "Session").objects.using(schema_editor.connection.alias)
    for family in FIXED:
        sessions.filter(movement__startswith=f"{family}-").update(partners_fixed=True)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0007_line_groups")]
    operations = [
        migrations.RenameField("session", "copies", "plays_per_board"),
        migrations.AddField("session", "partners_fixed", models.BooleanField(default=False)),
        migrations.RunPython(mark_fixed, migrations.RunPython.noop),
    ]
