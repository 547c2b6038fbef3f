"""The Celery application; its settings are those of Django that begin with CELERY_."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # they import all pages, 25 MB that a worker never needs

app = Celery("etui")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["tournaments"])
app.autodiscover_tasks(["tournaments"], related_name="worker")
