"""Which files have been imported: until now only the history knew it."""

import django.db.models.deletion
from django.db import migrations, models


def carry_over(apps, schema_editor):
    """A file that was imported before is known; of several sessions, the newest."""
    using = schema_editor.connection.alias
    events = apps.get_model("tournaments", "Event").objects.using(using)
    imported = events.filter(verb="imported").order_by("pk")
    rows = imported.values_list("tournament__club_id", "detail__digest", "session_id")
    newest = {(club, digest): session for club, digest, session in rows}
    paper_file = apps.get_model("tournaments", "PaperFile")
    paper_file.objects.using(using).bulk_create(
        paper_file(club_id=club, digest=digest, session_id=session)
        for (club, digest), session in newest.items()
    )


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0008_partners_fixed'),
    ]

    operations = [
        migrations.CreateModel(
            name='PaperFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='paper_files', to='tournaments.club')),
                ('session', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='paper_file', to='tournaments.session')),
            ],
            options={
                'constraints': [models.UniqueConstraint(models.F('club'), models.F('digest'), name='paper_file_once_in_club')],
            },
        ),
        migrations.RunPython(carry_over, migrations.RunPython.noop),
    ]
