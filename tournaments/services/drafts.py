"""Setting up a session step by step: what has been decided so far is kept, until a job sets the session up.

A draft belongs to its club: one organiser begins it, another may go on. Every save says which version it has
seen, so that nobody overwrites what somebody else has decided meanwhile.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from engines import registry
from engines.errors import EngineError
from engines.public_values import PublicValue

from ..models import (
    Account,
    BoardSet,
    Club,
    Draft,
    Job,
    Leg,
    Player,
    RegistrationList,
    Role,
    Session,
    SessionTemplate,
)
from ..models.accounts import RoleKind
from ..models.people import fold
from . import (
    events,
    jobs,
    movement_files,
    register,
    registrations,
    replacing,
    rounds,
    sessions,
    shuffling,
    states,
    templates,
)
from .errors import Conflict, Invalid, Stale
from .movement_offers import ask_for_movements, boards_in, language, lasts, offers_of
from .session_wishes import (
    BY_TABLES,
    COPIED,
    UNSEALED,
    ChosenMovement,
    SessionWish,
    contestant_count,
    free_name,
    list_of,
    minutes_between,
    minutes_of,
    next_such_day,
    starts_at,
    wish_of,
)
from .typed_contestants import contestants_of

KEPT = (RoleKind.DIRECTOR, RoleKind.SCORER, RoleKind.DEAL_OFFICER)
DRAFTS_AT_MOST = 100  # of a club, unfinished


# ── Beginning ───────────────────────────────────────────────────────────────────────────────────────


@transaction.atomic
def begin(
    *,
    club: Club,
    actor: Account,
    today: date,
    tournament: int = 0,
    template: SessionTemplate | None = None,
) -> Draft:
    """A new draft, with what is known of the club already filled in: its usual template, or its last session.
    With a `template` that somebody has chosen, who is there is all that is left to say. `tournament`: by its
    id, if the club has it; otherwise the club's newest."""
    _check_room(club)
    own = club.tournaments.order_by("-pk")
    latest = own.filter(pk=tournament).first() or own.first()
    last = last_session(club)
    wish = SessionWish(
        name=free_name(club, today),
        date=today.isoformat(),
        tournament_name="" if latest else f"{club.name} {today.year}",
        game=last.game if last else "",
    )
    hours = _hours_of(last)
    wish = replace(wish, **hours) if hours else wish
    if (known := template or templates.usual(club)) is not None:
        wish = templates.applied(known, wish)
    if template is not None:
        wish = replace(wish, done=templates.DONE)
    return Draft.objects.create(club=club, tournament=latest, made_by=actor, wish=wish.to_json())


@transaction.atomic
def begin_part(*, club: Club, actor: Account, leg: Leg, today: date) -> Draft:
    """A new draft of a club's part in an event: game, boards and comparison are the event's, and what is left
    to say is who is there. Conflict: the club has not entered it, or too late."""
    _check_room(club)
    events.check_wish(club=club, leg=leg.pk)
    latest = club.tournaments.order_by("-pk").first()
    whole_minute = leg.opens_at + timedelta(seconds=59)
    opens, closes = (one.astimezone(club.zone) for one in (whole_minute, leg.closes_at))
    day = max(opens.date(), today)
    wish = SessionWish(
        name=str(leg),
        tournament_name="" if latest else f"{club.name} {today.year}",
        game=leg.game,
        options=dict(leg.options),
        date=day.isoformat(),
        minutes=minutes_of(registry.game(leg.game)),
        reserves=0,
        method=leg.method,
        method_options=dict(leg.method_options),
        leg=leg.pk,
        done=templates.DONE,
    )
    usual = {name: at for name, at in _hours_of(last_session(club)).items() if name in ("begins", "ends")}
    for hours in (usual, {}):
        timed = replace(wish, **hours)
        begins = starts_at(club, timed)
        if begins is not None and opens <= begins < closes:
            break
    else:
        ends = opens + timedelta(hours=3)
        timed = replace(wish, begins=opens.strftime("%H:%M"), ends=ends.strftime("%H:%M"))
    in_time = boards_in(timed.begins, timed.ends, timed.minutes)
    timed = replace(timed, boards=min(max(in_time, leg.event.least_boards), leg.board_count, 100))
    return Draft.objects.create(club=club, tournament=latest, made_by=actor, wish=timed.to_json())


