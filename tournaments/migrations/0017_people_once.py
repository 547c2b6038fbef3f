"""Two tokens issued at once for a new name made two people of it, and every later token of that name failed."""

from django.db import migrations, models


def number_namesakes(apps, schema_editor):
    """The first keeps the name, the next becomes `Name (2)`: their tokens and what they did stay theirs."""
    people = apps.get_model("tournaments", "Person").objects.using(schema_editor.connection.alias)
    names = set()
    for person in people.order_by("pk"):
        name, number = person.name, 1
        while person.name in names:
            number += 1
            person.name = f"{name[:190]} ({number})"
        names.add(person.name)
        if person.name != name:
            person.save()


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0016_comparisons")]
    operations = [
        migrations.RunPython(number_namesakes, migrations.RunPython.noop),
        migrations.AddConstraint("person", models.UniqueConstraint("name", name="person_name_unique")),
    ]
