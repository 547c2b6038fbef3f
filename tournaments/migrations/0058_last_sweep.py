from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0057_licences")]

    operations = [
        migrations.AddField("worker", "found", models.JSONField(default=dict)),
        migrations.AddField("worker", "swept_at", models.DateTimeField(null=True)),
    ]
