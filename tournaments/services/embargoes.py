"""What may still be played of an event's boards. Its embargo waits for whoever may begin, or plays; once it
is lifted everybody may know the cards, and a club's part neither begins nor takes results of boards that
nobody there has begun: they would be compared with those of clubs that had seen nothing.

A board has begun at a club with the first result of it, or ruling on it, that came in before the embargo was
lifted, or with a round or a table that had begun by then. A club that has been left out, or has withdrawn,
plays for itself, and may go on: nobody elsewhere is compared with it.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from ..models import Board, ClubEntry, Leg, Play, Round, RulingPart, Session, Submission, TableAtPlay
from .errors import Conflict

State = Session.State
TO_BEGIN = (State.DRAFT, State.READY)
AN_EVENING = timedelta(hours=6)
"""So long a club that sits when the window ends is waited for, where the event says no other time."""


def keeps_closed(leg: Leg, *, now: datetime) -> bool:
    """Whether somebody may still need the boards to be unknown: a session is played, or a club that has
    entered may begin its own, as late as the event allows. Two queries at most."""
    if now < _played_until(leg) and leg.sessions.filter(state=State.RUNNING).exists():
        return True
    entered = ClubEntry.objects.filter(leg=leg, state=ClubEntry.State.ENTERED)
    return now < leg.waits_until and entered.filter(session__state__in=TO_BEGIN).exists()


def _played_until(leg: Leg) -> datetime:
    return leg.late_until or leg.closes_at + AN_EVENING


def is_too_late(session: Session) -> bool:
    """Whether everybody may know the boards of a club's part, which is compared with others. Two queries at
    most; none for a session with boards of its own."""
    if session.leg_id is None or not Leg.objects.filter(pk=session.leg_id, lifted_at__isnull=False).exists():
        return False
    by_itself = ClubEntry.objects.filter(session=session).exclude(state=ClubEntry.State.ENTERED)
    return not by_itself.exists()


def check_may_play(session: Session) -> None:
    """Conflict once it is too late to begin a club's part, or to go on with it."""
    if is_too_late(session):
        raise Conflict("after-lift", refusal())


def begun_boards(session: int) -> frozenset[int]:
    """The numbers of the boards that have begun at a club (its session's id), of a part for which it is too
    late (`is_too_late`). One query."""
    there = Board.objects.filter(_begun(), board_set__session=session)
    return frozenset(there.values_list("number", flat=True))


def check_begun(begun: Collection[int], board: int, **facts: Any) -> None:
    """Conflict for a result of a board that is not among those that have `begun` at the club."""
    if board not in begun:
        raise Conflict("after-lift", refusal(), {"board": board, **facts})


def refusal() -> str:
    """Why nothing begins any more, and what can be done."""
    return _(
        "The embargo on the boards of this event has been lifted, and everybody may know them: what the club "
        "had not begun by then cannot be played for the event any more. Those who run the event can leave "
        "the club out, and it plays these boards for its own list alone; or cancel the session, and set one "
        "up with boards of its own."
    )


def begun_in_time(leg: Leg, parts: Iterable[Session]) -> list[Session]:
    """Those clubs' parts of which a board had begun when the embargo was lifted; all under embargo. Two
    queries."""
    there = list(parts)
    if leg.lifted_at is None:
        return there
    boards = Board.objects.filter(_begun(), board_set__session__in=[one.pk for one in there])
    begun = set(boards.values_list("board_set__session", flat=True))
    return [one for one in there if one.pk in begun]


def begun_late(leg: Leg, sessions: Collection[Session]) -> Mapping[int, Mapping[int, int]]:
    """The boards of a club's part of which something is known, and which had not begun when the embargo was
    lifted: by session, the numbers of these boards by their ids. Nothing under embargo. One query."""
    if leg.lifted_at is None:
        return {}
    of_board = Play.objects.filter(board=OuterRef("pk"))
    known = Exists(of_board.filter(submissions__isnull=False)) | Exists(of_board.filter(ruled__isnull=False))
    boards = Board.objects.filter(known, board_set__session__in=[one.pk for one in sessions])
    found: dict[int, dict[int, int]] = {}
    late = boards.exclude(_begun())
    for session, pk, number in late.order_by("number").values_list("board_set__session", "pk", "number"):
        found.setdefault(session, {})[pk] = number
    return found


def _begun() -> Q:
    """That a board had begun at its club when the embargo on it was lifted."""
    lifted = "board_set__session__leg__lifted_at"
    of_board: dict[str, Any] = {"play__board": OuterRef("pk")}
    at_play = OuterRef(f"board__{lifted}")
    opened = Round.objects.filter(session=OuterRef("board__board_set__session"), number=OuterRef("round"))
    seated = TableAtPlay.objects.filter(table=OuterRef("table"), round=OuterRef("round"))
    begun = Exists(opened.filter(opened_at__lte=at_play)) | Exists(seated.filter(seated_at__lte=at_play))
    return (
        Q(Exists(Submission.objects.filter(**of_board, created_at__lte=OuterRef(lifted))))
        | Q(Exists(RulingPart.objects.filter(**of_board, ruling__made_at__lte=OuterRef(lifted))))
        | Q(Exists(Play.objects.filter(begun, board=OuterRef("pk"))))
    )
