"""Events over many clubs: their legs, the clubs that play them, and the embargo on the boards that all of
them share.

Whoever runs an event deals the boards of a leg once. Each club sets up a session of its own for it, by its
own movement for its own number of players; every table everywhere holds the same cards, and one commitment
tells that they are the same. Until the embargo is lifted, nobody but a deal officer sees any of them.
"""

import zoneinfo
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from engines import dealing, registry, sealing
from engines.errors import EngineError

from .. import vault
from ..models import Account, BoardSet, Club, ClubEntry, Event, Leg, Session, Token, access
from ..models.clubs import TIME_ZONE
from ..movements import FAMILIES
from . import (
    comparisons,
    custody,
    dates,
    embargoes,
    feed,
    field_news,
    games,
    history,
    letters,
    live_lists,
    points_news,
    rating_news,
    season_news,
)
from .errors import Conflict, Forbidden, Invalid, Stale, refusal

State = ClubEntry.State
BOARDS_AT_MOST = 500


@dataclass(frozen=True, slots=True)
class SharedBoards:
    """What a session needs of its leg: the boards that were dealt, and what they were dealt for."""

    leg: int
    game: str
    options: Mapping[str, Any]
    conditions: Mapping[str, Any]
    board_count: int
    seed: bytes
    manifest: Mapping[str, Any]


# ── An event and its legs ─────────────────────────────────────────────────────────────────────────


@transaction.atomic
def create(*, actor: Account | Token, club: Club | None, name: str, **terms: Any) -> Event:
    """A draft of an event, of a club or (without one) of the federation. Forbidden but for those who run the
    club, and for administrators and organisers of the federation. Its window is told by the clock of its
    club, unless its terms say another `time_zone`."""
    account = check_may_make(club=club, actor=actor)
    if club is not None:
        terms.setdefault("time_zone", club.time_zone)
    _check_terms(terms)
    event = Event.objects.create(name=_named(name), club=club, owner=account, **terms)
    history.note(actor, "made event", event, club=club, name=event.name)
    return event


def check_may_make(*, club: Club | None, actor: Account | Token) -> Account:
    """Who makes an event of a club, or (without one) of the federation. Forbidden where they may not."""
    account = actor if isinstance(actor, Account) else None if actor.role is None else actor.role.account
    federal = access.administers_federation(actor) or access.organises_federation(actor)
    may = federal if club is None else _runs(club, actor)
    if account is None or not may:
        raise Forbidden("may-not-make-events", _("Those who run a club, or the federation, make its events."))
    return account


@transaction.atomic
def change(*, event: Event, actor: history.Actor, seen: str | None = None, **new: Any) -> Event:
    """Other terms, another name. Who may enter and until when the boards stay closed can no longer be changed
    once the event has been announced: clubs rely on it. Stale: it is not as it was `seen`."""
    event = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    if seen is not None and stamp(event) != seen:
        raise Stale("changed-meanwhile", _("Somebody else has changed the event meanwhile: look again."))
    if "name" in new:
        new["name"] = _named(new["name"])
    _check_terms(new)
    before = {name: getattr(event, name) for name in new}
    changed = {name: value for name, value in new.items() if before[name] != value}
    if event.state == Event.State.ANNOUNCED and (fixed := changed.keys() & {"embargo", "joining"}):
        message = _("The event has been announced: this can no longer be changed.")
        raise Conflict("announced", message, {"fields": sorted(fixed)})
    for name, value in changed.items():
        setattr(event, name, value)
    if changed:
        event.changes += 1
        event.save(update_fields=[*changed, "changes"])
        told = {name: (before[name], value) for name, value in changed.items()}
        history.note(actor, "changed event", event, club=event.club, changes=told)
    return event


def stamp(event: Event) -> str:
    """What changes whenever an event does, one of its legs, or who plays them."""
    return f"{event.pk}-{event.changes}"


def _named(name: str) -> str:
    if not name.strip():
        raise Invalid("no-name", _("An event needs a name."))
    return name.strip()


def _check_terms(terms: Mapping[str, Any]) -> None:
    if terms.get("time_zone", TIME_ZONE) not in zoneinfo.available_timezones():
        message = _("There is no time zone “%(name)s”.") % {"name": terms["time_zone"]}
        raise Invalid("no-such-time-zone", message)
    if unknown := sorted(set(terms.get("movements", ())) - set(FAMILIES)):
        message = _("There is no movement called %(name)s.") % {"name": unknown[0]}
        raise Invalid("no-such-movement", message, {"unknown": unknown})


