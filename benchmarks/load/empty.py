"""Settings and addresses of the empty view: one that answers `ok`, without any middleware. The service itself
has no such view."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from tournaments.settings import *  # noqa: F403


def empty(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"ok", content_type="text/plain", headers={"Content-Length": "2"})


MIDDLEWARE = []
INSTALLED_APPS = [app for app in INSTALLED_APPS if not {"allauth", "frontend"} & set(app.split("."))]  # noqa: F405
# The pages are left out, since those of signing in want their middleware.
ROOT_URLCONF = __name__
urlpatterns = [path("empty", empty)]
