"""What the page of operators tells: the parts that `/readyz` asks and the figures of `/metrics`, and which
sessions, jobs and workers stand behind these.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..models import Job, Session, Worker
from . import figures, jobs, readiness
from .figures import LastBackup

SHOWN = 20  # of what failed, of what waits, of workers; how many there are is said


@dataclass(frozen=True, slots=True)
class FailedResults:
    """`count`: its submissions that an error of the program's has left unjudged."""

    session: Session
    count: int


@dataclass(frozen=True, slots=True)
class Operated:
    """`figures`: by name, each with its values by label, as `figures.Figure` has them. The others are the
    newest, or the largest, `SHOWN` at most; `failed_count` and `failed_job_count` are of all."""

    parts: Mapping[str, readiness.ServicePart]
    figures: Mapping[str, Mapping[str, float]]
    failed: Sequence[FailedResults]
    failed_count: int
    failed_jobs: Sequence[Job]
    failed_job_count: int
    going: Sequence[Job]
    workers: Sequence[Worker]
    last_backup: LastBackup | None


def now() -> Operated:
    """In a number of queries that grows with nothing."""
    parts = readiness.parts()
    failed = figures.failed_by_session()
    worst = sorted(failed, key=lambda session: (-failed[session], session))[:SHOWN]
    sessions = Session.objects.select_related("tournament__club").in_bulk(worst)
    going = Job.objects.filter(state__in=[Job.State.WAITING, Job.State.RUNNING]).order_by("created_at", "pk")
    broken = jobs.broken()
    return Operated(
        parts=parts,
        figures={one.name: one.values for one in figures.figures(parts)},
        failed=[FailedResults(sessions[pk], failed[pk]) for pk in worst],
        failed_count=sum(failed.values()),
        failed_jobs=list(
            broken.select_related("tournament__club").order_by("-ended_at", "pk").defer("outcome")[:SHOWN]
        ),
        failed_job_count=broken.count(),
        going=list(going.select_related("tournament__club").defer("request", "outcome")[:SHOWN]),
        workers=list(Worker.objects.order_by("-seen_at")[:SHOWN]),
        last_backup=figures.last_backup(),
    )
