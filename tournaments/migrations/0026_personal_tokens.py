"""Tokens of the API have a name, scopes and an end. Those of roles that had none end in 30 days."""

from datetime import timedelta

from django.db import migrations, models
from django.utils import timezone

DAYS_LEFT = 30
ALL, ENTERS, READS = "read enter direct manage", "read enter", "read"


def give_scopes_and_ends(apps, schema_editor):
    """As much as each could do until now."""
    tokens = apps.get_model("tournaments", "Token").objects.using(schema_editor.connection.alias)
    of_roles = tokens.filter(role__isnull=False)
    runs = of_roles.filter(role__club__isnull=False, role__kind__in=["administrator", "organiser"])
    runs.update(scopes=ALL)
    of_roles.filter(role__kind="scorer").update(scopes=ENTERS)
    tokens.filter(role=None).update(scopes=ENTERS)
    tokens.filter(scopes="").update(scopes=READS)
    of_roles.filter(expires_at=None).update(expires_at=timezone.now() + timedelta(days=DAYS_LEFT))


def settle_constraints(apps, schema_editor):
    """PostgreSQL alters no table with checks of foreign keys still waiting."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        schema_editor.execute("SET CONSTRAINTS ALL DEFERRED")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0025_waiting_submissions")]
    operations = [
        migrations.AddField("token", "name", models.CharField(blank=True, default="", max_length=80), preserve_default=False),
        migrations.AddField("token", "scopes", models.CharField(default="", max_length=40), preserve_default=False),
        migrations.AddField("token", "last_used_at", models.DateTimeField(null=True)),
        migrations.RunPython(give_scopes_and_ends, migrations.RunPython.noop),
        migrations.RunPython(settle_constraints, settle_constraints),
        migrations.AddConstraint("token", models.CheckConstraint(condition=models.Q(("role", None), ("expires_at__isnull", False), _connector="OR"), name="token_of_role_ends")),
        migrations.AddConstraint("token", models.CheckConstraint(condition=models.Q(("scopes", ""), _negated=True), name="token_has_scopes")),
    ]
