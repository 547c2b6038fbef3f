"""Small events for tests: a leg whose boards two clubs play."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from tournaments.models import Account, Club, ClubEntry, Event, Leg, Role, Session, Token, Tournament
from tournaments.models.accounts import RoleKind
from tournaments.services import accounts, events, roles, sessions, states, tokens
from tournaments.services.submissions import ResultEntry, submit

from .worlds import a_club, an_entry, plays_of, work

TRICKS = [[10, 0, 0], [6, 3, 1], [5, 3, 2], [3, 4, 3], [1, 2, 7], [4, 4, 2], [0, 9, 1]]


def an_administrator() -> Account:
    """Who administers the federation."""
    found = Account.objects.filter(name="Fédora").first()
    if found is None:
        found = accounts.create(name="Fédora")
        roles.grant(account=found, kind=RoleKind.ADMINISTRATOR, place=roles.FEDERATION, actor=None)
    return found


def an_organiser(club: Club) -> Token:
    token, _text = tokens.issue_for_role(
        person=f"Organiser of {club.name}", club=club, kind=Role.Kind.ORGANISER
    )
    return token


def a_leg(*, boards: int = 12, event: Event | None = None, **more: Any) -> Leg:
    """Of an announced event of the federation, whose window is open."""
    actor = an_administrator()
    now = timezone.now()
    window: dict[str, Any] = {"opens_at": now - timedelta(hours=1), "closes_at": now + timedelta(days=2)}
    for name in ("opens_at", "closes_at", "material_at", "late_until"):
        if name in more:
            window[name] = more.pop(name)
    terms = {"name": "Simultané de mars", "club": None} | more
    event = event or events.create(actor=actor, **terms)
    leg = events.add_leg(event=event, actor=actor, game="comon", board_count=boards, **window)
    events.announce(event=event, actor=actor)
    leg.refresh_from_db()
    return leg


def an_entry_of(leg: Leg, name: str, tables: int = 3) -> ClubEntry:
    club = a_club(name)
    if leg.event.joining == Event.Joining.INVITATION:
        events.invite(leg=leg, clubs=[club], actor=an_administrator())
    return events.enter(leg=leg, club=club, actor=an_organiser(club), tables=tables)


def a_part(leg: Leg, name: str, *, players: int = 9, **wish: Any) -> Session:
    """The session of a club that has entered, with players of its own."""
    club = an_entry_of(leg, name).club
    tournament, _new = Tournament.objects.get_or_create(club=club, name=f"Tournament of {name}")
    return sessions.set_up(
        tournament=tournament,
        actor=an_organiser(club),
        leg=leg.pk,
        **{
            "name": f"{name} plays",
            "game": "comon",
            "options": {},
            "method": "matchpoints",
            "movement": "kirkman",
            "contestants": [f"{name} {n:02}" for n in range(1, players + 1)],
            "boards_per_round": 1,
            **wish,
        },
    )


def results_of(session: Session) -> list[ResultEntry]:
    """Something for every table of a part to hand in, for each of its boards."""
    tricks = [TRICKS[(at * 5 + at // 7 + session.pk) % len(TRICKS)] for at in range(100)]
    return [
        an_entry(one, {"sheet": {"outcome": "normal", "tricks": tricks[at]}})
        for at, one in enumerate(plays_of(session))
    ]


def begin(session: Session) -> None:
    """The first result of each board of a part is handed in."""
    firsts = {one.board: one for one in reversed(results_of(session))}
    sender = an_organiser(session.tournament.club)
    submit(session_id=session.pk, sender=sender, entries=list(firsts.values()))
    work(session)


def send(session: Session) -> None:
    """Every table of a part hands in something, and its club sends the results."""
    sender = an_organiser(session.tournament.club)
    submit(session_id=session.pk, sender=sender, entries=results_of(session))
    work(session)
    for to in (Session.State.PLAYED, Session.State.PROVISIONAL):
        session = states.change(session=session, actor=None, to=to, confirmed=True)
    work(session)
