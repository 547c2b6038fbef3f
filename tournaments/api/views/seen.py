"""Boards and plays with all that their serializers need."""

from typing import Any

from django.db.models import Count, QuerySet
from django.shortcuts import get_object_or_404

from engines import registry

from ...models import Board, Play, Section, Session, Token


def plays_with_all() -> QuerySet[Play]:
    return Play.objects.select_related("table__section", "board", "result").prefetch_related(
        "seatings__contestant"
    )


def boards_of(session: Session, viewer: Token | None) -> tuple[QuerySet[Board], dict[str, Any]]:
    """The boards of a session, counted, and the context that their serializer needs."""
    boards = Board.objects.filter(board_set__session=session).order_by("number")
    counted = boards.annotate(play_count=Count("plays"), result_count=Count("plays__result"))
    open_boards = set(boards.open_to(viewer).values_list("pk", flat=True))
    prints = viewer is not None and Section.objects.entered_by(viewer).filter(session=session).exists()
    return counted, {
        "session": session,
        "game": registry.game(session.game),
        "open_boards": open_boards,
        "prints": prints and viewer is not None and viewer.role_id is not None,
    }


def open_board(session: Session, viewer: Token | None, number: int) -> Board:
    """A board whose hands the viewer may see, or 404."""
    return get_object_or_404(Board.objects.open_to(viewer).filter(board_set__session=session), number=number)
