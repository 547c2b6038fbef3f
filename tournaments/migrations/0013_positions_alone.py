"""Every result has a position: data and schema are changed in transactions of their own."""

from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0012_positions")]

    operations = [
        migrations.AlterField("result", "position", models.PositiveBigIntegerField()),
        migrations.AddIndex(
            "submission", models.Index("id", name="submission_to_judge", condition=Q(state="pending"))
        ),
        migrations.AddConstraint(
            "tally",
            models.CheckConstraint(
                condition=Q(ranked_position__lte=F("position")), name="tally_ranks_what_there_is"
            ),
        ),
        migrations.AddIndex(
            "tally",
            models.Index(
                "session",
                name="tally_behind",
                condition=Q(position__gt=F("ranked_position")) | Q(layout__gt=F("counted_layout")),
            ),
        ),
    ]
