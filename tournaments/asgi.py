"""One web process: pages and API on threads, live streams on the event loop."""

import os
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
_streams = get_asgi_application()

from .wsgi import application as _pages  # noqa: E402 - Django must be set up first

_threads: Any = WSGIMiddleware(cast(Any, _pages), workers=8)


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    streams = scope["type"] != "http" or scope["path"].endswith("/live/")
    await (_streams if streams else _threads)(scope, receive, send)
