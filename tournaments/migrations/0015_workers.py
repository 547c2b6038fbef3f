from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0014_keys_of_holders")]

    operations = [
        migrations.CreateModel(
            name="Worker",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("seen_at", models.DateTimeField()),
            ],
            options={"constraints": [models.UniqueConstraint("name", name="worker_name_unique")]},
        ),
    ]
