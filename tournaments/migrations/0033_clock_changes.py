from django.db import migrations, models


class Migration(migrations.Migration):
    """Nothing but a new column that has a value everywhere: no table is written anew."""

    dependencies = [("tournaments", "0032_objections")]

    operations = [
        migrations.AddField("session", "clock_changes", models.PositiveIntegerField(db_default=0, default=0)),
    ]
