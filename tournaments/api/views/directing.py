"""What an organiser does with a session, from its tables to its publication."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.generics import GenericAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Job, Session, Token
from ...services import (
    board_sets,
    costs,
    custody,
    deleting,
    jobs,
    replanning,
    reseating,
    states,
    table_links,
    tokens,
)
from ..conditional import IF_MATCH, IF_MATCH_UNLESS_DRY, seen_stamp, tagged
from ..serializers.boards import BoardSerializer, MixInSerializer, ReserveSerializer
from ..serializers.jobs import JobSerializer
from ..serializers.movements import CostSerializer, MovedSerializer, ReplanSerializer
from ..serializers.tournaments import (
    PublicationSerializer,
    SessionChangeSerializer,
    SessionSerializer,
    StateSerializer,
    TableLinkSerializer,
    TableTokenRequestSerializer,
    TableTokenSerializer,
)
from ..strict import OnlyKnownParameters
from .callers import caller_of, organised_session, refusals, seen_session, viewer_of
from .jobs import job_answer
from .seen import boards_data, boards_of, session_answer, session_data, with_all


class OneSession(OnlyKnownParameters, RetrieveAPIView[Session]):
    """A session. Whoever runs it may mend its name and its time."""

    scopes = (Token.Scope.DIRECT,)
    serializer_class = SessionSerializer
    queryset = Session.objects.none()

    def get_queryset(self) -> QuerySet[Session]:
        return with_all(Session.objects.visible_to(viewer_of(self.request)))

    @extend_schema(responses={200: SessionSerializer, **refusals(404)})
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        session = self.get_object()
        return Response(self.get_serializer(session).data, headers=tagged(states.stamp(session)))

    @extend_schema(
        parameters=[IF_MATCH],
        request=SessionChangeSerializer,
        responses={200: SessionSerializer, **refusals(400, 403, 404, 409, 412, 415, 428)},
    )
    def patch(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = SessionChangeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wish, caller = given.validated_data, caller_of(request)
        seen, is_shuffled = seen_stamp(request, states.stamp(session)), "sealed" in wish
        wish.pop("sealed", None)
        copied = wish.pop("copied", False)
        with transaction.atomic():
            states.mend(session=session, actor=caller, seen=seen, **wish)
            if is_shuffled:
                custody.leave_to_tables(session=session, actor=caller, copied=copied)
        return session_answer(session)

    @extend_schema(parameters=[IF_MATCH], responses={204: None, **refusals(403, 404, 409, 412, 428)})
    def delete(self, request: Request, pk: int) -> Response:
        """Deletes a session that nobody has played, or a trial, with all that hangs on it."""
        session = organised_session(request, pk)
        seen = seen_stamp(request, states.stamp(session))
        deleting.delete(session=session, actor=caller_of(request), seen=seen)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SessionState(OnlyKnownParameters, GenericAPIView[Session]):
    """The director brings a session into another state: makes it ready, ends the play, makes its list
    provisional and final, opens it again, cancels it. `next_states` of the session says what is possible."""

    scopes = (Token.Scope.DIRECT,)
    serializer_class = StateSerializer
    queryset = Session.objects.none()

    @extend_schema(
        parameters=[IF_MATCH],
        responses={200: SessionSerializer, **refusals(400, 403, 404, 409, 412, 415, 428)},
    )
    def put(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = StateSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wish = given.validated_data
        session = states.change(
            session=session,
            actor=caller_of(request),
            to=wish["state"],
            reason=wish["reason"],
            confirmed=wish["confirm"],
            until=wish["corrections_until"],
            seen=seen_stamp(request, states.stamp(session)),
        )
        return session_answer(session)


class SessionPublication(OnlyKnownParameters, GenericAPIView[Session]):
    """The organiser lists the session publicly, or withdraws it. The list of one that has been played is
    provisional from then on."""

    scopes = (Token.Scope.DIRECT,)
    serializer_class = PublicationSerializer
    queryset = Session.objects.none()

    @extend_schema(
        parameters=[IF_MATCH], responses={200: SessionSerializer, **refusals(400, 403, 404, 412, 415, 428)}
    )
    def put(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = PublicationSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        seen = seen_stamp(request, states.stamp(session))
        listed = given.validated_data["listed"]
        session = states.publish(session=session, actor=caller_of(request), listed=listed, seen=seen)
        return session_answer(session)


class SessionPublicValue(OnlyKnownParameters, GenericAPIView[Session]):
    """The organiser gives the public value that was announced when the boards were sealed: they are dealt
    from the seed and this value together."""

    scopes = (Token.Scope.DIRECT,)
    serializer_class = MixInSerializer
    queryset = Session.objects.none()

    @extend_schema(responses={200: SessionSerializer, **refusals(400, 403, 404, 409, 415)})
    def put(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = MixInSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        board_sets.mix_in(session=session, actor=caller_of(request), **given.validated_data)
        return Response(session_data(session))


class Reserves(OnlyKnownParameters, GenericAPIView[Session]):
    """The organiser puts a reserve board in the place of one that cannot be played."""

    scopes = (Token.Scope.DIRECT,)
    serializer_class = ReserveSerializer
    queryset = Session.objects.none()

    @extend_schema(responses={201: BoardSerializer, **refusals(400, 403, 404, 409, 415)})
    def post(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = ReserveSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        caller = caller_of(request)
        reserve = board_sets.use_reserve(session=session, actor=caller, **given.validated_data)
        (shown,) = boards_data(session, caller, [boards_of(session, caller).get(pk=reserve.pk)])
        return Response(shown, status=status.HTTP_201_CREATED)


class Replans(OnlyKnownParameters, GenericAPIView[Session]):
    """The organiser plans the remaining rounds again, because somebody leaves, stays away or comes late: a
    job."""

    scopes = (Token.Scope.DIRECT,)
    serializer_class = ReplanSerializer
    queryset = Session.objects.none()

    @extend_schema(responses={202: JobSerializer, **refusals(400, 403, 404, 409, 415)})
    def post(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = ReplanSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wish = given.validated_data
        dry_run = wish.pop("dry_run")
        replanning.check(session=session, **wish)
        job = jobs.ask(
            Job.Kind.PREVIEW if dry_run else Job.Kind.REPLAN,
            tournament=session.tournament,
            session=session,
            sender=caller_of(request),
            name=session.name,
            request=wish,
        )
        return job_answer(job)

    @extend_schema(
        parameters=[IF_MATCH], responses={200: SessionSerializer, **refusals(403, 404, 409, 412, 428)}
    )
    def delete(self, request: Request, pk: int) -> Response:
        """Takes the newest plan back, as long as nobody has relied on it."""
        session = organised_session(request, pk)
        seen = seen_stamp(request, states.stamp(session))
        return session_answer(replanning.take_back(session=session, actor=caller_of(request), seen=seen))


class Reseatings(OnlyKnownParameters, GenericAPIView[Session]):
    """A table has not sat, or played, as planned: some have changed seats, the arrow was turned, or it has
    the boards of another round. What it costs is said, and first of all on a dry run, which changes
    nothing."""

    scopes = (Token.Scope.DIRECT,)
    serializer_class = MovedSerializer
    queryset = Session.objects.none()

    @extend_schema(
        parameters=[IF_MATCH_UNLESS_DRY],
        request=MovedSerializer,
        responses={200: CostSerializer, 201: CostSerializer, **refusals(400, 403, 404, 409, 412, 415, 428)},
        examples=[
            OpenApiExample(
                "the arrow of table A3 was turned",
                {"kind": "turned", "section": "A", "table": 3, "round": 2, "reason": "Nobody looked"},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = MovedSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wish = given.validated_data
        dry_run, reason, confirmed = wish.pop("dry_run"), wish.pop("reason"), wish.pop("confirm")
        seen = None if dry_run else seen_stamp(request, states.stamp(session))
        plan = reseating.plan(session=session, number=wish.pop("round"), **wish)
        reseating.check_played(plan)
        if not dry_run:
            caller = caller_of(request)
            reseating.store(plan, actor=caller, reason=reason, confirmed=confirmed, seen=seen)
        made = status.HTTP_200_OK if dry_run else status.HTTP_201_CREATED
        return Response(CostSerializer(costs.to_json(*plan.cost)).data, status=made)


def asked_tables(request: Request, pk: int) -> tuple[Token, Session, dict[str, Any]]:
    """Who asks for which tables of a session; 403 for a caller without a role."""
    caller, session = caller_of(request), seen_session(request, pk)
    if caller.role is None:
        raise PermissionDenied
    given = TableTokenRequestSerializer(data=request.data)
    given.is_valid(raise_exception=True)
    return caller, session, given.validated_data


class TableTokens(OnlyKnownParameters, GenericAPIView[Session]):
    """New tokens for the tables in your charge: all of them for the organiser, those of their own sections
    for a scorer, or a single one. The earlier tokens of these tables stop working."""

    scopes = (Token.Scope.ENTER,)
    serializer_class = TableTokenRequestSerializer
    queryset = Session.objects.none()
    pagination_class = None

    @extend_schema(
        request=TableTokenRequestSerializer,
        responses={201: TableTokenSerializer(many=True), **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        caller, session, wish = asked_tables(request, pk)
        issued = tokens.issue_for_tables(session=session, actor=caller, **wish)
        answer = [{"table": table, "token": text} for table, text in issued]
        return Response(TableTokenSerializer(answer, many=True).data, status=status.HTTP_201_CREATED)


class TableLinks(OnlyKnownParameters, GenericAPIView[Session]):
    """The links of the tables in your charge, by whose codes phones come to a table's page: made where there
    is none yet, and anew for a table that you name. A new one ends the one before."""

    scopes = (Token.Scope.ENTER,)
    serializer_class = TableTokenRequestSerializer
    queryset = Session.objects.none()
    pagination_class = None

    @extend_schema(
        request=TableTokenRequestSerializer,
        responses={201: TableLinkSerializer(many=True), **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        caller, session, wish = asked_tables(request, pk)
        own = table_links.tables_of(session, caller)
        if "section" in wish:
            own = own.filter(section__name=wish["section"])
        wanted = None
        if "table" in wish:
            own = own.filter(number=wish["table"])
            wanted = list(own.values_list("pk", flat=True))
        table_links.make(session=session, actor=caller, tables=wanted)
        there = set(own.values_list("pk", flat=True))
        shown = [
            {"link": link, "code": code, "path": table_links.path_of(code)}
            for link, code in table_links.codes(table_links.in_force(session, caller))
            if link.table_id in there
        ]
        return Response(TableLinkSerializer(shown, many=True).data, status=status.HTTP_201_CREATED)
