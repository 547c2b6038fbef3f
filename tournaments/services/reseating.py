"""A table has not sat, or not played, as planned: what really happened is written down afterwards, or what is
to happen is changed. Results stay with their boards, and are counted for those who were there."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, Min, Q
from django.utils.translation import gettext as _

from engines import registry

from .. import movements
from ..models import (
    Board,
    MatchRules,
    Objection,
    Play,
    Result,
    RulingPart,
    Seating,
    Section,
    Session,
    Submission,
    Table,
)
from ..models.open_boards import over_in
from ..movements import Movement, Sitting, line_groups
from . import calls, history, layouts, own_plays, rankings, rounds, states
from .errors import Conflict, Invalid, Missing


class Kind(StrEnum):
    SEATS = "seats"  # some have sat in each other's seats
    TURNED = "turned"  # the arrow: the sides have changed places
    BOARDS = "boards"  # other boards have been played, those of another round


class Cost(NamedTuple):
    """What a change costs: the measures of the whole evening before and after it; and by contestant (its
    number) and board, what somebody would play twice, and has to be ruled on."""

    before: movements.Quality
    after: movements.Quality
    twice: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Reseating:
    """A change that is to be made. `number`: of the plan that it rests on, as the tally counts them;
    `sittings`: by play, where it changes, with those who sit there by seat; `boards`: by play, the number of
    another board that its table does not have yet; `undoing`: what, planned in its turn, takes it back.
    `played`: boards that others have played at this table before, whose results stay theirs. `parts`: into
    how many parts the ranking falls before and after it, none of which is compared with another."""

    session: int
    section: int
    number: int
    details: Mapping[str, Any]
    undoing: Mapping[str, Any]
    sittings: Mapping[int, tuple[int, Sequence[int]]]
    boards: Mapping[int, int]
    layout: Movement
    cost: Cost
    played: Sequence["Exchanged"] = ()
    parts: tuple[int, int] = (1, 1)


class Exchanged(NamedTuple):
    """A board that a table is said to have played in the place of another: the plays of both, and the round
    to which it belongs."""

    play: int
    board: int
    round: int
    instead: int
    planned: int


class _Held(NamedTuple):
    """A play as its rows are: `contestants` by seat."""

    play: int
    round: int
    table: int
    board: int
    contestants: Sequence[int]


def plan(
    *,
    session: Session,
    kind: str,
    table: int,
    number: int,
    section: str = "A",
    order: Sequence[int] | None = None,
    boards: Sequence[int] | None = None,
) -> Reseating:
    """What a change of a table's round (its `number`) comes to, and costs; nothing is stored. The time grows
    with all plays, and with the pairs of contestants.

    `order` (of seats): seat by seat, whose planned seat its occupant had. `boards`: what the table has really
    played, in place of the round's boards in their order; those that it has in another round change places
    with them. Missing: no such table in that round. Invalid: that is no order of its seats, or there are no
    such boards.
    """
    session = Session.objects.select_related("tally", "board_set").get(pk=session.pk)
    the_section = session.sections.filter(name=section).first()
    held = [] if the_section is None else _held(the_section)
    own = [one for one in held if (one.table, one.round) == (table, number)]
    if the_section is None or not own:
        message = _("Table %(section)s%(table)d does not play in round %(round)d.")
        raise Missing("no-such-play", message % {"section": section, "table": table, "round": number})
    details = {"section": section, "table": table, "round": number}
    undoing: dict[str, Any] = {"section": section, "table": table, "number": number}
    sittings: dict[int, tuple[int, Sequence[int]]] = {}
    others: dict[int, int] = {}
    exchanged: list[Exchanged] = []
    if kind == Kind.BOARDS:
        given = _boards(session, own, boards)
        there = {one.board: one for one in held if one.table == table}
        for one, played in zip(own, given, strict=True):
            if played not in there:
                others[one.play] = played
            elif (other := there[played]).round != number:
                sittings[one.play] = (other.round, other.contestants)
                sittings[other.play] = (one.round, one.contestants)
                exchanged.append(Exchanged(other.play, played, other.round, one.play, one.board))
        details["boards"] = list(given)
        planned = {played: one.board for one, played in zip(own, given, strict=True)}
        undoing |= {"kind": str(kind), "boards": [planned[played] for played in sorted(planned)]}
    else:
        turned = _turned(session) if kind == Kind.TURNED else _order(session, order)
        for one in own:
            sittings[one.play] = (number, [one.contestants[seat - 1] for seat in turned])
        details["order"] = list(turned)
        undoing |= {"kind": str(Kind.SEATS), "order": [turned.index(seat) + 1 for seat in sorted(turned)]}
    sides = registry.game(session.game).sides_of(session.conditions)
    before = _movement(session, held, sides)
    after = [
        one._replace(
            round=sittings.get(one.play, (one.round, one.contestants))[0],
            contestants=sittings.get(one.play, (one.round, one.contestants))[1],
            board=others.get(one.play, one.board),
        )
        for one in held
    ]
    layout = _movement(session, after, sides)
    twice = set(_twice(after)) - set(_twice(held))
    cost = Cost(movements.quality(before), movements.quality(layout), sorted(twice))
    return Reseating(
        session.pk,
        the_section.pk,
        session.tally.layout,
        {"kind": str(kind), **details},
        undoing,
        sittings,
        others,
        layout,
        cost,
        _played_by_others(held, exchanged, table, number),
        _parts(session, before, layout, sides),
    )


def _parts(
    session: Session, before: Movement, after: Movement, sides: Sequence[Sequence[int]]
) -> tuple[int, int]:
    """One and one where `store` leaves the groups as they are."""
    if not _is_grouped(session):
        return 1, 1
    counts = [len(set(line_groups(layout.sittings, sides).values())) for layout in (before, after)]
    return counts[0], counts[1]


def _is_grouped(session: Session) -> bool:
    """Whether who has been compared with whom follows from this section's plays: where sessions are paired,
    all are ranked together, whom they have met or not."""
    rules = MatchRules.objects.filter(session=session).first()
    return session.sections.count() == 1 and not (rules is not None and rules.is_paired)


class MetTwice(NamedTuple):
    """A play with a result whose people, or some of them, had met its board before: `contestants`."""

    play: Play
    contestants: Sequence[int]


def met_twice(session: Session) -> list[MetTwice]:
    """Where somebody has results of one board from two plays, and nothing has been ruled on either: the later
    ones, by round and table. Two queries at most; the time grows with the seats that are taken twice."""
    seats = Seating.objects.filter(play__table__section__session=session, play__result__isnull=False)
    doubled = seats.values("contestant", "play__board").annotate(plays=Count("play", distinct=True))
    pairs = list(doubled.filter(plays__gt=1).order_by().values_list("contestant", "play__board"))
    if not pairs:
        return []
    plays = Play.objects.filter(
        table__section__session=session, result__isnull=False, board__in={board for _who, board in pairs}
    )
    rows = plays.select_related("table__section", "board", "ruled").prefetch_related("seatings")
    met: dict[tuple[int, int], list[Play]] = {pair: [] for pair in pairs}
    for play in rows.order_by("round", "table__section__name", "table__number"):
        for contestant in {one.contestant_id for one in play.seatings.all()}:
            if (pair := (contestant, play.board_id)) in met:
                met[pair].append(play)
    found: dict[int, tuple[Play, list[int]]] = {}
    for (contestant, _board), twice in met.items():
        if not any(any(one.ruled.entries) for one in twice if hasattr(one, "ruled")):
            for play in twice[1:]:
                found.setdefault(play.pk, (play, []))[1].append(contestant)
    return [MetTwice(play, sorted(some)) for play, some in found.values()]


def _played_by_others(
    held: Sequence[_Held], exchanged: Sequence[Exchanged], table: int, number: int
) -> list[Exchanged]:
    """Those of these boards that the people of their own round have played: one that came in before anything
    else of a later round did, or after the others of its own, while nothing has come in of the board in whose
    place it is said to have been played."""
    if not exchanged:
        return []
    own = [one for one in held if one.table == table]
    rows = Submission.objects.filter(play__in=[one.play for one in own], state__in=Submission.TAKEN)
    came: dict[int, datetime] = dict(rows.values_list("play").annotate(first=Min("created_at")))
    moved = {play for one in exchanged for play in (one.play, one.instead)}

    def began(number: int) -> datetime | None:
        there = {one.play for one in own if one.round == number} - moved
        return min((came[play] for play in there & came.keys()), default=None)

    found = []
    for one in exchanged:
        if one.play not in came or one.instead in came:
            continue
        at, begun = came[one.play], began(max(one.round, number))
        is_before = begun is None or at < begun
        if is_before == (one.round < number):
            found.append(one)
    return found


def _held(section: Section) -> list[_Held]:
    seats: dict[int, dict[int, int]] = {}
    rows = Seating.objects.filter(play__table__section=section)
    for play, seat, number in rows.values_list("play_id", "seat", "contestant__number"):
        seats.setdefault(play, {})[seat] = number
    plays = Play.objects.filter(table__section=section).order_by("round", "table__number", "board__number")
    return [
        _Held(pk, number, table, board, [seats[pk][seat] for seat in sorted(seats[pk])])
        for pk, number, table, board in plays.values_list("pk", "round", "table__number", "board__number")
        if pk in seats
    ]


def _movement(session: Session, held: Sequence[_Held], sides: Sequence[Sequence[int]]) -> Movement:
    sittings = [
        Sitting(
            one.round,
            one.table,
            one.board,
            layouts.contestants_of(dict(enumerate(one.contestants, 1)), sides),
        )
        for one in held
    ]
    return Movement(session.movement, tuple(sittings))


def _twice(held: Sequence[_Held]) -> list[tuple[int, int]]:
    seen: set[tuple[int, int]] = set()
    found = []
    for one in held:
        for contestant in set(one.contestants):
            if (contestant, one.board) in seen:
                found.append((contestant, one.board))
            seen.add((contestant, one.board))
    return found


def _turned(session: Session) -> list[int]:
    """Each side sits where the one before it should."""
    sides = registry.game(session.game).sides_of(session.conditions)
    order: dict[int, int] = {}
    for side, before in zip(sides, [*sides[1:], sides[0]], strict=True):
        order |= dict(zip(side, before, strict=True))
    return [order[seat] for seat in sorted(order)]


def _order(session: Session, order: Sequence[int] | None) -> Sequence[int]:
    count = registry.game(session.game).seat_count(session.conditions)
    if order is None or sorted(order) != list(range(1, count + 1)) or list(order) == sorted(order):
        message = _("Say for each seat whose it is: the numbers 1 to %(count)d in another order.")
        raise Invalid("bad-order", message % {"count": count})
    return order


def _boards(session: Session, own: Sequence[_Held], boards: Sequence[int] | None) -> Sequence[int]:
    if boards is None or len(set(boards)) != len(own) or set(boards) == {one.board for one in own}:
        message = _("Say which boards were played, as many as the round has: %(count)d.")
        raise Invalid("bad-boards", message % {"count": len(own)})
    known = set(session.board_set.boards.values_list("number", flat=True))
    if strange := sorted(set(boards) - known):
        message = _("There is no board %(board)d in this session.")
        raise Invalid("no-such-board", message % {"board": strange[0]}, {"boards": strange})
    others = iter([one for one in boards if one not in {play.board for play in own}])
    return [play.board if play.board in boards else next(others) for play in own]


@transaction.atomic
def store(
    plan: Reseating,
    *,
    actor: history.Actor,
    reason: str = "",
    confirmed: bool = False,
    seen: str | None = None,
    answers_call: bool = False,
    takes_back: bool = False,
) -> Session:
    """Make a change. What was final is amended. `answers_call`: with it, the table's call about its seats is
    settled; `takes_back`: it undoes a change. Conflict: the session has been planned otherwise meanwhile or
    is cancelled, others have played a board at this table before, rulings or objections are about a play that
    changes, results are there of a board that would be another, or a board that the table gets is over, and
    nobody has `confirmed` that the table has played it. Invalid: there are results, and nobody says why.
    Forbidden, once there are, for whoever sat there. Stale: the session is not as it was `seen`."""
    session = states.locked(Session(pk=plan.session))
    states.check_seen(session, seen)
    if session.state == Session.State.CANCELLED:
        raise Conflict("session-cancelled", _("The session has been cancelled."))
    if session.tally.layout != plan.number:
        raise Conflict("planned-again", _("The session has been planned again meanwhile: look again."))
    changed = sorted({*plan.sittings, *plan.boards})
    plays = Play.objects.filter(pk__in=changed)
    list(plays.select_for_update(of=("self",)).order_by("pk").values_list("pk"))
    if not takes_back:
        check_played(plan)
    check_not_ruled(plan)
    _check(plays, plan, reason)
    if not confirmed:
        _check_not_over(session, plan.boards.values())
    if Result.objects.filter(play__in=changed).exists():
        message = _("You sat at this table: somebody else says who played there.")
        own_plays.check_sat_elsewhere(actor, session, changed, message)
    states.amend_all([session.pk])
    contestants = {one.number: one for one in session.contestants.all()}
    by_number = {board.number: board.pk for board in Board.objects.filter(board_set__session=session)}
    for play, number in plan.boards.items():
        Play.objects.filter(pk=play).update(board=by_number[number])
    if plan.boards:
        layouts.follow_plays(session)
    for play, (number, seats) in plan.sittings.items():
        Play.objects.filter(pk=play).update(round=number)
        for seat, contestant in enumerate(seats, start=1):
            Seating.objects.filter(play=play, seat=seat).update(contestant=contestants[contestant])
    sides = registry.game(session.game).sides_of(session.conditions)
    if _is_grouped(session):
        layouts.group(contestants, plan.layout.sittings, sides)
    rounds.follow_plan(session)
    rankings.change_layout(session)
    history.note(actor, "reseated", session, session=session, **plan.details, reason=reason)
    if answers_call and actor is not None:
        table = Table.objects.get(section=plan.section, number=plan.details["table"])
        calls.settle_seats(table=table, actor=actor)
    return session


def check_played(plan: Reseating) -> None:
    """Conflict for a board that others have played at this table before: their result stays theirs."""
    if not plan.played:
        return
    one = plan.played[0]
    message = _(
        "Others played board %(board)d at this table in round %(round)d, and their result stays theirs."
        " Played again it counts for nobody: rule on board %(planned)d, which has not been played."
    )
    facts = {"board": one.board, "round": one.round, "planned": one.planned}
    raise Conflict("board-played", message % facts, facts)


def _check_not_over(session: Session, numbers: Collection[int]) -> None:
    """Conflict for a board that everybody else has played: its cards may be known, so that a table that has
    not played it yet cannot any more."""
    if session.is_over or not numbers:
        return
    boards = Board.objects.filter(board_set__session=session, number__in=numbers)
    over = over_in(session, set(boards.values_list("pk", flat=True))).order_by("number").first()
    if over is not None:
        message = _(
            "Board %(board)d is over, and its cards may be known: confirm that the table has played it."
        )
        raise Conflict("board-over", message % {"board": over.number}, {"board": over.number})


def check_not_ruled(plan: Reseating) -> None:
    """Conflict for plays that a ruling which stands, or any objection, is about."""
    changed = {*plan.sittings, *plan.boards}
    stands = RulingPart.objects.filter(play__in=changed, ruling__reversed_at=None)
    if stands.exists() or Objection.objects.filter(play__in=changed).exists():
        message = _(
            "Rulings or objections are about these boards: reverse the rulings; where somebody has objected,"
            " rule on what happened instead."
        )
        raise Conflict("round-ruled", message)


def _check(plays: Any, plan: Reseating, reason: str) -> None:
    if Submission.objects.filter(play__in=list(plan.boards)).exists():
        message = _(
            "Results of these boards have come in already: enter them for the boards that were played."
        )
        raise Conflict("round-begun", message)
    if not reason.strip() and Result.objects.filter(Q(play__in=plays)).exists():
        raise Invalid("no-reason", _("Results are there already: say why they are counted for others."))
