"""The door to what operators look at (`frontend.operators`), which is imported when one of them comes."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import resolve, set_urlconf

from tournaments.models import Account

from .keeping import signed_in

ADDRESSES = "frontend.operators"


@signed_in
def admin(request: HttpRequest, rest: str = "", **_: Any) -> HttpResponse:
    """Django's admin for operators; for anybody else a page that says what is missing."""
    account = request.user
    assert isinstance(account, Account)
    if not account.is_staff:
        return render(request, "operators/door.html", {"missing": "staff"}, status=403)
    if not has_factor(account):
        return render(request, "operators/door.html", {"missing": "factor"}, status=403)
    set_urlconf(ADDRESSES)  # of this request: Django sets it back before the next one
    found = request.resolver_match = resolve(request.path_info, ADDRESSES)
    answer: HttpResponse = found.func(request, *found.args, **found.kwargs)
    return answer


def has_factor(account: Account) -> bool:
    """Whether signing in asks this account for more than its password."""
    from allauth.mfa.models import Authenticator  # not before an operator comes

    factors = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
    return bool(Authenticator.objects.filter(user=account, type__in=factors).exists())
