import django.core.serializers.json
import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

PROTECT = django.db.models.deletion.PROTECT
STATES = [
    ("pending", "Pending"),
    ("accepted", "Accepted"),
    ("refused", "Refused"),
    ("failed", "Failed"),
    ("disputed", "Disputed"),
    ("agreed", "Agreed"),
    ("opposed", "Opposed"),
]
KINDS = [
    ("set-up", "Set Up"),
    ("replan", "Replan"),
    ("preview", "Preview"),
    ("import", "Import"),
    ("check", "Check"),
    ("rehearse", "Rehearse"),
]


def find_whole(apps, schema_editor):
    """Which plays have been ruled on for every seat."""
    ruled = apps.get_model("tournaments", "RuledPlay").objects.using(schema_editor.connection.alias)
    whole = [pk for pk, entries in ruled.values_list("pk", "entries") if entries and None not in entries]
    for first in range(0, len(whole), 500):
        ruled.filter(pk__in=whole[first : first + 500]).update(is_whole=True)


class Migration(migrations.Migration):
    """Confirmations by the other sides of a table, tables that sit, and boards that have been over."""

    dependencies = [("tournaments", "0035_idempotency")]

    operations = [
        migrations.RemoveConstraint("submission", "submission_state_known"),
        migrations.AddField("submission", "seat", models.PositiveSmallIntegerField(null=True)),
        migrations.AddField(
            "submission",
            "remark",
            models.ForeignKey(
                db_index=False, null=True, on_delete=PROTECT, related_name="+", to="tournaments.remark"
            ),
        ),
        migrations.AlterField(
            "submission", "state", models.CharField(choices=STATES, default="pending", max_length=20)
        ),
        migrations.AddConstraint(
            "submission",
            models.CheckConstraint(
                condition=models.Q(("state__in", [state for state, _label in STATES])),
                name="submission_state_known",
            ),
        ),
        migrations.CreateModel(
            "Confirmation",
            [
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("seat", models.PositiveSmallIntegerField(null=True)),
                ("is_shared", models.BooleanField(default=False)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "role",
                    models.ForeignKey(
                        db_index=False, null=True, on_delete=PROTECT, related_name="+", to="tournaments.role"
                    ),
                ),
                (
                    "sheet",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=PROTECT,
                        related_name="+",
                        to="tournaments.submission",
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        on_delete=PROTECT, related_name="confirmations", to="tournaments.submission"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False, null=True, on_delete=PROTECT, related_name="+", to="tournaments.table"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("role", None), ("seat__isnull", False), ("table__isnull", False))
                        | models.Q(
                            ("is_shared", False),
                            ("role__isnull", False),
                            ("seat", None),
                            ("sheet", None),
                            ("table", None),
                        ),
                        name="confirmation_by_a_seat_or_an_official",
                    )
                ]
            },
        ),
        migrations.AddField(
            "play",
            "confirmation",
            models.ForeignKey(
                db_index=False, null=True, on_delete=PROTECT, related_name="+", to="tournaments.confirmation"
            ),
        ),
        migrations.AddField(
            "play",
            "disagreement",
            models.ForeignKey(
                db_index=False, null=True, on_delete=PROTECT, related_name="+", to="tournaments.submission"
            ),
        ),
        migrations.AddField("session", "is_trial", models.BooleanField(db_default=False, default=False)),
        migrations.AddField("tally", "said", models.PositiveBigIntegerField(db_default=0, default=0)),
        migrations.AddField(
            "job",
            "outcome",
            models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder, null=True),
        ),
        migrations.AlterField("job", "kind", models.CharField(choices=KINDS, max_length=20)),
        migrations.AddField("board", "over_at", models.DateTimeField(null=True)),
        migrations.AddField("ruledplay", "is_whole", models.BooleanField(db_default=False, default=False)),
        migrations.RunPython(find_whole, migrations.RunPython.noop, elidable=True),
        migrations.CreateModel(
            "TableAtPlay",
            [
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("round", models.PositiveIntegerField()),
                ("seated_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tables_at_play",
                        to="tournaments.session",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tournaments.table",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("table"), models.F("round"), name="table_at_play_once_a_round"
                    )
                ]
            },
        ),
    ]
