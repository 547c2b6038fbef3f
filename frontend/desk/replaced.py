"""A session that nobody has begun goes back into the steps that set it up, or is deleted."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext

from tournaments.models import Session, access
from tournaments.services import deleting, drafts, states
from tournaments.services.errors import Conflict, Refused

from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..clocks import render_at
from .running import directed


class SeenSessionForm(forms.Form):
    """`seen`: what its page showed of the session."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=80)


@forms_and_pages
@signed_in
def again(request: HttpRequest, session: int) -> HttpResponse:
    """What setting up again means, and the way there. For those who set up the club’s sessions."""
    account = account_of(request)
    own = Session.objects.filter(access.managed(account, club="tournament__club"))
    one = get_object_or_404(own.select_related("tournament__club", "board_set"), pk=session)
    refusal, status = "", 200
    if request.method == "POST":
        form = SeenSessionForm(request.POST)
        seen = form.cleaned_data["seen"] if form.is_valid() else ""
        try:
            draft = drafts.set_up_again(session=one, actor=account, seen=seen)
        except Refused as error:
            refusal, status = str(error), 409 if isinstance(error, Conflict) else 400
            one.refresh_from_db()
        else:
            return redirect("draft-step", pk=draft.pk, step="review")
    context = {"session": one, "seen": states.stamp(one), "refusal": refusal}
    return render_at(one.tournament.club, request, "desk/again.html", context, status)


@forms_and_pages
@signed_in
def delete(request: HttpRequest, session: int) -> HttpResponse:
    """For those who run the session, as in the API."""
    one = directed(request, session)
    refusal, status = "", 200
    if request.method == "POST":
        form = SeenSessionForm(request.POST)
        seen = form.cleaned_data["seen"] if form.is_valid() else ""
        try:
            deleting.delete(session=one, actor=account_of(request), seen=seen)
        except Refused as error:
            refusal, status = str(error), 409 if isinstance(error, Conflict) else 400
            one.refresh_from_db()
        else:
            messages.success(request, gettext("“%(name)s” has been deleted.") % {"name": one.name})
            return redirect("desk")
    context = {"session": one, "seen": states.stamp(one), "refusal": refusal}
    return render_at(one.tournament.club, request, "desk/delete_session.html", context, status)
