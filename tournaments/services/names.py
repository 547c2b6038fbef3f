"""Under what name a person is shown to whom: the one place that decides it.

Rankings, versions, results and the history refer to players and contestants by their numbers; whoever shows
them asks here, each time. So a consent that is given or withdrawn counts everywhere with the next answer, in
what was published years ago too, and the ETags of a session's answers change with it (`Tally.names`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from django.utils.translation import pgettext

from ..models import Account, Contestant, Member, Player, Role, Session, Team, Token

# ── Who reads ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody to whom names are shown. `clubs`, `sessions`: of which they are an official; `players`: who
    they are themselves; `halls`: sessions at whose tables they sit, while these are played: there nobody is
    an initial. `is_operator`: of the service, who has the database anyway."""

    clubs: frozenset[int] = field(default=frozenset())
    sessions: frozenset[int] = field(default=frozenset())
    players: frozenset[int] = field(default=frozenset())
    halls: frozenset[int] = field(default=frozenset())
    is_operator: bool = False

    def knows(self, person: Person, *, clubs: Collection[int] = (), session: int | None = None) -> bool:
        """Whether this reader sees the name in the register: officials of the player's club, of the session
        or of its club; and the player."""
        return (
            self.is_operator
            or person.pk in self.players
            or session in self.sessions
            or not self.clubs.isdisjoint({person.club, *clubs})
        )

    def called(self, person: Person, number: str, *, clubs: Collection[int] = (), session: int | None) -> str:
        """What this reader calls a person: see `shown`."""
        in_full = self.knows(person, clubs=clubs, session=session)
        return shown(person, number, in_full=in_full, in_hall=session in self.halls)


ANYONE = Reader()
OPERATOR = Reader(is_operator=True)


def reader_of(viewer: Token | None) -> Reader:
    """The reader that a caller of the API is. A table is one as anybody: contestants hold its phone."""
    if viewer is None:
        return ANYONE
    if viewer.role is not None:
        return _official([(viewer.role.club_id, viewer.role.session_id)])
    return ANYONE if viewer.player_id is None else Reader(players=frozenset({viewer.player_id}))


SITTING = (Session.State.READY, Session.State.RUNNING)


def in_hall(*sessions: Session, players: Collection[int] = (), is_at_table: bool = False) -> Reader:
    """Whoever plays in these sessions, while they are played: before and afterwards as anybody. `players`:
    who they are, as far as that is known; `is_at_table`: whoever holds the phone of a table, at which people
    sit down before play begins."""
    states = SITTING if is_at_table else (Session.State.RUNNING,)
    halls = frozenset(one.pk for one in sessions if one.state in states)
    return Reader(players=frozenset(players), halls=halls)


def reader_for(account: Account) -> Reader:
    """The reader that somebody is who has signed in."""
    places = Role.objects.in_force().filter(account=account).values_list("club_id", "session_id")
    official = _official(places if account.is_active else ())
    own = frozenset(account.players.values_list("pk", flat=True))
    return Reader(official.clubs, official.sessions, own)


def _official(places: Iterable[tuple[int | None, int | None]]) -> Reader:
    there = list(places)
    return Reader(
        frozenset(club for club, _session in there if club is not None),
        frozenset(session for _club, session in there if session is not None),
    )


# ── What is shown ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Person:
    """What the register says of a player's name."""

    pk: int
    club: int
    given_name: str
    family_name: str
    public_name: str
    consent: bool
    is_erased: bool

    @property
    def name(self) -> str:
        return f"{self.given_name} {self.family_name}".strip()


def shown(person: Person, number: str, *, in_full: bool, in_hall: bool = False) -> str:
    """The name of a person. In full: as the register has it. Otherwise, with consent, the public name, which
    is the whole one unless there is another; without, in the hall where they play the name in the register,
    and elsewhere the initials; and “Player 12” where these are not two, or nothing tells any more who it was.
    `number`: of the contestant, or of the place in a list."""
    if person.is_erased:
        return player_by_number(number)
    if in_full:
        return person.name
    if person.consent:
        return person.public_name or person.name
    if in_hall:
        return person.name
    return initials(person.name) or player_by_number(number)


def player_by_number(number: str) -> str:
    return pgettext("a person without a name", "Player %(number)s") % {"number": number}


def initials(name: str) -> str:
    """The first letters of the first and the last word of a name; "" where there is only one.

    >>> initials("Marie Anne Durand"), initials("Jean-Luc d’Orval"), initials("Zoé"), initials("Joueur 12")
    ('M. D.', 'J. D.', '', '')
    """
    words = name.split()
    letters = [word[0].upper() for word in words if word[0].isalpha()]
    return f"{letters[0]}. {letters[-1]}." if len(letters) > 1 else ""


