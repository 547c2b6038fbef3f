"""The people who run tournaments can sign in: a person is an account, and roles are granted and revoked, at the
federation, at a club, at a session; invitations offer them.

Everybody keeps their number, roles and tokens. Names may be shared now; an e-mail address may not: written in
another case it is the same one, and of several who gave it the first keeps it.
"""

import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import tournaments.models.accounts

ACCOUNT = settings.AUTH_USER_MODEL
KINDS = [("administrator", "administrator"), ("organiser", "organiser"), ("director", "director"), ("deal-officer", "deal officer"), ("scorer", "scorer")]


def exists_there():
    return (
        models.Q(club=None, session=None, kind__in=("administrator", "organiser"))
        | models.Q(club__isnull=False, session=None, kind__in=("administrator", "organiser", "scorer"))
        | models.Q(club=None, session__isnull=False, kind__in=("organiser", "director", "deal-officer", "scorer"))
    )


def to(model, null=False, related_name="+"):
    return models.ForeignKey(null=null, on_delete=django.db.models.deletion.PROTECT, related_name=related_name, to=model)


def one_address_each(apps, schema_editor):
    accounts = apps.get_model("tournaments", "Account").objects.using(schema_editor.connection.alias)
    taken = set()
    for account in accounts.order_by("pk").only("email"):
        address = (account.email or "").strip().lower()
        address = address if address not in taken else ""
        taken.add(address)
        accounts.filter(pk=account.pk).update(email=address or None)


def settle_constraints(apps, schema_editor):
    """PostgreSQL alters no table with checks of foreign keys still waiting."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        schema_editor.execute("SET CONSTRAINTS ALL DEFERRED")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0020_fewer_indexes")]
    # What refers to accounts comes after there are any. (Another app that does has to be named here too.)
    run_before = [("account", "0001_initial"), ("mfa", "0001_initial"), ("usersessions", "0001_initial")]
    if settings.PAGES:  # a worker, which migrates nothing, does without it
        run_before.append(("admin", "0001_initial"))
    operations = [
        # People are accounts
        migrations.RemoveConstraint("person", "person_name_unique"),
        migrations.RenameModel("Person", "Account"),
        migrations.AddField("account", "password", models.CharField(default="!", max_length=128)),
        migrations.AddField("account", "last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
        migrations.AddField("account", "language", models.CharField(blank=True, choices=[("fr", "Français"), ("en", "English")], default="", max_length=8), preserve_default=False),
        migrations.AddField("account", "is_active", models.BooleanField(default=True)),
        migrations.AddField("account", "is_staff", models.BooleanField(default=False)),
        migrations.AddField("account", "created_at", models.DateTimeField(default=django.utils.timezone.now)),
        migrations.AlterField("account", "email", tournaments.models.accounts.Address(blank=True, max_length=254, null=True)),
        migrations.RunPython(one_address_each, migrations.RunPython.noop),
        migrations.RunPython(settle_constraints, settle_constraints),
        migrations.AlterField("account", "email", tournaments.models.accounts.Address(blank=True, max_length=254, null=True, unique=True)),
        migrations.AddConstraint("account", models.CheckConstraint(condition=models.Q(("email", None), models.Q(("email", django.db.models.functions.text.Lower("email")), models.Q(("email", ""), _negated=True)), _connector="OR"), name="account_email_lower")),
        # Roles at three places, revoked and never deleted
        migrations.RemoveConstraint("role", "role_unique"),
        migrations.RemoveConstraint("role", "role_kind_known"),
        migrations.RenameField("role", "person", "account"),
        migrations.AlterField("role", "club", to("tournaments.club", null=True, related_name="roles")),
        migrations.AlterField("role", "kind", models.CharField(choices=KINDS, max_length=20)),
        migrations.AddField("role", "session", to("tournaments.session", null=True, related_name="roles")),
        migrations.AddField("role", "granted_at", models.DateTimeField(default=django.utils.timezone.now)),
        migrations.AddField("role", "granted_by", to(ACCOUNT, null=True)),
        migrations.AddField("role", "revoked_at", models.DateTimeField(null=True)),
        migrations.AddField("role", "revoked_by", to(ACCOUNT, null=True)),
        migrations.AddConstraint("role", models.CheckConstraint(condition=exists_there(), name="role_exists_there")),
        migrations.AddConstraint("role", models.CheckConstraint(condition=models.Q(("revoked_by", None), ("revoked_at__isnull", False), _connector="OR"), name="role_revoked_when")),
        migrations.AddConstraint("role", models.UniqueConstraint(models.F("account"), models.F("kind"), condition=models.Q(club=None, session=None, revoked_at=None), name="role_once_at_federation")),
        migrations.AddConstraint("role", models.UniqueConstraint(models.F("account"), models.F("club"), models.F("kind"), condition=models.Q(club__isnull=False, revoked_at=None), name="role_once_at_club")),
        migrations.AddConstraint("role", models.UniqueConstraint(models.F("account"), models.F("session"), models.F("kind"), condition=models.Q(session__isnull=False, revoked_at=None), name="role_once_at_session")),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64)),
                ("kind", models.CharField(choices=KINDS, max_length=20)),
                ("email", tournaments.models.accounts.Address(blank=True, max_length=254, null=True)),
                ("is_first", models.BooleanField(default=False)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ends_at", models.DateTimeField()),
                ("accepted_at", models.DateTimeField(null=True)),
                ("withdrawn_at", models.DateTimeField(null=True)),
                ("club", to("tournaments.club", null=True, related_name="invitations")),
                ("session", to("tournaments.session", null=True, related_name="invitations")),
                ("made_by", to(ACCOUNT, null=True, related_name="invitations")),
                ("withdrawn_by", to(ACCOUNT, null=True)),
                ("role", models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name="invitation", to="tournaments.role")),
            ],
        ),
        migrations.AddConstraint("invitation", models.UniqueConstraint(models.F("digest"), name="invitation_digest_unique")),
        migrations.AddConstraint("invitation", models.CheckConstraint(condition=exists_there(), name="invitation_exists_there")),
        migrations.AddConstraint("invitation", models.CheckConstraint(condition=models.Q(("ends_at__gt", models.F("made_at"))), name="invitation_ends")),
        migrations.AddConstraint("invitation", models.CheckConstraint(condition=models.Q(models.Q(("accepted_at", None), ("role", None)), models.Q(("accepted_at__isnull", False), ("role__isnull", False), ("withdrawn_at", None)), _connector="OR"), name="invitation_once")),
        migrations.AddConstraint("invitation", models.CheckConstraint(condition=models.Q(("is_first", False), models.Q(kind="administrator", club=None, session=None), _connector="OR"), name="invitation_first_of_all")),
        # The history tells of more than tournaments
        migrations.AlterField("event", "tournament", to("tournaments.tournament", null=True, related_name="events")),
        migrations.AddField("event", "club", to("tournaments.club", null=True, related_name="events")),
        migrations.AddField("event", "account", to(ACCOUNT, null=True, related_name="events")),
    ]
