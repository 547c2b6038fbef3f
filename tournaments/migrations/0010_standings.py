"""Results are counted once and awards read from histograms; a version of a ranking holds what changed."""

import json
import zlib
from fractions import Fraction
from math import lcm

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Q


def packed(totals):
    """As the service packs a snapshot at this release."""
    rows = sorted((int(k), one) for k, one in totals.items())
    points = [Fraction(one["points"]) for _, one in rows]
    scale = lcm(*{one.denominator for one in points})
    columns = {
        "scale": scale,
        "contestants": [k - before for (k, _), before in zip(rows, [0, *(k for k, _ in rows)], strict=False)],
        "points": [int(one * scale) for one in points],
        "top": [one["top"] for _, one in rows],
        "boards": [one["boards"] for _, one in rows],
        "line_group": [one.get("line_group", 1) for _, one in rows],
    }
    return zlib.compress(json.dumps(columns, separators=(",", ":")).encode(), 6)


def count(apps, schema_editor):
    """Every session gets its tally. No result is counted yet: the service counts all of them when it starts,
    and finds the same ranking."""
    Session, Tally = (apps.get_model("tournaments", name) for name in ("Session", "Tally"))
    using = schema_editor.connection.alias
    Tally.objects.using(using).bulk_create(
        Tally(session_id=session, version=version, counted_layout=0)
        for session, version in Session.objects.using(using).values_list("pk", "version")
    )
    Result = apps.get_model("tournaments", "Result")
    session = models.OuterRef("play_id")
    Play = apps.get_model("tournaments", "Play")
    of_play = Play.objects.filter(pk=session).values("table__section__session")[:1]
    Result.objects.using(using).update(session=models.Subquery(of_play))
    Ranking = apps.get_model("tournaments", "Ranking")
    for ranking in Ranking.objects.using(using).iterator(chunk_size=50):
        ranking.content = packed(ranking.totals)
        ranking.save(update_fields=["content"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0009_paper_files")]
    operations = [
        migrations.CreateModel(
            name="Tally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveBigIntegerField(default=0)),
                ("layout", models.PositiveBigIntegerField(default=1)),
                ("counted_layout", models.PositiveBigIntegerField(default=1)),
                ("version", models.PositiveBigIntegerField(default=0)),
                ("ranked_at", models.DateTimeField(null=True)),
                ("progress", models.BinaryField(default=bytes)),
                ("progress_position", models.PositiveBigIntegerField(default=0)),
                ("session", models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="tally", to="tournaments.session")),
            ],
            options={
                "indexes": [models.Index(models.F("session"), name="tally_behind", condition=Q(layout__gt=F("counted_layout")))],
                "constraints": [models.CheckConstraint(condition=Q(counted_layout__lte=F("layout")), name="tally_not_ahead")],
            },
        ),
        migrations.CreateModel(
            name="Line",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("side", models.PositiveSmallIntegerField()),
                ("counts", models.JSONField()),
                ("board", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="lines", to="tournaments.board")),
            ],
            options={"constraints": [models.UniqueConstraint(models.F("board"), models.F("side"), name="line_once_a_side")]},
        ),
        migrations.AddField("result", "session", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="results", to="tournaments.session")),
        migrations.AddField("result", "position", models.PositiveBigIntegerField(null=True)),
        migrations.AddField("ranking", "content", models.BinaryField(default=bytes)),
        migrations.AddField("ranking", "is_snapshot", models.BooleanField(default=True)),
        migrations.RunPython(count),
    ]
