"""What a trace for a collector of OpenTelemetry is made of, where one is asked for: operations and tasks, and
what a message takes along. Otherwise nothing of it is imported."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from . import __version__

_tracer: Any = None


def begin(process: str) -> None:
    """Traces are sent to the collector that the variables of OpenTelemetry name."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    global _tracer
    about = {"service.name": "etui", "service.version": __version__, "etui.process": process}
    provider = TracerProvider(resource=Resource.create(about))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    _tracer = provider.get_tracer("etui")


@contextmanager
def span(name: str, carried: Mapping[str, str] | None = None) -> Iterator[Any]:
    """What is done inside is a part of a trace: of the one that is `carried` to here, or that goes on here,
    or a new one. None is given where nobody asks for traces."""
    if _tracer is None:
        yield None
        return
    from opentelemetry import propagate
    from opentelemetry.trace import StatusCode

    whole = propagate.extract(carried) if carried else None
    with _tracer.start_as_current_span(
        name, context=whole, record_exception=False, set_status_on_exception=False
    ) as own:
        try:
            yield own
        except BaseException as error:
            own.set_status(StatusCode.ERROR, type(error).__name__)  # its text may tell on somebody
            raise


def carried() -> dict[str, str]:
    """What a message takes along, so that its work belongs to the trace at hand."""
    found: dict[str, str] = {}
    if _tracer is not None:
        from opentelemetry import propagate

        propagate.inject(found)
    return found


@contextmanager
def inside(carried: Mapping[str, str]) -> Iterator[None]:
    """What is sent from here belongs to a trace that another thread has begun."""
    if _tracer is None or not carried:
        yield
        return
    from opentelemetry import context, propagate

    before = context.attach(propagate.extract(carried))
    try:
        yield
    finally:
        context.detach(before)
