"""Nothing that somebody has filled in is lost because they were signed out meanwhile, or signed in anew in
another tab: the page says so, and what was filled in can be sent again, by the same person alone. A cookie
says who was signed in last in a browser, in a form that others cannot read or make."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.problems import problem_response

View = Callable[..., HttpResponse]

KEPT = "kept-form"  # in the session
KEPT_SECONDS, KEPT_LETTERS = 3600, 20_000
LAST = "signed-in"  # the cookie
SECRETS = ("password", "oldpassword", "password1", "password2", "code", "credential", "csrfmiddlewaretoken")


def fields_of(request: HttpRequest) -> list[tuple[str, str]]:
    """What was filled in, but for what nobody keeps."""
    return [(name, value) for name, values in request.POST.lists() if name not in SECRETS for value in values]


def signed_in(view: View) -> View:
    """The view, for those who have signed in. Others sign in first, and find what they had filled in."""

    @wraps(view)
    def answer(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *arguments, **named)
        if request.method != "POST":
            return redirect_to_login(request.get_full_path())
        fields = fields_of(request)
        if sum(len(name) + len(value) for name, value in fields) > KEPT_LETTERS:
            return redirect_to_login(request.get_full_path())
        request.session[KEPT] = {
            "path": request.get_full_path(),
            "fields": fields,
            "at": time.time(),
            "of": request.COOKIES.get(LAST, ""),
        }
        return redirect_to_login(reverse("kept-form"))

    return answer


@require_safe
def kept(request: HttpRequest) -> HttpResponse:
    """What somebody had filled in when they were found to be signed out, to be sent now."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    form = request.session.get(KEPT)
    if form is None or form["at"] < time.time() - KEPT_SECONDS or not _is_of(form, request):
        request.session.pop(KEPT, None)
        return redirect("my-account")
    context = {"path": form["path"], "fields": form["fields"], "signed_out": True}
    return render(request, "account/kept.html", context)


def _is_of(form: dict[str, Any], request: HttpRequest) -> bool:
    """Whether somebody filled in a form that was kept."""
    return constant_time_compare(form.get("of", ""), mark_of(request.user.pk))


def mark_of(pk: Any) -> str:
    """What the cookie says of an account."""
    return salted_hmac("frontend.accounts.keeping", str(pk), algorithm="sha256").hexdigest()[:32]


def remember(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: the browser knows, until it is closed, who was signed in last."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if (session := getattr(request, "session", None)) is None or not session.accessed:
            return response
        pk = session.get(SESSION_KEY)
        if pk is not None and request.COOKIES.get(LAST) != mark_of(pk):
            response.set_cookie(LAST, mark_of(pk), httponly=True, samesite="Lax", secure=request.is_secure())
        return response

    return answer


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The answer to a form without the right token: a page of ours from before a sign-in can be sent again;
    the form of another site is refused."""
    if request.path.startswith("/api/"):
        return problem_response(403, "forged", _("This form is not ours."))
    origin = request.headers.get("Origin", "")
    own = bool(origin) and urlsplit(origin).netloc == request.get_host()
    context = {
        "path": request.get_full_path(),
        "fields": fields_of(request),
        "own": own,
        "cookies": settings.CSRF_COOKIE_NAME in request.COOKIES,
    }
    return render(request, "account/kept.html", context, status=403)
