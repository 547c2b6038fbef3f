"""A line of the history is an entry. It says in which role an account acted, holds ids alone (reasons are remarks,
which can be emptied), and can be sealed.

Every line keeps its number, its time, its verb, its subject and its detail: but for reasons, which become remarks,
and the names of those who arrived, which become the contestants' numbers. Who did it was written as a name, which is
let go: the token or the account beside it says it. Nothing is sealed here; the service does so within minutes.
"""

import secrets
from hashlib import sha256

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

ACCOUNT = settings.AUTH_USER_MODEL
AGENTS = [("person", "Person"), ("table", "Table"), ("player", "Player"), ("operator", "Operator"), ("worker", "Worker")]
ENTRY = "tournaments_historyentry"
UNASKED = {"db_index": False, "db_constraint": False}


def to(model, null=True, related_name="history", **options):
    return models.ForeignKey(null=null, on_delete=django.db.models.deletion.PROTECT, related_name=related_name, to=model, **options)


def say_who_and_where(apps, schema_editor):
    """By ids: the role of a token, whose it is, and the club that a tournament's own lines belong to."""
    role = f"(SELECT role_id FROM tournaments_token WHERE id = {ENTRY}.token_id)"
    table = f"(SELECT table_id FROM tournaments_token WHERE id = {ENTRY}.token_id)"
    schema_editor.execute(
        f"UPDATE {ENTRY} SET role_id = {role},"
        f" account_id = COALESCE(account_id, (SELECT account_id FROM tournaments_role WHERE id = {role})),"
        f" agent = CASE WHEN account_id IS NOT NULL OR {role} IS NOT NULL THEN 'person'"
        f" WHEN token_id IS NULL THEN 'worker' WHEN {table} IS NOT NULL THEN 'table' ELSE 'player' END"
    )
    schema_editor.execute(
        f"UPDATE {ENTRY} SET club_id = CASE WHEN session_id IS NULL THEN"
        f" (SELECT club_id FROM tournaments_tournament WHERE id = {ENTRY}.tournament_id) END"
        " WHERE tournament_id IS NOT NULL"
    )


def take_texts_out(apps, schema_editor):
    using = schema_editor.connection.alias
    entries = apps.get_model("tournaments", "HistoryEntry").objects.using(using)
    remarks = apps.get_model("tournaments", "Remark").objects.using(using)
    contestants = apps.get_model("tournaments", "Contestant").objects.using(using)
    for entry in entries.filter(verb__in=["replaced", "replanned"]).iterator():
        text, arriving = entry.detail.pop("reason", ""), entry.detail.get("arriving")
        if text:
            salt = secrets.token_hex(16)
            digest = sha256((salt + text).encode()).hexdigest()
            entry.remark = remarks.create(digest=digest, salt=salt, text=text)
        if arriving:
            names = {name.strip() for name in arriving if isinstance(name, str)}
            there = contestants.filter(session=entry.session_id, name__in=names)
            entry.detail["arriving"] = sorted(there.values_list("number", flat=True))
        entry.save(update_fields=["remark", "detail"])


def settle_constraints(apps, schema_editor):
    """PostgreSQL alters no table with checks of foreign keys still waiting."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        schema_editor.execute("SET CONSTRAINTS ALL DEFERRED")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0022_register")]
    operations = [
        migrations.RenameModel("Event", "HistoryEntry"),
        migrations.AlterModelOptions("historyentry", {"verbose_name": "entry", "verbose_name_plural": "entries"}),
        migrations.RemoveIndex("historyentry", "event_newest_of_session"),
        migrations.RenameField("historyentry", "actor", "token"),
        migrations.CreateModel(
            name="Remark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64)),
                ("salt", models.CharField(max_length=32)),
                ("text", models.TextField()),
                ("emptied_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.AddConstraint("remark", models.CheckConstraint(condition=models.Q(("emptied_at", None), models.Q(("salt", ""), ("text", "")), _connector="OR"), name="remark_emptied_wholly")),
        migrations.AddField("historyentry", "agent", models.CharField(choices=AGENTS, default="worker", max_length=10), preserve_default=False),
        migrations.AddField("historyentry", "role", to("tournaments.role", **UNASKED)),
        migrations.AddField("historyentry", "changes", models.JSONField(null=True)),
        migrations.AddField("historyentry", "remark", to("tournaments.remark", related_name="entries", db_index=False)),
        migrations.RunPython(say_who_and_where),
        migrations.RunPython(take_texts_out),
        migrations.RunPython(settle_constraints),
        migrations.RemoveField("historyentry", "actor_name"),
        migrations.AlterField("historyentry", "tournament", to("tournaments.tournament", **UNASKED)),
        migrations.AlterField("historyentry", "session", to("tournaments.session", db_index=False)),
        migrations.AlterField("historyentry", "club", to("tournaments.club", db_index=False)),
        migrations.AlterField("historyentry", "account", to(ACCOUNT, **UNASKED)),
        migrations.AlterField("historyentry", "token", to("tournaments.token", **UNASKED)),
        migrations.AddIndex("historyentry", models.Index(models.F("session"), models.F("id"), name="history_newest_of_session")),
        migrations.AddIndex("historyentry", models.Index(models.F("club"), models.F("id"), condition=models.Q(("club__isnull", False)), name="history_newest_of_club")),
        migrations.AddIndex("historyentry", models.Index(models.F("account"), models.F("id"), condition=models.Q(("account__isnull", False)), name="history_newest_of_account")),
        migrations.CreateModel(
            name="HistoryChain",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("scope", models.CharField(max_length=40)),
                ("session", models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="history_chain", to="tournaments.session")),
                ("club", models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="history_chain", to="tournaments.club")),
                ("length", models.PositiveIntegerField(default=0)),
                ("last", models.BigIntegerField(default=0)),
                ("digest", models.CharField(max_length=64)),
            ],
        ),
        migrations.AddConstraint("historychain", models.UniqueConstraint(models.F("scope"), name="history_chain_unique")),
        migrations.AddIndex("historychain", models.Index(models.F("last"), name="history_chain_sealed_to")),
        migrations.CreateModel(
            name="HistorySeal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("chain", to("tournaments.historychain", null=False, related_name="seals", db_index=False)),
                ("number", models.PositiveIntegerField()),
                ("first", models.BigIntegerField()),
                ("last", models.BigIntegerField()),
                ("count", models.PositiveIntegerField()),
                ("leaves", models.BinaryField()),
                ("previous", models.CharField(max_length=64)),
                ("digest", models.CharField(max_length=64)),
                ("made_at", models.DateTimeField()),
            ],
        ),
        migrations.AddConstraint("historyseal", models.UniqueConstraint(models.F("chain"), models.F("number"), name="history_seal_number_unique")),
        migrations.AddConstraint("historyseal", models.CheckConstraint(condition=models.Q(("count__gte", 1), ("first__lte", models.F("last")), ("number__gte", 1)), name="history_seal_in_order")),
    ]
