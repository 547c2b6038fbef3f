"""Sessions, boards and plays with all that their serializers need, in a number of queries that does not grow
with them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.shortcuts import get_object_or_404
from rest_framework.response import Response

from engines import registry

from ...models import (
    Board,
    Contestant,
    Line,
    Play,
    Result,
    Section,
    Session,
    Submission,
    Token,
    access,
    open_boards,
)
from ...services import custody, deal_sheets, states
from ..conditional import tagged
from ..serializers.boards import BoardSerializer
from ..serializers.tournaments import SessionSerializer


def with_all(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """The sessions with their sections, counted, and whether a result has been handed in."""
    sections = Section.objects.select_related("club").annotate(table_count=Count("tables")).order_by("name")
    return (
        sessions.select_related("board_set", "tally", "tournament__club")
        .defer("tally__progress", "tally__live_progress")
        .prefetch_related(Prefetch("sections", sections))
        .annotate(
            board_count=_count_of(Board.objects.all(), "board_set__session"),
            contestant_count=_count_of(Contestant.objects.all(), "session"),
            is_issued=Exists(Submission.objects.filter(play__board__board_set__session=OuterRef("pk"))),
        )
    )


def _count_of(rows: QuerySet[Any], owner: str) -> Coalesce:
    """How many rows belong to each owner. A query of its own: joins would multiply each other."""
    own = rows.filter(**{owner: OuterRef("pk")}).order_by().values(owner)
    return Coalesce(Subquery(own.annotate(count=Count("pk")).values("count")), 0)


def session_data(session: Session) -> Any:
    """A session that has just been made or changed, as the API shows it."""
    return SessionSerializer(with_all(Session.objects.filter(pk=session.pk)).get()).data


def session_answer(session: Session) -> Response:
    """A session that somebody has just changed, with the ETag by which it is changed next."""
    shown = with_all(Session.objects.filter(pk=session.pk)).get()
    return Response(SessionSerializer(shown).data, headers=tagged(states.stamp(shown)))


def boards_with(session: Session, viewer: Token | None, code: str) -> QuerySet[Board]:
    """The board whose sheets have a code, as `boards_of` reads it; none for those who do not see codes."""
    boards, number = boards_of(session, viewer), deal_sheets.board_of(session, code)
    if number is None or not Section.objects.scored_by(viewer).filter(session=session).exists():
        return boards.none()
    return boards.filter(number=number)


def boards_of(session: Session, viewer: Token | None) -> QuerySet[Board]:
    """The boards of a session with the counts of their plays, and whether the viewer may see them. With the
    counts of disputed results, for those who direct the session."""
    boards = Board.objects.filter(board_set=session.board_set).annotate(
        play_count=_count_of(Play.objects.all(), "board"),
        is_open=Exists(open_boards.open_in(session, viewer).filter(pk=OuterRef("pk"))),
    )
    if viewer is None or not access.directs(viewer, session=session.pk, club=session.tournament.club_id):
        return boards
    disputed = Result.objects.filter(submission__state=Submission.State.DISPUTED)
    return boards.annotate(disputed_count=_count_of(disputed, "play__board"))


def boards_data(session: Session, viewer: Token | None, boards: Sequence[Board]) -> Any:
    """Some of the boards that `boards_of` reads, as the API shows them."""
    prints = Section.objects.scored_by(viewer).filter(session=session).exists()
    first = Line.objects.filter(board__in=boards, side=0)
    context = {
        "session": session,
        "seen": custody.seen_boards(session, viewer, [board.pk for board in boards]),
        "game": registry.game(session.game),
        "prints": prints,
        "codes": deal_sheets.codes(session) if prints else {},
        "marks": deal_sheets.marks(session) if prints else {},
        "results": {board: sum(counts.values()) for board, counts in first.values_list("board_id", "counts")},
    }
    return BoardSerializer(boards, many=True, context=context).data


@dataclass(frozen=True, slots=True)
class Sight:
    """What somebody sees of the results that were handed in for a session. `boards`: those whose deal they
    may see; `directs`: what is disputed; `own`: also what they hold only the table's side of; `results`: the
    boards of which they may know what others have handed in, None for all; `role`: whose own sheets they
    see anyway."""

    boards: frozenset[int]
    directs: bool
    own: bool
    results: frozenset[int] | None = None
    role: int | None = None

    def is_told_disputes(self, board: int) -> bool:
        """Whether they know which results of a board its deal contradicts."""
        directs = self.directs and (self.results is None or board in self.results)
        return directs or board in self.boards

    def told_disputes(self) -> Q:
        """The same, of the boards of submissions."""
        if self.directs and self.results is None:
            return Q(pk__isnull=False)
        boards = self.boards | ((self.results or frozenset()) if self.directs else frozenset())
        return Q(play__board__in=boards)


OWN = Sight(frozenset(), directs=False, own=True)


def sight_of(session: Session, viewer: Token, boards: Collection[int] | None = None) -> Sight:
    """`boards`: the ids of those that are to be shown, if not any."""
    seen = open_boards.open_in(session, viewer, boards).values_list("pk", flat=True)
    directs = access.directs(viewer, session=session.pk, club=session.tournament.club_id)
    results = custody.seen_boards(session, viewer, boards)
    return Sight(frozenset(seen), directs, viewer.role_id is None, results, viewer.role_id)


def open_board(session: Session, viewer: Token | None, number: int) -> Board:
    """A board whose hands the viewer may see, or 404."""
    return get_object_or_404(open_boards.open_in(session, viewer), number=number)
