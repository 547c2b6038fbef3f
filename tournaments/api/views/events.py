"""Events over many clubs: those who run them, and the clubs that enter."""

from collections.abc import Sequence
from typing import ClassVar

from django.db.models import Count, QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Club, ClubEntry, Event, Leg, Token, access
from ...services import clubs, event_entries, events
from ..conditional import IF_MATCH, seen_stamp, stamped
from ..filters import ClubEntryFilters, EventFilters, LegFilters
from ..pagination import Order
from ..serializers.events import (
    AddedClubEntriesSerializer,
    ClubEntrySerializer,
    ClubEntryStateSerializer,
    EventSerializer,
    EventStateSerializer,
    EventTermsSerializer,
    LegSerializer,
    NewClubEntriesSerializer,
    NewEventSerializer,
    NewLegSerializer,
)
from ..strict import OnlyKnownParameters
from .callers import caller_of, refusals, viewer_of
from .ratings import NothingSerializer


class Events(OnlyKnownParameters, GenericAPIView[Event]):
    """The events that have been announced, and those that you run. Those who run a club make one of it, and
    those of the federation one of the federation."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = EventSerializer
    queryset = Event.objects.none()
    is_paged = True
    row: ClassVar = EventSerializer
    filters = EventFilters

    @extend_schema(responses={200: EventSerializer(many=True), **refusals(400)})
    def get(self, request: Request) -> Response:
        shown = self.paginate_queryset(with_legs(Event.objects.visible_to(viewer_of(request))))
        return self.get_paginated_response(EventSerializer(shown, many=True).data)

    @extend_schema(request=NewEventSerializer, responses={201: EventSerializer, **refusals(400, 403, 415)})
    def post(self, request: Request) -> Response:
        caller = caller_of(request)
        club = run_club(caller)
        events.check_may_make(club=club, actor=caller)
        given = NewEventSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        made = events.create(actor=caller, club=club, **given.validated_data)
        return answer(request, made.pk, status.HTTP_201_CREATED)


class OneEvent(OnlyKnownParameters, GenericAPIView[Event]):
    """An event. Those who run it change its terms: `If-Match` says what they have seen."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = EventSerializer
    queryset = Event.objects.none()

    @extend_schema(responses={200: EventSerializer, 304: None, **refusals(404)})
    def get(self, request: Request, pk: int) -> Response:
        return shown_event(request, seen_event(request, pk))

    @extend_schema(
        parameters=[IF_MATCH],
        request=EventTermsSerializer,
        responses={200: EventSerializer, **refusals(400, 403, 404, 409, 412, 415, 428)},
    )
    def patch(self, request: Request, pk: int) -> Response:
        event = run_event(request, pk)
        given = EventTermsSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        seen = seen_stamp(request, events.stamp(event))
        events.change(event=event, actor=caller_of(request), seen=seen, **given.validated_data)
        return answer(request, pk)


class EventState(OnlyKnownParameters, GenericAPIView[Event]):
    """Those who run an event announce it, once it has a leg."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = EventStateSerializer
    queryset = Event.objects.none()

    @extend_schema(
        request=EventStateSerializer, responses={200: EventSerializer, **refusals(400, 403, 404, 409, 415)}
    )
    def put(self, request: Request, pk: int) -> Response:
        event = run_event(request, pk)
        EventStateSerializer(data=request.data).is_valid(raise_exception=True)
        events.announce(event=event, actor=caller_of(request))
        return answer(request, pk)


class EventLegs(OnlyKnownParameters, GenericAPIView[Leg]):
    """The legs of an event, by number. Those who run it add one, whose boards are dealt and sealed for all
    clubs at once."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = LegSerializer
    queryset = Leg.objects.none()
    is_paged = True
    row: ClassVar = LegSerializer
    filters = LegFilters
    page_order: ClassVar[Order] = {"number": int}

    @extend_schema(responses={200: LegSerializer(many=True), **refusals(400, 404)})
    def get(self, request: Request, pk: int) -> Response:
        shown = self.paginate_queryset(seen_event(request, pk).legs.all())
        return self.get_paginated_response(LegSerializer(shown, many=True).data)

    @extend_schema(
        request=NewLegSerializer,
        responses={201: LegSerializer, **refusals(400, 403, 404, 415)},
        examples=[
            OpenApiExample(
                "one evening",
                {
                    **{"game": "comon", "boards": 24},
                    "opens_at": "2027-03-08T18:00:00+01:00",
                    "closes_at": "2027-03-08T23:59:00+01:00",
                    "material_at": "2027-03-07T18:00:00+01:00",
                },
                request_only=True,
            )
        ],
    )
    def post(self, request: Request, pk: int) -> Response:
        event = run_event(request, pk)
        given = NewLegSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        leg = events.add_leg(event=event, actor=caller_of(request), **given.wish)
        return Response(LegSerializer(leg).data, status=status.HTTP_201_CREATED)


