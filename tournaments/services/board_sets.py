"""Board sets: reserve boards for those that cannot be played, and the letters that tell boards apart."""

from django.db import transaction
from django.utils.translation import gettext as _

from engines.dealing import by_hand

from ..models import Board, Play, Session, Token
from . import history
from .errors import Conflict, Invalid, Missing


@transaction.atomic
def use_reserve(*, session: Session, actor: Token | None, board: int, reason: str) -> Board:
    """Play the next reserve board in place of one that was fouled or has to be annulled, at all tables that
    have no result of it yet. A reserve board is used once; results that are there stay.

    Missing: no such board; Invalid: no reason; Conflict: no reserve left, or nothing left to play.
    """
    session = Session.objects.select_for_update().get(pk=session.pk)
    if not reason.strip():
        raise Invalid("no-reason", _("Say why the board cannot be played."))
    held = session.board_set.boards
    found = held.filter(number=board).first()
    if found is None:
        raise Missing("no-such-board", _("There is no board %(board)d in this session.") % {"board": board})
    reserves = (session.board_set.manifest or {}).get("reserves", [])
    used = set(held.filter(number__in=reserves).values_list("number", flat=True))
    free = [number for number in reserves if number not in used]
    if not free:
        raise Conflict(
            "no-reserve", _("No reserve board is left; %(count)d were sealed.") % {"count": len(reserves)}
        )
    # Locked as those who hand in lock them: a result is either here by now, or comes for the reserve.
    locked = Play.objects.filter(board=found).select_for_update(no_key=True).order_by("pk")
    waiting = Play.objects.filter(pk__in=[play.pk for play in locked], result=None, submissions=None)
    if not waiting.exists():
        raise Conflict(
            "board-played", _("Board %(board)d has been played at every table.") % {"board": board}
        )
    reserve = Board.objects.create(board_set=session.board_set, number=free[0])
    tables = sorted(
        f"{p.table.section.name}{p.table.number}" for p in waiting.select_related("table__section")
    )
    waiting.update(board=reserve)
    history.note(
        actor,
        "replaced",
        reserve,
        session=session,
        board=board,
        by=free[0],
        tables=tables,
        reason=reason.strip(),
    )
    return reserve


def letter(session: Session, number: int) -> str | None:
    """The check letter of a board; None where the club dealt by itself."""
    seed = session.board_set.seed
    return None if seed is None else by_hand.check_letter(bytes(seed), number)