@dataclass(frozen=True, slots=True)
class Named:
    """A contestant as it is shown."""

    pk: int
    number: int
    name: str


PERSON = ("pk", "club_id", "given_name", "family_name", "public_name", "consent", "erased_at")
CONTESTANT = ("pk", "number", "name", "named_by_players", "session_id", "session__tournament__club_id")
AT_ONCE = 10_000  # that one statement asks for


def unpublished_in(session: Session) -> list[str]:
    """The players of a session who have not agreed that their names are published, as the register has them:
    for those who run it. One query."""
    own = Member.objects.filter(session=session, contestant__named_by_players=True)
    silent = own.filter(player__consent=False, player__erased_at=None)
    rows = silent.order_by("contestant__number", "pk").values_list(
        "player__given_name", "player__family_name"
    )
    return list(dict.fromkeys(f"{given} {family}".strip() for given, family in rows))


def has_unpublished(contestants: Collection[int], *, but: Collection[int] = ()) -> bool:
    """Whether a player of these contestants, but for some, has not agreed to be named. One query."""
    own = Member.objects.filter(contestant__in=contestants, contestant__named_by_players=True)
    silent = own.filter(player__consent=False, player__erased_at=None)
    return silent.exclude(player__in=but).exists()


def of_contestants(contestants: Collection[int], reader: Reader) -> dict[int, Named]:
    """The contestants with these ids, as a reader sees them: one query for thousands. A name that the
    organiser has given a team is shown as it is; any other is its players'."""
    columns = (*CONTESTANT, *(f"members__player__{column}" for column in PERSON))
    named = {}
    for some in _parts(contestants):
        rows = Contestant.objects.filter(pk__in=some).order_by("pk", "members__pk").values_list(*columns)
        for pk, together in groupby(rows, key=lambda row: row[0]):
            members = list(together)
            _pk, number, name, by_players, session, club = members[0][: len(CONTESTANT)]
            people = [_person(row[len(CONTESTANT) :]) for row in members if row[len(CONTESTANT)] is not None]
            if by_players and people:
                name = _of_players(people, number, reader, session=session, club=club)
            named[pk] = Named(pk, number, name)
    return named


def of_teams(teams: Collection[int], reader: Reader) -> dict[int, Named]:
    """The teams with these ids, as a reader sees them: by the name that the organiser has given them, or by
    those of their contestants. Two queries for thousands."""
    named: dict[int, Named] = {}
    for some in _parts(teams):
        rows = Contestant.objects.filter(team__in=some).order_by("team", "number")
        members: dict[int, list[int]] = {}
        for pk, team in rows.values_list("pk", "team_id"):
            members.setdefault(team, []).append(pk)
        people = of_contestants([pk for pks in members.values() for pk in pks], reader)
        for pk, number, name in Team.objects.filter(pk__in=some).values_list("pk", "number", "name"):
            named[pk] = Named(pk, number, name or " + ".join(people[one].name for one in members.get(pk, ())))
    return named


def _parts(ids: Collection[int]) -> Iterator[list[int]]:
    listed = list(ids)
    return (listed[start : start + AT_ONCE] for start in range(0, len(listed), AT_ONCE))


def _person(row: tuple[Any, ...]) -> Person:
    pk, club, given_name, family_name, public_name, consent, erased_at = row
    return Person(pk, club, given_name, family_name, public_name, consent, erased_at is not None)


def _of_players(people: list[Person], number: int, reader: Reader, *, session: int, club: int) -> str:
    """The names of a contestant's players; without names they are told apart by letters: 12a, 12b."""
    letters = "abcdefghijklmnopqrstuvwxyz" if len(people) > 1 else ("",)
    return " – ".join(
        reader.called(person, f"{number}{letter}", clubs=[club], session=session)
        for person, letter in zip(people, letters, strict=False)
    )


def of_players(players: Collection[int], reader: Reader, *, session: int | None = None) -> dict[int, str]:
    """The players with these ids, as a reader sees them; those without a name by their number in the
    register, which says nothing of them. One query for thousands."""
    rows = (
        row for some in _parts(players) for row in Player.objects.filter(pk__in=some).values_list(*PERSON)
    )
    people = [_person(row) for row in rows]
    return {one.pk: reader.called(one, str(one.pk), session=session) for one in people}
