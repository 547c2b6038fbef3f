"""Who may do what: the rules about doing, each once, as conditions on rows.

One query says both whether somebody may and which rows there are: a page lists
`Session.objects.directed_by(account)`, and a request about one session asks the same of it. What anybody may
see is said beside each model; who may grant which role, in `services.roles`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from django.db.models import Q

from .accounts import Account, Role, RoleKind
from .people import Token

Caller: TypeAlias = Token | Account | None
"""A token of the API (one role, a table or a player), somebody who is signed in (all of their roles), or
anyone."""

RUN_A_CLUB = (RoleKind.ADMINISTRATOR, RoleKind.ORGANISER)
RUN_A_SESSION = (RoleKind.ORGANISER, RoleKind.DIRECTOR)
ENTER = (RoleKind.SCORER,)


def managed(caller: Caller, *, club: str) -> Q:
    """Rows of clubs whose tournaments the caller sets up; `club`: the way to them."""
    return Q(**{f"{club}__in": held(caller, "club", RUN_A_CLUB)})


def directed(caller: Caller, *, session: str, club: str) -> Q:
    """Rows of sessions that the caller runs: their director and organiser, and those who run their club."""
    return Q(**{f"{session}__in": held(caller, "session", RUN_A_SESSION)}) | managed(caller, club=club)


def scored(caller: Caller) -> Q:
    """Sections whose results the caller enters for all tables: a scorer's, of the club or of the session, and
    those of sessions that the caller runs."""
    return (
        Q(club__in=held(caller, "club", ENTER))
        | Q(session__in=held(caller, "session", ENTER))
        | directed(caller, session="session", club="session__tournament__club")
    )


def directs(token: Token, *, session: int, club: int) -> bool:
    """Whether a token runs a session of a club, without the database."""
    return session in held(token, "session", RUN_A_SESSION) or club in held(token, "club", RUN_A_CLUB)


def officiated(caller: Caller, *, session: str, club: str) -> Q:
    """Rows of sessions all of whose results the caller sees: those that they run, or score as a whole."""
    return (
        directed(caller, session=session, club=club)
        | Q(**{f"{session}__in": held(caller, "session", ENTER)})
        | Q(**{f"{club}__in": held(caller, "club", ENTER)})
    )


def officiates(token: Token, *, session: int, club: int) -> bool:
    """The same of one session of a club, without the database."""
    is_scorer = session in held(token, "session", ENTER) or club in held(token, "club", ENTER)
    return is_scorer or directs(token, session=session, club=club)


def entered(caller: Caller) -> Q:
    """Sections where the caller enters results: a table's own, of which it enters those of its own plays."""
    if isinstance(caller, Token) and caller.table_id:
        return Q(tables=caller.table_id)
    return scored(caller)


def enters(token: Token, *, session: int, club: int) -> Callable[[int, int], bool]:
    """The same of a session of a club, without the database: whether a token enters the results of a table,
    by the table's id and its section's club."""
    if (own := token.table_id) is not None:
        return lambda table, _club: table == own
    if directs(token, session=session, club=club) or session in held(token, "session", ENTER):
        return lambda _table, _club: True
    scoring = held(token, "club", ENTER)
    return lambda _table, section_club: section_club in scoring


def administers_federation(caller: Caller) -> bool:
    """Whether the caller administers the federation."""
    return _has_federal_role(caller, RoleKind.ADMINISTRATOR)


def organises_federation(caller: Caller) -> bool:
    """Whether the caller is an organiser of the federation, who runs the events that they own."""
    return _has_federal_role(caller, RoleKind.ORGANISER)


def _has_federal_role(caller: Caller, kind: RoleKind) -> bool:
    if isinstance(caller, Token):
        role = caller.role
        return role is not None and role.kind == kind and role.club_id is role.session_id is None
    if isinstance(caller, Account) and caller.is_active:
        own = Role.objects.in_force().filter(account=caller, club=None, session=None)
        return own.filter(kind=kind).exists()
    return False


def held(caller: Caller, place: str, kinds: tuple[RoleKind, ...] = tuple(RoleKind)) -> Any:
    """The clubs or sessions (`place`) where the caller has one of these roles, for `__in`. What a token knows
    is not asked of the database."""
    if isinstance(caller, Token):
        role = caller.role
        there = None if role is None or role.kind not in kinds else getattr(role, f"{place}_id")
        return () if there is None else (there,)
    if isinstance(caller, Account) and caller.is_active:
        own = Role.objects.in_force().filter(account=caller, kind__in=kinds)
        return own.filter(**{f"{place}__isnull": False}).values(place)
    return ()
