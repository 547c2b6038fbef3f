"""Registration: players enter a list of a tournament, wait where it is full, and move up when others leave.

Nobody's place is stored: it follows from the order of the entries that have not left, and from the limit. So
two who ask for the last place at once get it in the order in which the list took them, and a higher limit
lets in those who have waited longest. A session is laid out when it is set up; so a list belongs to a
tournament, and its complete entries within the limit become the contestants of the session that is set up
from it.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..models import (
    Account,
    Player,
    Registrant,
    Registration,
    RegistrationList,
    Session,
    Token,
    Tournament,
)
from . import history, letters, names, register
from .errors import Conflict, Forbidden, Invalid, Missing, Stale
from .names import Reader

LISTS_AT_MOST, ENTRIES_AT_MOST = 50, 2000  # open at once in a tournament; in a list


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ListPlace:
    """An entry of a list: `number` counts from 1, and from 1 again among those who wait. `is_short`: players
    are missing; `wants_players`: and others may join."""

    registration: int
    number: int
    waits: bool
    players: Sequence[int]
    names: Sequence[str]
    is_short: bool
    wants_players: bool


def places(the_list: RegistrationList, reader: Reader) -> list[ListPlace]:
    """The entries of a list in their order, as a reader sees them, in four queries. Who has been merged into
    another since is that one, under that one's name."""
    members: dict[int, list[int]] = defaultdict(list)
    there = Registrant.objects.filter(list=the_list, left_at=None).order_by("pk")
    for registration, player in there.values_list("registration_id", "player_id"):
        members[registration].append(player)
    kept = _survivors({pk for pks in members.values() for pk in pks})
    members = {one: [kept.get(pk, pk) for pk in pks] for one, pks in members.items()}
    named = names.of_players([pk for pks in members.values() for pk in pks], reader)
    entries = Registration.objects.filter(list=the_list, left_at=None).order_by("pk")
    return [
        _place(pk, at, wants_players, members.get(pk, []), named, the_list)
        for at, (pk, wants_players) in enumerate(entries.values_list("pk", "wants_players"))
    ]


def _place(
    pk: int, at: int, wants: bool, players: list[int], named: dict[int, str], the_list: RegistrationList
) -> ListPlace:
    waits = the_list.limit is not None and at >= the_list.limit
    is_short = len(players) < the_list.players_each
    return ListPlace(
        registration=pk,
        number=at + 1 - (the_list.limit or 0 if waits else 0),
        waits=waits,
        players=players,
        names=[named[player] for player in players],
        is_short=is_short,
        wants_players=is_short and wants,
    )


def contestants_of(the_list: RegistrationList) -> list[list[int]]:
    """The players of each contestant that the session of a list will have: entries that are complete and do
    not wait. Who has been merged into another since is that one, once; an entry with somebody who has been
    erased is left out."""
    inside = [one for one in places(the_list, names.OPERATOR) if not one.waits]
    gone = Player.objects.filter(erased_at__isnull=False, registrants__list=the_list)
    taken = set(gone.values_list("pk", flat=True))
    contestants = []
    for one in inside:
        players = set(one.players)
        if not one.is_short and len(taken | players) == len(taken) + len(one.players):
            contestants.append(list(one.players))
            taken |= players
    return contestants


def erased_in(the_list: RegistrationList) -> int:
    """How many entries of a list nobody will play from because somebody in them has been erased."""
    there = Registrant.objects.filter(list=the_list, player__erased_at__isnull=False)
    concerned = set(there.values_list("registration", flat=True))
    playing = contestants_of(the_list)
    return sum(
        one.registration in concerned and list(one.players) not in playing
        for one in places(the_list, names.OPERATOR)
    )


def _survivors(players: set[int]) -> dict[int, int]:
    """Of those who have been merged into another, that one."""
    merged = Player.objects.filter(pk__in=players, merged_into__isnull=False)
    return register.kept_of({pk: into for pk, into in merged.values_list("pk", "merged_into") if into})


def enough_of(the_list: RegistrationList) -> list[list[int]]:
    """The same; Conflict if there are not two of them."""
    if len(contestants := contestants_of(the_list)) < 2:
        raise Conflict("too-few", _("A session needs two complete entries at least."))
    return contestants


def set_up_from(*, list_id: int, session: Session, players: Sequence[Sequence[int]]) -> None:
    """A session has been set up from a list, with these players. Conflict if others stand in it by now."""
    the_list = _lock(RegistrationList.objects.get(pk=list_id))
    if [list(own) for own in players] != contestants_of(the_list):
        message = _("Somebody has entered or left “%(list)s” meanwhile: set the session up once more.")
        raise Conflict("list-changed", message % {"list": the_list.name})
    the_list.session = session
    the_list.save(update_fields=["session"])


def place_of(the_list: RegistrationList, player: Player, reader: Reader) -> ListPlace | None:
    """Where a player stands in a list; None where they are not."""
    return next((one for one in places(the_list, reader) if player.pk in one.players), None)


# ── The list ──────────────────────────────────────────────────────────────────────────────────────


