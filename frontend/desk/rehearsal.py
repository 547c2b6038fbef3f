"""Try an evening with robots: a copy of the session is played, followed at its own desk, and deleted then."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.models import Job, Session
from tournaments.services import jobs
from tournaments.services.errors import Conflict, Refused

from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..clocks import render_at
from .running import directed
from .wizard import language

HAPPENED = {
    "plays": _("boards that were played"),
    "slips": _("sheets with a slip, refused"),
    "late": _("tables that were late"),
    "disputes": _("sides that disagreed"),
    "confirmations": _("results that were confirmed"),
    "rulings": _("rulings"),
    "missing": _("results that were missing in the end"),
    "no_shows": _("contestants who did not come"),
}


class RehearsalForm(forms.Form):
    seconds = forms.TypedChoiceField(
        label=_("It takes"),
        coerce=int,
        initial=60,
        choices=[(0, _("no time: see the end")), (60, _("a minute")), (300, _("five minutes"))],
    )
    slips = forms.BooleanField(label=_("Some sheets have a slip"), required=False, initial=True)
    late = forms.BooleanField(label=_("A table is late in each round"), required=False, initial=True)
    disputes = forms.BooleanField(label=_("Some sides disagree"), required=False, initial=True)
    no_show = forms.BooleanField(label=_("Somebody does not come"), required=False, initial=True)
    keep = forms.BooleanField(label=_("Leave the copy there afterwards"), required=False)


@forms_and_pages
@signed_in
def page(request: HttpRequest, session: int) -> HttpResponse:
    """For those who run the session. One rehearsal of it at a time."""
    one, account = directed(request, session), account_of(request)
    own = Job.objects.filter(session=one, kind=Job.Kind.REHEARSE).order_by("-created_at")
    form, status = RehearsalForm(request.POST if request.POST.get("way") == "try" else None), 200
    if request.method == "POST" and request.POST.get("way") == "end":
        for job in own.filter(state__in=[Job.State.WAITING, Job.State.RUNNING]):
            jobs.cancel(job=job)
        messages.success(request, gettext("The rehearsal ends."))
        return redirect("desk-rehearsal", session=one.pk)
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                jobs.ask_for_rehearsal(session=one, sender=account, request=form.cleaned_data)
                return redirect("desk-rehearsal", session=one.pk)
            except Refused as error:
                form.add_error(None, str(error))
                status = 409 if isinstance(error, Conflict) else 400
    newest = own.first()
    outcome: dict[str, Any] = (newest.outcome or {}) if newest is not None else {}
    copy = Session.objects.filter(pk=outcome.get("session", 0), is_trial=True).first()
    context = {
        **{"session": one, "form": form, "job": newest, "copy": copy},
        "runs_now": newest is not None and not newest.is_over,
        "percent": 0 if newest is None else int(100 * newest.progress),
        "error": newest and newest.error and newest.error[language()]["message"],
        "happened": [(words, outcome[name]) for name, words in HAPPENED.items() if outcome.get(name)],
        "is_right": outcome.get("lists_are_right"),
    }
    return render_at(one.tournament.club, request, "desk/rehearsal.html", context, status)
