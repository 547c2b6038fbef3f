"""Checks across the clubs of an event."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import CheckAnswer, Event, Leg, Token
from ...services import event_checks, names
from ...services.names import Reader, reader_of
from ..filters import CheckFilters, wanted
from ..pagination import cursor_of, links, size_of, slice_of
from ..serializers.event_checks import CheckAnswerSerializer, CheckSerializer
from ..strict import OnlyKnownParameters
from .callers import caller_of, refusals


class LegChecks(OnlyKnownParameters, GenericAPIView[CheckAnswer]):
    """What those who run an event should look at before they believe its joint field: who plays twice, or has
    seen the boards; and once the embargo is lifted, of the clubs that have sent their results, what was dealt
    otherwise, turned, one board off, in another unit, impossible or doubtful. They answer each finding."""

    scopes: ClassVar = (Token.Scope.MANAGE,)
    serializer_class = CheckSerializer
    queryset = CheckAnswer.objects.none()
    is_paged, may_descend = True, False
    row: ClassVar = CheckSerializer
    filters = CheckFilters
    order: Mapping[str, type] = {"at": int}

    @extend_schema(responses={200: CheckSerializer(many=True), **refusals(400, 403, 404)})
    def get(self, request: Request, pk: int) -> Response:
        leg, caller = run_leg(request, pk), caller_of(request)
        asked = wanted(self.filters, request.query_params)
        found = [
            one
            for one in event_checks.of_leg(leg)
            if all(getattr(one, name) == value for name, value in asked.items())
        ]
        numbers, page = slice_of(len(found), cursor_of(request, self.order), size_of(request))
        shown = shown_checks(found[numbers.start : numbers.stop], reader_of(caller))
        return Response(links(request, page) | {"results": CheckSerializer(shown, many=True).data})

    @extend_schema(
        request=CheckAnswerSerializer,
        responses={201: CheckSerializer, **refusals(400, 403, 404, 409, 415)},
    )
    def post(self, request: Request, pk: int) -> Response:
        leg, caller = run_leg(request, pk), caller_of(request)
        given = CheckAnswerSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wish = dict(given.validated_data)
        said = event_checks.answer(leg=leg, actor=caller, said=wish.pop("answer"), **wish)
        (shown,) = shown_checks([said], reader_of(caller))
        return Response(CheckSerializer(shown).data, status=status.HTTP_201_CREATED)


def run_leg(request: Request, pk: int) -> Leg:
    """A leg of an event that the caller runs: 404 for one that they may not see, 403 for one that they may
    see but do not run."""
    caller = caller_of(request)
    seen = Leg.objects.filter(event__in=Event.objects.visible_to(caller)).select_related("event")
    leg = get_object_or_404(seen, pk=pk)
    if not Event.objects.managed_by(caller).filter(pk=leg.event_id).exists():
        raise PermissionDenied
    return leg


def shown_checks(found: Sequence[event_checks.Finding], reader: Reader) -> list[dict[str, Any]]:
    """Findings with the names of whom they are about, as the reader may see them."""
    named = names.of_contestants({k for one in found for k in one.contestants}, reader)
    return [
        {
            **{"key": one.key, "kind": one.kind, "club": one.club, "entry": one.entry, "board": one.board},
            "tables": [{"section": section, "table": table} for section, table in one.tables],
            "contestants": [asdict(named[k]) for k in one.contestants],
            **{"reason": one.reason, "answers": one.answers, "answer": one.answer},
        }
        for one in found
    ]
