"""Contestants who can be compared are a line group, and each group is ranked by itself. Earlier rankings were
of all together, and stay so."""

from django.db import migrations, models

BATCH = 50


def make_one_group(apps, schema_editor):
    rankings = apps.get_model("tournaments", "Ranking").objects.using(schema_editor.connection.alias)
    for ranking in rankings.iterator(chunk_size=BATCH):
        ranking.totals = {one: {"line_group": 1, **total} for one, total in ranking.totals.items()}
        ranking.save(update_fields=["totals"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_exact_rankings")]
    operations = [
        migrations.AddField("contestant", "line_group", models.PositiveIntegerField(default=1)),
        migrations.AddConstraint(
            "contestant",
            models.CheckConstraint(
                condition=models.Q(("line_group__gte", 1)), name="contestant_line_group_from_1"
            ),
        ),
        migrations.RunPython(make_one_group),
    ]
