"""What a web process and a worker make sure of before they start."""

from django.db import Error

from .services import readiness

SWITCH_SECONDS = 0.0005
"""How long a thread computes before another may: whoever stores or judges comes back from the database every
few hundred microseconds, and would wait ten times as long for each answer beside threads that compute."""


def check_migrated() -> None:
    """SystemExit in one line if the database has still to be brought to the form of this release. One that
    does not answer is not waited for: /readyz says so."""
    try:
        pending = readiness.pending_migrations()
    except Error:
        return
    if pending:
        raise SystemExit(
            f"The database is older than this program ({len(pending)} migrations, from {pending[0]}): "
            "run `manage.py migrate` first."
        )
