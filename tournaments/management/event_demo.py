"""The event of `manage.py demo --season`, for those who try the API: two clubs have played the same boards
and are ranked together, and a second leg is still to be played, under embargo."""

from datetime import timedelta
from random import Random

from django.utils import timezone

from ..models import Club, Event, Role, Session, Token
from ..services import clubs, events, fields, sessions, states, tokens
from .season_demo import play

PLAYERS = ("Alban", "Brune", "Corentin", "Diane", "Erwan", "Flore", "Gaël", "Hermine", "Iwan")
BOARDS = 6


def play_event(*, club: Club, organiser: Token, neighbour: str, random: Random) -> Event:
    """An announced event of a club, to which it has invited a neighbour, made here by its name."""
    other = clubs.create(neighbour)
    its, _text = tokens.issue_for_role(person=f"Robot – {neighbour}", club=other, kind=Role.Kind.ORGANISER)
    now = timezone.now()
    event = events.create(actor=organiser, club=club, name="Simultané d’essai")
    legs = [
        events.add_leg(
            event=event,
            actor=organiser,
            game="comon",
            board_count=BOARDS,
            opens_at=opens_at,
            closes_at=closes_at,
        )
        for opens_at, closes_at in (
            (now - timedelta(hours=1), now + timedelta(days=1)),
            (now + timedelta(days=7), now + timedelta(days=8)),
        )
    ]
    events.announce(event=event, actor=organiser)
    for leg in legs:
        events.invite(leg=leg, clubs=[club, other], actor=organiser)
    for place, who in ((club, organiser), (other, its)):
        events.enter(leg=legs[0], club=place, actor=who, tables=len(PLAYERS) // 3)
        session = sessions.set_up(
            tournament=sessions.create_tournament(actor=who, club=place, name=event.name),
            actor=who,
            leg=legs[0].pk,
            name=f"{event.name} – {place.name}",
            game="comon",
            options={},
            method="matchpoints",
            movement="kirkman",
            contestants=[f"{name} {place.name.rpartition(' ')[2]}" for name in PLAYERS],
            names_may_be_published=True,
            boards_per_round=BOARDS // 3,
            rounds=3,
        )
        play(session, who, random)
        for to in (Session.State.PLAYED, Session.State.PROVISIONAL):
            session = states.change(session=session, actor=who, to=to, confirmed=True)
        sessions.publish(session=session, actor=who, listed=True)
    while fields.rank(leg_id=legs[0].pk) is not None:
        pass
    return event
