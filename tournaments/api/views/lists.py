"""The lists of a session: how they are set up, and what they show."""

import hashlib
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Session, SessionList, Token
from ...services import differences, lists, names
from ...services.names import reader_of
from ..conditional import IF_MATCH, answer, seen_stamp, stamped
from ..pagination import PAGE_PARAMETERS, Order, cursor_of, links, size_of, slice_of
from ..serializers.lists import ListContentSerializer, ListSetupSerializer, SessionListSerializer
from ..strict import OnlyKnownParameters
from .callers import caller_of, organised_session, refusals, viewer_of, with_rest

NEWCOMERS = OpenApiExample(
    "newcomers, with tie-breaks and master points",
    {
        **{"name": "Newcomers", "kind": "category", "about": "newcomer"},
        **{"tie_breaks": ["direct-encounter", "best-boards"], "min_boards": 8, "award_factor": "1/2"},
    },
    request_only=True,
)


def ranked_session(request: Request, pk: int) -> Session:
    """A session whose lists the caller may see, or 404: as with its ranking, from which they follow."""
    return get_object_or_404(with_rest(Session.objects.ranking_visible_to(viewer_of(request))), pk=pk)


def one_list(session: Session, number: int) -> SessionList:
    found = lists.with_number(session, number)
    found.session = session
    return found


def list_answer(request: Request, one: SessionList, status_code: int = status.HTTP_200_OK) -> Response:
    return stamped(request, lists.stamp(one), lambda: SessionListSerializer(one).data, status_code)


class SessionLists(OnlyKnownParameters, ListAPIView[SessionList]):
    """The lists that a session has besides its ranking, as they have been set up; and where to set up
    another: of everybody, a line group, a section, a club, a category (newcomers), or with handicaps."""

    scopes: ClassVar = (Token.Scope.DIRECT,)
    serializer_class = SessionListSerializer
    queryset = SessionList.objects.none()
    is_paged = True
    page_order: ClassVar[Order] = {"number": int}

    def get_queryset(self) -> QuerySet[SessionList]:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        return lists.of(ranked_session(self.request, self.kwargs["pk"]))

    @extend_schema(responses={200: SessionListSerializer(many=True), **refusals(400, 404)})
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request=ListSetupSerializer,
        responses={201: SessionListSerializer, **refusals(400, 403, 404, 409, 415)},
        examples=[NEWCOMERS],
    )
    def post(self, request: Request, pk: int) -> Response:
        session = organised_session(request, pk)
        given = ListSetupSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        made = lists.set_up(session=session, actor=caller_of(request), setup=given.setup)
        return list_answer(request, made, status.HTTP_201_CREATED)


class OneSessionList(OnlyKnownParameters, GenericAPIView[SessionList]):
    """A list, as it has been set up. It may be set up again at any time: what it shows follows from the
    ranking, which stays as it is."""

    scopes: ClassVar = (Token.Scope.DIRECT,)
    serializer_class = SessionListSerializer
    queryset = SessionList.objects.none()

    @extend_schema(responses={200: SessionListSerializer, 304: None, **refusals(404)})
    def get(self, request: Request, pk: int, listing: int) -> Response:
        return list_answer(request, one_list(ranked_session(request, pk), listing))

    @extend_schema(
        parameters=[IF_MATCH],
        request=ListSetupSerializer,
        responses={200: SessionListSerializer, **refusals(400, 403, 404, 409, 412, 415, 428)},
        examples=[NEWCOMERS],
    )
    def put(self, request: Request, pk: int, listing: int) -> Response:
        session = organised_session(request, pk)
        one = one_list(session, listing)
        given = ListSetupSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        seen = seen_stamp(request, lists.stamp(one))
        changed = lists.change(the_list=one, actor=caller_of(request), setup=given.setup, seen=seen)
        return list_answer(request, changed)

    @extend_schema(
        parameters=[IF_MATCH],
        request=None,
        responses={204: None, **refusals(403, 404, 409, 412, 428)},
    )
    def delete(self, request: Request, pk: int, listing: int) -> Response:
        session = organised_session(request, pk)
        one = one_list(session, listing)
        seen = seen_stamp(request, lists.stamp(one))
        lists.remove(the_list=one, actor=caller_of(request), seen=seen)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ListPlaces(OnlyKnownParameters, GenericAPIView[SessionList]):
    """What a list shows, the best first, line group by line group: by the newest version of the session's
    ranking. A tie says which tie-break split it, or that none did. Until the session has been played, for its
    directors alone, and for none who plays in it."""

    serializer_class = ListContentSerializer
    queryset = SessionList.objects.none()
    is_paged = True
    order: ClassVar[Order] = {"place": int}

    @extend_schema(
        parameters=PAGE_PARAMETERS,
        responses={200: ListContentSerializer, 304: None, **refusals(400, 403, 404)},
    )
    def get(self, request: Request, pk: int, listing: int) -> Response:
        session = ranked_session(request, pk)
        one = one_list(session, listing)
        differences.check_places_visible(session, viewer_of(request))
        members = lists.members_of(one)
        whom = hashlib.sha256(repr(sorted(members.items())).encode()).hexdigest()
        return answer(request, session, lambda: self.page(one, members), lists.stamp(one), whom)

    def page(self, one: SessionList, members: dict[int, int]) -> Any:
        content = lists.content(one, members)
        cursor, size = cursor_of(self.request, self.order), size_of(self.request)
        numbers, page = slice_of(content.count, cursor, size)
        shown = list(content.places(numbers))
        concerned = {*content.absent, *(found.place.contestant for found in shown)}
        named = names.of_contestants(concerned, reader_of(viewer_of(self.request)))
        return ListContentSerializer(
            {
                **{"session": one.session_id, "list": one},
                **{"version": content.version, "state": one.session.state, "count": content.count},
                **links(self.request, page),
                "absent": [{"number": named[k].number, "contestant": named[k].name} for k in content.absent],
                "left_out": content.left_out,
                "places": [place_data(one, found, named[found.place.contestant]) for found in shown],
            }
        ).data


def place_data(one: SessionList, found: lists.RankedPlace, named: names.Named) -> dict[str, Any]:
    place = found.place
    total = place.total
    return {
        **{"line_group": found.line_group, "rank": place.rank},
        **{"number": named.number, "contestant": named.name},
        **{"points": total.points, "top": total.top, "handicap": total.handicap},
        **{"score": total.value, "boards": total.boards, "scratch_rank": found.scratch_rank},
        **{"before_next": place.before_next, "tie": lists.tie_words(one, place)},
        "master_points": found.award,
    }