@transaction.atomic
def add_leg(
    *,
    event: Event,
    actor: history.Actor,
    game: str,
    board_count: int,
    opens_at: datetime,
    closes_at: datetime,
    material_at: datetime | None = None,
    late_until: datetime | None = None,
    options: Mapping[str, Any] | None = None,
    seats: int | None = None,
    method: str = "matchpoints",
    method_options: Mapping[str, Any] | None = None,
) -> Leg:
    """The next leg, with its boards dealt and sealed here and now: nobody has seen a card. `material_at`:
    since when deal officers may take them, by default when the window opens. Invalid says what is wrong."""
    event = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    material_at = material_at or opens_at
    _check_times(opens_at, closes_at, material_at, late_until)
    compared_by = comparisons.options_of(method, dict(method_options or {}), game)
    number = (event.legs.aggregate(highest=Max("number"))["highest"] or 0) + 1
    try:
        the_game = registry.game(game)
        all_options = registry.options_of(the_game, dict(options or {}))
        conditions = games.conditions_of(the_game, seats)
        boards = sealing.Boards(
            event=f"{event.name}, {number}",  # as its leg is called
            game=game,
            options=all_options,
            conditions=conditions,
            boards=range(1, board_count + 1),
            reserves=(),
        )
    except EngineError as error:
        raise refusal("bad-leg", error) from error
    seed = dealing.new_seed()
    manifest = sealing.manifest_of(boards, seed, None)
    leg = Leg.objects.create(
        event=event,
        number=number,
        game=game,
        options=all_options,
        conditions=conditions,
        method=method,
        method_options=compared_by,
        board_count=board_count,
        opens_at=opens_at,
        closes_at=closes_at,
        material_at=material_at,
        late_until=late_until,
        sealed_seed=vault.seal(seed),
        manifest=manifest,
        commitment=sealing.commitment(manifest),
    )
    _touch(event)
    history.note(actor, "added leg", leg, club=event.club, number=number, commitment=leg.commitment)
    return leg


def _check_times(
    opens_at: datetime, closes_at: datetime, material_at: datetime, late_until: datetime | None
) -> None:
    if not material_at <= opens_at < closes_at or (late_until is not None and late_until < closes_at):
        message = _(
            "The times are not in order: first the material, then the window from its beginning to its end, "
            "then the time for late results."
        )
        raise Invalid("times-not-in-order", message)


@transaction.atomic
def announce(*, event: Event, actor: history.Actor) -> Event:
    """Everybody may read of it from now on, and clubs may enter. Twice does what once does. Conflict: it has
    no leg."""
    event = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    if event.state == Event.State.ANNOUNCED:
        return event
    if not event.legs.exists():
        raise Conflict("no-leg", _("Say first what is played: the event has no leg."))
    event.state = Event.State.ANNOUNCED
    event.changes += 1
    event.save(update_fields=["state", "changes"])
    invited = ClubEntry.objects.filter(leg__event=event, state=State.INVITED).select_related("club", "leg")
    for entry in invited:
        entry.leg.event = event
    letters.invited_to_event(list(invited))
    history.note(actor, "announced event", event, club=event.club)
    feed.note_announced(event)
    return event


def _touch(event: Event) -> None:
    """Whoever has an answer about the event asks anew."""
    Event.objects.filter(pk=event.pk).update(changes=F("changes") + 1)


# ── Clubs ─────────────────────────────────────────────────────────────────────────────────────────


OF_EVENT, OF_CLUB = "event", "club"
ARROWS: Mapping[tuple[str, str], tuple[str, ...]] = {
    (State.INVITED, State.ENTERED): (OF_CLUB,),
    (State.INVITED, State.DECLINED): (OF_CLUB,),
    (State.INVITED, State.LEFT_OUT): (OF_EVENT,),
    (State.DECLINED, State.ENTERED): (OF_CLUB,),
    (State.DECLINED, State.INVITED): (OF_EVENT,),
    (State.ENTERED, State.WITHDRAWN): (OF_CLUB,),
    (State.ENTERED, State.LEFT_OUT): (OF_EVENT,),
    (State.WITHDRAWN, State.ENTERED): (OF_CLUB,),
    (State.LEFT_OUT, State.ENTERED): (OF_EVENT,),
}
"""Who brings a club from one state into another: those who run the event, or those who run the club."""


