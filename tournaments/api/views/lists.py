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

from ...models import Ranking, Session, SessionList, Token
from ...services import list_contents, lists, names, rankings
from ...services.names import reader_of
from ..conditional import IF_MATCH, answer, seen_stamp, stamped
from ..filters import ListFilters
from ..pagination import PAGE_PARAMETERS, Order, cursor_of, links, size_of, slice_of
from ..serializers.lists import (
    ListContentSerializer,
    ListPlaceSerializer,
    ListSetupSerializer,
    SessionListSerializer,
)
from ..serializers.results import RankingWishSerializer, wanted_version
from ..strict import OnlyKnownParameters
from .callers import (
    caller_of,
    organised_session,
    ranked_session,
    refusals,
    session_with_lists,
    viewer_of,
)

NEWCOMERS = OpenApiExample(
    "newcomers, with tie-breaks and master points",
    {
        **{"name": "Newcomers", "kind": "category", "about": "newcomer"},
        **{"tie_breaks": ["direct-encounter", "best-boards"], "min_boards": 8, "award_factor": "1/2"},
    },
    request_only=True,
)


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
    row: ClassVar = SessionListSerializer
    filters = ListFilters
    page_order: ClassVar[Order] = {"number": int}

    def get_queryset(self) -> QuerySet[SessionList]:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        return lists.of(session_with_lists(self.request, self.kwargs["pk"]))

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
        return list_answer(request, one_list(session_with_lists(request, pk), listing))

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
    ranking, unless you ask for another. A tie says which tie-break split it, or that none did. While the
    session is played, by the live list for everybody but its officials.

    The pages that follow are of the same version. What a list shows by its own method, by matches or by
    tie-breaks of those who are tied needs the results themselves: by an earlier version, this is refused
    (`only-newest`)."""

    serializer_class = ListContentSerializer
    queryset = SessionList.objects.none()
    parameters = ("version",)
    is_paged, may_descend = True, False
    row: ClassVar = ListPlaceSerializer
    rows_in = "places"
    order: ClassVar[Order] = {"place": int}

    @extend_schema(
        parameters=[RankingWishSerializer, *PAGE_PARAMETERS],
        responses={200: ListContentSerializer, 304: None, **refusals(400, 403, 404, 409)},
    )
    def get(self, request: Request, pk: int, listing: int) -> Response:
        session, is_live = ranked_session(request, pk)
        one = one_list(session, listing)
        number = wanted_version(request)
        every = rankings.versions_of(session, is_live=is_live)
        version = None if number is None else get_object_or_404(every, version=number)
        members = list_contents.members_of(one)
        whom = hashlib.sha256(repr(sorted(members.items())).encode()).hexdigest()
        content = lambda: self.page(one, members, version, is_live)  # noqa: E731
        return answer(request, session, content, lists.stamp(one), whom, is_live=is_live)

    def page(self, one: SessionList, members: dict[int, int], version: Ranking | None, is_live: bool) -> Any:
        content = list_contents.content(one, members, is_live=is_live, by=version)
        cursor, size = cursor_of(self.request, self.order), size_of(self.request)
        numbers, page = slice_of(content.count, cursor, size)
        shown = list(content.places(numbers))
        concerned = {*content.absent, *(found.place.contestant for found in shown)}
        named = list_contents.named(one, concerned, reader_of(viewer_of(self.request)))
        return ListContentSerializer(
            {
                **{"session": one.session_id, "list": one, "live": is_live},
                **{"version": content.version, "state": one.session.state, "count": content.count},
                **links(self.request, page, **({"version": content.version} if content.version else {})),
                "absent": [{"number": named[k].number, "contestant": named[k].name} for k in content.absent],
                "left_out": content.left_out,
                "places": [place_data(one, found, named[found.place.contestant]) for found in shown],
            }
        ).data


def place_data(one: SessionList, found: list_contents.RankedPlace, named: names.Named) -> dict[str, Any]:
    place = found.place
    total = place.total
    return {
        **{"line_group": found.line_group, "rank": place.rank},
        **{"number": named.number, "contestant": named.name},
        **{"points": total.points, "top": total.top, "handicap": total.handicap},
        **{"score": total.value, "boards": total.boards, "scratch_rank": found.scratch_rank},
        **{"before_next": place.before_next, "tie": list_contents.tie_words(one, place)},
        "master_points": found.award,
    }
