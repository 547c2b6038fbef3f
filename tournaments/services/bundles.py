"""What whoever mends the program needs to know of a service that goes wrong, as one file: the release, the
state of its parts, its figures, what waits and what failed, how many rows there are, the end of its logs.
No name, address, card or secret of anybody is in it, and nothing that tells whose machine it is.
"""

import json
import os
import platform
import socket
import zipfile
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import Error as DatabaseError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from .. import __version__
from ..logs import without_secrets
from ..models import Job, Worker
from . import figures, readiness

LOG_BYTES = 1_000_000  # of the end of each log
NEWEST_JOBS = 100
TOLD = (
    "HUNG_SECONDS",
    "LANGUAGE_CODE",
    "LOG_FORMAT",
    "PRODUCTION",
    "STOP_SECONDS",
    "SWEEP_SECONDS",
    "TIME_ZONE",
)
"""Settings that are told with their values; of all others nothing is."""


def write(path: Path) -> list[str]:
    """A new file, which its owner alone can read; the names of what is in it. FileExistsError, OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle:
            for name, text in _parts():
                bundle.writestr(name, text)
            return bundle.namelist()
    except BaseException:
        path.unlink()  # half a file says nothing, and would be in the way of the next
        raise


def _parts() -> Iterator[tuple[str, str]]:
    parts = readiness.parts()
    yield "about.json", _json(_about())
    yield "packages.txt", "".join(f"{line}\n" for line in _packages())
    yield "parts.json", _json({name: {"ready": it.is_ready, **it.detail} for name, it in parts.items()})
    yield "figures.json", _json({one.name: one.values for one in figures.figures(parts)})
    for name, told in {"migrations": _migrations, "rows": _rows, "jobs": _jobs, "workers": _workers}.items():
        try:
            yield f"{name}.json", _json(told())
        except DatabaseError as error:  # away, or still to be migrated: the others are told
            yield f"{name}.json", _json({"error": type(error).__name__})
    for path in sorted((settings.VAR_DIR / "log").glob("*.log")):
        yield f"log/{path.name}", _end_of(path)


def _json(told: Any) -> str:
    return json.dumps(told, cls=DjangoJSONEncoder, indent=2, sort_keys=True) + "\n"


def _about() -> dict[str, Any]:
    return {
        "release": __version__,
        "at": timezone.now(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processors": os.cpu_count(),
        "database": connection.vendor,
        "broker": "redis" if settings.REDIS_URL else "files",
        "settings": {name: getattr(settings, name) for name in TOLD},
    }


def _packages() -> list[str]:
    return sorted({f"{one.metadata['Name']}=={one.version}" for one in distributions()}, key=str.lower)


def _migrations() -> list[str]:
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


def _rows() -> dict[str, int]:
    """By table, all of them."""
    tables = {model._meta.db_table: model for model in apps.get_models() if not model._meta.proxy}
    return {table: model._default_manager.count() for table, model in tables.items()}


def _jobs() -> list[dict[str, Any]]:
    """The newest, without what was asked for and what came of it: both hold names."""
    columns = ("kind", "state", "progress", "attempt", "session_id", "created_at", "started_at", "ended_at")
    return list(Job.objects.order_by("-created_at", "pk").values("id", *columns)[:NEWEST_JOBS])


def _workers() -> list[dict[str, Any]]:
    """Without the machines that they run on."""
    rows = Worker.objects.order_by("-seen_at").values("name", "seen_at", "swept_at", "found")
    return [{**row, "name": row["name"].partition("@")[0]} for row in rows]


def _end_of(path: Path) -> str:
    with path.open("rb") as file:
        file.seek(max(path.stat().st_size - LOG_BYTES, 0))
        text = without_secrets(file.read().decode(errors="replace"))
    for own, instead in (
        (str(settings.VAR_DIR), "VAR_DIR"),
        (str(settings.BASE_DIR), "."),
        (str(Path.home()), "~"),
        (socket.gethostname(), "HOST"),
    ):
        text = text.replace(own, instead) if len(own) > 1 else text
    return text
