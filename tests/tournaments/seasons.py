"""Small seasons for tests: a club whose players play several evenings."""

from typing import Any

from engines import bots, registry
from tournaments.models import Club, CountedEvening, Player, Season, Session
from tournaments.services import board_sets, season_standings, seasons, sessions, submissions
from tournaments.services.season_standings import SeasonWish

from .fields import an_organiser
from .worlds import a_club, a_record, a_session, an_entry, plays_of, work

PLAYERS = SeasonWish("players")


def play(session: Session, *, listed: bool = True, shift: int = 0) -> Session:
    """Played by robots to its end, and shown to everybody. `shift`: other robots, other results."""
    if len(registry.game(session.game).seats) == 3:
        contents = [a_record(one, session) for one in plays_of(session)]
    else:
        contents = [_record(session, one.board.number, one.pk + shift) for one in plays_of(session)]
    entries = [an_entry(one, content) for one, content in zip(plays_of(session), contents, strict=True)]
    submissions.submit(session_id=session.pk, sender=an_organiser(session.tournament.club), entries=entries)
    work(session)
    sessions.finish(session=session, actor=None)
    if listed:
        sessions.publish(session=session, actor=None, listed=True)
    session.refresh_from_db()
    return session


def _record(session: Session, board: int, chance: int) -> dict[str, Any]:
    game = registry.game(session.game)
    state = game.start(board_sets.deal_of(session, board), session.options)
    bots.play_on(game, state, [bots.at_random] * len(state.hands), bots.randomness(chance))
    return {"actions": list(state.entries)}


def pairs(club: Club, session: Session, count: int = 6) -> Session:
    """An evening of pairs, of the players that the club has."""
    own = list(Player.objects.filter(club=club).order_by("pk").values_list("pk", flat=True))
    return sessions.set_up(
        tournament=session.tournament,
        actor=None,
        name="Pairs",
        game="cochonnet",
        options={},
        method="matchpoints",
        movement="round-robin",
        contestants=[{"players": own[2 * at : 2 * at + 2]} for at in range(count)],
        boards_per_round=2,
        rounds=3,
    )


def a_season(*evenings: Session, club: str = "Club A", state: str = "open", **how: Any) -> Season:
    """Of these evenings, open to everybody, and counted."""
    season = seasons.create(actor=None, club=a_club(club), name="Winter", **how)
    chosen = {("session", one.pk): "1" for one in evenings}
    season = seasons.change(season=season, actor=None, evenings=chosen, state=state)
    season_standings.rank(season_id=season.pk)
    return season


def evenings(count: int, **setting: Any) -> list[Session]:
    return [play(a_session(**setting)) for _each in range(count)]


def evening_of(season: Season, session: Session) -> CountedEvening:
    return CountedEvening.objects.get(season=season, session=session)
