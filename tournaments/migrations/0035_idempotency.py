from django.db import migrations, models


class Migration(migrations.Migration):
    """Answers to requests with a key are kept for a day."""

    dependencies = [("tournaments", "0034_dates")]

    operations = [
        migrations.CreateModel(
            "KeptAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("caller", models.CharField(max_length=40)),
                ("key", models.CharField(max_length=64)),
                ("request", models.CharField(max_length=64)),
                ("begun_at", models.DateTimeField(db_index=True)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("content", models.BinaryField(null=True)),
                ("headers", models.JSONField(default=dict)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint("caller", "key", name="kept_answer_key_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("content", None), ("status", None))
                        | models.Q(("content__isnull", False), ("status__isnull", False)),
                        name="kept_answer_is_whole",
                    ),
                ],
            },
        ),
    ]
