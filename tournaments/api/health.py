"""For supervisors and load balancers: whether this process answers, and whether the service can work."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from ..services import readiness


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
