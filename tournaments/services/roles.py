"""Who may do what: the roles in force, who may grant and revoke them, and that nobody is the last to
leave."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import Account, Club, Invitation, Role, Session, Token
from ..models.accounts import AT_CLUB, AT_FEDERATION, AT_SESSION, RoleKind
from . import clubs, custody, history
from .errors import Conflict, Forbidden

GRANTED_BY_ORGANISERS = {
    "club": (RoleKind.SCORER,),
    "session": (RoleKind.DIRECTOR, RoleKind.DEAL_OFFICER, RoleKind.SCORER),
}


@dataclass(frozen=True, slots=True)
class RolePlace:
    """Where somebody has a role: at a club, at a session, or at the federation (neither)."""

    club: Club | None = None
    session: Session | None = None

    @classmethod
    def of(cls, holder: Role | Invitation) -> RolePlace:
        return cls(holder.club, holder.session)

    @property
    def kinds(self) -> tuple[RoleKind, ...]:
        """What one may be there."""
        return AT_SESSION if self.session else AT_CLUB if self.club else AT_FEDERATION

    @property
    def at(self) -> Q:
        """The rows of this place."""
        return Q(club=self.club, session=self.session)

    @property
    def name(self) -> str:
        if self.session is not None:
            return f"{self.session.name} ({self.session.tournament.club.name})"
        return self.club.name if self.club is not None else _("the federation")


FEDERATION = RolePlace()


# ── Predicates: account and place ─────────────────────────────────────────────────────────────────


def grantable(account: Account, place: RolePlace) -> tuple[RoleKind, ...]:
    """The kinds of roles that an account may grant and revoke at a place, now."""
    return grantable_by([account], place)[account.pk]


def grantable_by(people: Collection[Account], place: RolePlace) -> dict[int, tuple[RoleKind, ...]]:
    """The same for each of these accounts, by its key, in as many queries as for one."""
    club = place.session.tournament.club_id if place.session else place.club and place.club.pk
    above = Q(club=None, session=None, kind=RoleKind.ADMINISTRATOR)
    if club is not None:
        above |= Q(club=club, kind=RoleKind.ADMINISTRATOR)
    organising = Q(pk=None)
    if place.club is not None:
        organising = Q(club=place.club, kind=RoleKind.ORGANISER)
    elif place.session is not None:
        organising = Q(club=club, kind=RoleKind.ORGANISER) | Q(session=place.session, kind=RoleKind.ORGANISER)
    found: dict[int, tuple[RoleKind, ...]] = {one.pk: () for one in people}
    organisers = GRANTED_BY_ORGANISERS["session" if place.session else "club"]
    for held, kinds in ((above, place.kinds), (organising, organisers)):
        if left := [one.pk for one in people if one.is_active and not found[one.pk]]:
            own = Role.objects.in_force().filter(held, account__in=left)
            found |= dict.fromkeys(own.values_list("account", flat=True), kinds)
    return found


def may_invite_to(session: Session, held: Iterable[Role]) -> bool:
    """Whether these roles let somebody grant any at a session: `grantable`, without the database."""
    club = session.tournament.club_id
    return any(
        (role.kind == RoleKind.ADMINISTRATOR and role.session_id is None and role.club_id in {None, club})
        or (role.kind == RoleKind.ORGANISER and (role.session_id == session.pk or role.club_id == club))
        for role in held
    )


def may_grant(account: Account, kind: str, place: RolePlace) -> bool:
    return kind in grantable(account, place)


def is_administrator(account: Account, place: RolePlace = FEDERATION) -> bool:
    """Whether an account administers the federation, or the club of a place."""
    return account.is_active and (
        Role.objects.in_force().filter(place.at, account=account, kind=RoleKind.ADMINISTRATOR).exists()
    )


def reads_history(account: Account, place: RolePlace) -> bool:
    """Whether an account may read the history of a place: the officials of a session, and of its club; those
    who run a club; and the federation's administrators."""
    kinds = () if place.session is not None else (RoleKind.SCORER,)
    return account.is_active and _around(account, place).exclude(kind__in=kinds).exists()


def exports_history(account: Account, place: RolePlace) -> bool:
    """Whether an account may take it along, for an auditor: administrators and organisers."""
    runs = (RoleKind.ADMINISTRATOR, RoleKind.ORGANISER)
    return account.is_active and _around(account, place).filter(kind__in=runs).exists()


def _around(account: Account, place: RolePlace) -> QuerySet[Role]:
    """The roles of an account at a place, at the club that it belongs to, and above."""
    there = Q(club=None, session=None, kind=RoleKind.ADMINISTRATOR)
    if place.session is not None:
        there |= Q(session=place.session) | Q(club=place.session.tournament.club_id)
    elif place.club is not None:
        there |= Q(club=place.club)
    return Role.objects.in_force().filter(there, account=account)


def has_administrator(place: RolePlace = FEDERATION) -> bool:
    return _administrators(place).exists()


def _administrators(place: RolePlace) -> QuerySet[Role]:
    return Role.objects.in_force().filter(place.at, kind=RoleKind.ADMINISTRATOR, account__is_active=True)


def runs(account: Account, club: Club) -> bool:
    """Whether an account looks after a club: its administrators and organisers, and the federation's
    administrators."""
    return account.is_active and clubs_of(account).filter(pk=club.pk).exists()


