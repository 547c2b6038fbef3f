from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0015_workers")]

    operations = [
        migrations.AddField("tally", "checked_at", models.DateTimeField(null=True)),
        migrations.AddField("tally", "disagreements", models.PositiveIntegerField(default=0)),
    ]
