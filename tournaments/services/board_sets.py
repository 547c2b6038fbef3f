"""Board sets: their deals, the public value that they may wait for, reserve boards for those that cannot be
played, and what people need who deal by hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from engines import by_hand, registry, sealing
from engines.contract import Game
from engines.public_values import BadPublicValue, PublicValue

from ..models import Board, BoardSet, Play, Session
from ..models.open_boards import over_in
from . import history, rankings
from .errors import Conflict, Invalid, Missing, refusal


def check_dealt(session: Session) -> None:
    """Conflict while the boards wait for a public value."""
    source = session.board_set.awaited_source
    if source is not None:
        message = _("The boards are not dealt yet: they wait for a public value (%(source)s).")
        raise Conflict("no-boards-yet", message % {"source": source}, {"source": source})


@transaction.atomic
def mix_in(*, session: Session, actor: history.Actor, value: str) -> BoardSet:
    """Deal the boards from the seed and the public value that was announced when they were sealed. Giving the
    same value twice does what giving it once does.

    Invalid: the value is not in the form that was announced. Conflict: none was announced, another value is
    already known, or the session is over.
    """
    session = Session.objects.select_for_update(no_key=True).get(pk=session.pk)
    board_set = BoardSet.objects.select_for_update(no_key=True).get(session=session)
    announced = board_set.public_value
    if announced is None:
        raise Conflict(
            "no-public-value", _("No public value was announced when the boards of this session were sealed.")
        )
    if announced["value"] not in {None, value}:
        message = _("The public value is already known: %(value)s. Boards are dealt only once.")
        raise Conflict("value-known", message % announced, announced)
    if announced["value"] == value:
        return board_set
    if session.state not in Session.COMING:
        raise Conflict("session-finished", _("The session is finished: its boards can no longer be dealt."))
    seed, manifest = board_set.seed, board_set.manifest
    assert seed is not None  # only sealed sets announce a value
    assert manifest is not None
    before = board_set.commitment
    try:
        public_value = PublicValue(announced["kind"], announced["source"], value)
    except BadPublicValue as error:
        raise refusal("bad-value", error) from error
    board_set.manifest = sealing.manifest_of(sealing.boards_of(manifest), seed, public_value)
    board_set.commitment = sealing.commitment(board_set.manifest)
    board_set.save(update_fields=["manifest", "commitment"])
    if session.state == Session.State.DRAFT:
        session.state = Session.State.READY
        session.save(update_fields=["state"])
    history.note(
        actor,
        "mixed in",
        board_set,
        session=session,
        changes={"commitment": (before, board_set.commitment)},
        value=value,
    )
    return board_set


def deal_of(session: Session, number: int) -> Any:
    """The deal of a board; None where the club dealt its own cards, or while there is none."""
    key = session.board_set.key
    if key is None:
        return None
    options, conditions = (tuple(sorted(one.items())) for one in (session.options, session.conditions))
    return _deal(registry.game(session.game), key, number, options, conditions)


@lru_cache(maxsize=4096)
def _deal(
    game: Game[Any], key: bytes, number: int, options: tuple[Any, ...], conditions: tuple[Any, ...]
) -> Any:
    return registry.deal_board(game, key, number, dict(options), dict(conditions))


def file_of(session: Session, boards: Sequence[int] = ()) -> bytes:
    """The file that proves the deals, as it may be published: with the deals of some `boards`; without
    any, as it was sealed, or with the seed once everybody may see it. Missing where nothing was sealed."""
    board_set = session.board_set
    manifest, seed = board_set.manifest, board_set.seed
    if manifest is None or seed is None:
        raise Missing("nothing-sealed", _("No file was sealed for these boards."))
    if boards:
        check_dealt(session)
        return sealing.to_bytes(sealing.boards_file(manifest, seed, boards))
    public = board_set.public_seed
    return sealing.to_bytes(
        sealing.sealed_file(manifest) if public is None else sealing.seed_file(manifest, public)
    )


def lists(session: Session, number: int, deal: Any) -> dict[str, Any]:
    """A board for people who deal it by hand: where each card of the pack goes, and what each seat gets."""
    game = registry.game(session.game)
    return {
        "board": number,
        "letter": letter(session, number),
        "by_card": [list(one) for one in by_hand.by_card(game, deal)],
        "by_seat": by_hand.by_seat(game, deal),
    }


@transaction.atomic
def use_reserve(*, session: Session, actor: history.Actor, board: int, reason: str) -> Board:
    """Play the next reserve board in place of one that was fouled or has to be annulled, at all tables that
    have no result of it yet. A reserve board is used once; results that are already there stay.

    Missing: no such board. Invalid: no reason. Conflict: no reserve board is left, or no table has still to
    play the board.
    """
    session = Session.objects.select_for_update(no_key=True).get(pk=session.pk)
    if not reason.strip():
        raise Invalid("no-reason", _("Say why the board cannot be played."))
    plan = plan_reserve(session=session, board=board)
    waiting = Play.objects.filter(pk__in=plan.waiting)
    reserve = Board.objects.create(board_set=session.board_set, number=plan.reserve)
    waiting.update(board=reserve)
    rankings.change_layout(session, recount=False)
    history.note(
        actor,
        "replaced",
        reserve,
        session=session,
        board=board,
        by=plan.reserve,
        tables=list(plan.tables),
        reason=reason.strip(),
    )
    return reserve


@dataclass(frozen=True, slots=True)
class ReservePlan:
    """What a reserve board would do: its number; `tables` that would play it, by their plays that wait;
    `played`: those that have a result of the fouled board already, which stays."""

    reserve: int
    tables: Sequence[str]
    waiting: Sequence[int]
    played: Sequence[str]


def plan_reserve(*, session: Session, board: int) -> ReservePlan:
    """What the next reserve board would be in the place of this one; nothing is stored. Refused as
    `use_reserve` refuses it. In a transaction, the board's plays are held."""
    check_dealt(session)
    boards = session.board_set.boards
    fouled = boards.filter(number=board).first()
    if fouled is None:
        raise Missing("no-such-board", _("There is no board %(board)d in this session.") % {"board": board})
    reserves = (session.board_set.manifest or {}).get("reserves", [])
    in_play = set(boards.filter(number__in=reserves).values_list("number", flat=True))
    free = [number for number in reserves if number not in in_play]
    if not free:
        raise Conflict(
            "no-reserve", _("No reserve board is left (sealed: %(count)d).") % {"count": len(reserves)}
        )
    rows = Play.objects.filter(board=fouled).select_related("table__section").order_by("pk")
    if transaction.get_connection().in_atomic_block:
        # Handing in takes the same locks: a result is either here by now, or comes for the reserve board.
        list(
            Play.objects.filter(board=fouled).select_for_update(no_key=True).order_by("pk").values_list("pk")
        )
    waiting = list(rows.filter(result=None, submissions=None))
    if not waiting:
        raise Conflict(
            "board-played", _("Board %(board)d has already been played at every table.") % {"board": board}
        )
    held = {play.pk for play in waiting}
    return ReservePlan(
        free[0],
        sorted(f"{play.table.section.name}{play.table.number}" for play in waiting),
        sorted(held),
        sorted(f"{play.table.section.name}{play.table.number}" for play in rows if play.pk not in held),
    )


