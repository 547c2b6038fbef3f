"""The door: who has paid, who owes, what is in the till. Made for a phone in one hand."""

from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import formats
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.gzip import gzip_page

from tournaments.models import Account, Club, Member, Session
from tournaments.models.people import Category
from tournaments.services import fees
from tournaments.services.errors import Missing, Refused, Stale

from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from ..clocks import render_at
from ..overtaken import overtake
from . import undoing

SHOWN = {"": _("all"), "owed": _("still to pay"), "paid": _("paid")}
SIGNS = {"EUR": "€", "GBP": "£", "USD": "$", "CAD": "$"}


class FeesForm(forms.Form):
    """What the session costs: everybody, and each category that pays otherwise. `seen`: how it was."""

    seen = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, data: Any, *, held: dict[str, int]) -> None:
        super().__init__(data, initial={"seen": fees.stamp(held)})
        for category, label in ((fees.EVERYBODY, _("Everybody")), *Category.choices):
            self.fields[f"fee_{category}"] = forms.DecimalField(
                label=label[:1].upper() + str(label)[1:],
                required=False,
                min_value=Decimal(0),
                max_value=Decimal(fees.MOST) / 100,
                decimal_places=2,
                localize=True,
                widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
            )
            if category in held:
                self.initial[f"fee_{category}"] = Decimal(held[category]) / 100

    def decided(self) -> dict[str, int | None]:
        return {
            name.removeprefix("fee_"): None if value is None else int(value * 100)
            for name, value in self.cleaned_data.items()
            if name != "seen"
        }


def money(amount: int, currency: str) -> str:
    """An amount in hundredths, as the reader's language writes it: “6 €”, “7,50 €”."""
    text = formats.number_format(Decimal(amount) / 100, 2 if amount % 100 else 0, use_l10n=True)
    return f"{text}\u202f{SIGNS.get(currency, currency)}"


@gzip_page
@forms_and_pages
@signed_in
def page(request: HttpRequest, session: int) -> HttpResponse:
    """The door of a session, for those who score it or run it; those who run it say what it costs. A few
    queries, whatever the players."""
    account = account_of(request)
    own = fees.with_door(account).select_related("tournament__club", "board_set")
    one = get_object_or_404(own, pk=session)
    runs = Session.objects.directed_by(account).filter(pk=one.pk).exists()
    held, status = fees.of(one), 200
    way = request.POST.get("way", "") if request.method == "POST" else ""
    shown = request.GET.get("show", "") if request.GET.get("show", "") in SHOWN else ""
    form = FeesForm(request.POST if way == "set" else None, held=held)
    back = reverse("desk-fees", args=[one.pk]) + (f"?show={shown}" if shown else "")
    if request.method == "POST":
        for name in ("take", "undo"):
            if name in request.POST:
                member = request.POST[name]
                number = int(member) if member.isascii() and member.isdecimal() and len(member) < 19 else 0
                try:
                    _tick(request, one, account, number, taken=name == "take")
                except Missing:
                    raise Http404 from None
                except Refused as error:
                    undoing.refused(request, error)
                return redirect(f"{back}#door-{number}")
        if way == "set" and not runs:
            raise Http404
        status = 400
        if way == "set" and form.is_valid():
            try:
                seen = form.cleaned_data["seen"]
                fees.set_fees(session=one, actor=account, fees=form.decided(), seen=seen)
            except Stale as error:
                held, status = fees.of(one), 409
                overtake(form, FeesForm(None, held=held), error)
            else:
                messages.success(request, gettext("This is what the evening costs now."))
                return redirect(back)
    entries = fees.at_door(one)
    till = fees.till(entries)
    currency = one.tournament.club.currency
    context = {
        **{"session": one, "form": form, "runs": runs, "has_fees": bool(held), "shown": shown},
        "filters": SHOWN.items(),
        "rows": [
            {
                "one": entry,
                "due": money(entry.due, currency),
                "paid": None if entry.paid is None else money(entry.paid, currency),
            }
            for entry in entries
            if shown == "" or (shown == "owed" and entry.owes) or (shown == "paid" and entry.paid is not None)
        ],
        "till": till,
        "taken": money(till.taken, currency),
        "owed": money(till.owed, currency),
        "currency": dict(Club.Currency.choices)[currency],
    }
    answer = render_at(one.tournament.club, request, "desk/fees.html", context, status)
    answer["Cache-Control"] = "no-store"
    return answer


def _tick(request: HttpRequest, session: Session, account: Account, member: int, *, taken: bool) -> None:
    """Somebody has paid, or has not after all."""
    (fees.take if taken else fees.give_back)(session=session, actor=account, member=member)
    words = gettext("%(name)s has paid.") if taken else gettext("%(name)s has not paid.")
    name = Member.objects.select_related("player").get(pk=member).player.name
    undoing.said(request, words % {"name": name}, session, "fee", member=member, taken=taken)
