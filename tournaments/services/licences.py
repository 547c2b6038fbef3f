"""A player's licence, as their club's register has it: until when it holds, and when its holder may not play.

What nobody has written down is not known, and nothing follows from it. Events over many clubs ask for it, as
their terms say, by every register that has the same person: by one account, or one name and number.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date
from hashlib import sha256
from typing import Any, NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _

from ..models import Event, Member, Player, Session, Substitution
from .errors import Conflict

EXPIRED, SUSPENDED = "expired", "suspended"


@dataclass(frozen=True, slots=True)
class Licence:
    """`licence_until`: the last day on which it holds; `suspended_from`, `suspended_until`: the first and the
    last day on which its holder may not play; without a last one, until further notice."""

    licence_until: date | None = None
    suspended_from: date | None = None
    suspended_until: date | None = None

    def trouble(self, day: date) -> str:
        """Why its holder may not play on a day; "" if nothing is known of it."""
        first, last = self.suspended_from, self.suspended_until
        if first is not None and first <= day and (last is None or day <= last):
            return SUSPENDED
        return EXPIRED if self.licence_until is not None and self.licence_until < day else ""


NAMES = tuple(one.name for one in fields(Licence))


def of(player: Player) -> Licence:
    return Licence(*(getattr(player, name) for name in NAMES))


def stamp(player: Player) -> str:
    """What changes whenever the licence does."""
    days = [getattr(player, name) for name in NAMES]
    return sha256(json.dumps(days, default=str).encode()).hexdigest()[:32]


# ── In an event ───────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Trouble:
    """Somebody who plays an event and may not. `club`: whose register says so; `why`: EXPIRED or
    SUSPENDED."""

    session: int
    contestant: int
    player: int
    name: str
    why: str
    club: str


class Seated(NamedTuple):
    """Who plays, as a member or in the place of one, and by what they are known."""

    session: int
    contestant: int
    player: int
    name: str
    folded: str
    number: str
    account: int | None

    @property
    def keys(self) -> list[Any]:
        return _keys(self.player, self.folded, self.number, self.account)


def _keys(player: int, folded: str, number: str, account: int | None) -> list[Any]:
    """By each of these somebody is the same person."""
    by_number = [(folded, number)] if number else []
    return [player, *by_number, *([("account", account)] if account else [])]


def troubles(sessions: Sequence[Session]) -> list[Trouble]:
    """Who plays some parts of an event (of one leg), and by a register may not on that day. Three queries;
    the time grows with the players."""
    days = {one.pk: day_of(one) for one in sessions}
    seats = _seats(list(days))
    numbers = {one.number for one in seats if one.number}
    same = Q(pk__in={one.player for one in seats}) | Q(number__in=numbers)
    same |= Q(account__in={one.account for one in seats if one.account})
    known = Player.objects.in_register().filter(same, KNOWN).select_related("club")
    there: dict[Any, list[Player]] = defaultdict(list)
    for player in known.order_by("pk"):
        for key in _keys(player.pk, player.folded, player.number, player.account_id):
            there[key].append(player)
    found = []
    for seat in seats:
        own = [player for key in seat.keys for player in there.get(key, ())]
        said = ((of(player).trouble(days[seat.session]), player.club.name) for player in own)
        if (first := next((one for one in said if one[0]), None)) is not None:
            found.append(Trouble(seat.session, seat.contestant, seat.player, seat.name, *first))
    return found


KNOWN = Q(licence_until__isnull=False) | Q(suspended_from__isnull=False)


def day_of(session: Session) -> date:
    """The day on which a part of an event is played, by the event's clock: where nobody has said when, the
    first on which it may be."""
    assert session.leg is not None
    return (session.starts_at or session.leg.opens_at).astimezone(session.leg.event.zone).date()


def _seats(sessions: Sequence[int]) -> list[Seated]:
    person = ("given_name", "family_name", "folded", "number", "account")
    wanted = ("contestant", "player", *(f"player__{name}" for name in person))
    members = Member.objects.filter(session__in=sessions)
    instead = Substitution.objects.filter(contestant__session__in=sessions, undone_at=None)
    rows = {
        *members.values_list("session", *wanted),
        *instead.values_list("contestant__session", *wanted),
    }
    return [
        Seated(session, contestant, player, f"{given} {family}".strip(), *known)
        for session, contestant, player, given, family, *known in sorted(rows, key=lambda row: row[:3])
    ]


def check_entered(session: Session) -> None:
    """Conflict if somebody is entered in a part of an event whose terms refuse them: the licence has run out,
    or they are suspended. It names the club whose register says so. Whoever seats somebody asks this
    afterwards, in the same transaction. Nothing for other sessions."""
    if session.leg is None or session.leg.event.licences != Event.Licences.REFUSED:
        return
    for one in troubles([session]):
        names = {"name": one.name, "club": one.club, "here": session.tournament.club.name}
        message = (
            _("%(name)s is suspended, as the register of %(club)s has it, and cannot play at %(here)s.")
            if one.why == SUSPENDED
            else _(
                "The licence of %(name)s has run out, as the register of %(club)s has it, and they cannot "
                "play at %(here)s."
            )
        )
        raise Conflict("no-licence", message % names, {"player": one.player, "why": one.why})
