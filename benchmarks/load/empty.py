"""Settings and addresses of the empty view: one that answers `ok`, without any middleware that could be left
out. The service itself has no such view."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from tournaments.settings import *  # noqa: F403


def empty(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"ok", content_type="text/plain", headers={"Content-Length": "2"})


MIDDLEWARE = ["allauth.account.middleware.AccountMiddleware"]  # without which its application does not start
ROOT_URLCONF = __name__
urlpatterns = [path("empty", empty)]
