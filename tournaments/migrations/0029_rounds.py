"""Sessions have the states of an evening, and are listed beside them; their rounds can be opened and closed."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Exists, F, OuterRef, Q

ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))
STATES = ["draft", "ready", "running", "played", "provisional", "final", "amended", "cancelled"]


def at():
    return models.DateTimeField(null=True)


def seconds():
    return models.PositiveIntegerField(null=True)


def name_states(apps, schema_editor):
    """What was open is ready or runs, or is a draft while its boards wait for a public value. What was finished
    has been played; where it was public, its list has been provisional since."""
    sessions, board_sets, submissions = (
        apps.get_model("tournaments", name).objects.using(schema_editor.connection.alias)
        for name in ("Session", "BoardSet", "Submission")
    )
    sessions.filter(state="finished", listed=True).update(state="provisional")
    sessions.filter(state="finished").update(state="played")
    handed_in = submissions.filter(play__board__board_set__session=OuterRef("pk"))
    sessions.filter(Exists(handed_in), state="open").update(state="running")
    sealed = board_sets.filter(session__state="open", manifest__isnull=False)
    values = [(pk, manifest.get("public_value")) for pk, manifest in sealed.values_list("session", "manifest")]
    waiting = [pk for pk, value in values if value and value["value"] is None]
    sessions.filter(pk__in=waiting, state="open").update(state="draft")
    sessions.filter(state="open").update(state="ready")


def forget_states(apps, schema_editor):
    sessions = apps.get_model("tournaments", "Session").objects.using(schema_editor.connection.alias)
    sessions.filter(state__in=["draft", "ready", "running", "cancelled"]).update(state="open")
    sessions.exclude(state="open").update(state="finished")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0028_wishes")]
    operations = [
        migrations.RemoveConstraint("session", "session_state_known"),
        migrations.RenameField("session", "published", "listed"),
        migrations.AlterField("session", "state", models.CharField(choices=[(one, one) for one in STATES], default="ready", max_length=20)),
        migrations.AddField("session", "starts_at", at()),
        migrations.AddField("session", "corrections_until", at()),
        migrations.AddField("session", "is_paced", models.BooleanField(db_default=False, default=False)),
        migrations.AddField("session", "round_changes", models.PositiveIntegerField(db_default=0, default=0)),
        migrations.RunPython(name_states, forget_states),
        migrations.AddConstraint("session", models.CheckConstraint(condition=Q(state__in=STATES), name="session_state_known")),
        migrations.AddIndex("session", models.Index(F("corrections_until"), condition=Q(state="provisional"), name="session_soon_final")),
        migrations.CreateModel(
            name="Round",
            fields=[
                ID,
                ("number", models.PositiveIntegerField()),
                ("state", models.CharField(choices=[("waiting", "Waiting"), ("open", "Open"), ("closed", "Closed")], default="waiting", max_length=10)),
                ("duration", seconds()),
                ("warning", seconds()),
                ("grace", models.PositiveIntegerField(default=0)),
                ("pause_before", seconds()),
                ("is_barometer", models.BooleanField(default=False)),
                ("opens_at", at()),
                ("opened_at", at()),
                ("opened_after", models.PositiveBigIntegerField(null=True)),
                ("ends_at", at()),
                ("paused_at", at()),
                ("closed_at", at()),
                ("takes_until", at()),
                ("settles_at", at()),
                ("settled_at", at()),
                ("session", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="rounds", to="tournaments.session")),
            ],
        ),
        migrations.AddConstraint("round", models.UniqueConstraint(F("session"), F("number"), name="round_number_unique")),
        migrations.AddConstraint("round", models.CheckConstraint(condition=Q(number__gte=1), name="round_number_from_1")),
        migrations.AddConstraint("round", models.CheckConstraint(condition=Q(state__in=["waiting", "open", "closed"]), name="round_state_known")),
        migrations.AddConstraint("round", models.CheckConstraint(condition=Q(("state", "waiting"), ("opened_at__isnull", False), _connector="OR"), name="round_opened_at_some_time")),
        migrations.AddConstraint("round", models.CheckConstraint(condition=Q(("settled_at", None), ("state", "closed"), _connector="OR"), name="round_settled_once_closed")),
        migrations.AddIndex("round", models.Index(F("session"), condition=Q(settled_at=None), name="round_unsettled")),
        migrations.CreateModel(
            name="RoundExtension",
            fields=[
                ID,
                ("until", models.DateTimeField()),
                ("round", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="extensions", to="tournaments.round")),
                ("table", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tournaments.table")),
            ],
        ),
        migrations.AddConstraint("roundextension", models.UniqueConstraint(F("round"), F("table"), name="round_extension_once_a_table")),
    ]