class LegEntries(OnlyKnownParameters, GenericAPIView[ClubEntry]):
    """The clubs of a leg: all of them for those who run the event, for others those that they run. Those who
    run it invite clubs; a club enters, with so many tables, by its invitation or where the event is open."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = ClubEntrySerializer
    queryset = ClubEntry.objects.none()
    is_paged = True
    row: ClassVar = ClubEntrySerializer
    filters = ClubEntryFilters

    @extend_schema(responses={200: ClubEntrySerializer(many=True), **refusals(400, 403, 404)})
    def get(self, request: Request, pk: int) -> Response:
        leg = leg_for_clubs(request, pk)
        seen = ClubEntry.objects.visible_to(caller_of(request)).filter(leg=leg)
        shown = self.paginate_queryset(seen.select_related("club", "session"))
        return self.get_paginated_response(ClubEntrySerializer(shown, many=True).data)

    @extend_schema(
        request=NewClubEntriesSerializer,
        responses={201: AddedClubEntriesSerializer, **refusals(400, 403, 404, 409, 415)},
        examples=[
            OpenApiExample("clubs are invited", {"clubs": ["club-a", "club-b"]}, request_only=True),
            OpenApiExample("your club enters", {"tables": 5}, request_only=True),
        ],
    )
    def post(self, request: Request, pk: int) -> Response:
        caller, leg = caller_of(request), leg_for_clubs(request, pk)
        given = NewClubEntriesSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wish = given.validated_data
        if "clubs" in wish:
            made = events.invite(leg=leg, clubs=clubs_named(caller, wish["clubs"]), actor=caller)
        else:
            club = run_club(caller)
            if club is None:
                raise PermissionDenied
            made = [events.enter(leg=leg, club=club, actor=caller, tables=wish["tables"])]
        shown = {"entries": entries_with([one.pk for one in made])}
        return Response(AddedClubEntriesSerializer(shown).data, status=status.HTTP_201_CREATED)


class LegReminders(OnlyKnownParameters, GenericAPIView[ClubEntry]):
    """Those who run an event ask by mail all clubs that are waited for, each once a day at most; the answer
    says whom."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = NothingSerializer
    queryset = ClubEntry.objects.none()

    @extend_schema(
        request=NothingSerializer,
        responses={201: AddedClubEntriesSerializer, **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        caller, leg = caller_of(request), leg_for_clubs(request, pk)
        if not Event.objects.managed_by(caller).filter(pk=leg.event_id).exists():
            raise PermissionDenied
        NothingSerializer(data=request.data).is_valid(raise_exception=True)
        asked = event_entries.remind(leg=leg, actor=caller, now=timezone.now())
        shown = {"entries": entries_with([one.pk for one in asked])}
        return Response(AddedClubEntriesSerializer(shown).data, status=status.HTTP_201_CREATED)


class ClubEntryState(OnlyKnownParameters, GenericAPIView[ClubEntry]):
    """A club declines, enters or withdraws; those who run the event leave it out, invite it again, or have
    looked through its results."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = ClubEntryStateSerializer
    queryset = ClubEntry.objects.none()

    @extend_schema(
        request=ClubEntryStateSerializer,
        responses={200: ClubEntrySerializer, **refusals(400, 403, 404, 409, 415)},
    )
    def put(self, request: Request, pk: int) -> Response:
        caller = caller_of(request)
        entry = get_object_or_404(ClubEntry.objects.visible_to(caller).select_related("leg__event"), pk=pk)
        given = ClubEntryStateSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wish = given.validated_data
        if wish["state"] in ClubEntry.State.values:
            to, tables = wish["state"], wish.get("tables")
            events.decide(entry=entry, actor=caller, to=to, tables=tables, reason=wish["reason"])
        else:
            is_checked = wish["state"] == ClubEntry.Stage.CHECKED
            events.check_results(entry=entry, actor=caller, is_checked=is_checked)
        return Response(ClubEntrySerializer(entries_with([pk])[0]).data)


def with_legs(found: QuerySet[Event]) -> QuerySet[Event]:
    """The events with their clubs, and how many legs they have."""
    return found.select_related("club").annotate(leg_count=Count("legs"))


def answer(request: Request, pk: int, status_code: int = status.HTTP_200_OK) -> Response:
    """An event as it is now."""
    return shown_event(request, with_legs(Event.objects.filter(pk=pk)).get(), status_code)


def shown_event(request: Request, event: Event, status_code: int = status.HTTP_200_OK) -> Response:
    return stamped(request, events.stamp(event), lambda: EventSerializer(event).data, status_code)


def seen_event(request: Request, pk: int) -> Event:
    """An event that the caller may see, or 404."""
    return get_object_or_404(with_legs(Event.objects.visible_to(viewer_of(request))), pk=pk)


def run_event(request: Request, pk: int) -> Event:
    """An event that the caller runs: 401 without a token, 404 for one that they may not see, 403 for one
    that they may see but do not run."""
    caller = caller_of(request)
    event = seen_event(request, pk)
    if not Event.objects.managed_by(caller).filter(pk=pk).exists():
        raise PermissionDenied
    return event


def leg_for_clubs(request: Request, pk: int) -> Leg:
    """A leg of an event that the caller may see, for those who run it or a club: 401 without a token, 403
    for others."""
    caller = caller_of(request)
    seen = Leg.objects.filter(event__in=Event.objects.visible_to(caller)).select_related("event")
    leg = get_object_or_404(seen, pk=pk)
    if run_club(caller) is None and not Event.objects.managed_by(caller).filter(pk=leg.event_id).exists():
        raise PermissionDenied
    return leg


def run_club(caller: Token) -> Club | None:
    """The club that the caller's token runs, if it is one's."""
    return Club.objects.filter(access.managed(caller, club="pk")).first()


def clubs_named(caller: Token, slugs: Sequence[str]) -> list[Club]:
    """The clubs with these short names; ValidationError names those that the caller does not know of."""
    known = {club.slug: club for club in clubs.known_to(caller).filter(slug__in=slugs)}
    if unknown := sorted(set(slugs) - set(known)):
        message = _("There is no club called %(name)s.") % {"name": unknown[0]}
        raise ValidationError({"clubs": [message]})
    return [known[slug] for slug in dict.fromkeys(slugs)]


def entries_with(ids: Sequence[int]) -> list[ClubEntry]:
    """Some clubs in a leg as they are now, with all that is shown of them."""
    found = ClubEntry.objects.select_related("club", "session").in_bulk(ids)
    return [found[pk] for pk in ids]
