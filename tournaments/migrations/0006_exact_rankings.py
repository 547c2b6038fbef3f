"""Rankings were kept as they were shown; they are kept exactly, and shown when they are asked for."""

from django.db import migrations

BATCH = 50


def make_exact(apps, schema_editor):
    """A place as it was shown becomes what the contestant had won. Its progress had been rounded to two
    decimals, and is kept so."""
    Contestant, Ranking = (apps.get_model("tournaments", name) for name in ("Contestant", "Ranking"))
    using = schema_editor.connection.alias
    sessions = Ranking.objects.using(using).values_list("session", flat=True).distinct()
    for session in sessions.order_by("session"):
        contestants = Contestant.objects.using(using).filter(session=session)
        ids = dict(contestants.values_list("number", "pk"))
        rankings = Ranking.objects.using(using).filter(session=session).order_by("version")
        for ranking in rankings.iterator(chunk_size=BATCH):
            ranking.totals = {
                str(ids[place["number"]]): {name: place[name] for name in ("points", "top", "boards", "progress")}
                for place in ranking.totals
            }
            ranking.save(update_fields=["totals"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_contestants_who_leave")]
    operations = [
        migrations.RenameField("ranking", "places", "totals"),
        migrations.RunPython(make_exact),
    ]
