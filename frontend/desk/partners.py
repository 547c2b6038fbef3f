"""Partners on the desk: the webhooks by which programs of others are told what happens, and the keys with
which they ask, for those who run a club or administer the federation."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from tournaments.models import Account, Club, FeedItem, PartnerKey, Webhook, WebhookDelivery, access
from tournaments.services import event_entries, partner_keys, webhooks
from tournaments.services.errors import Refused

from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from .club import number_of
from .events import FEDERATION
from .owned import OwnedForm

SHOWN = 50  # of the newest messages
KINDS = {
    FeedItem.Kind.SESSION_PLANNED: _("a session is planned"),
    FeedItem.Kind.SESSION_LISTED: _("everybody may see a session"),
    FeedItem.Kind.SESSION_WITHDRAWN: _("a session is shown no more"),
    FeedItem.Kind.SESSION_BEGUN: _("a session begins"),
    FeedItem.Kind.SESSION_PLAYED: _("a session is played to its end"),
    FeedItem.Kind.SESSION_CANCELLED: _("a session is cancelled"),
    FeedItem.Kind.ROUND_BEGUN: _("a round begins"),
    FeedItem.Kind.RANKING_PUBLISHED: _("a ranking is provisional"),
    FeedItem.Kind.RANKING_FINAL: _("a ranking is final"),
    FeedItem.Kind.RANKING_AMENDED: _("a ranking is amended"),
    FeedItem.Kind.RANKING_WITHDRAWN: _("a ranking does not stand yet after all"),
    FeedItem.Kind.EVENT_ANNOUNCED: _("an event is announced"),
    FeedItem.Kind.EVENT_RANKED: _("a joint ranking has another version"),
}
WORDS = {kind.value: words for kind, words in KINDS.items()}
ERRORS = {
    "not-public": _("its address is not of the internet"),
    "no-connection": _("no connection"),
    "too-slow": _("no answer within ten seconds"),
    "bad-address": _("no address of a program"),
    "not-https": _("not https"),
}

KEY_ID = "key_%s"  # of a field; two forms of the page have fields of one name


class PartnerForm(OwnedForm):
    """What a partner is given: what it is for, and whose it is."""

    name = forms.CharField(label=_("What it is for"), max_length=80, help_text=_("“Our site”."))
    owner = forms.ChoiceField(label=pgettext_lazy("partner", "Whose it is"))


class NewWebhookForm(PartnerForm):
    url = forms.CharField(
        label=_("Address that is told"),
        max_length=500,
        widget=forms.URLInput,
        help_text=_("It begins with https:// and is on the internet."),
    )
    kinds = forms.MultipleChoiceField(
        label=_("What it is told of"),
        choices=[(kind.value, words) for kind, words in KINDS.items()],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_("Without a tick: of everything."),
    )


class NewKeyForm(PartnerForm):
    per_minute = forms.TypedChoiceField(
        label=_("Calls a minute"),
        coerce=int,
        choices=[(count, f"{count}") for count in partner_keys.LIMITS],
        initial=partner_keys.LIMITS[1],
    )


@forms_and_pages
@signed_in
@never_cache
def mine(request: HttpRequest) -> HttpResponse:
    """What partners have of those that somebody runs, and a new one; its secret is in this answer alone."""
    account = account_of(request)
    owners = owners_of(account)
    form = NewWebhookForm(request.POST or None, choices=choices_of(owners))
    context: dict[str, Any] = {}
    status = 400 if request.method == "POST" else 200
    if request.method == "POST" and form.is_valid():
        given = dict(form.cleaned_data)
        try:
            made, secret = webhooks.add(club=owners[given.pop("owner")], actor=account, **given)
        except Refused as error:
            form.add_error("url" if error.code == "bad-webhook-address" else None, str(error))
        else:
            context, status = {"made": made, "secret": secret}, 200
            form = NewWebhookForm(None, choices=choices_of(owners))
    return _page(request, owners, status, **context, form=form)


def _page(
    request: HttpRequest, owners: dict[str, Club | None], status: int = 200, **context: Any
) -> HttpResponse:
    """Webhooks and keys, with an empty form for each that is not among `context`."""
    account = account_of(request)
    choices = choices_of(owners)
    context.setdefault("form", NewWebhookForm(None, choices=choices))
    context.setdefault("key_form", NewKeyForm(None, choices=choices, auto_id=KEY_ID))
    context["webhooks"] = Webhook.objects.managed_by(account).select_related("club").order_by("-pk")
    context["keys"] = PartnerKey.objects.managed_by(account).select_related("club").order_by("-pk")
    return render(request, "desk/partners.html", context, status=status)


@forms_and_pages
@signed_in
@never_cache
def keys(request: HttpRequest) -> HttpResponse:
    """The same page, where a key is made, whose text is in this answer alone, or revoked."""
    account = account_of(request)
    owners = owners_of(account)
    if request.method != "POST":
        return _page(request, owners)
    if request.POST.get("way") == "revoke":
        pk = number_of(request.POST.get("key", ""))
        found = get_object_or_404(PartnerKey.objects.managed_by(account).select_related("club"), pk=pk)
        try:
            partner_keys.revoke(key=found, actor=account)
        except Refused as error:
            messages.error(request, str(error))
        else:
            messages.success(request, gettext("The key is revoked: it opens nothing any more."))
        return redirect("desk-partners")
    form = NewKeyForm(request.POST, choices=choices_of(owners), auto_id=KEY_ID)
    if form.is_valid():
        given = dict(form.cleaned_data)
        try:
            made, secret = partner_keys.make(club=owners[given.pop("owner")], actor=account, **given)
        except Refused as error:
            form.add_error(None, str(error))
        else:
            return _page(request, owners, made=made, secret=secret)
    return _page(request, owners, 400, key_form=form)


def owners_of(account: Account) -> dict[str, Club | None]:
    """Whose partners somebody looks after; PermissionDenied for nobody's."""
    found: dict[str, Club | None] = {}
    if access.administers_federation(account):
        found[FEDERATION] = None
    _is_federal, own = event_entries.owners(account)
    found |= {club.slug: club for club in own}
    if not found:
        raise PermissionDenied
    return found


