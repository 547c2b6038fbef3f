"""Sessions are set up in the browser: drafts, and work that somebody who is signed in has asked for."""

import django.core.serializers.json
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def to(model, null=False, related_name="+", field=models.ForeignKey):
    return field(null=null, on_delete=django.db.models.deletion.PROTECT, related_name=related_name, to=model)


def now():
    return models.DateTimeField(default=django.utils.timezone.now)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0030_rulings")]
    operations = [
        migrations.AddField("job", "account", to(settings.AUTH_USER_MODEL, null=True, related_name="jobs")),
        migrations.AddConstraint("job", models.CheckConstraint(condition=models.Q(("sender", None), ("account", None), _connector="OR"), name="job_asked_for_once")),
        migrations.CreateModel(
            name="Draft",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("wish", models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ("version", models.PositiveIntegerField(default=1)),
                ("comparison", models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder, null=True)),
                ("compared", models.CharField(blank=True, max_length=64)),
                ("asked_at", models.DateTimeField(null=True)),
                ("made_at", now()),
                ("saved_at", now()),
                ("club", to("tournaments.club", related_name="drafts")),
                ("tournament", to("tournaments.tournament", null=True, related_name="drafts")),
                ("made_by", to(settings.AUTH_USER_MODEL, related_name="drafts")),
                ("copied_from", to("tournaments.session", null=True)),
                ("job", to("tournaments.job", null=True, related_name="draft", field=models.OneToOneField)),
            ],
        ),
        migrations.AddConstraint("draft", models.CheckConstraint(condition=models.Q(("version__gte", 1)), name="draft_version_from_1")),
    ]