@transaction.atomic
def copy(*, session: Session, actor: Account, today: date, with_contestants: bool = True) -> Draft:
    """A new draft of a session like another: its game, its contestants unless somebody wants them typed anew,
    its boards, its method; what is left to say is who is there."""
    club = session.tournament.club
    _check_room(club)
    day = next_such_day(_day_of(session), today)
    wish = replace(
        like(session),
        name=free_name(club, day),
        date=day.isoformat(),
        contestants=contestants_of(session) if with_contestants else (),
        done=templates.DONE,
    )
    return Draft.objects.create(
        club=club, tournament=session.tournament, made_by=actor, copied_from=session, wish=wish.to_json()
    )


@transaction.atomic
def set_up_again(*, session: Session, actor: Account, seen: str | None = None) -> Draft:
    """The draft by which a session that nobody has begun is set up again, with all that was decided about it;
    the one that there is, where somebody has begun to. The session stays as it is until the other takes its
    place (`replacing.replace`). Conflict where it cannot be (`replacing.check`). Stale: it is not as it was
    `seen`."""
    session = states.locked(session)
    states.check_seen(session, seen)
    replacing.check(session)
    club = session.tournament.club
    begun = Draft.objects.filter(club=club, wish__replaces=session.pk).unfinished().first()
    if begun is not None:
        return begun
    _check_room(club)
    made = Draft.objects.filter(job__session=session).first()
    facts = like(session)
    kept = SessionWish() if made is None else wish_of(made)
    wish = replace(
        kept,
        **{name: getattr(facts, name) for name in templates.KEPT},
        name=session.name,
        date=_day_of(session).isoformat(),
        contestants=contestants_of(session),
        registration=None,
        tournament_name="",
        replaces=session.pk,
    )
    known = ("game", "contestants", *(("movement",) if wish.movement else ()), "boards", "comparison")
    return Draft.objects.create(
        club=club,
        tournament=session.tournament,
        made_by=actor,
        copied_from=session,
        wish=replace(wish, done=known).to_json(),
        **({} if made is None else {"comparison": made.comparison, "compared": made.compared}),
    )


def like(session: Session) -> SessionWish:
    """What another session like this one has, but for its day and who plays."""
    board_set = session.board_set
    by_hand = COPIED if board_set.manifest is None and shuffling.of_session(session).at_once else BY_TABLES
    wish = SessionWish(
        game=session.game,
        options=dict(session.options),
        reserves=len((board_set.manifest or {}).get("reserves") or ()),
        custody=str(board_set.custody) if board_set.manifest is not None else by_hand,
        method=session.method,
        method_options=dict(session.method_options),
        substitutes_credited=str(session.substitutes_credited),
        live=str(session.live),
        pace=rounds.pace_of(session),
    )
    return replace(wish, **(_hours_of(session) or _usual_hours(session)))


def _usual_hours(session: Session) -> dict[str, Any]:
    """The hours of a session of which nobody has said any: of the club's usual template, if it is of that
    game."""
    usual = templates.usual(session.tournament.club)
    if usual is not None and (known := templates.wish_of(usual)).game == session.game:
        return {name: getattr(known, name) for name in ("begins", "ends", "minutes", "boards")}
    return {"minutes": minutes_of(registry.game(session.game))}


def _check_room(club: Club) -> None:
    if Draft.objects.filter(club=club).unfinished().count() >= DRAFTS_AT_MOST:
        raise Conflict("too-many-drafts", _("This club has begun too many sessions: delete some first."))


def last_session(club: Club) -> Session | None:
    """The newest session that was set up in a club; a rehearsal is none."""
    own = Session.objects.filter(tournament__club=club, is_trial=False).select_related(
        "tournament__club", "board_set"
    )
    return own.order_by("-pk").first()


def _day_of(session: Session) -> date:
    """The day of a session, by its club's clock."""
    return (session.starts_at or session.created_at).astimezone(session.tournament.club.zone).date()


def _hours_of(session: Session | None) -> dict[str, Any]:
    """The hours for which a session was set up, if that was lately; it begins when its page says."""
    draft = None if session is None else Draft.objects.filter(job__session=session).first()
    if session is None or draft is None:
        return {}
    wish = wish_of(draft)
    hours = {name: getattr(wish, name) for name in ("begins", "ends", "minutes", "boards")}
    if session.starts_at is not None:
        begins = session.starts_at.astimezone(session.tournament.club.zone)
        ends = begins + timedelta(minutes=minutes_between(wish.begins, wish.ends))
        hours |= {"begins": begins.strftime("%H:%M"), "ends": ends.strftime("%H:%M")}
    return hours


