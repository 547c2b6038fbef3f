"""A person's data: taking it along, and having it erased."""

import time
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.models import Account, ErasureWish, Player
from tournaments.services import erasing, my_data
from tournaments.services.errors import Conflict, Refused
from tournaments.services.roles import RolePlace

from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from . import mine

AGAIN = timedelta(seconds=settings.ACCOUNT_REAUTHENTICATION_TIMEOUT)


@require_safe
def download(request: HttpRequest) -> HttpResponse:
    """All that is kept about whoever asks, as a file."""
    who = mine.myself(request)
    if who.account is None and not who.players:
        return redirect("me")
    data = my_data.about(who.account, who.players)
    answer = JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})
    answer["Content-Disposition"] = f'attachment; filename="etui-{timezone.now():%Y-%m-%d}.json"'
    answer["Cache-Control"] = "private, no-store"
    return answer


@forms_and_pages
def erase_me(request: HttpRequest) -> HttpResponse:
    """What goes, what stays and why; then, for whoever has just shown that it is them, the erasure."""
    who = mine.myself(request)
    if who.account is None and not who.players:
        return redirect("me")
    if who.account is not None:  # and nobody whose link has been opened in this browser
        if not _has_signed_in_again(request, who.account):
            return _sign_in_again(request)
        who = replace(who, players=[one for one in who.players if one.account_id == who.account.pk])
    context: dict[str, Any] = {
        "who": who,
        "obstacles": [RolePlace.of(role).name for role in erasing.obstacles(who.account)]
        if who.account
        else [],
        "goes": [one for one in who.players if erasing.may_erase(who.actor_for(one), one)],
        "asked": [one for one in who.players if not erasing.may_erase(who.actor_for(one), one)],
        "wishes": {wish.player_id: wish for wish in erasing.open_wishes(who.players)},
        "days": erasing.CLAIM_SETTLES.days,
    }
    if request.method != "POST":
        return render(request, "players/erase.html", context)
    if request.POST.get("way") == "back":
        return _take_back(request, who)
    if request.POST.get("sure") != "yes":
        return render(request, "players/erase.html", context | {"unsure": True}, status=400)
    try:
        if who.account is not None:
            erasing.erase_account(account=who.account, actor=who.account)
        elif any(player.account_id is not None for player in who.players):
            message = _("This entry belongs to an account: sign in with it to have it erased.")
            raise Conflict("entry-of-account", message)
        else:
            for player in who.players:
                erasing.wish(player=player, actor=who.actor_for(player))
    except Refused as error:
        return render(request, "players/erase.html", context | {"refusal": str(error)}, status=409)
    if who.account is None:
        messages.success(request, _("The club has been asked. Here you can take it back."))
        return redirect("erase-me")
    logout(request)
    return render(request, "players/erased.html", context)


def _take_back(request: HttpRequest, who: mine.Myself) -> HttpResponse:
    for player in who.players:
        erasing.take_back(player=player, actor=who.actor_for(player))
    messages.success(request, _("Your entry stays as it is."))
    return redirect("me")


def _has_signed_in_again(request: HttpRequest, account: Account) -> bool:
    """Whether somebody has just shown once more that it is them: by password or factor; who has neither, by
    having signed in just now."""
    from allauth.account.internal.flows import login, reauthentication  # not before somebody comes

    if reauthentication.get_reauthentication_flows(account):
        return bool(reauthentication.did_recently_reauthenticate(request))
    records = login.get_authentication_records(request, account)
    return any(time.time() - one["at"] < AGAIN.total_seconds() for one in records)


def _sign_in_again(request: HttpRequest) -> HttpResponse:
    """The way to show it, and back here."""
    from allauth.account.internal.flows import reauthentication

    back = urlencode({"next": request.path})
    for flow in reauthentication.get_reauthentication_flows(account_of(request)):
        name = "account_reauthenticate" if flow["id"] == "reauthenticate" else flow["id"]
        return redirect(f"{reverse(name)}?{back}")
    logout(request)
    messages.info(request, _("Please sign in once more: what you are about to do cannot be undone."))
    return redirect(f"{reverse('account_login')}?{back}")


@forms_and_pages
@signed_in
def erase_player(request: HttpRequest, pk: int) -> HttpResponse:
    """An administrator of a club erases an entry of its register."""
    account = account_of(request)
    there = Player.objects.filter(erased_at=None, merged_into=None).select_related("club")
    player = get_object_or_404(there, pk=pk)
    if not erasing.may_erase(account, player) or player.account_id == account.pk:
        raise Http404
    if not _has_signed_in_again(request, account):
        return _sign_in_again(request)
    if request.method == "POST" and request.POST.get("sure") == "yes":
        erasing.erase_player(player=player, actor=account)
        messages.success(request, _("The entry has been erased; its scores stay, under a number."))
        return redirect("player-links", club=player.club.slug)
    return render(request, "players/erase_player.html", {"player": player})


@require_POST
@signed_in
def decline_erasure(request: HttpRequest, pk: int) -> HttpResponse:
    """An administrator of a club says that a player's entry stays."""
    wish = get_object_or_404(ErasureWish.objects.select_related("player__club"), pk=pk)
    try:
        erasing.decline(wish=wish, actor=account_of(request))
    except Refused:
        raise Http404 from None
    messages.success(request, _("The entry stays. Tell the player why, if it was them."))
    return redirect("player-links", club=wish.player.club.slug)
