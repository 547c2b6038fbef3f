"""The boards of a session at the desk: how far they are, who has custody of them since when, and the lists
for those who deal them by hand."""

from datetime import UTC, datetime

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engines import by_hand, registry
from tournaments.models import BoardSet, HistoryEntry, Session, Submission
from tournaments.services import board_sets, custody, deal_sheets, shuffling
from tournaments.services.errors import Refused

from .accounts.keeping import signed_in
from .accounts.views import account_of, has_second_factor
from .clocks import render_at
from .history_words import DONE
from .players import mine

LISTS_AT_MOST = 60


class SheetCodeForm(forms.Form):
    """Of which deal a sheet is."""

    code = forms.CharField(
        label=gettext_lazy("Code of a sheet or wallet"),
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters", "size": 11}),
    )


class ListsForm(forms.Form):
    """Which boards to print."""

    first = forms.IntegerField(label=gettext_lazy("From board"), min_value=1)
    last = forms.IntegerField(label=gettext_lazy("To board"), min_value=1)


@require_safe
@signed_in
def page(request: HttpRequest, session: int) -> HttpResponse:
    """The state of a session's boards, and of which of them a sheet is whose `code` is typed in. For all who
    have a role at it."""
    return _page(request, _session(request, session))


@require_POST
@signed_in
def take(request: HttpRequest, session: int) -> HttpResponse:
    """Custody, after a second sign-in, to which whoever has not made it lately is sent first."""
    the_session, account = _session(request, session), account_of(request)
    try:
        custody.take(
            session=the_session,
            account=account,
            signed_in_again_at=_signed_in_again_at(request),
            held=[player.pk for player in mine.myself(request).players],
        )
    except Refused as refusal:
        if refusal.code == "sign-in-again" and _can_sign_in_again(request):
            back = urlencode({"next": _address(the_session)})
            return redirect(f"{reverse('account_reauthenticate')}?{back}")
        return _page(request, the_session, refusal=str(refusal))
    messages.success(request, _("You have custody of the boards. Lay it down when you no longer need it."))
    return redirect(_address(the_session))


@require_POST
@signed_in
def lay_down(request: HttpRequest, session: int) -> HttpResponse:
    the_session = _session(request, session)
    custody.lay_down(session=the_session, account=account_of(request))
    messages.success(request, _("You no longer have custody of the boards."))
    return redirect(_address(the_session))


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def lists(request: HttpRequest, session: int) -> HttpResponse:
    """The lists of some boards, ready to be printed, each with who printed it when. Whoever comes back to the
    address, in the other language too, asks for them anew: each time is in the history."""
    if request.method != "POST":
        return redirect(_address(_session(request, session)))
    the_session, form = _session(request, session), ListsForm(request.POST)
    if not form.is_valid():
        return _page(request, the_session, form=form)
    wanted = range(form.cleaned_data["first"], form.cleaned_data["last"] + 1)
    own = [number for number in board_sets.numbers(the_session) if number in wanted][:LISTS_AT_MOST]
    try:
        printed = custody.print_lists(session=the_session, actor=account_of(request), boards=own)
    except Refused as refusal:
        return _page(request, the_session, form=form, refusal=str(refusal))
    game, language = registry.game(the_session.game), get_language() or ""
    shown = [
        one
        | {
            "sheet": deal_sheets.line(one["code"], one["before"]),
            "by_card": [(card, by_hand.in_words(game, place, language)) for card, place in one["by_card"]],
            "by_seat": [
                (by_hand.in_words(game, place, language), cards) for place, cards in one["by_seat"].items()
            ],
        }
        for one in printed.lists
    ]
    context = {"session": the_session, "printed": printed, "lists": shown}
    return render_at(the_session.tournament.club, request, "desk/lists.html", context)


def _session(request: HttpRequest, pk: int) -> Session:
    sessions = Session.objects.select_related("tournament__club", "board_set")
    session = get_object_or_404(sessions, pk=pk)
    if not custody.is_official(account_of(request), session):
        raise PermissionDenied
    return session


def _page(
    request: HttpRequest, session: Session, form: ListsForm | None = None, refusal: str | None = None
) -> HttpResponse:
    account, board_set = account_of(request), session.board_set
    numbers = board_sets.numbers(session)
    may_print = bool(numbers) and not board_set.awaited_source and custody.may_print(account, session)
    if form is None and numbers:
        form = ListsForm(initial={"first": numbers[0], "last": min(numbers[-1], numbers[0] + 7)})
    sheets, sheet_form = None, SheetCodeForm(request.GET if "code" in request.GET else None)
    if sheet_form.is_valid():
        try:
            sheets = deal_sheets.details(session, sheet_form.cleaned_data["code"])
        except Refused as missing:
            sheet_form.add_error("code", str(missing))
    issued = Submission.objects.filter(play__board__board_set=board_set).exists()
    context = {
        "session": session,
        "board_set": board_set,
        "state": STATES[BoardSet.State(board_set.state(issued=issued))],
        "boards": len((board_set.manifest or {}).get("boards", ())),
        "reserves": len((board_set.manifest or {}).get("reserves", ())),
        "is_kept": bool(numbers) and board_set.custody == BoardSet.Keeping.OFFICER,
        "holders": custody.in_force(session),
        "own": custody.held_by(account, session),
        "is_officer": custody.is_deal_officer(account, session),
        "can_sign_in_again": _can_sign_in_again(request),
        "has_signed_in_again": custody.is_recent(_signed_in_again_at(request)),
        "form": form if may_print else None,
        "sheet_form": sheet_form,
        "sheets": sheets,
        "log": [_line(entry) for entry in custody.log_of(session)[:100]],
        "refusal": refusal,
        "shuffling": shuffling.of_session(session),
        "several_sections": session.sections.count() > 1,
    }
    status = 409 if refusal else 200
    return render_at(session.tournament.club, request, "desk/deals.html", context, status)


STATES = {
    BoardSet.State.DRAFT: gettext_lazy("Draft: they wait for a public value"),
    BoardSet.State.SEALED: gettext_lazy("Sealed: no result has been handed in"),
    BoardSet.State.ISSUED: gettext_lazy("Issued: they are being played"),
    BoardSet.State.PLAYED: gettext_lazy("Played: the session is finished"),
    BoardSet.State.REVEALED: gettext_lazy("Revealed: everybody may see them"),
    BoardSet.State.WITHDRAWN: gettext_lazy("Withdrawn: the session has been cancelled"),
}


def _line(entry: HistoryEntry) -> dict[str, object]:
    """An entry of the history, in words."""
    boards, mark = entry.detail.get("boards", ()), entry.detail.get("mark", "")
    words = DONE[entry.verb] % {"boards": ", ".join(map(str, boards)), "mark": mark}
    return {"at": entry.at, "who": entry.account, "what": words}


def _signed_in_again_at(request: HttpRequest) -> datetime | None:
    from allauth.account.authentication import get_authentication_records  # not before somebody comes

    records = get_authentication_records(request, request.user)
    again = [record["at"] for record in records if record.get("reauthenticated")]
    return datetime.fromtimestamp(max(again), UTC) if again else None


def _can_sign_in_again(request: HttpRequest) -> bool:
    """With a password, a passkey or a second factor; by codes that come by mail nobody signs in twice."""
    account = account_of(request)
    return account.has_usable_password() or has_second_factor(account)


def _address(session: Session) -> str:
    return reverse("session-deals-page", kwargs={"session": session.pk})
