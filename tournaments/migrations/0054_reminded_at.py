from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0053_events"),
    ]

    operations = [
        migrations.AddField("clubentry", "reminded_at", models.DateTimeField(null=True)),
    ]
