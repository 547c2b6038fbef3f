"""What benchmarks of the service share: a database of its own, and what a process has held."""

import os
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from django.core.management import call_command

from tests.servers import place_for


@contextmanager
def own_database() -> Iterator[None]:
    """Django, set up on an empty database that nothing else uses; models are imported inside."""
    with place_for("embedded") as place:
        os.environ.update(place.environment)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
        Path(place.environment["VAR_DIR"]).mkdir()
        django.setup()
        call_command("migrate", verbosity=0)
        yield


def peak() -> float:
    """The megabytes that this process has held at most."""
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return held / (1_000_000 if sys.platform == "darwin" else 1_000)
