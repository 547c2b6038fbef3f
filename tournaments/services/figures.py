"""What the service's data say of how it goes, in numbers: for `/metrics`, and for the page of operators. No
name, address or id of anything is in them."""

import json
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from django.db.models import Count, Max, Min, Sum
from django.utils import timezone

from .. import __version__
from ..models import (
    FieldTally,
    Job,
    PointsTally,
    RatingTally,
    SeasonTally,
    Session,
    Submission,
    Tally,
    WaitingSubmission,
    Worker,
)
from . import chains, readiness

FAILED_SECONDS = 60.0  # for so long the failed submissions are not counted again: all have to be looked at
NOTE = "last_backup.json"


@dataclass(frozen=True, slots=True)
class Figure:
    """`label`: what its values are by, nothing where there is one alone."""

    name: str
    meaning: str
    values: Mapping[str, float]
    label: str = ""


def figures(parts: Mapping[str, readiness.ServicePart] | None = None) -> Iterator[Figure]:
    """All of them; where the database is away, what can be said without it. `parts`: of the service, if they
    have just been asked."""
    parts = parts or readiness.parts()
    yield Figure("build", "Of which release it is", {__version__: 1}, "version")
    yield Figure(
        "part_ready",
        "Whether a part of the service is ready (1)",
        {name: float(part.is_ready) for name, part in parts.items()},
        "part",
    )
    yield Figure("disk_free_bytes", "Free beside the data", {"": shutil.disk_usage(settings.VAR_DIR).free})
    yield Figure("files_bytes", "How large the files beside the database are", files_bytes(), "folder")
    if (made := last_backup()) is not None:
        yield Figure("last_backup_timestamp_seconds", "When the last backup was made", {"": made.at})
        yield Figure("last_backup_bytes", "How large it is", {"": made.bytes})
    with suppress(DatabaseError):
        yield from list(_of_the_database())


def _of_the_database() -> Iterator[Figure]:
    waiting = _waiting()
    yield Figure("submissions_waiting", "Handed in and not judged yet", {"": waiting.count})
    yield Figure("submissions_oldest_seconds", "For how long the oldest of them waits", {"": waiting.seconds})
    yield Figure("submissions_failed", "Not judged for an error of the program's", {"": failed()})
    yield Figure("lists_behind", "Sessions whose lists have something to take in", {"": behind()})
    said = Tally.objects.aggregate(
        wrong=Sum("disagreements"),
        compared=Max("checked_at"),
        versions=Sum("version"),
        live=Sum("live_version"),
    )
    yield Figure("lists_wrong", "What lists disagree with, counted again", {"": said["wrong"] or 0})
    if said["compared"] is not None:
        ago = _seconds_since(said["compared"])
        yield Figure("lists_compared_seconds", "For how long no list has been counted again", {"": ago})
    versions = {"whole": said["versions"] or 0, "live": said["live"] or 0}
    yield Figure("list_versions", "Versions of all rankings that have been made", versions, "list")
    yield Figure("jobs", "Long work, by its state", _jobs(), "state")
    yield Figure("jobs_oldest_seconds", "For how long the oldest that waits does", {"": _oldest_job()})
    yield Figure("sessions", "By their state", _by_state(Session), "state")
    alive = timezone.now() - timedelta(seconds=settings.HUNG_SECONDS)
    yield Figure(
        "workers", "That have given a sign of life", {"": Worker.objects.filter(seen_at__gte=alive).count()}
    )
    if (swept := Worker.objects.aggregate(at=Max("swept_at"))["at"]) is not None:
        yield Figure(
            "sweep_seconds",
            "For how long nobody has looked for work left undone",
            {"": _seconds_since(swept)},
        )
    yield Figure(
        "history_seal_due", "Whether an entry waits too long for its seal (1)", {"": chains.is_due()}
    )
    yield Figure("database_bytes", "How large the database is", {"": database_bytes()})


@dataclass(frozen=True, slots=True)
class WaitingWork:
    count: int
    seconds: float


def _waiting() -> WaitingWork:
    rows = WaitingSubmission.objects
    oldest = rows.aggregate(at=Min("submission__created_at"))["at"]
    return WaitingWork(rows.count(), _seconds_since(oldest))


def _oldest_job() -> float:
    return _seconds_since(Job.objects.filter(state=Job.State.WAITING).aggregate(at=Min("created_at"))["at"])


def _seconds_since(then: datetime | None) -> float:
    """0 where there was nothing."""
    return 0.0 if then is None else max((timezone.now() - then).total_seconds(), 0.0)


_failed: tuple[float, int] = (float("-inf"), 0)


def failed() -> int:
    """Submissions that an error of the program's has left unjudged, as of a minute ago at most."""
    global _failed
    now = time.monotonic()
    if now - _failed[0] > FAILED_SECONDS:
        _failed = now, sum(failed_by_session().values())
    return _failed[1]


def failed_by_session() -> dict[int, int]:
    """Those of now, by the id of their session."""
    rows = Submission.objects.filter(state=Submission.State.FAILED).order_by()
    of = rows.values_list("play__table__section__session").annotate(count=Count("pk"))
    return {session: count for session, count in of if session is not None}


def behind() -> int:
    return sum(
        one.objects.behind().count() for one in (Tally, FieldTally, SeasonTally, RatingTally, PointsTally)
    )


def _jobs() -> dict[str, float]:
    return {str(state): 0.0 for state in Job.State} | _by_state(Job)


def _by_state(model: Any) -> dict[str, float]:
    rows = model.objects.order_by().values_list("state").annotate(count=Count("pk"))
    return {str(state): float(count) for state, count in rows}


def database_bytes() -> int:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
        else:
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        return int(cursor.fetchone()[0])


def files_bytes() -> dict[str, float]:
    """Of the logs, and of mails that no server takes, on this machine."""
    folders = {"log": Path(settings.VAR_DIR / "log"), "mail": Path(settings.MAIL_DIR)}
    return {name: float(sum(map(_size, folder.glob("*")))) for name, folder in folders.items()}


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # it has just been forgotten
        return 0


# ── Backups ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class LastBackup:
    """`at`: in seconds since 1970."""

    at: float
    bytes: int


def note_backup(*, at: float, size: int) -> None:
    """Note on this machine that there is a backup."""
    path = settings.VAR_DIR / NOTE
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps({"at": at, "bytes": size}))
    new.replace(path)


def last_backup() -> LastBackup | None:
    """The last one that was made on this machine."""
    try:
        said = json.loads(Path(settings.VAR_DIR / NOTE).read_text())
        return LastBackup(float(said["at"]), int(said["bytes"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