@transaction.atomic
def invite(*, leg: Leg, clubs: Sequence[Club], actor: history.Actor) -> list[ClubEntry]:
    """Ask clubs whether they will play; those that have been asked already stay as they are. Forbidden but
    for those who run the event. The queries do not grow with the clubs."""
    leg = _held(leg)
    if not Event.objects.managed_by(actor).filter(pk=leg.event_id).exists():
        raise Forbidden("not-your-event", _("Those who run the event invite clubs to it."))
    _check_open(leg)
    there = {one.club_id: one for one in leg.entries.filter(club__in=clubs)}
    wanted = {club.pk: club for club in clubs}
    new = [
        ClubEntry(leg=leg, club=club, state=State.INVITED) for pk, club in wanted.items() if pk not in there
    ]
    there |= {one.club_id: one for one in ClubEntry.objects.bulk_create(new)}
    if leg.event.state == Event.State.ANNOUNCED:
        letters.invited_to_event(new)
    told = [(one, one.club) for one in new]
    history.note_in_clubs(actor, "invited club", told, event=leg.event_id, leg=leg.number)
    _touch(leg.event)
    return [there[club.pk] for club in clubs]


@transaction.atomic
def enter(*, leg: Leg, club: Club, actor: history.Actor, tables: int) -> ClubEntry:
    """A club will play, with about so many tables; another number where it has entered already. Forbidden but
    for those who run the club, and where it was not invited to an event by invitation. Invalid: fewer tables
    than the terms ask for. Conflict: it is too late."""
    leg = _held(leg)
    _check_runs(club, actor)
    event = leg.event
    _check_announced(event)
    _check_tables(event, tables)
    entry = leg.entries.filter(club=club).first()
    if entry is None:
        if event.joining == Event.Joining.INVITATION:
            raise Forbidden("not-invited", _("Clubs play this event by invitation."))
        _check_open(leg)
        entry = ClubEntry.objects.create(leg=leg, club=club, state=State.ENTERED, tables=tables)
        history.note(actor, "entered club", entry, club=club, event=event.pk, leg=leg.number, tables=tables)
    elif entry.state == State.ENTERED:
        if entry.tables != tables:
            changes = {"tables": (entry.tables, tables)}
            entry.tables = tables
            entry.save(update_fields=["tables"])
            history.note(actor, "changed club entry", entry, club=club, changes=changes)
    else:
        entry.tables = tables
        _move(entry, actor, State.ENTERED)
    _touch(event)
    return entry


@transaction.atomic
def decide(
    *, entry: ClubEntry, actor: history.Actor, to: str, tables: int | None = None, reason: str = ""
) -> ClubEntry:
    """Bring a club into another state, as `ARROWS` says who may; nothing happens where it is in that state.
    `tables`: how many it expects, where it enters. Conflict: no arrow leads there, or the club has begun to
    play."""
    leg = _held(entry.leg)
    entry = leg.entries.select_related("club", "session").get(pk=entry.pk)
    if to == State.ENTERED and tables is not None:
        if entry.state == State.ENTERED:
            return enter(leg=leg, club=entry.club, actor=actor, tables=tables)
        _check_tables(leg.event, tables)
        entry.tables = tables
    if entry.state != to:
        if to == State.ENTERED and entry.tables is None:
            raise Invalid("no-tables", _("Say how many tables the club expects."))
        _move(entry, actor, to, reason)
        _touch(leg.event)
    return entry


