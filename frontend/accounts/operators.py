"""The door to what operators look at: their page (`frontend.operating`), and Django's admin
(`frontend.operators`), which is imported when one of them comes."""

from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import resolve, set_urlconf

from .keeping import View, signed_in
from .views import account_of, has_second_factor

ADDRESSES = "frontend.operators"


def for_operators(view: View) -> View:
    """The view, for operators who have signed in; for anybody else a page that says what is missing."""

    @wraps(view)
    @signed_in
    def answer(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        account = account_of(request)
        if not account.is_staff:
            return render(request, "operators/door.html", {"missing": "staff"}, status=403)
        if not has_second_factor(account):
            return render(request, "operators/door.html", {"missing": "factor"}, status=403)
        return view(request, *arguments, **named)

    return answer


@for_operators
def admin(request: HttpRequest, rest: str = "", **_: Any) -> HttpResponse:
    set_urlconf(ADDRESSES)  # of this request: Django sets it back before the next one
    found = request.resolver_match = resolve(request.path_info, ADDRESSES)
    answer: HttpResponse = found.func(request, *found.args, **found.kwargs)
    return answer
