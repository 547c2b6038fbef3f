from django.db import migrations, models

from tournaments import vault


def board_sets(apps, schema_editor):
    return apps.get_model("tournaments", "BoardSet").objects.using(schema_editor.connection.alias)


def seal(apps, schema_editor):
    for board_set in board_sets(apps, schema_editor).exclude(seed=None).iterator(chunk_size=500):
        board_set.sealed_seed = vault.seal(bytes(board_set.seed))
        board_set.save(update_fields=["sealed_seed"])


def unseal(apps, schema_editor):
    for board_set in board_sets(apps, schema_editor).exclude(sealed_seed=None).iterator(chunk_size=500):
        board_set.seed = vault.open_sealed(bytes(board_set.sealed_seed))
        board_set.save(update_fields=["seed"])


class Migration(migrations.Migration):
    """Seeds are sealed; the column that had them in clear goes."""

    dependencies = [("tournaments", "0018_jobs")]
    operations = [
        migrations.AddField("boardset", "sealed_seed", models.BinaryField(null=True)),
        migrations.RunPython(seal, unseal),
        migrations.RemoveField("boardset", "seed"),
    ]
