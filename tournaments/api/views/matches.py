"""Matches of a session: who meets whom, what came of it, and the next round."""

from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Job, Match, Session, Team, Token
from ...services import jobs, matches, names, next_rounds, states
from ...services.names import reader_of
from ..conditional import IF_MATCH, seen_stamp, stamped
from ..pagination import Order
from ..serializers.jobs import JobSerializer
from ..serializers.matches import (
    MatchesWishSerializer,
    MatchRulesSerializer,
    MatchRulesSetupSerializer,
    MatchSerializer,
    NextRoundSerializer,
    TeamNameSerializer,
    TeamSerializer,
    match_data,
    teams_data,
)
from ..serializers.tournaments import SessionSerializer
from ..strict import OnlyKnownParameters
from .callers import caller_of, organised_session, refusals, seen_session, viewer_of
from .jobs import job_answer
from .seen import session_answer


class SessionMatches(OnlyKnownParameters, GenericAPIView[Match]):
    """Who meets whom, round by round; and what came of it, as far as you may know: directors who do not play
    all, others of the boards that are over, once the ranking is theirs to see."""

    serializer_class = MatchSerializer
    queryset = Match.objects.none()
    is_paged = True
    row: ClassVar = MatchSerializer
    parameters = ("round",)
    page_order: ClassVar[Order] = {"round": int, "number": int}

    @extend_schema(
        parameters=[MatchesWishSerializer],
        responses={200: MatchSerializer(many=True), **refusals(400, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        session = seen_session(request, pk)
        given = {name: text for name, text in request.query_params.items() if name in self.parameters}
        wish = MatchesWishSerializer(data=given)
        wish.is_valid(raise_exception=True)
        own = matches.of(session)
        if "round" in wish.validated_data:
            own = own.filter(round=wish.validated_data["round"])
        page = self.paginate_queryset(own) or []
        viewer = viewer_of(request)
        found = matches.shown(session, viewer) if page else {}
        teams = {team for one in page for team in (one.first_id, one.second_id) if team is not None}
        named = names.of_teams(teams, reader_of(viewer))
        shown = [match_data(found[one.pk], named) for one in page]
        return self.get_paginated_response(MatchSerializer(shown, many=True).data)


class SessionTeams(OnlyKnownParameters, GenericAPIView[Team]):
    """The teams of a session that has matches, by number."""

    serializer_class = TeamSerializer
    queryset = Team.objects.none()
    is_paged = True
    row: ClassVar = TeamSerializer
    page_order: ClassVar[Order] = {"number": int}

    @extend_schema(responses={200: TeamSerializer(many=True), **refusals(400, 404)})
    def get(self, request: Request, pk: int) -> Response:
        session = seen_session(request, pk)
        page = self.paginate_queryset(matches.teams_of(session).prefetch_related("contestants")) or []
        named = names.of_teams([one.pk for one in page], reader_of(viewer_of(request)))
        return self.get_paginated_response(TeamSerializer(teams_data(page, named), many=True).data)


class OneTeam(OnlyKnownParameters, GenericAPIView[Team]):
    """A team; whoever runs the session names it."""

    scopes: ClassVar = (Token.Scope.DIRECT,)
    serializer_class = TeamSerializer
    queryset = Team.objects.none()

    @extend_schema(responses={200: TeamSerializer, 304: None, **refusals(404)})
    def get(self, request: Request, pk: int, team: int) -> Response:
        return self.answer(request, matches.team_with(seen_session(request, pk), team))

    @extend_schema(
        parameters=[IF_MATCH],
        request=TeamNameSerializer,
        responses={200: TeamSerializer, **refusals(400, 403, 404, 412, 415, 428)},
    )
    def put(self, request: Request, pk: int, team: int) -> Response:
        one = matches.team_with(organised_session(request, pk), team)
        given = TeamNameSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        seen = seen_stamp(request, matches.team_stamp(one))
        return self.answer(
            request, matches.name_team(team=one, actor=caller_of(request), seen=seen, **given.validated_data)
        )

    def answer(self, request: Request, one: Team) -> Response:
        def content() -> Any:
            named = names.of_teams([one.pk], reader_of(viewer_of(request)))
            return TeamSerializer(teams_data([one], named)[0]).data

        return stamped(request, matches.team_stamp(one), content)


class SessionMatchRules(OnlyKnownParameters, GenericAPIView[Session]):
    """How the matches of a session count. Whoever runs it may set that up at any time, also for a session
    that had no matches: its tables of two sides become matches then."""

    scopes: ClassVar = (Token.Scope.DIRECT,)
    serializer_class = MatchRulesSetupSerializer
    queryset = Session.objects.none()

    @extend_schema(responses={200: MatchRulesSerializer, 304: None, **refusals(404)})
    def get(self, request: Request, pk: int) -> Response:
        rules = matches.rules_of(seen_session(request, pk))
        if rules is None:
            raise NotFound
        return stamped(request, matches.stamp(rules), lambda: MatchRulesSerializer(rules).data)

    @extend_schema(
        parameters=[IF_MATCH],
        request=MatchRulesSetupSerializer,
        responses={200: MatchRulesSerializer, **refusals(400, 403, 404, 409, 412, 415, 428)},
        examples=[
            OpenApiExample(
                "a table of one's own",
                {
                    "worth": "table",
                    "steps": [{"margin": "0", "gained": "10"}, {"margin": "3", "gained": "12"}],
                    "whole": "20",
                },
                request_only=True,
            )
        ],
    )
    def put(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = MatchRulesSetupSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        seen = seen_stamp(request, matches.stamp(matches.rules_of(session)))
        rules = matches.set_rules(session=session, actor=caller_of(request), setup=given.setup, seen=seen)
        return stamped(request, matches.stamp(rules), lambda: MatchRulesSerializer(rules).data)


class NextRounds(OnlyKnownParameters, GenericAPIView[Session]):
    """The next round of a Swiss or a knock-out is planned from how things stand: a job, whose `outcome` says
    who meets whom, who sits out and who meets again."""

    scopes: ClassVar = (Token.Scope.DIRECT,)
    serializer_class = NextRoundSerializer
    queryset = Session.objects.none()

    @extend_schema(responses={202: JobSerializer, **refusals(400, 403, 404, 409, 415)})
    def post(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = NextRoundSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        next_rounds.check(session=session, **given.validated_data)
        job = jobs.ask(
            Job.Kind.NEXT_ROUND,
            tournament=session.tournament,
            session=session,
            sender=caller_of(request),
            name=session.name,
            request=given.validated_data,
        )
        return job_answer(job)

    @extend_schema(
        parameters=[IF_MATCH], responses={200: SessionSerializer, **refusals(403, 404, 409, 412, 428)}
    )
    def delete(self, request: Request, pk: int) -> Response:
        """Takes the newest round back, as long as nobody has relied on it."""
        session = organised_session(request, pk)
        seen = seen_stamp(request, states.stamp(session))
        return session_answer(next_rounds.take_back(session=session, actor=caller_of(request), seen=seen))