def _move(entry: ClubEntry, actor: history.Actor, to: str, reason: str = "") -> None:
    by = ARROWS.get((entry.state, to))
    if by is None:
        message = _("A club that is “%(state)s” cannot become “%(to)s”.")
        names = {"state": State(entry.state).label, "to": State(to).label}
        raise Conflict("no-such-change", message % names, {"state": str(entry.state), "to": str(to)})
    if OF_EVENT in by:
        if not Event.objects.managed_by(actor).filter(pk=entry.leg.event_id).exists():
            raise Forbidden("not-your-event", _("Those who run the event decide this."))
    else:
        _check_runs(entry.club, actor)
    if to in (State.ENTERED, State.INVITED):
        if entry.session is None or not has_sent(entry):
            _check_open(entry.leg)
        elif not embargoes.begun_in_time(entry.leg, [entry.session]):
            raise Conflict("after-lift", embargoes.refusal())
    if to == State.ENTERED:
        _check_announced(entry.leg.event)
    if to == State.WITHDRAWN and entry.session is not None and entry.session.state not in NOT_BEGUN:
        raise Conflict("begun", _("The club has begun to play."))
    changes = {"state": (str(entry.state), str(to))}
    entry.state, entry.reason = to, reason.strip()
    entry.save(update_fields=["state", "tables", "reason"])
    why: dict[str, Any] = {"reason": entry.reason} if entry.reason else {}
    history.note(actor, "changed club entry", entry, club=entry.club, changes=changes, **why)
    lift_if_due(entry.leg)
    field_news.changed(entry.leg_id)


def has_sent(entry: ClubEntry) -> bool:
    """Whether a club has played and sent its results, so that it may be taken in again when all is over."""
    return entry.session is not None and entry.session.state in Session.RANKED


NOT_BEGUN = (Session.State.DRAFT, Session.State.READY, Session.State.CANCELLED)


@transaction.atomic
def check_results(*, entry: ClubEntry, actor: history.Actor, is_checked: bool) -> ClubEntry:
    """Those who run the event have looked through what a club has sent, or look again. Conflict: nothing has
    been sent."""
    leg = _held(entry.leg)
    entry = leg.entries.select_related("club", "session").get(pk=entry.pk)
    if not Event.objects.managed_by(actor).filter(pk=leg.event_id).exists():
        raise Forbidden("not-your-event", _("Those who run the event check its results."))
    if bool(entry.checked_at) == is_checked:
        return entry
    if is_checked and entry.stage != ClubEntry.Stage.SENT:
        raise Conflict("not-sent", _("The club has not sent its results yet."))
    entry.checked_at = timezone.now() if is_checked else None
    entry.save(update_fields=["checked_at"])
    _touch(leg.event)
    history.note(actor, "checked results" if is_checked else "took back check", entry, club=entry.club)
    return entry


def _held(leg: Leg) -> Leg:
    """The leg as it is now, held until the end of the transaction: whoever else changes who plays it, or
    lifts its embargo, waits."""
    return Leg.objects.select_for_update(no_key=True, of=("self",)).select_related("event").get(pk=leg.pk)


def _runs(club: Club, actor: history.Actor) -> bool:
    return Club.objects.filter(access.managed(actor, club="pk"), pk=club.pk).exists()


def _check_announced(event: Event) -> None:
    if event.state != Event.State.ANNOUNCED:
        raise Conflict("not-announced", _("The event has not been announced yet."))


def _check_tables(event: Event, tables: int) -> None:
    if tables < event.least_tables:
        message = _("The terms ask for %(least)d tables at least.") % {"least": event.least_tables}
        raise Invalid("too-few-tables", message, {"least": event.least_tables})


def _check_runs(club: Club, actor: history.Actor) -> None:
    if not _runs(club, actor):
        raise Forbidden("not-your-club", _("Those who run the club decide this."))


def _check_open(leg: Leg) -> None:
    """Conflict once the boards may be known, or the window is over."""
    if leg.lifted_at is not None or timezone.now() >= leg.closes_at:
        raise Conflict("leg-over", _("The time for this is over: its boards may be known by now."))


# ── A club's part ─────────────────────────────────────────────────────────────────────────────────


def shared_boards(leg: int) -> SharedBoards:
    """The boards of a leg (its id), for a session that is planned. Invalid: there is no such leg."""
    found = Leg.objects.filter(pk=leg).first()
    if found is None:
        raise Invalid("no-such-leg", _("There is no such leg of an event."), {"leg": leg})
    return SharedBoards(
        *(found.pk, found.game, found.options, found.conditions),
        *(found.board_count, found.seed, found.manifest),
    )


