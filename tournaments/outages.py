"""What callers are told while the database is away, full or too busy: to come again soon."""

import logging
from collections.abc import Callable

from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from .problems import problem_response

log = logging.getLogger(__name__)

AGAIN_SECONDS = 5


class Outages:
    """Middleware: an error of the database's own is a 503 with Retry-After, whichever page or route met it.
    Nothing was stored: the request can be sent again as it was."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not is_outage(error):
            return None
        log.error("the database failed at %s %s: %s", request.method, request.path, error)
        response = self.answer(request)
        response["Retry-After"] = str(AGAIN_SECONDS)
        return response

    def answer(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith("/api/"):
            return render(request, "503.html", status=503)
        message = _("The service cannot reach its data at the moment; send this again in a few seconds.")
        return problem_response(503, "unavailable", message)


def is_outage(error: BaseException) -> bool:
    """Whether the database failed, not what was asked of it. The framework passes on the driver's own errors
    where a cursor that the database keeps is closed (`QuerySet.iterator`)."""
    driver = connection.Database  # type: ignore[attr-defined]  # each backend has its own
    own = driver.OperationalError, driver.InterfaceError
    return isinstance(error, (OperationalError, InterfaceError, *own))
