"""Sessions, boards and plays with all that their serializers need, in a number of queries that does not grow
with them."""

from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, QuerySet, Subquery
from django.shortcuts import get_object_or_404

from engines import registry

from ...models import Board, Contestant, Play, Section, Session, Submission, Token
from ...services.rankings import AwardBook
from ..serializers.tournaments import SessionSerializer


def with_all(sessions: QuerySet[Session]) -> QuerySet[Session]:
    """The sessions with their sections, counted, and whether a result has been handed in."""
    sections = Section.objects.select_related("club").annotate(table_count=Count("tables")).order_by("name")
    return (
        sessions.select_related("board_set", "tally")
        .prefetch_related(Prefetch("sections", sections))
        .annotate(
            board_count=_counted(Board.objects.all(), "board_set__session"),
            contestant_count=_counted(Contestant.objects.all(), "session"),
            is_issued=Exists(Submission.objects.filter(play__board__board_set__session=OuterRef("pk"))),
        )
    )


def _counted(rows: QuerySet[Any], session: str) -> Subquery:
    """How many rows belong to each session. A query of its own: joins would multiply each other."""
    own = rows.filter(**{session: OuterRef("pk")}).order_by().values(session)
    return Subquery(own.annotate(count=Count("pk")).values("count"))


def session_data(session: Session) -> Any:
    """A session that has just been made or changed, as the API shows it."""
    return SessionSerializer(with_all(Session.objects.filter(pk=session.pk)).get()).data


def plays_with_all() -> QuerySet[Play]:
    return Play.objects.select_related("table__section", "board", "result").prefetch_related(
        "seatings__contestant"
    )


def boards_of(session: Session, viewer: Token | None) -> tuple[QuerySet[Board], dict[str, Any]]:
    """The boards of a session with the counts of their plays, and the context that their serializer needs."""
    boards = Board.objects.filter(board_set__session=session).order_by("number")
    counted = boards.annotate(play_count=Count("plays"), result_count=Count("plays__result"))
    open_boards = set(boards.open_to(viewer).values_list("pk", flat=True))
    prints = viewer is not None and Section.objects.entered_by(viewer).filter(session=session).exists()
    return counted, {
        "session": session,
        "game": registry.game(session.game),
        "awards": AwardBook(session),
        "open_boards": open_boards,
        "prints": prints and viewer is not None and viewer.role_id is not None,
    }


def open_board(session: Session, viewer: Token | None, number: int) -> Board:
    """A board whose hands the viewer may see, or 404."""
    return get_object_or_404(Board.objects.open_to(viewer).filter(board_set__session=session), number=number)