def planned_ends(sessions: Iterable[Session]) -> dict[int, datetime]:
    """By session (its id), when it ends as the steps that set it up have planned it; nothing of one without a
    time, or that was set up otherwise. One query."""
    begins = {one.pk: one.starts_at for one in sessions if one.starts_at is not None}
    found = {}
    for pk, stored in Draft.objects.filter(job__session__in=begins).values_list("job__session", "wish"):
        wish = SessionWish.of(stored)
        if (planned := wish.movement) is not None:
            minutes = lasts(planned.rounds, planned.boards_per_round, wish.minutes)
            found[pk] = begins[pk] + timedelta(minutes=minutes)
    return found


# ── Saving ──────────────────────────────────────────────────────────────────────────────────────────


@transaction.atomic
def save(*, draft: Draft, seen: int, wish: SessionWish, tournament: int | None = None) -> Draft:
    """The draft with another wish. Stale: somebody has saved it since; Conflict: it is being set up, or has
    been. `tournament`: its id, where the club has it and it is to be another."""
    held = _held(draft)
    _check_seen(held, seen)
    _check_open(held)
    held.wish = wish.to_json()
    if wish.tournament_name:
        held.tournament = None
    elif tournament is not None:
        held.tournament = held.club.tournaments.get(pk=tournament)
    held.version += 1
    held.saved_at = timezone.now()
    held.save(update_fields=["wish", "tournament", "version", "saved_at"])
    ask_for_movements(held)
    return held


@transaction.atomic
def delete(*, draft: Draft) -> None:
    """Throw a draft away. Conflict while it is being set up."""
    held = _held(draft)
    if held.job is not None and not held.job.is_over:
        raise Conflict("being-set-up", _("This session is being set up: wait a moment."))
    held.delete()


def _held(draft: Draft) -> Draft:
    rows = Draft.objects.select_for_update(no_key=True, of=("self",))
    return rows.select_related("club", "tournament__club", "job").get(pk=draft.pk)


def _check_seen(draft: Draft, seen: int) -> None:
    if draft.version != seen:
        message = _("This draft has been changed meanwhile: look at what it says now.")
        raise Stale("draft-changed", message)


def _check_open(draft: Draft) -> None:
    if draft.job is not None and draft.job.state not in {Job.State.FAILED, Job.State.CANCELLED}:
        raise Conflict("set-up-already", _("This session has been set up already, or is being set up."))


# ── Setting up ──────────────────────────────────────────────────────────────────────────────────────


def missing(draft: Draft, wish: SessionWish) -> list[str]:
    """The steps that are still to be taken before a session can be set up."""
    lacking = []
    if not wish.game or not (wish.name and (draft.tournament_id or wish.tournament_name)):
        lacking.append("game")
    if contestant_count(draft, wish) < 2:
        lacking.append("contestants")
    elif _movement_for(draft, wish) is None:
        lacking.append("movement")
    return lacking


def _movement_for(draft: Draft, wish: SessionWish) -> ChosenMovement | None:
    """The movement that was chosen, if it is among those for the contestants that there are now."""
    found = offers_of(draft)
    if found is None or wish.movement is None:
        return None
    return next((one.movement for one in found[0] if one.movement == wish.movement), None)


@transaction.atomic
def set_up(*, draft: Draft, actor: Account, seen: int) -> Job:
    """The job that sets the session up. A second time it is the same job, unless that has failed. Invalid or
    Conflict says what is missing."""
    held = _held(draft)
    if held.job is not None and held.job.state not in {Job.State.FAILED, Job.State.CANCELLED}:
        return held.job
    _check_seen(held, seen)
    wish = wish_of(held)
    if missing(held, wish):
        raise Invalid("incomplete", _("Something is still to be decided."))
    request = request_of(held, wish)
    sessions.check(club=held.club, **request)
    if held.tournament is None:
        held.tournament = sessions.create_tournament(actor=actor, club=held.club, name=wish.tournament_name)
        held.wish = replace(wish, tournament_name="").to_json()
    held.job = jobs.ask(
        Job.Kind.SET_UP, tournament=held.tournament, sender=actor, name=wish.name, request=request
    )
    held.version += 1
    held.save(update_fields=["tournament", "wish", "job", "version"])
    return held.job