@transaction.atomic
def take_back_reserve(*, session: Session, actor: history.Actor, reserve: int, board: int) -> None:
    """The board is to be played after all, at the tables that were given the `reserve` in its place. Conflict
    once a result of the reserve board is here, a ruling or an objection is about it, or it is not in play."""
    session = Session.objects.select_for_update(no_key=True).get(pk=session.pk)
    boards = {one.number: one for one in session.board_set.boards.filter(number__in=[reserve, board])}
    if len(boards) < 2 or reserve not in (session.board_set.manifest or {}).get("reserves", []):
        raise Conflict("no-reserve", _("This reserve board is not in play."))
    plays = Play.objects.filter(board=boards[reserve])
    list(plays.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    relied_on = Q(submissions__isnull=False) | Q(ruling_parts__isnull=False) | Q(objections__isnull=False)
    if plays.filter(relied_on).exists():
        message = _("Board %(board)d has been played by now, or ruled on.")
        raise Conflict("board-played", message % {"board": reserve})
    plays.update(board=boards[board])
    boards[reserve].delete()
    rankings.change_layout(session, recount=False)
    history.note(actor, "took back reserve", session, session=session, board=board, by=reserve)


def note_over(*, session_id: int) -> None:
    """Note which boards of a session that is being played are over by now: whoever changes a result of one
    has to say why. A few small queries as long as each waits for a result."""
    session = Session.objects.select_related("board_set", "tally").get(pk=session_id)
    if session.state in Session.COMING:
        waiting = list(session.board_set.boards.filter(over_at=None).values_list("pk", flat=True))
        if waiting and (over := list(over_in(session, waiting).values_list("pk", flat=True))):
            Board.objects.filter(pk__in=over).update(over_at=timezone.now())


def letter(session: Session, number: int) -> str | None:
    """The check letter of a board; None where the club dealt its own cards, and while there are none."""
    key = session.board_set.key
    return None if key is None else by_hand.check_letter(key, number)


def numbers(session: Session) -> list[int]:
    """The boards that were sealed, reserves included."""
    manifest = session.board_set.manifest or {}
    return sorted({*manifest.get("boards", ()), *manifest.get("reserves", ())})


def check_letter(session: Session, number: int, given: str, **where: int) -> None:
    """Invalid where a slip has another letter than the wallet of its board: it is another board's. Nobody
    knows the letter where the tables deal their own cards, even if slips were printed with one before.
    `where`: the row, for whoever sent several."""
    own = letter(session, number)
    if given and own is not None and given.upper() != own:
        message = _("%(letter)s is not the letter of board %(board)d. Was another board played?")
        names = {"letter": given, "board": number}
        raise Invalid("wrong-board", message % names, where or names)
