"""Invitations: a role offered by a link, which is good once, for some days, and perhaps for one person alone.

Of the link only the SHA-256 of its secret of 256 bits is kept. The link of the first start is one as well: it
offers the federation's administration, while that has nobody.
"""

import secrets
from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import Account, Invitation, Role, Token
from ..models.accounts import NO_PASSWORD, RoleKind
from . import accounts, roles
from .errors import Conflict, Forbidden, Invalid
from .roles import FEDERATION, RolePlace

State = Invitation.State
MOST_OPEN = 200  # at a place, so that nobody fills the page of people


def digest_of(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def path_of(secret: str) -> str:
    """Where a link leads, whatever the language of whoever follows it."""
    return f"/invitations/link/{secret}/"


@transaction.atomic
def invite(
    *,
    kind: RoleKind,
    place: RolePlace,
    actor: Account | None,
    email: str | None = None,
    days: int | None = None,
    is_first: bool = False,
) -> tuple[Invitation, str]:
    """An invitation and its secret, which is nowhere else. Without an actor an operator invites. Forbidden if
    the actor may not grant the role."""
    if kind not in place.kinds:
        kinds = ", ".join(str(one.label) for one in place.kinds)
        raise Invalid(
            "no-such-role", _("This role does not exist here. Choose one of: %(kinds)s.") % {"kinds": kinds}
        )
    if actor is not None and not roles.may_grant(actor, kind, place):
        raise Forbidden("may-not-grant", _("You may not grant this role."))
    if email and not accounts.is_address(email):
        raise Invalid("no-address", _("This is not an e-mail address."))
    if _open_invitations(place).count() >= MOST_OPEN:
        raise Conflict("too-many-invitations", _("Too many invitations are open: withdraw some first."))
    secret = secrets.token_urlsafe(32)
    now = timezone.now()
    invitation = Invitation.objects.create(
        digest=digest_of(secret),
        kind=kind,
        club=place.club,
        session=place.session,
        email=email or None,
        is_first=is_first,
        made_by=actor,
        made_at=now,
        ends_at=now + timedelta(days=settings.INVITATION_DAYS if days is None else days),
    )
    roles.note(actor, "invited", invitation, place, kind=str(kind))
    return invitation, secret


def roles_without_a_way_in() -> QuerySet[Role]:
    """The roles of accounts that came from tokens of earlier releases: in force, with a token, of somebody
    who has neither an address nor a password, and so cannot sign in."""
    has_token = Token.objects.valid().filter(role=OuterRef("pk"))
    there = Role.objects.in_force().filter(Exists(has_token), account__email=None, account__is_active=True)
    there = there.filter(account__password__startswith=NO_PASSWORD)
    return there.select_related("account", "club", "session__tournament__club").order_by(
        "account__name", "pk"
    )


@transaction.atomic
def set_up() -> str | None:
    """The secret of a link to the first administrator's account; None once there is one. An earlier link
    stops working."""
    if roles.has_administrator():
        return None
    now = timezone.now()
    Invitation.objects.filter(is_first=True, accepted_at=None, withdrawn_at=None).update(withdrawn_at=now)
    _invitation, secret = invite(
        kind=RoleKind.ADMINISTRATOR, place=FEDERATION, actor=None, days=settings.SET_UP_DAYS, is_first=True
    )
    return secret


def with_secret(secret: str) -> Invitation | None:
    return _with_places().filter(digest=digest_of(secret)).first()


def with_digest(pk: int, digest: str) -> Invitation | None:
    return _with_places().filter(pk=pk, digest=digest).first()


def _with_places() -> QuerySet[Invitation]:
    return Invitation.objects.select_related("club", "session__tournament__club", "made_by", "role")


def state_of(
    invitation: Invitation, granted: Mapping[int, tuple[RoleKind, ...]] | None = None
) -> Invitation.State:
    """How it stands with an invitation. It counts as withdrawn once whoever made it may no longer grant the
    role, and the first administrator's once there is one. `granted`: what its maker grants at its place, by
    the maker's key, where somebody has asked for several."""
    state = invitation.state()
    if state != State.OPEN:
        return state
    if invitation.is_first and roles.has_administrator():
        return State.WITHDRAWN
    maker = invitation.made_by
    if maker is None:
        return State.OPEN
    kinds = granted[maker.pk] if granted else roles.grantable(maker, RolePlace.of(invitation))
    return State.OPEN if invitation.kind in kinds else State.WITHDRAWN


def open_at(place: RolePlace) -> list[Invitation]:
    """The invitations that can still be accepted, the newest first."""
    there = list(_open_invitations(place).order_by("-pk"))
    granted = roles.grantable_by({one.made_by for one in there if one.made_by is not None}, place)
    return [one for one in there if state_of(one, granted) == State.OPEN]


def _open_invitations(place: RolePlace) -> QuerySet[Invitation]:
    now = timezone.now()
    return _with_places().filter(place.at, accepted_at=None, withdrawn_at=None, ends_at__gt=now)


def is_for(invitation: Invitation, account: Account) -> bool:
    """Whether an account may accept: anyone's, unless the invitation names an e-mail address."""
    return invitation.email is None or invitation.email == account.email


@transaction.atomic
def withdraw(*, invitation: Invitation, actor: Account) -> None:
    """Nobody can accept it any more. Forbidden but for its maker and those who may grant the role; once it
    was accepted or withdrawn nothing happens."""
    place = RolePlace.of(invitation)
    if invitation.made_by_id != actor.pk and not roles.may_grant(actor, invitation.kind, place):
        raise Forbidden("may-not-withdraw", _("You may not withdraw this invitation."))
    there = Invitation.objects.filter(pk=invitation.pk, accepted_at=None, withdrawn_at=None)
    if there.update(withdrawn_at=timezone.now(), withdrawn_by=actor):
        roles.note(actor, "withdrew invitation", invitation, place, kind=str(invitation.kind))


@transaction.atomic
def accept(*, invitation: Invitation, account: Account) -> Role:
    """The role, in force. Conflict if the invitation can no longer be accepted; Forbidden if it is for
    somebody else. Accepted again by the same account, it gives the same role; a role that the account has
    already leaves the invitation to somebody else."""
    locked = _lock(invitation)
    if locked.role is not None and locked.role.account_id == account.pk and locked.role.revoked_at is None:
        return locked.role
    state = state_of(locked)
    if state != State.OPEN:
        raise Conflict(f"invitation-{state.value}", _("This invitation can no longer be accepted."))
    if not is_for(locked, account):
        raise Forbidden("invitation-foreign", _("This invitation is for another e-mail address."))
    place = RolePlace.of(locked)
    role, is_new = roles.grant(account=account, kind=RoleKind(locked.kind), place=place, actor=locked.made_by)
    if is_new:
        locked.role, locked.accepted_at = role, timezone.now()
        locked.save(update_fields=["role", "accepted_at"])
        roles.note(account, "accepted invitation", locked, place, role=role.pk, kind=str(locked.kind))
    return role


@transaction.atomic
def join(*, invitation: Invitation, name: str, email: str, password: str, language: str) -> Account:
    """A new account that has accepted: both, or neither."""
    account = accounts.create(
        name=name, email=invitation.email or email, password=password, language=language
    )
    accept(invitation=invitation, account=account)
    return account


def _lock(invitation: Invitation) -> Invitation:
    """The invitation as it is, with nobody else accepting it; of the first administrator's links, any."""
    rows = Invitation.objects.select_for_update(of=("self",)).order_by("pk")
    if invitation.is_first:
        list(rows.filter(is_first=True, accepted_at=None))
    return rows.get(pk=invitation.pk)
