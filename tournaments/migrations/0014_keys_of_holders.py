"""A key belongs to the role or the table that sent it, whichever of its tokens it used."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Exists, OuterRef, Subquery


def carry_over(apps, schema_editor):
    """Whose each submission is. A retry with a table's next token was stored a second time: it stays, and the
    key stays the first one's."""
    using = schema_editor.connection.alias
    submissions = apps.get_model("tournaments", "Submission").objects.using(using)
    sender = apps.get_model("tournaments", "Token").objects.filter(pk=OuterRef("sender"))
    for holder in ("role", "table"):
        submissions.update(**{holder: Subquery(sender.values(holder)[:1])})
        earlier = submissions.filter(**{holder: OuterRef(holder)}, key=OuterRef("key"), pk__lt=OuterRef("pk"))
        again = list(submissions.filter(Exists(earlier)).values_list("pk", flat=True))
        submissions.filter(pk__in=again).update(**{holder: None})


def keep_constraints(apps, schema_editor):
    """PostgreSQL alters no table with checks of foreign keys still waiting."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        schema_editor.execute("SET CONSTRAINTS ALL DEFERRED")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0013_positions_alone")]
    operations = [
        migrations.AddField("submission", "role", models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tournaments.role")),
        migrations.AddField("submission", "table", models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tournaments.table")),
        migrations.RunPython(carry_over, migrations.RunPython.noop),
        migrations.RunPython(keep_constraints, keep_constraints),
        migrations.RemoveConstraint("submission", "submission_key_unique"),
        migrations.AddConstraint("submission", models.UniqueConstraint(models.F("role"), models.F("key"), name="submission_key_unique_of_role")),
        migrations.AddConstraint("submission", models.UniqueConstraint(models.F("table"), models.F("key"), name="submission_key_unique_of_table")),
    ]