@transaction.atomic
def open_list(
    *,
    tournament: Tournament,
    actor: Account | Token,
    name: str,
    players_each: int = 1,
    limit: int | None = None,
    is_public: bool = True,
) -> RegistrationList:
    """A new list, in which players may enter at once."""
    if tournament.registration_lists.filter(closed_at=None).count() >= LISTS_AT_MOST:
        raise Conflict("too-many-lists", _("Too many lists are open here: close some first."))
    the_list = RegistrationList.objects.create(
        tournament=tournament, name=name, players_each=players_each, limit=limit, is_public=is_public
    )
    _note(actor, "opened registration", the_list, players_each=players_each, limit=limit)
    return the_list


@transaction.atomic
def change(
    *,
    the_list: RegistrationList,
    actor: Account | Token,
    limit: int | None,
    is_open: bool,
    is_public: bool,
    seen: str | None = None,
) -> RegistrationList:
    """How many there is room for, whether players may still enter, and whether everybody may see the list.
    `seen`: the stamp of what this is to replace; Stale if somebody has changed it since."""
    the_list = _lock(the_list)
    if seen is not None and stamp(the_list) != seen:
        message = _("Somebody else has changed this list meanwhile: look at what is there now.")
        raise Stale("changed-meanwhile", message)
    before = {"limit": the_list.limit, "open": the_list.is_open, "public": the_list.is_public}
    after = {"limit": limit, "open": is_open, "public": is_public}
    if before != after:
        waiting = _waiting(the_list)
        if the_list.is_open != is_open:
            the_list.closed_at = None if is_open else timezone.now()
        the_list.limit, the_list.is_public = limit, is_public
        the_list.save(update_fields=["limit", "is_public", "closed_at"])
        _tell_who_moved_up(the_list, waiting)
        _note(actor, "changed registration", the_list, before=before, after=after)
    return the_list


def stamp(the_list: RegistrationList) -> str:
    """What changes whenever a list does, its entries apart."""
    closed_at = None if the_list.closed_at is None else the_list.closed_at.isoformat()
    content = [the_list.name, the_list.limit, closed_at, the_list.is_public, the_list.session_id]
    return sha256(json.dumps(content).encode()).hexdigest()[:32]


def _lock(the_list: RegistrationList) -> RegistrationList:
    """The list as it is, while nobody else enters, leaves or closes it."""
    rows = RegistrationList.objects.select_for_update(no_key=True, of=("self",))
    return rows.select_related("tournament__club").get(pk=the_list.pk)


# ── Entering and leaving ──────────────────────────────────────────────────────────────────────────


@transaction.atomic
def enter(
    *,
    the_list: RegistrationList,
    players: Collection[int],
    actor: Account | Token,
    is_official: bool,
    wants_players: bool = True,
) -> Registration:
    """Players enter together, as one contestant or a part of one. Conflict: the list is closed, but to the
    club itself; or somebody stands in it already, and the refusal says where."""
    the_list = _lock(the_list)
    _check_open(the_list, is_official=is_official)
    people = _people(the_list, players)
    if not 1 <= len(people) <= the_list.players_each:
        message = ngettext(
            "Choose one player: each plays alone here.",
            "A contestant of this list has %(count)d players at most, and at least one.",
            the_list.players_each,
        )
        raise Invalid("players-each", message % {"count": the_list.players_each})
    if the_list.registrations.filter(left_at=None).count() >= ENTRIES_AT_MOST:
        raise Conflict("list-too-long", _("This list takes no more entries."))
    _check_new(the_list, people)
    registration = Registration.objects.create(list=the_list, wants_players=wants_players)
    _add(the_list, registration, people)
    _note(actor, "registered", the_list, registration=registration.pk, players=sorted(people))
    return registration


@transaction.atomic
def join(
    *, registration: Registration, player: int, actor: Account | Token, is_official: bool
) -> Registration:
    """A player joins others who look for one more. Conflict: they do not, or not any more; the list is
    closed; or the player stands in it already."""
    the_list = _lock(registration.list)
    _check_open(the_list, is_official=is_official)
    registration = _here(the_list, registration)
    people = _people(the_list, [player])
    _check_new(the_list, people)
    missing = the_list.players_each - registration.registrants.filter(left_at=None).count()
    if missing < 1 or not (registration.wants_players or is_official):
        raise Conflict("complete", _("They look for nobody any more: enter on your own, or join others."))
    _add(the_list, registration, people)
    _note(actor, "joined", the_list, registration=registration.pk, players=sorted(people))
    return registration


@transaction.atomic
def leave(
    *, registration: Registration, player: int | None, actor: Account | Token, is_official: bool
) -> None:
    """A player leaves an entry, or (None) all of it; who waits moves up when nobody is left in it. Conflict
    once the list is closed, but to the club itself."""
    the_list = _lock(registration.list)
    _check_open(the_list, is_official=is_official)
    registration = _here(the_list, registration)
    now, waiting = timezone.now(), _waiting(the_list)
    there = registration.registrants.filter(left_at=None)
    leaving = there if player is None else there.filter(player=player)
    gone = list(leaving.values_list("player_id", flat=True))
    if not gone:
        raise Missing("not-registered", _("This player does not stand in the list."))
    leaving.update(left_at=now)
    if not there.exists():
        Registration.objects.filter(pk=registration.pk).update(left_at=now)
        _tell_who_moved_up(the_list, waiting)
    _note(actor, "left registration", the_list, registration=registration.pk, players=sorted(gone))


