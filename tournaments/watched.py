"""Whoever watches the service from elsewhere is told what happens, if the variable that names them is set:
a collector of OpenTelemetry gets traces, Sentry gets errors. Otherwise neither is imported.

Both are told what the logs say: operations, tasks, ids, and where in the program an error arose. No address,
no name, no value of a variable.
"""

import logging
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from . import __version__, logs, traces, tracing

IDS_OF_ERRORS = ("event_id", "timestamp", "level", "logger", "platform", "release", "server_name", "sdk")
OF_A_FRAME = ("filename", "function", "lineno", "module", "in_app")


def begin(process: str) -> None:
    """To be called by each process once (`web`, `worker`), before it works. ImproperlyConfigured: what a
    variable asks for is not installed."""
    try:
        if settings.OTEL_EXPORTER_OTLP_ENDPOINT:
            traces.begin(process)
        if settings.SENTRY_DSN:
            _begin_errors(process)
    except ImportError as error:
        message = f"{error.name} is not installed: OTEL_EXPORTER_OTLP_ENDPOINT and SENTRY_DSN need"
        raise ImproperlyConfigured(f"{message} `pip install etui[watch]`.") from None


def _begin_errors(process: str) -> None:
    import sentry_sdk
    from sentry_sdk.integrations.atexit import AtexitIntegration
    from sentry_sdk.integrations.logging import LoggingIntegration

    sentry_sdk.init(
        dsn=settings.SENTRY_DSN,
        release=f"etui@{__version__}",
        server_name=process,
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[
            LoggingIntegration(level=None, event_level=logging.ERROR),  # whatever goes wrong is logged
            AtexitIntegration(callback=lambda pending, timeout: None),
        ],
        before_send=without_values,
        include_local_variables=False,
        include_source_context=False,
        max_breadcrumbs=0,
    )


def without_values(event: Any, _hint: Any) -> Any:
    """An error as it is sent: what the logs say of it, and by which ids it is followed there."""
    kept: dict[str, Any] = {name: event[name] for name in IDS_OF_ERRORS if name in event}
    kept["tags"] = {name: str(number) for name, number in tracing.ids().items()}
    said = event.get("logentry") or {}
    kept["logentry"] = {
        "formatted": logs.without_secrets(str(said.get("formatted") or said.get("message", "")))
    }
    raised = (event.get("exception") or {}).get("values", ())
    kept["exception"] = {"values": [_raised(one) for one in raised]}
    return kept


def _raised(one: Mapping[str, Any]) -> dict[str, Any]:
    frames = (one.get("stacktrace") or {}).get("frames", ())
    return {
        "type": one.get("type"),
        "module": one.get("module"),
        "value": logs.without_secrets(str(one.get("value") or "")),
        "stacktrace": {
            "frames": [{name: frame.get(name) for name in OF_A_FRAME} for frame in frames],
        },
    }
