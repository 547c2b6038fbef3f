"""One web process: live streams and results that come in on the event loop, everything else of pages and API
on threads behind a door."""

import gc
import os
import resource
import sys
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
from . import lean

with lean.imports():
    from .wsgi import application as _pages  # Django is set up first

    from .api import door, live, quick  # isort: skip
    from .services import token_uses, writer  # isort: skip
    from . import watched  # isort: skip
    from .starting import SWITCH_SECONDS, check_migrated  # isort: skip

check_migrated()
watched.begin("web")

THREADS = 8

_threads = door.Door(_pages, threads=THREADS)
_results = quick.Quick(_threads, writer.the_writer)

sys.setswitchinterval(SWITCH_SECONDS)
writer.begin()
token_uses.begin()

_most_files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (_most_files, _most_files))  # a watcher is an open file


gc.collect()
gc.freeze()  # what is there now stays: nobody waits while it is looked through for garbage


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Streams and results to the event loop, everything else to the threads."""
    if scope["type"] != "http":
        raise NotImplementedError("only HTTP is spoken here")
    await inside(scope["path"])(scope, receive, send)


def inside(path: str) -> Any:
    """What answers at an address."""
    if quick.ADDRESS.fullmatch(path):
        return _results
    return live.stream if live.ADDRESS.fullmatch(path) else _threads
