"""The Celery application; its settings are those of Django that begin with CELERY_."""

import os
from pathlib import Path

from celery import Celery
from celery.signals import beat_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")

app = Celery("etui")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["tournaments"])


@beat_init.connect
def make_room(**_: object) -> None:
    """Beat keeps its schedule in a folder that a new machine does not have yet."""
    Path(app.conf.beat_schedule_filename).parent.mkdir(parents=True, exist_ok=True)