@transaction.atomic
def set_players(
    *,
    registration: Registration,
    players: Collection[int],
    actor: Account | Token,
    own: Collection[int] | None,
) -> list[int]:
    """Who stands in an entry, now. `own`: the players that the actor is, who may change nothing else; None
    for the club. Somebody of those before has to stay, unless all leave."""
    there = registration.registrants.filter(left_at=None)
    before, after = set(there.values_list("player_id", flat=True)), set(players)
    if own is not None:
        check_own(before ^ after, own)
    if after and not after & before:
        raise Invalid("nobody-stays", _("Others enter on their own: none of these stood here before."))
    is_official = own is None
    for player in sorted(before - after):
        leave(registration=registration, player=player, actor=actor, is_official=is_official)
    for player in sorted(after - before):
        join(registration=registration, player=player, actor=actor, is_official=is_official)
    return sorted(there.values_list("player_id", flat=True))


def leave_all(*, player: Player) -> None:
    """A player leaves every list, closed ones too: no session will be set up with them."""
    there = Registrant.objects.filter(player=player, left_at=None)
    for one in there.select_related("registration__list").order_by("list", "pk"):
        the_list = _lock(one.registration.list)
        waiting = _waiting(the_list)
        Registrant.objects.filter(pk=one.pk).update(left_at=timezone.now())
        if not one.registration.registrants.filter(left_at=None).exists():
            Registration.objects.filter(pk=one.registration_id).update(left_at=timezone.now())
            if the_list.session_id is None:
                _tell_who_moved_up(the_list, waiting)


def _waiting(the_list: RegistrationList) -> list[int]:
    """The entries beyond the room of a list."""
    if the_list.limit is None:
        return []
    there = Registration.objects.filter(list=the_list, left_at=None).order_by("pk")
    return list(there.values_list("pk", flat=True)[the_list.limit :])


def _tell_who_moved_up(the_list: RegistrationList, waiting: Sequence[int]) -> None:
    """Mails to those of some entries that need wait no longer."""
    still = set(_waiting(the_list))
    up = [pk for pk in waiting if pk not in still]
    there = Registrant.objects.filter(registration__in=up, registration__left_at=None, left_at=None)
    players = set(there.values_list("player", flat=True))
    kept = _survivors(players)
    people = Player.objects.filter(pk__in={kept.get(pk, pk) for pk in players})
    letters.moved_up(the_list, people.select_related("account").order_by("pk"))


def _check_open(the_list: RegistrationList, *, is_official: bool) -> None:
    if not (the_list.is_open or is_official):
        message = _("This list is closed: ask the club, which can still enter you and take you out.")
        raise Conflict("registration-closed", message)


def _here(the_list: RegistrationList, registration: Registration) -> Registration:
    found = Registration.objects.filter(list=the_list, pk=registration.pk, left_at=None).first()
    if found is None:
        raise Conflict("entry-left", _("They have left the list meanwhile."))
    return found


def _people(the_list: RegistrationList, players: Collection[int]) -> set[int]:
    """The players, who are in the register of the club."""
    club = the_list.tournament.club
    known = Player.objects.in_register().filter(club=club, pk__in=players)
    found = set(known.values_list("pk", flat=True))
    if found != set(players):
        raise Invalid("no-such-player", _("Only players in the register of %(club)s.") % {"club": club.name})
    return found


def _check_new(the_list: RegistrationList, people: set[int]) -> None:
    """Nobody stands in a list twice. The refusal says who, and where."""
    for one in places(the_list, names.OPERATOR):
        for player, name in zip(one.players, one.names, strict=True):
            if player in people:
                facts = {"name": name, "list": the_list.name, "number": one.number}
                message = (
                    _("%(name)s waits in “%(list)s” already, in place %(number)d.")
                    if one.waits
                    else _("%(name)s has entered “%(list)s” already, as number %(number)d.")
                )
                raise Conflict(
                    "registered-already",
                    message % facts,
                    {"player": player, "registration": one.registration},
                )


def _add(the_list: RegistrationList, registration: Registration, people: set[int]) -> None:
    Registrant.objects.bulk_create(
        Registrant(list=the_list, registration=registration, player_id=pk) for pk in sorted(people)
    )


def _note(actor: Account | Token, verb: str, the_list: RegistrationList, **detail: Any) -> None:
    tournament = the_list.tournament
    history.note(actor, verb, the_list, tournament=tournament, club=tournament.club, **detail)


# ── Who may ───────────────────────────────────────────────────────────────────────────────────────


def check_own(players: Collection[int], own: Collection[int]) -> None:
    """Forbidden unless somebody who is no official enters themselves alone."""
    if not set(players) <= set(own):
        raise Forbidden("may-not-enter-others", _("You may enter yourself; the club enters others."))
