"""An event of many clubs, for everybody: what is played when, by which clubs, and since when its boards may
be known."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from engines import registry
from tournaments.models import Account, Event
from tournaments.services import event_entries

from .views import language


@gzip_page
@require_safe
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """For everybody, once it has been announced; for those who run it before, too. The queries do not grow
    with its legs and clubs."""
    viewer = request.user if isinstance(request.user, Account) else None
    event = get_object_or_404(Event.objects.visible_to(viewer).select_related("club"), pk=pk)
    playing = event_entries.playing(event)
    legs = [
        (leg, registry.game(leg.game).name.to(language()), playing.get(leg.pk, []))
        for leg in event.legs.order_by("number")
    ]
    with timezone.override(event.zone):
        return render(request, "clubs/event.html", {"event": event, "club": event.club, "legs": legs})
