"""Rulings: what directors decide, what it would change, and how it is taken back."""

from collections.abc import Collection
from typing import Any, ClassVar

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Ruling, Session, Token
from ...services import list_contents, names, rulings
from ...services.names import reader_of
from ..filters import RulingFilters
from ..idempotency import NO_KEYS
from ..serializers.differences import SHOWN, DifferenceSerializer, moves_data
from ..serializers.rulings import (
    NewRulingSerializer,
    PlannedRulingSerializer,
    RulingSerializer,
    RulingStateSerializer,
)
from ..strict import OnlyKnownParameters
from .callers import caller_of, organised_session, refusals, viewer_of

PLAY = {
    "play": {
        **{"section": "A", "table": 3, "board": 7},
        "decisions": [
            {"seats": [1], "kind": "artificial", "percent": "60", "own": "if better"},
            {"seats": [2, 3], "kind": "artificial", "percent": "40", "own": "if worse"},
        ],
    }
}


def ruling_data(session: Session, pk: int, hidden: Collection[int] = ()) -> object:
    context = {"session": session, "hidden": hidden}
    return RulingSerializer(rulings.with_id(session, pk), context=context).data


def difference_answer(request: Request, look: rulings.RulingLook) -> Response:
    reader, found = reader_of(viewer_of(request)), look.moves
    shown, teams = found[:SHOWN], look.teams[:SHOWN]
    named = names.of_contestants({one.contestant for one in shown}, reader)
    named_teams = names.of_teams({one.contestant for one in teams}, reader)
    return Response(
        {
            "count": len(found),
            "moves": moves_data(shown, named),
            "teams": moves_data(teams, named_teams),
            "lists": [list_data(one, reader) for one in look.lists if one.moves],
        }
    )


def list_data(one: rulings.ListMoves, reader: names.Reader) -> dict[str, Any]:
    the_list, shown = one.the_list, one.moves[:SHOWN]
    named = list_contents.named(the_list, {move.contestant for move in shown}, reader)
    moves = moves_data(shown, named)
    return {"number": the_list.number, "name": the_list.name, "count": len(one.moves), "moves": moves}


class Rulings(OnlyKnownParameters, ListAPIView[Ruling]):
    """What the directors of a session have decided, reversed rulings among them, the oldest first; and where
    to rule. A ruling counts at once: the lists follow as after a result. To a director who plays in the
    session, those on plays of boards that are not over say only where they are."""

    scopes: ClassVar = (Token.Scope.DIRECT,)
    serializer_class = RulingSerializer
    queryset = Ruling.objects.none()
    is_paged = True
    row: ClassVar = RulingSerializer
    filters = RulingFilters

    def get_queryset(self) -> QuerySet[Ruling]:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        self.session = organised_session(self.request, self.kwargs["pk"])
        return rulings.of(self.session)

    def get_serializer_context(self) -> dict[str, object]:
        context = super().get_serializer_context()
        if (session := getattr(self, "session", None)) is None:
            return {**context, "session": None, "hidden": ()}
        hidden = rulings.hidden_from(session, caller_of(self.request))
        return {**context, "session": session, "hidden": hidden}

    @extend_schema(responses={200: RulingSerializer(many=True), **refusals(400, 403, 404)})
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request=NewRulingSerializer,
        responses={201: RulingSerializer, **refusals(400, 403, 404, 409, 415)},
        examples=[
            OpenApiExample(
                "average plus and average minus",
                {**PLAY, "reason": "A card was seen at the next table."},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = NewRulingSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        plan = given.plan(session)
        made = rulings.rule(plan, actor=caller_of(request), text=given.validated_data["reason"])
        return Response(ruling_data(session, made.pk), status=status.HTTP_201_CREATED)


class RulingPreview(OnlyKnownParameters, GenericAPIView[Ruling]):
    """Whom a ruling would move in the list, before it is made: nothing is stored."""

    scopes: ClassVar = (Token.Scope.DIRECT,)
    idempotency = NO_KEYS
    serializer_class = PlannedRulingSerializer
    queryset = Ruling.objects.none()

    @extend_schema(
        request=PlannedRulingSerializer,
        responses={200: DifferenceSerializer, **refusals(400, 403, 404, 415)},
        examples=[OpenApiExample("average plus and average minus", PLAY, request_only=True)],
    )
    def post(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = PlannedRulingSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        plan = given.plan(session)
        seen = rulings.check_may_look(session, caller_of(request), plan.parts)
        return difference_answer(request, rulings.look(plan, seen))


class OneRuling(OnlyKnownParameters, GenericAPIView[Ruling]):
    """One decision."""

    serializer_class = RulingSerializer
    queryset = Ruling.objects.none()

    @extend_schema(responses={200: RulingSerializer, **refusals(403, 404)})
    def get(self, request: Request, pk: int, ruling: int) -> Response:
        session = organised_session(request, pk)
        hidden = rulings.hidden_from(session, caller_of(request))
        return Response(ruling_data(session, ruling, hidden))


class RulingReversal(OnlyKnownParameters, GenericAPIView[Ruling]):
    """Whom it would move if a ruling were taken back: nothing is stored."""

    serializer_class = DifferenceSerializer
    queryset = Ruling.objects.none()

    @extend_schema(responses={200: DifferenceSerializer, **refusals(403, 404, 409)})
    def get(self, request: Request, pk: int, ruling: int) -> Response:
        session = organised_session(request, pk)
        one = rulings.with_id(session, ruling)
        rulings.check_in_force(one)
        plays = [part.play_id for part in one.parts.all()]
        seen = rulings.check_may_look(session, caller_of(request), plays)
        return difference_answer(request, rulings.look_back(one, seen))


class RulingState(OnlyKnownParameters, GenericAPIView[Ruling]):
    """A ruling is taken back: what was ruled before it, or the score, counts again."""

    scopes: ClassVar = (Token.Scope.DIRECT,)
    serializer_class = RulingStateSerializer
    queryset = Ruling.objects.none()

    @extend_schema(responses={200: RulingSerializer, **refusals(400, 403, 404, 409, 415)})
    def put(self, request: Request, pk: int, ruling: int) -> Response:
        session = organised_session(request, pk)
        one = rulings.with_id(session, ruling)
        given = RulingStateSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        reason = given.validated_data["reason"]
        reversed_one = rulings.reverse(ruling=one, actor=caller_of(request), text=reason)
        return Response(ruling_data(session, reversed_one.pk))
