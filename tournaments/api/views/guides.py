"""Who goes where, for printing: all sections for the organiser, their own for a scorer."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import PermissionDenied
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from ...models import Contestant, Play, Section, Session, Table
from ...services import guides
from ...services.names import reader_of
from ..conditional import answer
from ..filters import ContestantGuideFilters, TableGuideFilters
from ..pagination import PAGE_SIZE, Order
from ..serializers.movements import ContestantGuideSerializer, TableGuideSerializer, TravelSerializer
from ..strict import OnlyKnownParameters
from .callers import caller_of, refusals, seen_session

Sections = list[Section]


class Guides(OnlyKnownParameters, ListAPIView[Any], ABC):
    """A list about the sections in the caller's charge. `rows`: what it is made of; `guides_of`: how
    a page of them looks."""

    is_paged = True
    page_size = 25

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        caller = caller_of(request)
        session = seen_session(request, kwargs["pk"])
        sections = list(Section.objects.scored_by(caller).filter(session=session).order_by("name"))
        if not sections:
            raise PermissionDenied
        return answer(request, session, lambda: self.page(session, sections))

    def page(self, session: Session, sections: Sections) -> Any:
        rows = self.paginate_queryset(self.rows(session, sections)) or []
        return self.get_paginated_response(self.guides_of(session, sections, rows)).data

    @abstractmethod
    def rows(self, session: Session, sections: Sections) -> QuerySet[Any, Any]: ...

    @abstractmethod
    def guides_of(self, session: Session, sections: Sections, rows: Any) -> Any: ...


@extend_schema(responses={200: ContestantGuideSerializer(many=True), 304: None, **refusals(400, 403, 404)})
class ContestantGuides(Guides):
    """For each contestant: at which table and in which seats in each round, with whom, for which boards."""

    queryset = Contestant.objects.none()
    serializer_class = ContestantGuideSerializer
    row: ClassVar = ContestantGuideSerializer
    filters = ContestantGuideFilters
    page_order: ClassVar[Order] = {"number": int}

    def rows(self, session: Session, sections: Sections) -> QuerySet[Contestant]:
        return guides.contestants_in(session, sections)

    def guides_of(self, session: Session, sections: Sections, rows: Any) -> Any:
        return guides.for_contestants(session, sections, rows, reader_of(caller_of(self.request)))


@extend_schema(responses={200: TableGuideSerializer(many=True), 304: None, **refusals(400, 403, 404)})
class TableGuides(Guides):
    """For each table: which boards in each round, and who sits there."""

    queryset = Table.objects.none()
    serializer_class = TableGuideSerializer
    row: ClassVar = TableGuideSerializer
    filters = TableGuideFilters
    page_order: ClassVar[Order] = {"section__name": str, "number": int}

    def rows(self, session: Session, sections: Sections) -> QuerySet[Table]:
        return Table.objects.filter(section__in=sections).select_related("section")

    def guides_of(self, session: Session, sections: Sections, rows: Any) -> Any:
        return guides.for_tables(session, rows)


@extend_schema(responses={200: TravelSerializer(many=True), 304: None, **refusals(400, 403, 404)})
class BoardGuides(Guides):
    """Where each board travels, board by board and round by round."""

    queryset = Play.objects.none()
    serializer_class = TravelSerializer
    row: ClassVar = TravelSerializer
    page_size = PAGE_SIZE
    page_order: ClassVar[Order] = {"board_id": int, "round": int, "id": int}

    def rows(self, session: Session, sections: Sections) -> QuerySet[Play, Any]:
        boards = list(session.board_set.boards.values_list("pk", flat=True))
        plays = Play.objects.filter(board__in=boards)
        if len(sections) < session.sections.count():
            plays = plays.filter(table__section__in=sections)
        return plays.values("id", "round", "board_id")

    def guides_of(self, session: Session, sections: Sections, rows: Any) -> Any:
        return guides.travels([row["id"] for row in rows])
