"""`python -m tournaments.working NAME`: a worker, as `celery -A tournaments worker -n NAME` would be, without
Celery's command line: its shell and its colours take 10 MB in each process."""

import os
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
from . import lean

with lean.imports():
    from celery.apps.worker import Worker  # settings know by it that this process shows no pages
    from celery.utils.nodenames import default_nodename, host_format

    from .celery import app

    app.loader.import_default_modules()


def worker(name: str) -> Worker:
    """A worker of this project; `%h` in its name is the host."""
    return app.Worker(
        hostname=host_format(default_nodename(name)),
        loglevel="WARNING",
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )


if __name__ == "__main__":
    work = worker(sys.argv[1])
    work.start()
    sys.exit(work.exitcode)
