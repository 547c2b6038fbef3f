"""A club's seasons of the years before: a table is looked at, then stored. For those who set up its sessions;
administrators delete one."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.services import past_seasons
from tournaments.services.errors import Invalid, Refused

from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..clocks import render_at
from .club import number_of
from .wizard import managed_club


class SeasonForm(forms.Form):
    """A season and its table."""

    title = forms.CharField(
        label=_("Title"), max_length=past_seasons.TITLE_LETTERS, help_text=_("“Winter”, “Club championship”.")
    )
    year = forms.IntegerField(
        label=_("Year"), min_value=past_seasons.YEARS[0], max_value=past_seasons.YEARS[-1]
    )
    counted = forms.CharField(
        label=_("What the totals are"),
        max_length=past_seasons.TITLE_LETTERS,
        required=False,
        help_text=_("“Per cent”, “master points”; empty if it goes without saying."),
    )


class SeasonFileForm(SeasonForm):
    file = forms.FileField(
        label=_("Its standings"),
        widget=forms.FileInput(attrs={"accept": ".csv,.xlsx,.json,.txt"}),
        help_text=_("CSV or XLSX, as a spreadsheet saves it, or JSON; the first line names the columns."),
    )

    def clean_file(self) -> bytes:
        file = self.cleaned_data["file"]
        if file.size > past_seasons.BYTES_AT_MOST:
            raise forms.ValidationError(gettext("The file is too large."))
        return bytes(file.read())


class SeasonConfirmForm(SeasonForm):
    """A table that has been shown, to be stored."""

    text = forms.CharField(widget=forms.HiddenInput, strip=False)
    seen = forms.CharField(widget=forms.HiddenInput)


@forms_and_pages
@signed_in
def page(request: HttpRequest, club: str) -> HttpResponse:
    the_club, account = managed_club(request, club), account_of(request)
    way = request.POST.get("way", "") if request.method == "POST" else ""
    if way == "delete":
        one = get_object_or_404(past_seasons.of(the_club), pk=number_of(request.POST.get("season", "")))
        try:
            past_seasons.delete(season=one, actor=account, seen=request.POST.get("seen", ""))
        except Refused as error:
            messages.error(request, str(error))
        else:
            said = gettext("“%(title)s”, %(year)d, is deleted.") % {"title": one.title, "year": one.year}
            messages.success(request, said)
        return redirect("club-seasons", club=the_club.slug)
    is_confirmed = way == "store"
    form: SeasonForm = SeasonFileForm(request.POST if way == "look" else None, request.FILES or None)
    asked = SeasonConfirmForm(request.POST) if is_confirmed else form
    is_whole, given = asked.is_bound and asked.is_valid(), getattr(asked, "cleaned_data", {})
    context: dict[str, Any] = {}
    if "text" in given or "file" in given:
        try:
            text = given["text"] if is_confirmed else past_seasons.text_of(given["file"])
            rows = past_seasons.rows_of(text)
            brought = past_seasons.preview(club=the_club, rows=rows)
            kept = {"text": text, "seen": brought.seen}  # whatever is wrong beside it, the table stays
            confirm = SeasonConfirmForm(request.POST.dict() | kept, auto_id="kept_%s")
            context = {"brought": brought, "confirm": confirm}
            if is_whole:
                named = {name: given[name] for name in ("title", "year")}
                if is_confirmed:
                    how = named | {"counted": given["counted"], "seen": given["seen"]}
                    made = past_seasons.store(club=the_club, actor=account, rows=rows, **how)
                    messages.success(request, gettext("The season is stored; the club’s page shows it."))
                    return redirect("past-season", club=the_club.slug, pk=made.pk)
                past_seasons.check(club=the_club, brought=brought, **named)
        except Refused as error:
            context["refusal"] = str(error)
            if isinstance(error, Invalid) and error.code == "bad-columns":
                context["mistakes"] = error.details
    if is_confirmed or ("brought" in context and context["brought"].is_ready):
        form = SeasonFileForm()  # for another one
    context |= {
        **{"club": the_club, "form": form, "may_delete": past_seasons.may_delete(account, the_club)},
        "seasons": [(one, past_seasons.stamp(one)) for one in past_seasons.of(the_club)],
    }
    status = 400 if way and (not is_whole or "refusal" in context) else 200
    return render_at(the_club, request, "desk/seasons.html", context, status)
