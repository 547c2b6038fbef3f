"""Sessions: set up from contestants to sealed boards, finished, published."""

from collections.abc import Sequence
from dataclasses import replace
from time import monotonic
from typing import Any

from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engines import dealing, registry
from engines.contract import Game
from engines.dealing import sealing
from engines.errors import EngineError
from engines.phrases import Phrase

from .. import movements
from ..models import (
    Board,
    BoardSet,
    Club,
    Contestant,
    Play,
    Player,
    Seating,
    Section,
    Session,
    Table,
    Token,
    Tournament,
)
from ..movements import Movement, Sitting
from . import comparisons, history, queue
from .errors import Invalid

BOARDS_AT_MOST = 500


@transaction.atomic
def create_tournament(*, actor: Token, club: Club, name: str) -> Tournament:
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
    """The movements that would do for an evening, measured, the best first. Invalid says what would be
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
        raise _invalid("bad-movement", error) from error


def _invalid(code: str, error: EngineError) -> Invalid:
    language = (get_language() or "en")[:2]
    return Invalid(code, error.phrase().to(language), error.to_json(language))


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
    public_value: str = "",
    balancing_seconds: float = 1.0,
    method_options: dict[str, Any] | None = None,
    section: str = "A",
    club: Club | None = None,
) -> Session:
    """A session ready to be played: its boards sealed, its movement laid out.

    `rounds`: by default all that the movement has. `seats`: how many play at a table, where a game leaves the
    choice; by default its fewest. `reserves`: boards sealed besides, for those that cannot be played.
    `public_value`: where a value will come from that is mixed into the seed (`board_sets.mix_in`); until then
    there are no boards. `balancing_seconds`: how long the seats are annealed, where there is one ranking.
    `club`: whose room it is, by default the organiser's. Invalid says which argument is wrong.
    """
    try:
        the_game = registry.game(game)
        settings = registry.options_of(the_game, options)
        conditions = conditions_of(the_game, seats)
        sides = the_game.sides_of(conditions)
        plan = movements.Plan(len(contestants), (len(sides),), boards_per_round, rounds)
        if movement == "whist":  # individuals, with one partner after another
            plan = replace(plan, seats=(the_game.seat_count(conditions),))
        if boards_per_round * (rounds or 1) > BOARDS_AT_MOST:
            raise movements.BadMovement(Phrase("a session has {most} boards at most", most=BOARDS_AT_MOST))
        layout = movements.arranged(movement, plan)
        family = movements.FAMILIES[movement]
        if balancing_seconds and not (family.lines or family.fixed):
            until = monotonic() + balancing_seconds
            layout = movements.seated(layout, together=family.together, deadline=until)
        movements.check(layout)
    except EngineError as error:
        raise _invalid("bad-session", error) from error
    seed = dealing.new_seed()
    manifest = sealing.sealed(
        sealing.Boards(
            event=f"{tournament.name}, {name}",
            game=game,
            options=settings,
            conditions=conditions,
            boards=range(1, layout.boards + 1),
            reserves=range(layout.boards + 1, layout.boards + reserves + 1),
        ),
        seed,
        source=public_value.strip() or None,
    )
    session = lay_out(
        tournament=tournament,
        name=name,
        game=game,
        options=settings,
        conditions=conditions,
        method=method,
        method_options=method_options,
        movements={section: layout},
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


def lay_out(
    *,
    tournament: Tournament,
    name: str,
    game: str,
    options: dict[str, Any],
    conditions: dict[str, Any] | None = None,
    method: str,
    method_options: dict[str, Any] | None = None,
    movements: dict[str, Movement],
    contestants: Sequence[str],
    club: Club,
    seed: bytes | None = None,
    manifest: dict[str, Any] | None = None,
) -> Session:
    """The rows of a session: one movement for each section, over one numbering of the contestants."""
    compared_by = comparisons.settled(method, method_options or {}, game)
    names = [name.strip() for name in contestants]
    if "" in names or len(set(names)) < len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise Invalid("contestants", _("Every contestant needs a name of its own."), {"names": twice})
    copies: dict[int, int] = {}
    for layout in movements.values():
        for sitting in layout.sittings:
            copies[sitting.board] = copies.get(sitting.board, 0) + 1
    session = Session.objects.create(
        tournament=tournament,
        number=tournament.sessions.count() + 1,
        name=name,
        game=game,
        options=options,
        conditions=conditions or {},
        method=method,
        method_options=compared_by,
        movement=" + ".join(layout.name for layout in movements.values()),
        copies=max(copies.values()),
    )
    players = _players(club, names)
    Contestant.objects.bulk_create(
        Contestant(session=session, number=n, name=name) for n, name in enumerate(names, 1)
    )
    rows = {c.number: c for c in session.contestants.all()}
    Contestant.players.through.objects.bulk_create(
        Contestant.players.through(contestant=rows[n], player=players[name])
        for n, name in enumerate(names, 1)
    )
    board_set = BoardSet.objects.create(
        session=session,
        seed=seed,
        manifest=manifest,
        commitment=sealing.commitment(manifest) if manifest else "",
    )
    Board.objects.bulk_create(Board(board_set=board_set, number=n) for n in sorted(copies))
    boards = {board.number: board for board in board_set.boards.all()}
    for section_name, layout in movements.items():
        _lay_out_section(
            Section.objects.create(session=session, club=club, name=section_name),
            layout,
            boards,
            rows,
            registry.game(game).sides_of(session.conditions),
        )
    return session


def _players(club: Club, names: Sequence[str]) -> dict[str, Player]:
    """The club's players of these names, made where they are new."""
    Player.objects.bulk_create((Player(club=club, name=name) for name in names), ignore_conflicts=True)
    return {player.name: player for player in Player.objects.filter(club=club, name__in=names)}