def check_wish(*, club: Club, leg: int, **wish: Any) -> None:
    """Refuse what shows before a club's session is planned: that it does not play the leg, or what would be
    otherwise than there."""
    entry = _entry_of(leg, club)
    _check_open(entry.leg)
    own: Mapping[str, Any] = {"reserves": 0, "public_value": None, "trial": False, "sealed": True}
    other = sorted(name for name, value in own.items() if wish.get(name, value) != value)
    if wish.get("game", entry.leg.game) != entry.leg.game:
        other.append("game")
    if wish.get("custody", BoardSet.Keeping.OFFICER) != BoardSet.Keeping.OFFICER:
        other.append("custody")
    if other:
        raise _otherwise(other)


def _otherwise(fields: Sequence[str]) -> Invalid:
    message = _("The boards of an event are dealt for all clubs alike: this cannot be chosen (%(fields)s).")
    return Invalid("not-as-the-leg", message % {"fields": ", ".join(fields)}, {"fields": list(fields)})


def fits(leg: Leg, *, family: str, boards: int) -> bool:
    """Whether a club may choose a movement, as far as its name and its boards say."""
    event = leg.event
    allowed = not event.movements or family in event.movements
    return allowed and event.least_boards <= boards <= leg.board_count


def check_plan(
    shared: SharedBoards, *, game: str, options: Mapping[str, Any], conditions: Mapping[str, Any], boards: int
) -> None:
    """Invalid where a session that has been planned would not play the boards of its leg."""
    wanted = {"game": shared.game, "options": shared.options, "seats": shared.conditions}
    planned = {"game": game, "options": options, "seats": conditions}
    if other := [name for name, value in wanted.items() if planned[name] != value]:
        raise _otherwise(other)
    if boards > shared.board_count:
        message = _("The movement has %(boards)d boards, and the event %(count)d.")
        facts = {"boards": boards, "count": shared.board_count}
        raise Invalid("too-many-boards", message % facts, facts)


@transaction.atomic
def begin_part(
    *,
    session: Session,
    leg: int,
    actor: history.Actor,
    family: str,
    tables: int,
    boards: int,
) -> None:
    """A session that has just been stored is its club's part in a leg, in the transaction that stores it.
    Conflict: the club plays it already, the boards may be known, or somebody has had custody of them who
    plays. Invalid: it is not as the terms say."""
    entry = _entry_of(leg, session.tournament.club)
    held = _held(entry.leg)
    entry = ClubEntry.objects.select_related("session", "club").get(pk=entry.pk)
    _check_open(held)
    if entry.session is not None and entry.session.state != Session.State.CANCELLED:
        message = _("The club plays this leg already, in “%(session)s”.") % {"session": entry.session.name}
        raise Conflict("plays-already", message, {"session": entry.session_id})
    _check_terms_met(held, family, tables, boards)
    if session.starts_at is not None:
        check_start(held, entry.club, session.starts_at)
    ClubEntry.objects.filter(pk=entry.pk).update(session=session, checked_at=None)
    Session.objects.filter(pk=session.pk).update(leg=held)
    session.leg = held
    custody.check_players(session)
    _touch(held.event)
    history.note(actor, "joined event", session, session=session, event=held.event_id, leg=held.number)


def _entry_of(leg: int, club: Club) -> ClubEntry:
    """The entry of a club that has entered. Conflict: it has not, and has perhaps taken the number of another
    leg for that of its own, which is named then."""
    entered = ClubEntry.objects.filter(club=club, state=State.ENTERED).select_related("leg__event")
    found = entered.filter(leg=leg).first()
    if found is None:
        if meant := [one.leg for one in _still_to_play(entered)]:
            named = ", ".join(
                _("“%(leg)s” (number %(number)d)") % {"leg": one, "number": one.pk} for one in meant
            )
            message = _("The club has not entered the event with the number %(number)d. It plays %(legs)s.")
            facts = {"leg": leg, "entered": [one.pk for one in meant]}
            raise Conflict("not-entered", message % {"number": leg, "legs": named}, facts)
        message = _("The club has not entered this event: say first that it will play.")
        raise Conflict("not-entered", message, {"leg": leg})
    return found


NAMED_AT_MOST = 5


def _still_to_play(entered: QuerySet[ClubEntry]) -> QuerySet[ClubEntry]:
    """The first of those legs whose session is still to be set up."""
    open_ones = entered.filter(leg__lifted_at=None, leg__closes_at__gt=timezone.now())
    without = Q(session=None) | Q(session__state=Session.State.CANCELLED)
    return open_ones.filter(without).order_by("leg__opens_at", "leg")[:NAMED_AT_MOST]


