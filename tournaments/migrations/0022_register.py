"""A club's register: its players have given and family names, a membership number, categories, and say
whether their names may be published.

Of a name that was typed whole, the last word becomes the family name; a single word stays a given name. Whose name
has been published stays published (consent), until they or their club say otherwise; nobody else's will be, unasked.
Two players of a club may have one name now, and so may two contestants of a session. A player is once in a session,
and the database sees to it. A contestant's name is that of its players, and follows them.
"""

import unicodedata

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

FOLDED = 400


def fold(name):
    letters = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(letter if letter.isalnum() else " " for letter in letters if not unicodedata.combining(letter))
    return (" ".join(sorted(plain.split())) or name.casefold())[:FOLDED]


def split_names(apps, schema_editor):
    players = apps.get_model("tournaments", "Player").objects.using(schema_editor.connection.alias)
    changed = []
    for player in players.order_by("pk").iterator(chunk_size=1000):
        whole = " ".join(player.name.split())
        given, _space, family = whole.rpartition(" ")
        player.given_name, player.family_name = (given, family) if given else (family or "–", "")
        player.folded = fold(whole)
        changed.append(player)
        if len(changed) == 1000:
            players.bulk_update(changed, ["given_name", "family_name", "folded"])
            changed.clear()
    if changed:
        players.bulk_update(changed, ["given_name", "family_name", "folded"])


def keep_consent(apps, schema_editor):
    alias = schema_editor.connection.alias
    published = apps.get_model("tournaments", "Contestant").objects.using(alias).filter(session__published=True)
    players = apps.get_model("tournaments", "Player").objects.using(alias)
    players.filter(pk__in=published.values("players")).update(consent=True)


def move_members(apps, schema_editor):
    contestant = apps.get_model("tournaments", "Contestant")
    schema_editor.execute(
        "INSERT INTO tournaments_member (session_id, contestant_id, player_id) "
        "SELECT contestant.session_id, own.contestant_id, own.player_id "
        f"FROM {contestant.players.through._meta.db_table} own "
        "JOIN tournaments_contestant contestant ON contestant.id = own.contestant_id ORDER BY own.id"
    )


def settle_constraints(apps, schema_editor):
    """PostgreSQL alters no table with checks of foreign keys still waiting."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        schema_editor.execute("SET CONSTRAINTS ALL DEFERRED")


def to(model, null=False, related_name="+", delete=django.db.models.deletion.PROTECT, **more):
    return models.ForeignKey(blank=null and model != "tournaments.player", null=null, on_delete=delete, related_name=related_name, to=model, **more)


ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))
CASCADE = django.db.models.deletion.CASCADE


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0021_accounts")]
    operations = [
        # Names
        migrations.RemoveConstraint("player", "player_name_unique_in_club"),
        migrations.AddField("player", "given_name", models.CharField(blank=True, default="", max_length=200), preserve_default=False),
        migrations.AddField("player", "family_name", models.CharField(blank=True, default="", max_length=200), preserve_default=False),
        migrations.AddField("player", "public_name", models.CharField(blank=True, default="", max_length=200), preserve_default=False),
        migrations.AddField("player", "folded", models.CharField(blank=True, default="", editable=False, max_length=FOLDED), preserve_default=False),
        migrations.RunPython(split_names, migrations.RunPython.noop),
        migrations.RunPython(settle_constraints, settle_constraints),
        migrations.RemoveField("player", "name"),
        # What else the register says
        migrations.AddField("player", "number", models.CharField(blank=True, default="", max_length=20), preserve_default=False),
        migrations.AddField("player", "home_club", to("tournaments.club", null=True)),
        migrations.AddField("player", "categories", models.JSONField(blank=True, default=list)),
        migrations.AddField("player", "consent", models.BooleanField(default=False)),
        migrations.AddField("player", "account", to(settings.AUTH_USER_MODEL, null=True, related_name="players")),
        migrations.AddField("player", "merged_into", models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="merged", to="tournaments.player")),
        migrations.AddField("player", "erased_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("player", "registered_at", models.DateTimeField(default=django.utils.timezone.now)),
        migrations.RunPython(keep_consent, migrations.RunPython.noop),
        migrations.RunPython(settle_constraints, settle_constraints),
        migrations.AddConstraint("player", models.UniqueConstraint(models.F("club"), models.F("number"), condition=~models.Q(number="") & models.Q(merged_into=None), name="player_number_unique_in_club")),
        migrations.AddConstraint("player", models.CheckConstraint(condition=~models.Q(given_name="", family_name="") | models.Q(erased_at__isnull=False), name="player_has_name")),
        migrations.AddConstraint("player", models.CheckConstraint(condition=models.Q(merged_into=None) | ~models.Q(merged_into=models.F("id")), name="player_merged_into_another")),
        migrations.AddIndex("player", models.Index("club", "folded", name="player_by_folded_name")),
        migrations.AddIndex("player", models.Index("club", "family_name", "given_name", "id", name="player_in_order")),
        # Members of contestants, and their substitutes
        migrations.RemoveConstraint("contestant", "contestant_name_unique"),
        migrations.AddField("contestant", "named_by_players", models.BooleanField(default=True)),
        migrations.AddField("session", "substitutes_credited", models.CharField(choices=[("both", "the substitute and the member"), ("substitute", "the substitute"), ("member", "the member")], default="both", max_length=20)),
        migrations.CreateModel(
            name="Member",
            fields=[
                ID,
                ("session", to("tournaments.session", related_name="members", db_index=False)),
                ("contestant", to("tournaments.contestant", related_name="members", delete=CASCADE)),
                ("player", to("tournaments.player", related_name="memberships")),
                ("entered_as", to("tournaments.player", null=True, db_index=False)),
            ],
        ),
        migrations.AddConstraint("member", models.UniqueConstraint(models.F("session"), models.F("player"), name="player_once_in_session")),
        migrations.RunPython(move_members, migrations.RunPython.noop),
        migrations.RunPython(settle_constraints, settle_constraints),
        migrations.RemoveField("contestant", "players"),
        migrations.AddField("contestant", "players", models.ManyToManyField(related_name="contestants", through="tournaments.Member", through_fields=("contestant", "player"), to="tournaments.player")),
        migrations.CreateModel(
            name="Substitution",
            fields=[
                ID,
                ("contestant", to("tournaments.contestant", related_name="substitutions", delete=CASCADE)),
                ("player", to("tournaments.player", related_name="substitutions")),
                ("for_player", to("tournaments.player")),
                ("first_round", models.PositiveIntegerField()),
                ("last_round", models.PositiveIntegerField()),
                ("entered_as", to("tournaments.player", null=True)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("undone_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.AddConstraint("substitution", models.CheckConstraint(condition=models.Q(first_round__gte=1, last_round__gte=models.F("first_round")), name="substitution_rounds_in_order")),
        migrations.AddConstraint("substitution", models.CheckConstraint(condition=~models.Q(player=models.F("for_player")), name="substitution_by_another_player")),
    ]
