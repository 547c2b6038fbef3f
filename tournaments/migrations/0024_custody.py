"""Before its end a deal is seen only by whoever has custody of the board set, unless the club says that nobody
has; and what the deal alone contradicts is kept as disputed."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0023_history_entries'),
    ]

    operations = [
        migrations.CreateModel(
            name='Custody',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('taken_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('laid_down_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='submission',
            name='submission_state_known',
        ),
        migrations.AddField(
            model_name='boardset',
            name='custody',
            field=models.CharField(default='officer', max_length=10),
        ),
        migrations.AddField(
            model_name='boardset',
            name='custody_changes',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='submission',
            name='contradicted',
            field=models.BooleanField(db_default=False),
        ),
        migrations.AlterField(
            model_name='submission',
            name='state',
            field=models.CharField(choices=[('pending', 'Pending'), ('accepted', 'Accepted'), ('refused', 'Refused'), ('failed', 'Failed'), ('disputed', 'Disputed')], default='pending', max_length=20),
        ),
        migrations.AddConstraint(
            model_name='boardset',
            constraint=models.CheckConstraint(condition=models.Q(('custody__in', ['officer', 'none'])), name='board_set_custody_known'),
        ),
        migrations.AddConstraint(
            model_name='submission',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['pending', 'accepted', 'refused', 'failed', 'disputed'])), name='submission_state_known'),
        ),
        migrations.AddField(
            model_name='custody',
            name='account',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='custodies', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='custody',
            name='board_set',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='custodies', to='tournaments.boardset'),
        ),
        migrations.AddConstraint(
            model_name='custody',
            constraint=models.UniqueConstraint(models.F('board_set'), models.F('account'), condition=models.Q(('laid_down_at', None)), name='custody_once_at_a_time'),
        ),
    ]