def _check_terms_met(leg: Leg, family: str, tables: int, boards: int) -> None:
    event = leg.event
    if event.movements and family not in event.movements:
        names = ", ".join(event.movements)
        message = _("The terms allow other movements: %(names)s.") % {"names": names}
        raise Invalid("movement-not-allowed", message, {"allowed": event.movements})
    _check_tables(event, tables)
    if boards < event.least_boards:
        message = _("The terms ask for %(least)d boards at least.") % {"least": event.least_boards}
        raise Invalid("too-few-boards", message, {"least": event.least_boards})


def corrections_until(session: Session, *, now: datetime) -> datetime | None:
    """Until when a club mends the results that it sends now, by the terms of its event; None for a session
    that is in none."""
    leg = session.leg
    return None if leg is None else now + timedelta(hours=leg.event.correction_hours)


def check_start(leg: Leg, club: Club, starts_at: datetime) -> None:
    """Invalid where a club would begin outside the window, which is told by its own clock."""
    if not leg.opens_at <= starts_at < leg.closes_at:
        message = _("The event is played from %(first)s to %(last)s.")
        window = {"first": leg.opens_at, "last": leg.closes_at}
        told = {name: dates.by_clock(moment, club.zone) for name, moment in window.items()}
        facts = {name: moment.isoformat() for name, moment in window.items()}
        raise Invalid("outside-the-window", message % told, facts)


# ── The embargo ───────────────────────────────────────────────────────────────────────────────────


def follow(session: Session) -> None:
    """A session has reached another state: it may have been the last of its leg. Nothing for others."""
    if session.leg_id is not None:
        lift_if_due(_held(Leg(pk=session.leg_id)))
        field_news.changed(session.leg_id)


def lift_if_due(leg: Leg, *, now: datetime | None = None) -> bool:
    """Lift the embargo of a leg that is held, once its time has come; whether it is lifted now. What was
    public of it then is public for ever: nothing leads back."""
    if leg.lifted_at is not None or not is_due(leg, now=now or timezone.now()):
        return False
    leg.lifted_at = now or timezone.now()
    leg.save(update_fields=["lifted_at"])
    parts = list(leg.sessions.select_related("tournament"))
    sessions = [one.pk for one in parts]
    BoardSet.objects.filter(session__in=sessions).update(custody_changes=F("custody_changes") + 1)
    live_lists.look_again(sessions)
    feed.note_lifted(parts)
    field_news.begin(leg)
    season_news.changed_field(leg.pk)
    rating_news.changed_leg(leg.pk)
    points_news.changed_leg(leg.pk)
    _touch(leg.event)
    history.note(None, "lifted embargo", leg, club=leg.event.club, number=leg.number)
    return True


def is_due(leg: Leg, *, now: datetime) -> bool:
    """Whether nothing speaks for the embargo any more: nobody plays or may still begin, and the window is
    over; or, where the event says so, every club that may play has sent its results."""
    if embargoes.keeps_closed(leg, now=now):
        return False
    if now >= leg.closes_at:
        return True
    entered = ClubEntry.objects.filter(leg=leg, state=State.ENTERED)
    event = leg.event
    if event.embargo != Event.Embargo.LAST_CLUB or event.joining == Event.Joining.OPEN:
        return False
    waiting = ~Q(session__state__in=Session.RANKED) | Q(session=None)
    invited = ClubEntry.objects.filter(leg=leg, state=State.INVITED)
    return entered.exists() and not entered.filter(waiting).exists() and not invited.exists()


def lift_all(*, now: datetime | None = None) -> int:
    """Lift the embargo of every leg whose window is over; of how many. The sweep asks this."""
    now = now or timezone.now()
    lifted = 0
    for pk in list(_under_embargo(now).values_list("pk", flat=True)):
        with transaction.atomic():
            lifted += lift_if_due(_held(Leg(pk=pk)), now=now)
    return lifted


def is_one_due(*, now: datetime) -> bool:
    """One query, and one for each leg whose window is over while a club still plays."""
    return any(is_due(leg, now=now) for leg in _under_embargo(now).select_related("event"))


def _under_embargo(now: datetime) -> Any:
    return Leg.objects.filter(lifted_at=None, closes_at__lte=now).order_by("pk")
