"""Players come to what is theirs by a link, and enter lists for sessions that are still to be set up. A session
counts the changes of the names that its answers show. An account can be erased.
"""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))


def to(model, null=False, related_name="+", **more):
    return models.ForeignKey(null=null, on_delete=django.db.models.deletion.PROTECT, related_name=related_name, to=model, **more)


def now():
    return models.DateTimeField(default=django.utils.timezone.now)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0026_personal_tokens")]
    operations = [
        migrations.AddField("account", "erased_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("tally", "names", models.PositiveBigIntegerField(db_default=0, default=0)),
        # Links
        migrations.CreateModel(
            name="PlayerLink",
            fields=[
                ID,
                ("digest", models.CharField(max_length=64)),
                ("made_at", now()),
                ("ends_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
                ("withdrawn_at", models.DateTimeField(null=True)),
                ("player", to("tournaments.player", related_name="links")),
                ("made_by", to(settings.AUTH_USER_MODEL, null=True)),
                ("account", to(settings.AUTH_USER_MODEL, null=True)),
                ("token", models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="link", to="tournaments.token")),
            ],
        ),
        migrations.AddConstraint("playerlink", models.UniqueConstraint(models.F("digest"), name="player_link_digest_unique")),
        migrations.AddConstraint("playerlink", models.CheckConstraint(condition=models.Q(("ends_at__gt", models.F("made_at"))), name="player_link_ends")),
        migrations.AddConstraint("playerlink", models.CheckConstraint(condition=models.Q(models.Q(("account", None), ("token", None), ("used_at", None)), models.Q(("account__isnull", False), ("token", None), ("used_at__isnull", False), ("withdrawn_at", None)), models.Q(("account", None), ("token__isnull", False), ("used_at__isnull", False), ("withdrawn_at", None)), _connector="OR"), name="player_link_once")),
        # Registration
        migrations.CreateModel(
            name="RegistrationList",
            fields=[
                ID,
                ("name", models.CharField(max_length=200)),
                ("players_each", models.PositiveSmallIntegerField(default=1)),
                ("limit", models.PositiveIntegerField(null=True)),
                ("is_public", models.BooleanField(default=True)),
                ("opened_at", now()),
                ("closed_at", models.DateTimeField(null=True)),
                ("tournament", to("tournaments.tournament", related_name="registration_lists")),
                ("session", to("tournaments.session", null=True, related_name="registration_lists")),
            ],
        ),
        migrations.AddConstraint("registrationlist", models.CheckConstraint(condition=models.Q(("players_each__range", (1, 4))), name="registration_list_players_each")),
        migrations.AddConstraint("registrationlist", models.CheckConstraint(condition=models.Q(("limit", None), ("limit__gte", 1), _connector="OR"), name="registration_list_has_room")),
        migrations.CreateModel(
            name="Registration",
            fields=[
                ID,
                ("wants_players", models.BooleanField(default=True)),
                ("entered_at", now()),
                ("left_at", models.DateTimeField(null=True)),
                ("list", to("tournaments.registrationlist", related_name="registrations")),
            ],
        ),
        migrations.AddIndex("registration", models.Index(models.F("list"), models.F("id"), condition=models.Q(("left_at", None)), name="registration_in_order")),
        migrations.CreateModel(
            name="Registrant",
            fields=[
                ID,
                ("entered_at", now()),
                ("left_at", models.DateTimeField(null=True)),
                ("list", to("tournaments.registrationlist", related_name="registrants", db_index=False)),
                ("registration", to("tournaments.registration", related_name="registrants")),
                ("player", to("tournaments.player", related_name="registrants")),
            ],
        ),
        migrations.AddConstraint("registrant", models.UniqueConstraint(models.F("list"), models.F("player"), condition=models.Q(("left_at", None)), name="registrant_once_in_list")),
    ]
