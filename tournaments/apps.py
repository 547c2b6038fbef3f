"""The Django application: what it does around migrations."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate

from . import guards


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        pre_migrate.connect(guards.before_migrations, sender=self)
        post_migrate.connect(guards.after_migrations, sender=self)
