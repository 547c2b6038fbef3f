"""The Django application: what it does around migrations, and before anything else."""

import os
from contextlib import suppress

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ImproperlyConfigured
from django.db.models.signals import post_migrate, pre_migrate

from . import guards, vault


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        pre_migrate.connect(guards.before_migrations, sender=self)
        post_migrate.connect(guards.after_migrations, sender=self)
        register(check_keys)
        if not settings.PRODUCTION:
            keep_private()


def check_keys(**_: object) -> list[CheckMessage]:
    """A service that could neither seal the seeds of boards nor open them does not start. On one machine
    the first seed makes the first key."""
    if not settings.PRODUCTION and not settings.SEED_KEYS and not settings.SEED_KEYS_FILE.exists():
        return []
    try:
        vault.keys()
    except (ImproperlyConfigured, OSError) as error:
        return [Error(str(error), id="tournaments.E001")]
    return []


def keep_private() -> None:
    """What one machine keeps in its folder is for its owner alone, an older release's files included: results
    tell hands, and logs tell addresses."""
    os.umask(0o077)
    for pattern in ("*.sqlite3*", "*.log", "log/*.log"):
        for path in settings.VAR_DIR.glob(pattern):
            if path.is_file() and path.stat().st_mode & 0o077:
                with suppress(PermissionError):  # somebody else's: they have to do it
                    path.chmod(0o600)
