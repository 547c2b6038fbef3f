"""What checks across the clubs of an event have found, with one key for each answer."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from tournaments.models import Account, CheckAnswer, Event, Leg
from tournaments.services import event_checks, names
from tournaments.services.errors import Refused

from ..accounts.keeping import signed_in
from ..accounts.views import account_of, forms_and_pages
from .event_findings import shown
from .events import chosen_leg

Answer = CheckAnswer.Answer


@forms_and_pages
@signed_in
def page(request: HttpRequest, event: int) -> HttpResponse:
    """What those who run an event should look at, club by club: what waits for an answer first. The time
    grows with the results of the leg."""
    account = account_of(request)
    the_event = get_object_or_404(Event.objects.managed_by(account).select_related("club"), pk=event)
    legs = list(the_event.legs.order_by("number"))
    leg = chosen_leg(request, legs)
    refusal = ""
    if leg is not None:
        leg.event = the_event
    if request.method == "POST" and leg is not None:
        try:
            messages.success(request, _answered(leg, account, request))
            return redirect(reverse("desk-event-checks", args=[the_event.pk]) + f"?leg={leg.number}")
        except Refused as error:
            refusal = str(error)
    found = [] if leg is None else event_checks.of_leg(leg)
    named = names.of_contestants({k for one in found for k in one.contestants}, names.reader_for(account))
    rows = [shown(one, named) for one in found]
    context = {
        **{"event": the_event, "club": the_event.club, "legs": legs, "leg": leg, "refusal": refusal},
        "waiting": [row for row in rows if row["waits"]],
        "settled": [row for row in rows if not row["waits"]],
    }
    status = 400 if request.method == "POST" else 200
    with timezone.override(the_event.zone):
        return render(request, "desk/event_checks.html", context, status=status)


def _answered(leg: Leg, account: Account, request: HttpRequest) -> str:
    """Something is said to a finding; in words."""
    key, said = request.POST.get("key", ""), request.POST.get("answer", "")
    finding = event_checks.answer(leg=leg, key=key, actor=account, said=said)
    label = Answer(said).label
    return gettext("%(club)s: %(answer)s.") % {"club": finding.entry.club.name, "answer": label}