def is_last(role: Role) -> bool:
    """Whether nobody else administers the place of an administrator's role."""
    return not _administrators(RolePlace.of(role)).exclude(account=role.account_id).exists()


# ── What there is ─────────────────────────────────────────────────────────────────────────────────


def at(place: RolePlace) -> list[tuple[RoleKind, list[Role]]]:
    """Who has which role at a place, in the order of its kinds, people by name."""
    roles = Role.objects.in_force().filter(place.at).select_related("account").order_by("account__name", "pk")
    by_kind: dict[str, list[Role]] = {kind: [] for kind in place.kinds}
    for role in roles:
        by_kind[role.kind].append(role)
    return [(kind, by_kind[kind]) for kind in place.kinds]


def of(account: Account) -> QuerySet[Role]:
    """The roles in force of an account, with their places: the federation first, then clubs, then
    sessions."""
    roles = Role.objects.in_force().filter(account=account)
    return roles.select_related("club", "session__tournament__club").order_by(
        "session", "club__name", "kind", "pk"
    )


def clubs_of(account: Account) -> QuerySet[Club]:
    """The clubs whose people an account looks after: all of them for the federation's administrators."""
    if is_administrator(account):
        return Club.objects.order_by("name", "pk")
    own = Role.objects.in_force().filter(
        account=account, kind__in=(RoleKind.ADMINISTRATOR, RoleKind.ORGANISER)
    )
    return Club.objects.filter(pk__in=own.filter(club__isnull=False).values("club")).order_by("name", "pk")


def works_for(user: object, club: Club) -> bool:
    """Whether somebody who has signed in has a role at a club, or at a session of it, or looks after it."""
    if not isinstance(user, Account):
        return False
    own = Role.objects.in_force().filter(account=user)
    return is_administrator(user) or own.filter(Q(club=club) | Q(session__tournament__club=club)).exists()


# ── Changes ───────────────────────────────────────────────────────────────────────────────────────


def lock(club: Club) -> None:
    """Wait for whoever else changes who does what at a club; until the end of the transaction."""
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)


@transaction.atomic
def grant(*, account: Account, kind: RoleKind, place: RolePlace, actor: Account | None) -> tuple[Role, bool]:
    """The role in force, and whether it is new. Without an actor an operator grants it. Forbidden if the
    actor may not."""
    if actor is not None and not may_grant(actor, kind, place):
        raise Forbidden("may-not-grant", _("You may not grant this role."))
    own = Role.objects.in_force().filter(place.at, account=account, kind=kind)
    if (role := own.first()) is not None:
        return role, False
    try:
        with transaction.atomic():
            role = Role.objects.create(
                account=account, kind=kind, club=place.club, session=place.session, granted_by=actor
            )
    except IntegrityError:  # granted meanwhile
        return own.get(), False
    _note(actor, "granted role", role)
    return role, True


@transaction.atomic
def revoke(*, role: Role, actor: Account | None) -> None:
    """End a role, and the tokens that it gave. Its holder may always leave it; Conflict if nobody would be
    left to administer the place. A second time nothing happens."""
    place = RolePlace.of(role)
    if actor is not None and actor.pk != role.account_id and not may_grant(actor, role.kind, place):
        raise Forbidden("may-not-revoke", _("You may not revoke this role."))
    if role.kind == RoleKind.ADMINISTRATOR:
        # Two who leave at once wait for each other: the second finds itself the last.
        left = [one.pk for one in _administrators(place).select_for_update(of=("self",)).order_by("pk")]
        if left == [role.pk]:
            message = _("%(name)s is the last administrator of %(place)s: make somebody else one first.")
            raise Conflict("last-administrator", message % {"name": role.account.name, "place": place.name})
    now = timezone.now()
    if not Role.objects.in_force().filter(pk=role.pk).update(revoked_at=now, revoked_by=actor):
        return
    Token.objects.filter(role=role, revoked_at=None).update(revoked_at=now)
    if role.kind == RoleKind.DEAL_OFFICER:
        custody.end_of(role)
    is_own = actor is not None and actor.pk == role.account_id
    _note(actor, "left role" if is_own else "revoked role", role, as_role=role if is_own else None)


@transaction.atomic
def found_club(*, name: str, actor: Account) -> Club:
    """A new club, which the actor administers until somebody else does. Forbidden but for administrators of
    the federation."""
    if not is_administrator(actor):
        raise Forbidden("may-not-found-clubs", _("Only the federation's administrators make clubs."))
    club = clubs.create(name)
    history.note(actor, "made club", club, club=club)
    grant(account=actor, kind=RoleKind.ADMINISTRATOR, place=RolePlace(club), actor=actor)
    return club


def _note(actor: Account | None, verb: str, role: Role, as_role: Role | None = None) -> None:
    note(actor, verb, role, RolePlace.of(role), as_role=as_role, account=role.account_id, kind=str(role.kind))


def note(
    actor: Account | None,
    verb: str,
    subject: Role | Invitation | Token,
    place: RolePlace,
    *,
    as_role: Role | None = None,
    **detail: Any,
) -> None:
    """A line of the history about a role, the offer of one or a token of one, at a place."""
    history.note(actor, verb, subject, session=place.session, club=place.club, as_role=as_role, **detail)
