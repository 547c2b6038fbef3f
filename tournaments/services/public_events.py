"""What anybody may know of events over many clubs: which are on, which come, which have a joint ranking.

Those that have been announced; of their boards nothing, and of a ranking only that there is one, once the
embargo has been lifted.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from ..models import Club, ClubEntry, Event, FieldRanking, Leg
from .public_calendar import SOON, Nearby

ENTERED = ClubEntry.State.ENTERED


def legs(club: Club | None = None) -> QuerySet[Leg]:
    """Of all events, or those that a club plays or runs; each with how many clubs have entered (`clubs`), and
    whether its event has others (`is_one_of`)."""
    found = Leg.objects.filter(event__state=Event.State.ANNOUNCED).select_related("event__club")
    found = found.defer("sealed_seed", "manifest").annotate(
        clubs=Count("entries", filter=Q(entries__state=ENTERED)),
        is_one_of=Exists(Leg.objects.filter(event=OuterRef("event")).exclude(pk=OuterRef("pk"))),
    )
    return found if club is None else found.filter(Q(event__club=club) | _played_by([club.pk]))


def _played_by(clubs: Sequence[int]) -> Exists:
    return Exists(ClubEntry.objects.filter(leg=OuterRef("pk"), state=ENTERED, club__in=clubs))


def on(now: datetime, club: Club | None = None) -> QuerySet[Leg]:
    """Those whose window is open, or opens soon; what ends first is first."""
    return legs(club).filter(opens_at__lte=now + SOON, closes_at__gt=now).order_by("closes_at", "pk")


def coming(now: datetime, club: Club | None = None, places: Nearby | None = None) -> QuerySet[Leg]:
    """Those whose window does not open soon; the next first. `places`: which are played there alone."""
    later = legs(club).filter(opens_at__gt=now + SOON)
    if places is not None:
        later = later.filter(_played_by(places.clubs))
    return later.order_by("opens_at", "pk")


def over(club: Club | None = None) -> QuerySet[Leg]:
    """Those that have a joint ranking which is shown; the newest first."""
    ranked = Exists(FieldRanking.objects.filter(leg=OuterRef("pk")))
    return legs(club).filter(ranked, lifted_at__isnull=False).order_by("-closes_at", "-pk")
