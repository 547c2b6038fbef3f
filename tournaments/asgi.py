"""One web process: live streams on the event loop, pages and API on threads behind a door."""

import os
import resource
import sys
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
from .wsgi import application as _pages  # Django is set up first

from .api import door, live  # isort: skip
from .services import writer  # isort: skip
from .starting import SWITCH_SECONDS, check_migrated  # isort: skip

check_migrated()

THREADS = 8

_threads = door.Door(_pages, threads=THREADS)

sys.setswitchinterval(SWITCH_SECONDS)
writer.begin()

_most_files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (_most_files, _most_files))  # a watcher is an open file


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Streams to the event loop, everything else to the threads."""
    if scope["type"] != "http":
        raise NotImplementedError("only HTTP is spoken here")
    inside = live.stream if live.ADDRESS.fullmatch(scope["path"]) else _threads
    await inside(scope, receive, send)
