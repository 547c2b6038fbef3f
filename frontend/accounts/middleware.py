"""What is shown to somebody who has signed in is for them alone."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

Answer = Callable[[HttpRequest], HttpResponse]


def keep_private(get_response: Answer) -> Answer:
    """Middleware: nobody keeps a page that was asked for with a cookie, or that sets one."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.path.startswith("/api/"):  # no cookie counts there
            return response
        if settings.SESSION_COOKIE_NAME in request.COOKIES or response.cookies:
            response["Cache-Control"] = "private, no-store"
        patch_vary_headers(response, ["Cookie"])
        return response

    return answer
