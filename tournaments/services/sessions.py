"""Sessions, from setting one up to publishing its ranking."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import transaction

from engines import dealing, registry, sealing
from engines.contract import Game
from engines.errors import EngineError
from engines.public_values import PublicValue

from .. import movements
from ..models import BoardSet, Club, Session, Tournament
from ..movements.cooling import Progress, part
from . import comparisons, entries, events, feed, history, matches, movement_files, shuffling
from .errors import refusal
from .games import conditions_of
from .layouts import groups_of, lay_out
from .states import finish, publish

__all__ = [
    "SessionPlan",
    "check",
    "conditions_of",
    "create_tournament",
    "finish",
    "movements_for",
    "plan",
    "publish",
    "set_up",
    "store",
]

BOARDS_AT_MOST = 500
ARRANGING = 0.2  # of the time that planning takes; the rest is for the seats


@transaction.atomic
def create_tournament(*, actor: history.Actor, club: Club, name: str) -> Tournament:
    """A new tournament of a club."""
    tournament = Tournament.objects.create(club=club, name=name)
    history.note(actor, "created", tournament, tournament=tournament, name=name)
    return tournament


def movements_for(
    *,
    game: str,
    contestants: int,
    boards: int,
    seats: int | None = None,
    copies: int | None = None,
    one_ranking: bool | None = None,
    sit_outs: bool = True,
    single: bool = False,
    in_time: Callable[[int, int], bool] | None = None,
) -> list[movements.Candidate]:
    """The movements that suit an evening, with their measures, the best first. `in_time`: whether so many
    rounds of so many boards end when they should. Invalid says what would be possible."""
    try:
        the_game = registry.game(game)
        sizes = the_game.seats if seats is None else (seats,)
        return movements.candidates(
            contestants=contestants,
            seats=[len(the_game.sides_of(conditions_of(the_game, size))) for size in sizes],
            boards=boards,
            copies=copies,
            one_ranking=one_ranking,
            sit_outs=sit_outs,
            single=single,
            in_time=in_time,
            steps=settings.CHOOSING_STEPS,
        )
    except EngineError as error:
        raise refusal("bad-movement", error) from error


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """A session that has been planned: what there is to store."""

    name: str
    game: str
    options: dict[str, Any]
    conditions: dict[str, Any]
    method: str
    method_options: dict[str, Any]
    contestants: Sequence[entries.Entrant]
    names_may_be_published: bool
    substitutes_credited: str
    section: str
    layout: movements.Movement
    family: str
    partners_fixed: bool
    groups: Mapping[int, int]
    seed: bytes | None
    manifest: dict[str, Any] | None
    custody: BoardSet.Keeping
    starts_at: datetime | None
    is_trial: bool = False
    live: str = Session.Live.BOARDS_OVER
    leg: int | None = None


def check(
    *,
    club: Club,
    game: str,
    options: dict[str, Any],
    method: str,
    contestants: Sequence[entries.Given],
    method_options: dict[str, Any] | None = None,
    seats: int | None = None,
    movement_file: str = "",
    leg: int | None = None,
    **rest: Any,
) -> None:
    """Invalid if something is wrong in a wish for a session that shows without planning it; Conflict where
    the club does not play the `leg`."""
    if leg is not None:
        events.check_wish(club=club, leg=leg, game=game, **rest)
    try:
        the_game = registry.game(game)
        registry.options_of(the_game, options)
        conditions = conditions_of(the_game, seats)
    except EngineError as error:
        raise refusal("bad-session", error) from error
    comparisons.options_of(method, method_options or {}, game)
    entries.check(club, contestants)
    if movement_file:
        movement_of_file(movement_file, the_game, conditions, contestants=len(contestants))


def movement_of_file(
    text: str, game: Game[Any], conditions: Mapping[str, Any], *, contestants: int
) -> movements.Movement:
    """The movement that somebody has brought: a contestant for each seat, or for each side. Invalid carries
    every slip."""
    sizes = (game.seat_count(conditions), len(game.sides_of(conditions)))
    return movement_files.read(text, sizes=sizes, contestants=contestants, boards=BOARDS_AT_MOST)


def plan(
    *,
    tournament: Tournament,
    name: str,
    game: str,
    options: dict[str, Any],
    method: str,
    movement: str,
    contestants: Sequence[entries.Given],
    boards_per_round: int,
    rounds: int | None = None,
    movement_file: str = "",
    seats: int | None = None,
    reserves: int = 0,
    public_value: PublicValue | None = None,
    method_options: dict[str, Any] | None = None,
    section: str = "A",
    names_may_be_published: bool = False,
    custody: str = BoardSet.Keeping.OFFICER,
    sealed: bool = True,
    copied: bool = False,
    substitutes_credited: str = Session.Credited.BOTH,
    starts_at: datetime | None = None,
    trial: bool = False,
    live: str = Session.Live.BOARDS_OVER,
    shared: events.SharedBoards | None = None,
    progress: Progress | None = None,
) -> SessionPlan:
    """A session with its movement arranged, its seats annealed and its boards sealed, without the database.

    `movement_file`: in place of `movement`, `boards_per_round` and `rounds`, one that was brought as a file
    (`movement_files`): it stays as it is. `rounds`: by default all that the movement has. `seats`: how many
    play at a table, where the game leaves a choice; by default its fewest. `reserves`: how many more boards
    are sealed, to replace those that cannot be played. `public_value`: what will be mixed into the seed, and
    where it will come from (`board_sets.mix_in`); until then there are no boards. `custody`: who sees the
    boards before they are over; not `sealed`: the tables shuffle their own cards, and nothing is drawn;
    `copied`: somebody who does not play shuffles each board once instead, and copies it for the tables.
    `names_may_be_published`: those of players whom their names add to the club's register.
    `substitutes_credited`: with what a substitute plays. `live`: what everybody sees while it is played.
    `shared`: the boards of a leg of an event, which are not dealt anew.
    Invalid says which argument is wrong.
    """
    compared_by = comparisons.options_of(method, method_options or {}, game)
    try:
        the_game = registry.game(game)
        all_options = registry.options_of(the_game, options)
        conditions = conditions_of(the_game, seats)
        if movement_file:
            movement = movement_files.FILE
            layout = movement_of_file(movement_file, the_game, conditions, contestants=len(contestants))
            movements.check(layout)
            is_fixed, is_paired = (
                len(layout.sittings[0].contestants) > len(the_game.sides_of(conditions)),
                False,
            )
        else:
            family = movements.family_called(movement)
            plan = movements.Plan(
                len(contestants),
                the_game.seat_count(conditions) if family.individuals else len(the_game.sides_of(conditions)),
                boards_per_round,
                rounds,
                most_boards=BOARDS_AT_MOST,
                progress=part(progress, 0.0, ARRANGING),
            )
            layout = _layout(movement, plan, part(progress, ARRANGING, 1.0))
            is_fixed, is_paired = family.fixed, bool(family.paired)
    except EngineError as error:
        raise refusal("bad-session", error) from error
    seed, manifest = None, None
    if shared is not None:
        events.check_plan(shared, game=game, options=all_options, conditions=conditions, boards=layout.boards)
        seed, manifest = shared.seed, dict(shared.manifest)
    elif not sealed and not copied:
        shuffling.check_planned(layout.places)
    elif sealed:
        boards = sealing.Boards(
            event=f"{tournament.name}, {name}",
            game=game,
            options=all_options,
            conditions=conditions,
            boards=range(1, layout.boards + 1),
            reserves=range(layout.boards + 1, layout.boards + reserves + 1),
        )
        seed = dealing.new_seed()
        manifest = sealing.manifest_of(boards, seed, public_value)
    return SessionPlan(
        name=name,
        game=game,
        options=all_options,
        conditions=conditions,
        method=method,
        method_options=compared_by,
        contestants=entries.entrants_of(contestants),
        names_may_be_published=names_may_be_published,
        substitutes_credited=substitutes_credited,
        section=section,
        layout=layout,
        family=movement,
        partners_fixed=is_fixed,
        groups={} if is_paired else groups_of(game, conditions, [layout]),
        seed=seed,
        manifest=manifest,
        custody=BoardSet.Keeping(custody),
        starts_at=starts_at,
        is_trial=trial,
        live=live,
        leg=None if shared is None else shared.leg,
    )


def _layout(movement: str, plan: movements.Plan, progress: Progress | None) -> movements.Movement:
    layout = movements.family_movement(movement, plan)
    family = movements.FAMILIES[movement]
    if settings.BALANCING_SECONDS and not (family.lines or family.fixed or family.paired):
        until = monotonic() + settings.BALANCING_SECONDS
        layout = movements.with_seats(layout, together=family.together, deadline=until, progress=progress)
    movements.check(layout)
    return layout


@transaction.atomic
def store(
    plan: SessionPlan, *, tournament: Tournament, actor: history.Actor, club: Club | None = None
) -> Session:
    """The rows of a planned session, ready to be played. `club`: whose room it is, by default the
    organiser's."""
    session, _plays = lay_out(
        tournament=tournament,
        name=plan.name,
        game=plan.game,
        options=plan.options,
        conditions=plan.conditions,
        method=plan.method,
        method_options=plan.method_options,
        movements={plan.section: plan.layout},
        partners_fixed=plan.partners_fixed,
        contestants=plan.contestants,
        names_may_be_published=plan.names_may_be_published,
        substitutes_credited=plan.substitutes_credited,
        groups=plan.groups,
        club=club or tournament.club,
        seed=plan.seed,
        manifest=plan.manifest,
        custody=plan.custody,
        starts_at=plan.starts_at,
        is_trial=plan.is_trial,
        live=plan.live,
    )
    if plan.leg is not None:
        tables = len({sitting.table for sitting in plan.layout.sittings})
        events.begin_part(
            session=session,
            leg=plan.leg,
            actor=actor,
            family=plan.family,
            tables=tables,
            boards=plan.layout.boards,
        )
    if plan.family != movement_files.FILE:
        matches.begin(session, plan.family, plan.layout)
    history.note(
        actor,
        "set up",
        session,
        session=session,
        movement=plan.layout.name,
        digest=plan.layout.digest,
        commitment=session.board_set.commitment,
        custody=str(plan.custody),
    )
    feed.note_planned(session)
    return session


def set_up(
    *,
    tournament: Tournament,
    actor: history.Actor,
    club: Club | None = None,
    leg: int | None = None,
    **wish: Any,
) -> Session:
    """A session ready to be played, here and now: planned as `plan` says, and stored. `leg`: of an event (its
    id), whose boards it plays."""
    shared = None if leg is None else events.shared_boards(leg)
    made = plan(tournament=tournament, shared=shared, **wish)
    return store(made, tournament=tournament, actor=actor, club=club)
