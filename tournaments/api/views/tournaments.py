"""Tournaments, and the sessions that are set up in them."""

from dataclasses import asdict
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.generics import GenericAPIView, ListCreateAPIView, RetrieveAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Job, Session, Token, Tournament
from ...services import evenings, jobs, paper_amendments, registrations, sessions, states
from ..conditional import IF_MATCH, seen_stamp, tagged
from ..filters import SessionFilters, TournamentFilters
from ..pagination import Order
from ..serializers.jobs import JobSerializer
from ..serializers.movements import CandidateSerializer, WishSerializer
from ..serializers.tournaments import (
    EveningSerializer,
    SessionSerializer,
    SetUpSerializer,
    TournamentSerializer,
)
from ..strict import OnlyKnownParameters
from .callers import caller_of, managed_club, organised_tournament, refusals, viewer_of
from .jobs import job_answer
from .seen import with_all


@extend_schema_view(
    get=extend_schema(responses={200: TournamentSerializer(many=True), **refusals(400)}),
    post=extend_schema(responses={201: TournamentSerializer, **refusals(400, 403, 415)}),
)
class Tournaments(OnlyKnownParameters, ListCreateAPIView[Tournament]):
    """The tournaments that you may see; organisers create one for their club."""

    scopes = (Token.Scope.MANAGE,)
    is_paged = True
    row: ClassVar = TournamentSerializer
    filters = TournamentFilters

    serializer_class = TournamentSerializer
    queryset = Tournament.objects.none()

    def get_queryset(self) -> QuerySet[Tournament]:
        return Tournament.objects.visible_to(viewer_of(self.request)).select_related("club")

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        self.club = managed_club(request)
        return super().create(request, *args, **kwargs)

    def perform_create(self, serializer: Any) -> None:
        name, caller = serializer.validated_data["name"], caller_of(self.request)
        serializer.instance = sessions.create_tournament(actor=caller, club=self.club, name=name)


class OneTournament(OnlyKnownParameters, RetrieveAPIView[Tournament]):
    """A tournament. Its organisers may mend its name."""

    scopes = (Token.Scope.MANAGE,)
    serializer_class = TournamentSerializer
    queryset = Tournament.objects.none()

    def get_queryset(self) -> QuerySet[Tournament]:
        return Tournament.objects.visible_to(viewer_of(self.request)).select_related("club")

    @extend_schema(responses={200: TournamentSerializer, **refusals(404)})
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self._answer(self.get_object())

    @staticmethod
    def _answer(tournament: Tournament) -> Response:
        shown = TournamentSerializer(tournament).data
        return Response(shown, headers=tagged(states.tournament_stamp(tournament)))

    @extend_schema(
        parameters=[IF_MATCH],
        request=TournamentSerializer,
        responses={200: TournamentSerializer, **refusals(400, 403, 404, 412, 415, 428)},
    )
    def patch(self, request: Request, pk: int) -> Response:
        tournament = organised_tournament(request, pk)
        given = TournamentSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        name = given.validated_data["name"]
        seen = seen_stamp(request, states.tournament_stamp(tournament))
        caller = caller_of(request)
        return self._answer(states.mend_tournament(tournament=tournament, actor=caller, name=name, seen=seen))


class TournamentSessions(OnlyKnownParameters, GenericAPIView[Session]):
    """The sessions of a tournament. Its organiser sets up new ones, with their boards sealed: a job, which
    names the session once it is done."""

    scopes = (Token.Scope.MANAGE,)
    serializer_class = SetUpSerializer
    queryset = Session.objects.none()
    is_paged = True
    row: ClassVar = SessionSerializer
    filters = SessionFilters
    page_order: ClassVar[Order] = {"number": int}

    @extend_schema(responses={200: SessionSerializer(many=True), **refusals(400, 404)})
    def get(self, request: Request, pk: int) -> Response:
        tournament = get_object_or_404(Tournament.objects.visible_to(viewer_of(request)), pk=pk)
        seen = Session.objects.visible_to(viewer_of(request)).filter(tournament=tournament)
        shown = self.paginate_queryset(with_all(seen))
        return self.get_paginated_response(SessionSerializer(shown, many=True).data)

    @extend_schema(
        request=SetUpSerializer, responses={202: JobSerializer, **refusals(400, 403, 404, 409, 415)}
    )
    def post(self, request: Request, pk: int) -> Response:
        caller, tournament = caller_of(request), organised_tournament(request, pk)
        given = SetUpSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wish = given.validated_data
        if "registration" in wish:
            the_list = get_object_or_404(tournament.registration_lists, pk=wish["registration"])
            wish["contestants"] = [{"players": own} for own in registrations.enough_of(the_list)]
        sessions.check(club=tournament.club, **wish)
        announced = wish["public_value"] and asdict(wish["public_value"])
        job = jobs.ask(
            Job.Kind.SET_UP,
            tournament=tournament,
            sender=caller,
            name=wish["name"],
            request={**wish, "public_value": announced},
        )
        return job_answer(job)


class Movements(OnlyKnownParameters):
    """The movements that would do for an evening, measured, the best first. For organisers."""

    parameters = tuple(WishSerializer().fields)

    @extend_schema(
        parameters=[WishSerializer], responses={200: CandidateSerializer(many=True), **refusals(400, 403)}
    )
    def get(self, request: Request) -> Response:
        managed_club(request)
        wish = WishSerializer(data=request.query_params)
        wish.is_valid(raise_exception=True)
        return Response(CandidateSerializer(sessions.movements_for(**wish.validated_data), many=True).data)


class TournamentEvenings(OnlyKnownParameters, GenericAPIView[Session]):
    """The organiser hands in an evening on paper as a file: a job. If there are slips of the pen, it fails,
    all of them are listed in the `details` of its error, and nothing is stored; a dry run never stores
    anything. A second file `amends` the session that came of the first, with a reason."""

    scopes = (Token.Scope.MANAGE,)
    serializer_class = EveningSerializer
    queryset = Session.objects.none()
    parser_classes = [MultiPartParser]

    @extend_schema(
        request={"multipart/form-data": EveningSerializer},
        responses={202: JobSerializer, **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        caller, tournament = caller_of(request), organised_tournament(request, pk)
        given = EveningSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        evening = dict(given.validated_data)
        text, dry_run, reason = evening.pop("file"), evening.pop("dry_run"), evening.pop("reason")
        kind = Job.Kind.CHECK if dry_run else Job.Kind.IMPORT
        if "amends" in evening:
            session = get_object_or_404(tournament.sessions, pk=evening["amends"])
            paper_amendments.check(session=session, text=text, reason=reason, is_dry=dry_run)
            consent = {"names_may_be_published": evening["names_may_be_published"]}
            return job_answer(
                jobs.ask(
                    kind,
                    tournament=tournament,
                    session=session,
                    sender=caller,
                    name=session.name,
                    request={"text": text, "reason": reason, **consent},
                )
            )
        name = evening.pop("name")
        if not dry_run:
            evenings.check(text=text, club=tournament.club, **evening)
        job = jobs.ask(
            kind, tournament=tournament, sender=caller, name=name, request={"text": text, **evening}
        )
        return job_answer(job)
