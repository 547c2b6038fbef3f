"""What the counting before left behind goes."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0010_standings")]
    operations = [
        migrations.RemoveField("result", "awards"),
        migrations.AlterField("result", "session", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="results", to="tournaments.session")),
        migrations.AddIndex("result", models.Index(models.F("session"), models.F("position"), name="result_by_position")),
        migrations.AddIndex("result", models.Index(models.F("session"), name="result_not_counted", condition=Q(position=None))),
        migrations.RemoveIndex("board", "board_behind"),
        migrations.RemoveConstraint("board", "board_scored_not_ahead"),
        migrations.RemoveField("board", "dirty"),
        migrations.RemoveField("board", "scored"),
        migrations.RemoveIndex("session", "session_behind"),
        migrations.RemoveConstraint("session", "session_ranked_not_ahead"),
        migrations.RemoveField("session", "dirty"),
        migrations.RemoveField("session", "ranked"),
        migrations.RemoveField("session", "version"),
        migrations.RemoveField("ranking", "totals"),
        migrations.AlterField("ranking", "content", models.BinaryField()),
        migrations.AlterField("ranking", "is_snapshot", models.BooleanField()),
    ]