def request_of(draft: Draft, wish: SessionWish) -> dict[str, Any]:
    """What a job is asked for."""
    game = registry.game(wish.game)
    chosen = wish.movement
    assert chosen is not None
    is_unsealed = wish.custody in UNSEALED
    request: dict[str, Any] = {
        "name": wish.name,
        "game": wish.game,
        "options": dict(wish.options),
        "method": wish.method,
        "method_options": dict(wish.method_options),
        "movement": chosen.family,
        "rounds": chosen.rounds,
        "boards_per_round": chosen.boards_per_round,
        "reserves": wish.reserves,
        "custody": str(BoardSet.Keeping.OFFICER) if is_unsealed else wish.custody,
        "sealed": not is_unsealed,
        "copied": wish.custody == COPIED,
        "substitutes_credited": wish.substitutes_credited,
        "live": wish.live,
        "names_may_be_published": wish.names_may_be_published,
        "starts_at": starts_at(draft.club, wish),
        "pace": None if wish.pace is None else dict(wish.pace),
        "people": [[role.account_id, str(role.kind)] for role in people_like(draft)],
        "public_value": None,
        "contestants": [one.given for one in wish.contestants],
    }
    if wish.leg is not None:  # its boards are there, and the same for all clubs
        request |= {
            "leg": wish.leg,
            "reserves": 0,
            "custody": str(BoardSet.Keeping.OFFICER),
            "sealed": True,
            "copied": False,
        }
    if chosen.family == movement_files.FILE:
        request["movement_file"] = wish.movement_file
    if len(game.seats) > 1:
        request["seats"] = chosen.seats
    if wish.public_kind and wish.leg is None:
        request["public_value"] = asdict(PublicValue(kind=wish.public_kind, source=wish.public_source))
    if wish.replaces is not None:
        request["replaces"] = wish.replaces
    if wish.registration is not None:
        the_list = list_of(draft, wish)
        assert the_list is not None, "else the contestants were missing"
        request |= {
            "registration": wish.registration,
            "contestants": [{"players": own} for own in registrations.enough_of(the_list)],
        }
    return request


def people_like(draft: Draft) -> list[Role]:
    """Who runs the session that a draft is a copy of, and is to run this one too: its directors, scorers and
    deal officers, by name."""
    if draft.copied_from_id is None:
        return []
    there = Role.objects.in_force().filter(session=draft.copied_from_id, kind__in=KEPT)
    return list(
        there.filter(account__is_active=True).select_related("account").order_by("account__name", "pk")
    )


def has_nobody_to_deal(draft: Draft, wish: SessionWish) -> bool:
    """Whether all who have a role at the club, or will have one in the session, are among those who are to
    play: custody of boards is for somebody who does not. Not known of an event, nor of a registration list.
    Three queries; the time grows with the contestants."""
    if wish.leg is not None or wish.registration is not None or not wish.contestants:
        return False
    there = Role.objects.in_force().filter(club=draft.club, account__is_active=True)
    officials = {role.account_id: role.account.name for role in there.select_related("account")}
    officials |= {role.account_id: role.account.name for role in people_like(draft)}
    members = [member for one in wish.contestants for member in one.members]
    players = Player.objects.filter(club=draft.club, pk__in=[one for one in members if isinstance(one, int)])
    seated = list(players.values_list("account_id", "folded"))
    accounts = {account for account, _folded in seated}
    names = {folded for account, folded in seated if account is None}
    names |= {fold(register.typed_stranger(one).name) for one in members if isinstance(one, str)}
    return all(pk in accounts or fold(name) in names for pk, name in officials.items())


def check_options(game: str, options: Mapping[str, Any]) -> None:
    """Invalid where a game does not have such options."""
    try:
        registry.options_of(registry.game(game), dict(options))
    except EngineError as error:
        raise Invalid("bad-option", error.phrase().to(language())) from error


# ── What there is ───────────────────────────────────────────────────────────────────────────────────


def unfinished_of(clubs: Iterable[Club]) -> list[Draft]:
    """The drafts of some clubs, what was saved last first."""
    rows = Draft.objects.filter(club__in=list(clubs)).unfinished()
    return list(rows.select_related("club", "job", "tournament", "made_by").order_by("-saved_at", "-pk")[:50])


def lists_for(draft: Draft) -> list[tuple[int, str]]:
    """The registration lists of the tournament from which no session was set up yet, by id, with how many
    stand in each."""
    found = RegistrationList.objects.filter(tournament=draft.tournament_id or 0, session=None)
    rows = found.annotate(entered=Count("registrations", filter=Q(registrations__left_at=None)))
    shown = rows.order_by("-pk").values_list("pk", "name", "entered")[:50]
    return [(pk, f"{name} ({entered})") for pk, name, entered in shown]
