"""Sessions: set up from contestants to sealed boards, finished, published."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engines import dealing, registry
from engines.errors import EngineError

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
from ..movements import Movement
from . import comparisons, history, queue
from .errors import Invalid


@transaction.atomic
def create_tournament(*, actor: Token, club: Club, name: str) -> Tournament:
    tournament = Tournament.objects.create(club=club, name=name)
    history.note(actor, "created", tournament, tournament=tournament, name=name)
    return tournament


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
    method_options: dict[str, Any] | None = None,
    section: str = "A",
    club: Club | None = None,
) -> Session:
    """A session ready to be played: its boards sealed, its movement laid out.

    `club`: whose room it is, by default the organiser's. Invalid says which argument is wrong.
    """
    try:
        the_game = registry.game(game)
        settings = registry.options_of(the_game, options)
        seats = the_game.seats[0]
        layout = movements.arranged(
            movement, contestants=len(contestants), seats=seats, boards_per_round=boards_per_round
        )
        movements.check(layout)
    except EngineError as error:
        language = get_language() or "en"
        raise Invalid("bad-session", error.phrase().to(language[:2]), error.to_json(language[:2])) from error
    seed = dealing.new_seed()
    sealed = dealing.manifest(seed=seed, game=game, options=settings, boards=layout.boards)
    session = lay_out(
        tournament=tournament,
        name=name,
        game=game,
        options=settings,
        method=method,
        method_options=method_options,
        movements={section: layout},
        contestants=contestants,
        club=club or tournament.club,
        seed=seed,
        commitment=dealing.commitment(sealed),
    )
    history.note(
        actor,
        "set up",
        session,
        session=session,
        movement=layout.name,
        commitment=session.board_set.commitment,
    )
    return session


def lay_out(
    *,
    tournament: Tournament,
    name: str,
    game: str,
    options: dict[str, Any],
    method: str,
    method_options: dict[str, Any] | None = None,
    movements: dict[str, Movement],
    contestants: Sequence[str],
    club: Club,
    seed: bytes | None,
    commitment: str,
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
    board_set = BoardSet.objects.create(session=session, seed=seed, commitment=commitment)
    Board.objects.bulk_create(Board(board_set=board_set, number=n) for n in sorted(copies))
    boards = {board.number: board for board in board_set.boards.all()}
    for section_name, layout in movements.items():
        _lay_out_section(
            Section.objects.create(session=session, club=club, name=section_name), layout, boards, rows
        )
    return session


def _players(club: Club, names: Sequence[str]) -> dict[str, Player]:
    """The club's players of these names, made where they are new."""
    Player.objects.bulk_create((Player(club=club, name=name) for name in names), ignore_conflicts=True)
    return {player.name: player for player in Player.objects.filter(club=club, name__in=names)}


def _lay_out_section(
    section: Section, layout: Movement, boards: dict[int, Board], contestants: dict[int, Contestant]
) -> None:
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
        for seat, number in enumerate(s.contestants, 1)
    )


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
