"""For what watches the service: whether this process answers, whether the service can work, its figures."""

import hmac
from collections.abc import Iterator

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from prometheus_client import generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from .. import metrics as counted
from ..here import is_at_the_machine
from ..services import figures, readiness
from . import live as streams


@require_safe
def live(request: HttpRequest) -> HttpResponse:
    """This process answers; nothing else is asked."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """Each part that the service needs, with its state; 503 unless all are ready."""
    parts = readiness.parts()
    is_ready = all(part.is_ready for part in parts.values())
    body = {
        "ready": is_ready,
        "parts": {name: {"ready": part.is_ready, **part.detail} for name, part in parts.items()},
    }
    return JsonResponse(body, status=200 if is_ready else 503)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """All figures as Prometheus reads them: for whoever has METRICS_TOKEN; without one, for whoever sits at
    the machine. Nobody else learns that there is anything."""
    if not may_read(request):
        raise Http404
    registry = counted.counted()
    registry.register(Figures())
    answer = HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
    answer["Cache-Control"] = "no-store"
    return answer


def may_read(request: HttpRequest) -> bool:
    if not settings.METRICS_TOKEN:
        return is_at_the_machine(request)
    given = request.headers.get("Authorization", "").encode()
    return hmac.compare_digest(given, f"Bearer {settings.METRICS_TOKEN}".encode())


class Figures:
    """Those of the service's data, and who watches by this process, as a collector gives them."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        watching = sum(map(len, list(streams.desk.watchers.values())))
        watchers = figures.Figure("watchers", "Open live streams of this process", {"": watching})
        for figure in [watchers, *figures.figures()]:
            labels = [figure.label] if figure.label else []
            family = GaugeMetricFamily(f"etui_{figure.name}", figure.meaning, labels=labels)
            for label, value in figure.values.items():
                family.add_metric([label] if labels else [], float(value))
            yield family
