"""Results get their position when they are judged, and a tally says up to which its lists have counted."""

from django.db import migrations, models
from django.db.models import F, OuterRef, Subquery


def give_positions(apps, schema_editor):
    tallies = apps.get_model("tournaments", "Tally").objects.using(schema_editor.connection.alias)
    results = apps.get_model("tournaments", "Result").objects.using(schema_editor.connection.alias)
    waiting = results.filter(position=None)
    tallies.update(ranked_position=F("position"))
    tallies.filter(session__in=waiting.values("session")).update(position=F("position") + 1)
    own = tallies.filter(session=OuterRef("session")).values("position")
    waiting.update(position=Subquery(own))


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0011_standings_alone")]

    operations = [
        migrations.AddField("tally", "ranked_position", models.PositiveBigIntegerField(default=0)),
        migrations.RunPython(give_positions, migrations.RunPython.noop),
        migrations.RemoveIndex("tally", "tally_behind"),
        migrations.RemoveIndex("result", "result_not_counted"),
        migrations.RemoveIndex("submission", "submission_pending"),
    ]