def choices_of(owners: dict[str, Club | None]) -> list[tuple[str, str]]:
    return [(key, gettext("The federation") if club is None else club.name) for key, club in owners.items()]


@forms_and_pages
@signed_in
@never_cache
def webhook(request: HttpRequest, webhook: int) -> HttpResponse:
    """A webhook: what it is told of, what was sent and answered, and what can be done with it. Another
    secret is in the answer alone."""
    account = account_of(request)
    found = get_object_or_404(Webhook.objects.managed_by(account).select_related("club"), pk=webhook)
    context: dict[str, Any] = {}
    status = 200
    if request.method == "POST":
        try:
            if request.POST.get("way") == "rotate":
                found, context["secret"] = webhooks.rotate(webhook=found, actor=account)
            else:
                said = _done(request, found, account)
                messages.success(request, said)
                is_gone = request.POST.get("way") == "removed"
                return redirect("desk-partners") if is_gone else redirect("desk-webhook", webhook=found.pk)
        except Refused as error:
            context["refusal"], status = str(error), 400
    sent = found.deliveries.select_related("item").order_by("-pk")[:SHOWN]
    context |= {
        "webhook": found,
        "club": found.club,
        "kinds": [words for kind, words in KINDS.items() if not found.kinds or kind in found.kinds],
        "deliveries": [(one, WORDS.get(one.kind, _("a test")), ERRORS.get(one.error, "")) for one in sent],
    }
    return render(request, "desk/webhook.html", context, status=status)


STATES = {
    "on": pgettext_lazy("webhook", "It is on: it is told of what happens from now on."),
    "off": pgettext_lazy("webhook", "It is off: nothing is sent."),
    "removed": pgettext_lazy("webhook", "The webhook is removed."),
}


def _done(request: HttpRequest, found: Webhook, account: Account) -> str:
    """Do what a button says; in words."""
    way = request.POST.get("way", "")
    if way == "test":
        webhooks.test(webhook=found, actor=account)
        return gettext("A test is on its way: load the page again in a moment to see what came of it.")
    if way == "replay":
        pk = number_of(request.POST.get("delivery", ""))
        one = get_object_or_404(
            WebhookDelivery.objects.filter(webhook=found).select_related("webhook"), pk=pk
        )
        webhooks.replay(delivery=one, actor=account)
        return gettext("The message is on its way again.")
    if way in STATES:
        webhooks.change_state(webhook=found, actor=account, to=way)
        return str(STATES[way])
    return gettext("Nothing was changed.")
