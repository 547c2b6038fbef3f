"""Settings and addresses of the yardstick: a view that answers `ok`, without any middleware, under the same
server as the service. The service itself has no such view."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from tournaments.settings import *  # noqa: F403


def empty(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"ok", content_type="text/plain", headers={"Content-Length": "2"})


MIDDLEWARE = []
ROOT_URLCONF = __name__
urlpatterns = [path("empty", empty)]
