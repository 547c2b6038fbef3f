"""Erasures that somebody has asked for, former names of accounts, and who made a table's token."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))


def to(model, related_name="+", **more):
    return models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name=related_name, to=model, **more)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0027_registration")]
    operations = [
        migrations.AddField("token", "issued_by", to("tournaments.role", null=True, db_index=False)),
        migrations.CreateModel(
            name="FormerName",
            fields=[
                ID,
                ("folded", models.CharField(max_length=400)),
                ("until", models.DateTimeField(default=django.utils.timezone.now)),
                ("account", to(settings.AUTH_USER_MODEL, related_name="former_names")),
            ],
        ),
        migrations.CreateModel(
            name="ErasureWish",
            fields=[
                ID,
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("settled_at", models.DateTimeField(null=True)),
                ("player", to("tournaments.player", related_name="erasure_wishes")),
            ],
        ),
        migrations.AddConstraint("erasurewish", models.UniqueConstraint(models.F("player"), condition=models.Q(("settled_at", None)), name="erasure_wish_once_at_a_time")),
    ]
