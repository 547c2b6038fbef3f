"""What each process counts of its own work, for Prometheus: `/metrics` tells it (`tournaments.api.health`).

Where PROMETHEUS_MULTIPROC_DIR names a folder, as `serve` does, all processes of a machine count into it, and
whichever web process is asked tells the sum. No label has a name, an address or an id of anything in it.
"""

import os
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, multiprocess

from .signs import COUNTS

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

_ours = CollectorRegistry()

requests = Counter("etui_requests", "Answered requests", ["operation", "method", "status"], registry=_ours)
request_seconds = Histogram(
    "etui_request_seconds",
    "From a whole request to its answer",
    ["operation"],
    buckets=SECONDS,
    registry=_ours,
)
tasks = Counter("etui_tasks", "Tasks that workers have ended", ["task", "outcome"], registry=_ours)
task_seconds = Histogram("etui_task_seconds", "From a task's begin to its end", ["task"], registry=_ours)
judged = Counter(
    "etui_judged", "Submissions that were judged, by what became of them", ["state"], registry=_ours
)
unsent = Counter("etui_unsent", "Messages that the broker did not take", ["task"], registry=_ours)
swept = Counter("etui_swept", "Work that the sweep found waiting", ["task"], registry=_ours)


def answered(operation: str, method: str, status: int, seconds: float) -> None:
    requests.labels(operation, method if method in METHODS else "other", str(status)).inc()
    request_seconds.labels(operation).observe(seconds)


def done(task: str, outcome: str, seconds: float) -> None:
    tasks.labels(task, outcome).inc()
    task_seconds.labels(task).observe(seconds)


def counted() -> CollectorRegistry:
    """What has been counted by the processes that count together, and what this one takes of the machine."""
    registry = CollectorRegistry()
    folder = os.environ.get(COUNTS, "")
    if folder and Path(folder).is_dir():
        multiprocess.MultiProcessCollector(registry, path=folder)  # type: ignore[no-untyped-call]
    else:
        registry.register(_ours)  # it collects, too
    ProcessCollector(registry=registry)
    return registry
