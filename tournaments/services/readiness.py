"""Whether the service can do its work: the parts that it needs, each with its state."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Max
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from ..celery import app
from ..models import Tally, Worker

LEAST_FREE_MB = 100
FORGOTTEN = timedelta(days=1)  # a worker that has given no sign for so long has been taken away


@dataclass(frozen=True, slots=True)
class ServicePart:
    """`detail`: what there is to know about it, for operators."""

    is_ready: bool
    detail: dict[str, Any] = field(default_factory=dict)


def parts() -> dict[str, ServicePart]:
    """All parts by name. Each is asked, whatever the others say."""
    return {name: _part(ask) for name, ask in ASKED.items()}


def _part(ask: Callable[[], ServicePart]) -> ServicePart:
    try:
        return ask()
    except (DatabaseError, BrokerError, OSError) as error:  # a table that is still to be made among them
        return ServicePart(False, {"error": type(error).__name__})


def _database() -> ServicePart:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return ServicePart(True)


def _migrations() -> ServicePart:
    pending = pending_migrations()
    return ServicePart(not pending, {"pending": pending})


def pending_migrations() -> list[str]:
    """The migrations that `manage.py migrate` would run, app by app. They are known by the names of their
    files: imported, they would stay in the memory of each process."""
    applied = MigrationRecorder(connection).applied_migrations()
    return [
        f"{app_config.label}.{module.name}"
        for app_config in apps.get_app_configs()
        for module in iter_modules([str(Path(app_config.path) / "migrations")])
        if not module.ispkg and (app_config.label, module.name) not in applied
    ]


def _broker() -> ServicePart:
    with app.connection_for_write(connect_timeout=2) as broker:
        broker.ensure_connection(max_retries=1, interval_start=0, timeout=2)
    return ServicePart(True)


def _workers() -> ServicePart:
    newest = Worker.objects.order_by("-seen_at").values_list("seen_at", flat=True).first()
    if newest is None:
        return ServicePart(False, {"seconds": None})
    seconds = (timezone.now() - newest).total_seconds()
    return ServicePart(seconds <= settings.HUNG_SECONDS, {"seconds": round(max(seconds, 0.0), 1)})


def _lists() -> ServicePart:
    """Whether the lists are those of their results, as far as they have been compared."""
    newest = Tally.objects.aggregate(at=Max("checked_at"))["at"]
    seconds = None if newest is None else round((timezone.now() - newest).total_seconds())
    wrong = list(Tally.objects.filter(disagreements__gt=0).values_list("session", flat=True)[:20])
    return ServicePart(not wrong, {"wrong": wrong, "compared_seconds_ago": seconds})


def _disk() -> ServicePart:
    megabytes = shutil.disk_usage(settings.VAR_DIR).free // 10**6
    return ServicePart(megabytes >= LEAST_FREE_MB, {"free_mb": megabytes})


ASKED: dict[str, Callable[[], ServicePart]] = {
    "database": _database,
    "migrations": _migrations,
    "broker": _broker,
    "workers": _workers,
    "lists": _lists,
    "disk": _disk,
}


def sign_of_life(*, worker: str) -> None:
    """A worker says that it is at work."""
    now = timezone.now()
    Worker.objects.update_or_create(name=worker, defaults={"seen_at": now})
    Worker.objects.filter(seen_at__lt=now - FORGOTTEN).delete()


def note_sweep(*, worker: str, found: Mapping[str, int]) -> None:
    """A worker has looked for work that was left undone, and has found so much of each task."""
    Worker.objects.filter(name=worker).update(swept_at=timezone.now(), found=dict(found))