def _lay_out_section(
    section: Section,
    layout: Movement,
    boards: dict[int, Board],
    contestants: dict[int, Contestant],
    sides: Sequence[Sequence[int]],
) -> None:
    """The rows of one movement. Where it seats sides, its contestants sit in all seats of theirs."""
    numbers = sorted({sitting.table for sitting in layout.sittings})
    Table.objects.bulk_create(Table(section=section, number=n) for n in numbers)
    tables = {table.number: table for table in section.tables.all()}
    Play.objects.bulk_create(
        Play(table=tables[s.table], board=boards[s.board], round=s.round) for s in layout.sittings
    )
    plays = {(p.table.number, p.board.number): p for p in Play.objects.filter(table__section=section)
             .select_related("table", "board")}  # fmt: skip
    Seating.objects.bulk_create(
        Seating(play=plays[s.table, s.board], seat=seat, contestant=contestants[number])
        for s in layout.sittings
        for seats, number in zip(_seats(s, sides), s.contestants, strict=True)
        for seat in seats
    )


def _seats(sitting: Sitting, sides: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
    """The seats of each of a sitting's contestants: one, or all of a side."""
    if len(sitting.contestants) == len(sides):
        return sides
    return [(seat,) for seat in range(1, len(sitting.contestants) + 1)]


def conditions_of(game: Game[Any], seats: int | None) -> dict[str, Any]:
    """The conditions of a session of so many seats: empty where a game has only one number of them."""
    if len(game.seats) == 1 and seats in {None, game.seats[0]}:
        return {}
    chosen = game.seats[0] if seats is None else seats
    if chosen not in game.seats:
        known = ", ".join(map(str, game.seats))
        raise movements.BadMovement(
            Phrase(
                "{game} is for tables of {known}, not of {seats}", game=game.name, known=known, seats=chosen
            )
        )
    return {"seats": chosen}


@transaction.atomic
def finish(*, session: Session, actor: Token | None) -> Session:
    """End the play: no more results; the seed and all hands may be seen once published."""
    session = Session.objects.select_for_update().get(pk=session.pk)
    if session.state != Session.State.FINISHED:
        session.state = Session.State.FINISHED
        session.save(update_fields=["state"])
        history.note(actor, "finished", session, session=session)
        queue.after_commit("judge", session.pk)
    return session


@transaction.atomic
def publish(*, session: Session, actor: Token | None, published: bool) -> Session:
    """Show the ranking to everyone, or take it back."""
    session = Session.objects.select_for_update().get(pk=session.pk)
    if session.published != published:
        session.published = published
        session.save(update_fields=["published"])
        history.note(actor, "published" if published else "withdrew", session, session=session)
    return session
