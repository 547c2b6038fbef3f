from django.db import migrations, models


class Migration(migrations.Migration):
    """Clubs have a clock of their own. When a session begins has been stored before."""

    dependencies = [("tournaments", "0033_clock_changes")]

    operations = [
        migrations.AddField(
            "club",
            "time_zone",
            models.CharField(max_length=64, db_default="Europe/Paris", default="Europe/Paris"),
        ),
    ]
