"""Sessions, from setting one up to publishing its ranking."""

from collections.abc import Sequence
from dataclasses import replace
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import transaction

from engines import dealing, registry, sealing
from engines.contract import Game
from engines.errors import EngineError
from engines.phrases import Phrase
from engines.public_values import PublicValue

from .. import movements
from ..models import Club, Session, Token, Tournament
from . import history, queue
from .errors import refusal
from .layouts import lay_out

BOARDS_AT_MOST = 500


@transaction.atomic
def create_tournament(*, actor: Token, club: Club, name: str) -> Tournament:
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
) -> list[movements.Candidate]:
    """The movements that suit an evening, with their measures, the best first. Invalid says what would be
    possible."""
    try:
        the_game = registry.game(game)
        sides = the_game.sides_of(conditions_of(the_game, seats))
        return movements.candidates(
            contestants=contestants,
            seats=[len(sides)],
            boards=boards,
            copies=copies,
            one_ranking=one_ranking,
            sit_outs=sit_outs,
        )
    except EngineError as error:
        raise refusal("bad-movement", error) from error


@transaction.atomic
def set_up(
    *,
    tournament: Tournament,
    actor: Token | None,
    name: str,
    game: str,
    options: dict[str, Any],
    method: str,
    movement: str,
    contestants: Sequence[str],
    boards_per_round: int,
    rounds: int | None = None,
    seats: int | None = None,
    reserves: int = 0,
    public_value: PublicValue | None = None,
    method_options: dict[str, Any] | None = None,
    section: str = "A",
    club: Club | None = None,
) -> Session:
    """A session ready to be played: its boards sealed, its movement laid out.

    `rounds`: by default all that the movement has. `seats`: how many play at a table, where the game leaves a
    choice; by default its fewest. `reserves`: how many more boards are sealed, to replace those that cannot
    be played. `public_value`: what will be mixed into the seed, and where it will come from
    (`board_sets.mix_in`); until then there are no boards. `club`: whose room it is, by default the
    organiser's. Invalid says which argument is wrong.
    """
    try:
        the_game = registry.game(game)
        all_options = registry.options_of(the_game, options)
        conditions = conditions_of(the_game, seats)
        sides = the_game.sides_of(conditions)
        plan = movements.Plan(
            len(contestants), (len(sides),), boards_per_round, rounds, most_boards=BOARDS_AT_MOST
        )
        if movement == "whist":  # individuals, with one partner after another
            plan = replace(plan, seats=(the_game.seat_count(conditions),))
        layout = movements.arranged(movement, plan)
        family = movements.FAMILIES[movement]
        if settings.BALANCING_SECONDS and not (family.lines or family.fixed):
            until = monotonic() + settings.BALANCING_SECONDS
            layout = movements.seated(layout, together=family.together, deadline=until)
        movements.check(layout)
    except EngineError as error:
        raise refusal("bad-session", error) from error
    seed = dealing.new_seed()
    manifest = sealing.manifest_of(
        sealing.Boards(
            event=f"{tournament.name}, {name}",
            game=game,
            options=all_options,
            conditions=conditions,
            boards=range(1, layout.boards + 1),
            reserves=range(layout.boards + 1, layout.boards + reserves + 1),
        ),
        seed,
        public_value,
    )
    session = lay_out(
        tournament=tournament,
        name=name,
        game=game,
        options=all_options,
        conditions=conditions,
        method=method,
        method_options=method_options,
        movements={section: layout},
        partners_fixed=family.fixed,
        contestants=contestants,
        club=club or tournament.club,
        seed=seed,
        manifest=manifest,
    )
    history.note(
        actor,
        "set up",
        session,
        session=session,
        movement=layout.name,
        digest=layout.digest,
        commitment=session.board_set.commitment,
    )
    return session


def conditions_of(game: Game[Any], seats: int | None) -> dict[str, Any]:
    """The conditions of a session with so many seats at a table: empty where the game leaves no choice."""
    if len(game.seats) == 1 and seats in {None, game.seats[0]}:
        return {}
    count = game.seats[0] if seats is None else seats
    if count not in game.seats:
        known = ", ".join(map(str, game.seats))
        raise movements.BadMovement(
            Phrase(
                "{game} is played at tables of {known}, not of {seats}",
                game=game.name,
                known=known,
                seats=count,
            )
        )
    return {"seats": count}


@transaction.atomic
def finish(*, session: Session, actor: Token | None) -> Session:
    """End the play: tables hand in no more results, and once published everybody may see the boards."""
    session = Session.objects.select_for_update(no_key=True).get(pk=session.pk)
    if session.state != Session.State.FINISHED:
        session.state = Session.State.FINISHED
        session.save(update_fields=["state"])
        history.note(actor, "finished", session, session=session)
        queue.after_commit("judge", session.pk)
    return session


@transaction.atomic
def publish(*, session: Session, actor: Token | None, published: bool) -> Session:
    """Show the ranking to everybody, or withdraw it."""
    session = Session.objects.select_for_update(no_key=True).get(pk=session.pk)
    if session.published != published:
        session.published = published
        session.save(update_fields=["published"])
        history.note(actor, "published" if published else "withdrew", session, session=session)
    return session
